//! Listings. In: code. Out: its instructions as text, each part under the line of the plan that it does.

use std::fmt::Write;

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, NasmFormatter};

use super::{Code, Note};
use crate::plan::{Nest, Work};

impl Code {
    /// The code as text: the same on every machine, without addresses, jumps and constants by name.
    pub fn listing(&self) -> String {
        let (code, constants) = self.bytes.split_at(self.constants());
        let decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
        let instructions: Vec<Instruction> = decoder.into_iter().collect();
        let mut targets: Vec<u64> = (instructions.iter())
            .filter(|one| one.near_branch_target() != 0)
            .map(Instruction::near_branch_target)
            .collect();
        targets.sort_unstable();
        targets.dedup();
        let mut formatter = NasmFormatter::new();
        let options = formatter.options_mut();
        options.set_hex_prefix("0x");
        options.set_hex_suffix("");
        options.set_rip_relative_addresses(true);
        options.set_space_after_operand_separator(true);
        options.set_show_branch_size(false);
        options.set_branch_leading_zeros(false);
        let mut notes = self.notes.iter().peekable();
        let mut text = String::new();
        for instruction in &instructions {
            while let Some((_, note)) = notes.next_if(|note| u64::from(note.0) <= instruction.ip())
            {
                let _ = self.note(&mut text, *note);
            }
            if let Ok(label) = targets.binary_search(&instruction.ip()) {
                let _ = writeln!(text, "L{label}:");
            }
            let mut line = String::new();
            formatter.format(instruction, &mut line);
            match targets.binary_search(&instruction.near_branch_target()) {
                Ok(label) if instruction.near_branch_target() != 0 => {
                    let name = line.split(' ').next().unwrap_or_default();
                    let _ = writeln!(text, "    {name} L{label}");
                }
                _ if instruction.is_ip_rel_memory_operand() => {
                    let _ = writeln!(text, "    lea r11, [constants]");
                }
                // Between parts.
                _ if line.starts_with("nop") => {}
                _ => {
                    let _ = writeln!(text, "    {line}");
                }
            }
        }
        let _ = writeln!(text, "; constants");
        for row in constants.chunks(32) {
            let bytes: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
            let _ = writeln!(text, "    db {}", bytes.join(" "));
        }
        text
    }

    fn note(&self, text: &mut String, note: Note) -> std::fmt::Result {
        let nests: Vec<&Nest> = self.plan.all_nests().collect();
        let past = |streams: bool| if streams { ", past the caches" } else { "" };
        match note {
            Note::Entry => writeln!(text, "; entry: src rdi, dst rsi, task rdx, count rcx"),
            Note::Nest { nest, streams } => {
                writeln!(text, "; nest {}{}: {}", nest + 1, past(streams), nests[nest])
            }
            Note::Step { index, by } => writeln!(text, "; loop {} by {by}", index + 1),
            Note::Exit => writeln!(text, "; exit"),
            Note::Tile { nest, tile, streams } => {
                let what = match nests[nest].work {
                    Work::Fill(bits) => format!("fill {bits:#x}"),
                    _ => "move".to_owned(),
                };
                let tiling = nests[nest].tiling.as_ref();
                let chunks =
                    tiling.map(|tiling| &tiling.tiles[tile].chunks[..]).unwrap_or_default();
                let chunks: Vec<String> = (chunks.iter())
                    .map(|chunk| match (chunk.start, chunk.end) {
                        (0, end) if end == chunk.extent => format!("{}", chunk.extent),
                        (start, end) => format!("{} of {}", end - start, chunk.extent),
                    })
                    .collect();
                writeln!(
                    text,
                    "; tile {} of nest {}{}: {what} {}",
                    tile + 1,
                    nest + 1,
                    past(streams),
                    chunks.join(" x ")
                )
            }
            Note::Table => writeln!(text, "; table of bytes"),
            Note::Rows => writeln!(text, "; rows of the source"),
            Note::Wild => writeln!(text, "; the same, whatever there is"),
            Note::Routines => writeln!(text, "; routines"),
            Note::Constants => Ok(()),
        }
    }
}
