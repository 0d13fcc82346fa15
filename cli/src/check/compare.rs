//! One conversion on every tier. In: a pair. Out: whether each kernel writes what the reference writes,
//! and nothing else.

use std::fmt::Write;

use retile::{ErrorKind, GivenValues, Kernel, Locality, Sizes, Tier, reference};

use super::{Asked, Checker, Tally, Verdict};
use crate::buffer::{Buffer, LINE};
use crate::draw::{self, Draw, Numbers};
use crate::pair::Pair;
use crate::run;

/// What one way to run a kernel is told by.
struct Way<'a> {
    asked: Asked,
    ran: Tier,
    locality: Locality,
    /// The order of the tasks.
    order: &'a [usize],
    unaligned: bool,
}

/// How many tasks, besides one.
const COUNTS: [usize; 5] = [2, 3, 5, 7, 64];

/// Which values a run takes, any or ordinary ones, which code may know less work for: each on both sides, and of tasks.
const TAKES: [usize; 4] = [0, 1, 1, 0];

impl Checker {
    pub(super) fn compare(&self, pair: &Pair, tally: &mut Tally) -> Verdict {
        let made = Kernel::new(&pair.src, &pair.dst, &pair.attr);
        let sizes = match (pair.sizes(), made) {
            (Ok(sizes), Ok(_)) => sizes,
            (Err(error), Err(_)) => return Verdict::Refused(error),
            (Ok(_), Err(error)) => return self.odd(pair, &format!("refused: {error}")),
            (Err(error), Ok(_)) => {
                return self.odd(pair, &format!("taken, and to be refused: {error}"));
            }
        };
        match self.run(pair, &sizes, tally) {
            Ok(failures) if failures.is_empty() => Verdict::Right,
            Ok(failures) => Verdict::Wrong(failures),
            // Nothing was found wrong.
            Err(error) if error.kind() == ErrorKind::Memory => Verdict::Refused(error),
            Err(error) => self.odd(pair, &error.to_string()),
        }
    }

    /// A failure that has nothing to do with bytes, of any of the kernels.
    pub(super) fn odd(&self, pair: &Pair, what: &str) -> Verdict {
        let command = self.command(pair) + &self.typed;
        Verdict::Wrong(vec![format!("FAILED {pair}\n  {what}\n  {command}\n")])
    }

    fn command(&self, pair: &Pair) -> String {
        format!("retile check {} --seed {}", pair.quoted(), self.seed)
    }

    fn run(&self, pair: &Pair, sizes: &Sizes, tally: &mut Tally) -> retile::Result<Vec<String>> {
        let mut case = Case::of(pair, sizes, self.seed)?;
        let mut done: Vec<Kernel> = Vec::new();
        let mut failures = Vec::new();
        let places = self.asked.iter().enumerate();
        for ((place, &asked), &locality) in
            places.flat_map(|a| self.localities.iter().map(move |l| (a, l)))
        {
            let options = asked.options().locality(locality);
            let kernel = Kernel::with_options(&pair.src, &pair.dst, &pair.attr, &options)?;
            if kernel.tier() < asked.tier() && locality == self.localities[0] {
                *tally.lower.entry((place, kernel.tier())).or_default() += 1;
            }
            // What was run already is the same kernel under another name.
            if done.iter().any(|k| k.tier() == kernel.tier() && k.plan() == kernel.plan()) {
                continue;
            }
            tally.kernels += 1;
            for (i, order) in
                orders(pair.seed(self.seed), asked.tier(), locality).iter().enumerate()
            {
                let side = (i + 1) % 2;
                let wrong = case.run(&kernel, side, TAKES[i], order)?;
                tally.runs += 1;
                tally.bytes += sizes.dst as u64;
                if let Some(what) = wrong {
                    let (ran, unaligned) = (kernel.tier(), side == 1);
                    let way = Way { asked, ran, locality, order, unaligned };
                    failures.push(self.tell(pair, &way, &what));
                    // The other ways to run this kernel would say the same again.
                    break;
                }
            }
            done.push(kernel);
        }
        Ok(failures)
    }

    fn tell(&self, pair: &Pair, way: &Way<'_>, what: &str) -> String {
        let Way { asked, ran, locality, order, unaligned } = way;
        let mut text = format!("FAILED {pair}\n  {asked}");
        let mut add = |args: std::fmt::Arguments<'_>| text.write_fmt(args).unwrap_or_default();
        if asked.tier() != *ran {
            add(format_args!(" (by {ran})"));
        }
        match order.len() {
            1 => add(format_args!(", {locality}, whole")),
            n if n <= 8 => add(format_args!(", {locality}, {n} tasks in the order {order:?}")),
            n => add(format_args!(", {locality}, {n} tasks in some order")),
        }
        match unaligned {
            false => add(format_args!(", buffers on whole lines\n")),
            true => add(format_args!(", buffers aligned for their elements alone\n")),
        }
        let command = self.command(pair);
        add(format_args!("  {what}\n  {command} {} --locality {locality}\n", asked.argument()));
        text
    }
}

