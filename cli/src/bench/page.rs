//! A page of what was measured. In: rows, under the heads of a file of cases. Out: Markdown.

use std::fmt::Write;

use super::means::{Mean, SMALL};
use super::reasons::{ENOUGH, ENOUGH_SMALL};
use super::report::Row;

/// All that a page says.
pub(crate) struct Page<'a> {
    /// The file of cases, and what makes the page of it.
    pub(crate) file: &'a str,
    pub(crate) command: String,
    pub(crate) cpu: String,
    pub(crate) caches: String,
    pub(crate) clock_ghz: f64,
    /// What was planned for.
    pub(crate) targets: String,
    pub(crate) threads: u16,
    /// oneDNN's version, where it ran.
    pub(crate) onednn: Option<&'a str>,
    /// Of each tier.
    pub(crate) means: Vec<(String, Vec<Mean>)>,
    pub(crate) sections: Vec<(&'a str, Vec<&'a Row>)>,
}

/// Columns of text.
const WIDTH: usize = 120;

impl Page<'_> {
    pub(crate) fn print(&self) -> String {
        let mut text = self.head();
        for (tier, means) in &self.means {
            text += &self.table_of_means(tier, means);
        }
        for (head, rows) in self.sections.iter().filter(|(_, rows)| !rows.is_empty()) {
            text += &self.section(head, rows);
        }
        text
    }

    fn head(&self) -> String {
        let Page { file, command, cpu, caches, clock_ghz, targets, threads, .. } = self;
        let against = match self.onednn {
            Some(version) => format!("memcpy, a copy past the caches and oneDNN {version}"),
            None => "memcpy and a copy past the caches".into(),
        };
        let threads = match threads {
            1 => "one thread".into(),
            n => format!("{n} threads"),
        };
        let measured = format!(
            "All took turns within one process, on {threads}: ours, {against}, each on the same pages of memory, which were \
             touched before. A number is the median of the rounds. GB/s count each byte of the source that is read, once, \
             and each byte of the destination that is written, its padding among them; a copy moves as many, half of them \
             read and half written, and **of copy** is to the better of the two. What fits in a cache was there before, \
             for the copy too."
        );
        let model = format!(
            "**Model** is what the plan's own model says before anything is run: the cycles that the ports of the core or \
             the lines of memory need at least, whichever are more, for a clock of {clock_ghz:.2} GHz, measured by a chain \
             of multiplications. Cases below {ENOUGH} of copy, {ENOUGH_SMALL} up to {} KiB, are explained below their \
             table, from their plan.",
            SMALL >> 10
        );
        let loops = "**Plain loops** go over the logical dims and look the address of each element up; where there is \
                     arithmetic, or an address is no sum over the dims, they are the scalar reference, which is slower \
                     still.";
        let machine = format!("{cpu}, {caches}; planned for {targets}.");
        format!(
            "<!-- Generated: `{command}` writes this page. -->\n\n# Performance\n\n{}\n{}\n{}\n{}\n{}",
            wrapped(&format!("What the conversions of {file} take on one machine: {machine}"), ""),
            wrapped(&measured, ""),
            wrapped(&model, ""),
            wrapped(loops, ""),
            wrapped("To make this page on another machine, with nothing else running:", "")
        ) + &format!("\n```sh\n{command}\n```\n")
    }

    fn table_of_means(&self, tier: &str, means: &[Mean]) -> String {
        let mut text = format!("\n## Geometric means, {tier}\n\n");
        let (head, line) = match self.onednn {
            Some(_) => (" of oneDNN | of its pairs |", "--:|--:|"),
            None => ("", ""),
        };
        text += &format!(
            "| class | pairs | of copy | of plain loops |{head}\n|---|--:|--:|--:|{line}\n"
        );
        for Mean { name, copy, naive, count, onednn } in means {
            let theirs = onednn.map_or(" | |".into(), |(mean, n)| format!(" {mean:.2} | {n} |"));
            let theirs = if self.onednn.is_some() { theirs } else { String::new() };
            writeln!(text, "| {name} | {count} | {copy:.3} | {naive:.1} |{theirs}")
                .unwrap_or_default();
        }
        text
    }

    fn section(&self, head: &str, rows: &[&Row]) -> String {
        let several = self.means.len() > 1;
        let mut text = format!("\n## {}\n\n", capital(head));
        let (onednn, line) =
            if self.onednn.is_some() { (" of oneDNN |", "--:|") } else { ("", "") };
        let (tier, tier_line) = if several { (" tier |", "---|") } else { ("", "") };
        text += &format!(
            "| pair |{tier} KiB | GB/s | of copy |{onednn} model GB/s | bound by |\n|---|{tier_line}--:|--:|--:|{line}--:|---|\n"
        );
        for row in rows {
            text += &self.row(row, several);
        }
        let why = |row: &&&Row| !row.why.is_empty();
        for (i, row) in rows.iter().filter(why).enumerate() {
            let tier = if several { format!(" on {}", row.tier) } else { String::new() };
            let said = format!("- `{}`{tier}, {:.2}: {}", row.pair, row.ratio, row.why.join(" "));
            text += if i == 0 { "\n" } else { "" };
            text += &wrapped(&said, "  ");
        }
        text
    }

    fn row(&self, row: &Row, several: bool) -> String {
        let tier = if several { format!(" {} |", row.tier) } else { String::new() };
        let cell = |number: Option<String>| number.unwrap_or_default();
        let wrong = if row.onednn_agrees == Some(false) { "!" } else { "" };
        let onednn = match self.onednn {
            Some(_) => format!(" {} |", cell(row.to_onednn().map(|n| format!("{n:.2}{wrong}")))),
            None => String::new(),
        };
        format!(
            "| `{}` |{tier} {:.1} | {:.1} | {:.2} |{onednn} {} | {} |\n",
            row.pair,
            row.bytes as f64 / 1024.0,
            row.ours_gbs,
            row.ratio,
            cell(row.predicted_gbs.map(|gbs| format!("{gbs:.1}"))),
            row.bound.unwrap_or_default(),
        )
    }
}