/// What kernels of a pair run on, and what they are held against.
struct Case<'a> {
    pair: &'a Pair,
    sizes: &'a Sizes,
    /// Any, and ordinary ones.
    values: [GivenValues; 2],
    /// On whole lines, and aligned for their elements alone.
    sources: [Buffer; 2],
    outputs: [Buffer; 2],
    /// What sources hold, and outputs before they are written.
    source: Vec<u8>,
    before: Buffer,
    /// What outputs hold then, by the first values; and by the others, where they are others.
    first: Buffer,
    others: Option<Buffer>,
}

impl<'a> Case<'a> {
    fn of(pair: &'a Pair, sizes: &'a Sizes, seed: u64) -> retile::Result<Case<'a>> {
        let mut draw = Draw::new(pair.seed(seed));
        let values = [Numbers::Any, Numbers::Ordinary].map(|own| pair.values(own, &mut draw));
        let (from, to) = (pair.src.dtype(), pair.dst.dtype());
        let mut sources = pair_of_buffers(sizes.src, from.size(), 3)?;
        let outputs = pair_of_buffers(sizes.dst, to.size(), 1)?;
        draw::fill(sources[0].bytes_mut(), from, Numbers::Any, &mut draw);
        let mut before = Buffer::new(sizes.dst, LINE, 0)?;
        draw::fill(before.bytes_mut(), to, Numbers::Any, &mut draw);
        let source = sources[0].bytes().to_vec();
        sources[1].set(&source);
        let expect = |values: &GivenValues| {
            let mut expected = Buffer::new(sizes.dst, LINE, 0)?;
            expected.set(before.bytes());
            let (out, values) = (expected.bytes_mut(), values.as_values());
            reference::reorder(&pair.src, &source, &pair.dst, out, &pair.attr, &values)?;
            Ok::<_, retile::Error>(expected)
        };
        let first = expect(&values[0])?;
        let others = if values[0] == values[1] { None } else { Some(expect(&values[1])?) };
        Ok(Case { pair, sizes, values, sources, outputs, source, before, first, others })
    }

    /// Runs a kernel's tasks in an order, on the buffers of one side with one kind of values; what is wrong then, if
    /// anything.
    fn run(
        &mut self,
        kernel: &Kernel,
        side: usize,
        takes: usize,
        order: &[usize],
    ) -> retile::Result<Option<String>> {
        let (source, output) = (&mut self.sources[side], &mut self.outputs[side]);
        output.bytes_mut().copy_from_slice(self.before.bytes());
        let values = self.values[takes].as_values();
        let mut tasks =
            run::tasks(kernel, source.bytes(), output.bytes_mut(), values, order.len())?;
        order.iter().for_each(|&task| tasks[task].run());
        drop(tasks);
        let expected = self.others.as_ref().filter(|_| takes == 1).unwrap_or(&self.first);
        let images = [&self.source, self.before.bytes(), expected.bytes()];
        let wrong = wrong(self.pair, self.sizes, [source, output], images);
        if wrong.is_some() {
            source.set(&self.source);
            output.set(self.before.bytes());
        }
        Ok(wrong)
    }
}

/// The tasks of each run in their order, twice the whole as one: the same for a kernel whatever else is run
/// beside it, so that the command which is printed for a failure shows it again.
fn orders(seed: u64, tier: Tier, locality: Locality) -> [Vec<usize>; 4] {
    let tier = Tier::ALL.iter().position(|other| *other == tier).unwrap_or(0) as u64;
    let mut draw = Draw::new(seed ^ ((tier << 8) | (locality as u64 + 1)));
    let counts = [1, 1, draw.pick(&COUNTS), draw.pick(&COUNTS)];
    counts.map(|count| {
        let mut order: Vec<usize> = (0..count).collect();
        draw.shuffle(&mut order);
        order
    })
}

/// One buffer on whole lines, and one aligned for nothing wider than an element.
fn pair_of_buffers(bytes: usize, element: usize, odd: usize) -> retile::Result<[Buffer; 2]> {
    Ok([Buffer::new(bytes, LINE, 0)?, Buffer::new(bytes, LINE, odd * element)?])
}

/// What is not as it should be, of the source and the destination after a run.
fn wrong(
    pair: &Pair,
    sizes: &Sizes,
    [source, output]: [&Buffer; 2],
    [read, before, expected]: [&[u8]; 3],
) -> Option<String> {
    if let Some(at) = output.trespass() {
        return Some(format!("byte {at} beside the {} of the destination was written", sizes.dst));
    }
    if source.trespass().is_some() || source.bytes() != read {
        return Some("the source was written".into());
    }
    let found = output.bytes();
    if found == expected {
        return None;
    }
    let differs = |at: &usize| found[*at] != expected[*at];
    let first = (0..found.len()).find(differs)?;
    let count = (0..found.len()).filter(differs).count();
    let element = pair.dst.dtype().size();
    let sums = sizes.s8s8.or(sizes.asymmetric).unwrap_or(usize::MAX);
    let (what, from, size) = match first {
        at if at >= sums => {
            let from = at / 4 * 4;
            (format!("compensation at byte {from}"), from, 4)
        }
        at => (place(pair, at / element), at / element * element, element),
    };
    let bits = |bytes: &[u8]| {
        let bytes = bytes[from..(from + size).min(bytes.len())].iter().rev();
        bytes.fold(String::from("0x"), |text, byte| text + &format!("{byte:02x}"))
    };
    let (found, expected, before) = (bits(found), bits(expected), bits(before));
    Some(format!(
        "first wrong: {what}: found {found}, expected {expected}, before {before}; \
         {count} of {} bytes are wrong",
        sizes.dst
    ))
}

/// What lies at an offset of the destination.
fn place(pair: &Pair, offset: usize) -> String {
    let dst = &pair.dst;
    let Some(cell) = dst.cells().find(|cell| cell.offset == offset) else {
        return format!("a gap at offset {offset}");
    };
    let coords = cell.coords[..dst.rank()].iter().map(isize::to_string);
    let coords = coords.collect::<Vec<_>>().join(",");
    match cell.role {
        retile::Role::Element => format!("element {coords} at offset {offset}"),
        retile::Role::Margin => format!("margin {coords} at offset {offset}"),
        _ => format!("a tail at offset {offset}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said where byte `at` of the destination, or of the source, has another bit than expected.
    fn told(line: &str, at: usize, source_too: bool) -> Option<String> {
        let pair = Pair::of_line(line).unwrap_or_else(|failure| panic!("{line}: {failure}"));
        let sizes = pair.sizes().unwrap();
        let [mut source, _] = pair_of_buffers(sizes.src, 1, 1).unwrap();
        let [mut output, _] = pair_of_buffers(sizes.dst, 1, 1).unwrap();
        let (read, before) = (vec![0; sizes.src], vec![0x11; sizes.dst]);
        let expected = before.clone();
        output.set(&expected);
        assert_eq!(wrong(&pair, &sizes, [&source, &output], [&read, &before, &expected]), None);
        let side = if source_too { &mut source } else { &mut output };
        side.bytes_mut()[at] ^= 0x80;
        wrong(&pair, &sizes, [&source, &output], [&read, &before, &expected])
    }

    #[test]
    fn every_byte_counts_and_is_told_by_what_it_is() {
        for (line, at, what) in [
            (
                "f32:nchw:1x9x2x2 nChw8c",
                4 * 21 + 1,
                "first wrong: element 0,5,1,0 at offset 21: found 0x11119111, expected 0x11111111, \
                 before 0x11111111; 1 of 256 bytes are wrong",
            ),
            ("f32:nchw:1x9x2x2 nChw8c", 255, "first wrong: a tail at offset 63: found 0x91"),
            ("u8:ab:2x3 ab:lower=1,0", 1, "first wrong: margin -1,1 at offset 1: found 0x91,"),
            ("u8:ab:2x3 strides(5,1)", 4, "first wrong: a gap at offset 4: "),
            ("u8:ab:2x3 ab:offset=2", 0, "first wrong: a gap at offset 0: "),
            (
                "s8:ab:2x3 ab --comp=s8s8:1",
                13,
                "first wrong: compensation at byte 12: found 0x111191",
            ),
        ] {
            let told = told(line, at, false).unwrap();
            assert!(told.starts_with(what), "{told}");
        }
        assert_eq!(told("u8:ab:2x3 ba", 2, true).unwrap(), "the source was written");
    }

    #[test]
    fn failures_give_the_command_that_shows_them() {
        let pair = Pair::of_line("u8:ab:6x3 digits(ab; b a/4 a%4)").ok().unwrap();
        let typed = " --target spr --target zen4:avx2 --locality keep".into();
        let checker = Checker { asked: Vec::new(), localities: Vec::new(), seed: 7, typed };
        let (asked, ran, locality) = (Asked::Tier(Tier::Avx512), Tier::Avx2, Locality::Stream);
        let way = Way { asked, ran, locality, order: &[2, 0, 1], unaligned: true };
        let expected = "\
FAILED u8:ab:6x3 digits(ab; b a/4 a%4)
  avx512 (by avx2), stream, 3 tasks in the order [2, 0, 1], buffers aligned for their elements alone
  what
  retile check u8:ab:6x3 'digits(ab; b a/4 a%4)' --seed 7 --tier avx512 --locality stream
";
        assert_eq!(checker.tell(&pair, &way, "what"), expected);
        // Where no way in particular failed, all that were asked for.
        let Verdict::Wrong(told) = checker.odd(&pair, "panicked: why") else { unreachable!() };
        let expected = "\
FAILED u8:ab:6x3 digits(ab; b a/4 a%4)
  panicked: why
  retile check u8:ab:6x3 'digits(ab; b a/4 a%4)' --seed 7 --target spr --target zen4:avx2 --locality keep
";
        assert_eq!(told, [expected]);
    }
}