/// With a capital letter, but for names of types.
fn capital(head: &str) -> String {
    let named = head.split(' ').next().is_some_and(|word| word.parse::<retile::DType>().is_ok());
    let mut letters = head.chars();
    match letters.next().filter(|_| !named) {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => head.into(),
    }
}

/// In lines of so many columns, those behind the first indented.
fn wrapped(text: &str, indent: &str) -> String {
    let mut out = String::new();
    let mut columns = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if columns > 0 && columns + 1 + length > WIDTH {
            out += "\n";
            out += indent;
            columns = indent.len();
        } else if columns > 0 {
            out += " ";
            columns += 1;
        }
        out += word;
        columns += length;
    }
    out + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped() {
        let text = wrapped(&"abcdefghi ".repeat(15), "  ");
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(lengths, [119, 31]);
        assert!(text.ends_with("\n  abcdefghi abcdefghi abcdefghi\n"), "{text}");
        assert_eq!(capital("bytes and words"), "Bytes and words");
        assert_eq!(capital("f32 weights"), "f32 weights");
    }

    #[test]
    fn rows_stand_under_their_heads() {
        let row = |pair: &str, why: &[&str]| Row {
            pair: pair.into(),
            bytes: 2048,
            ours_gbs: 12.25,
            ratio: 0.125,
            predicted_gbs: Some(40.0),
            bound: Some("ports"),
            onednn_gbs: Some(6.125),
            onednn_agrees: Some(false),
            why: why.iter().map(|why| why.to_string()).collect(),
            ..Row::default()
        };
        let rows = [row("u8:a:3 a", &[]), row("u8:ab:3x5 ba", &["One.", "Two."])];
        let mean =
            Mean { name: "all".into(), copy: 0.5, naive: 9.0, count: 2, onednn: Some((2.0, 1)) };
        let mut page = Page {
            file: "cases.txt",
            command: "retile bench --batch cases.txt --markdown out.md".into(),
            cpu: "a CPU".into(),
            caches: "48 KiB L1".into(),
            clock_ghz: 4.0,
            targets: "portable".into(),
            threads: 1,
            onednn: Some("3.2.0"),
            means: vec![("portable".into(), vec![mean])],
            sections: vec![("empty", vec![]), ("bytes", rows.iter().collect())],
        };
        let text = page.print();
        for part in [
            "<!-- Generated: `retile bench --batch cases.txt --markdown out.md` writes this page. -->\n\n# Performance\n",
            "of cases.txt take on one machine: a CPU, 48 KiB L1; planned for portable.\n",
            "\n## Geometric means, portable\n\n| class | pairs | of copy | of plain loops | of oneDNN | of its pairs |\n",
            "\n| all | 2 | 0.500 | 9.0 | 2.00 | 1 |\n",
            "\n## Bytes\n\n| pair | KiB | GB/s | of copy | of oneDNN | model GB/s | bound by |\n|---|--:|--:|--:|--:|--:|---|\n",
            "| `u8:a:3 a` | 2.0 | 12.2 | 0.12 | 2.00! | 40.0 | ports |\n",
            "\n\n- `u8:ab:3x5 ba`, 0.12: One. Two.\n",
        ] {
            assert!(text.contains(part), "{part:?} in {text}");
        }
        assert!(!text.contains("Empty"), "{text}");
        page.onednn = None;
        page.means.push(("avx2".into(), vec![]));
        let text = page.print();
        assert!(!text.contains("oneDNN"), "{text}");
        assert!(text.contains("| `u8:a:3 a` |  | 2.0 | 12.2 | 0.12 | 40.0 | ports |\n"), "{text}");
    }
}
