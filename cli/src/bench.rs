//! `retile bench`: kernels timed against copies and loops. In: conversions. Out: a row for each kernel.

mod measure;
mod naive;
mod report;
mod stream;

use std::collections::HashSet;
use std::io::Write;
use std::time::{Duration, Instant};

use retile::plan::plan_with;
use retile::{GivenValues, Isa, Kernel, Layout, Options, Problem, Sizes, Tier};

use crate::args::BenchArgs;
use crate::buffer::Buffer;
use crate::draw::{self, Draw, Numbers};
use crate::failure::Failure;
use crate::memory::Memory;
use crate::pair::{self, Pair};
use crate::{host, run};
use measure::{Job, Times, Until, interleaved};
use naive::Naive;
use report::{Means, Row, Table};

pub(crate) fn bench(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let tiers = match args.tier.is_empty() {
        true => vec![Isa::detect()?.tier()],
        false => host::tiers(&args.tier)?,
    };
    if !stream::AVAILABLE {
        eprintln!("skipped nt: no copy past the caches is known for this CPU");
    }
    let (text, single) = match (&args.batch, &args.src, &args.dst) {
        (Some(file), ..) => (pair::read(file)?, None),
        (_, Some(src), Some(dst)) => (String::new(), Some(Pair::new(src, dst, args.attr.words())?)),
        _ => unreachable!("the parser asks for one of them"),
    };
    let mut session = Session {
        args,
        out,
        table: Table::of(pair::lines(&text).map(|(_, line)| line.chars().count())),
        memory: Memories::default(),
        rows: Vec::new(),
    };
    if let Some(pair) = &single {
        session.table = Table::of(std::iter::once(pair.to_string().chars().count()));
        session.head()?;
        return session.measure(pair, &tiers);
    }
    session.head()?;
    let (mut failed, mut all) = (0, 0);
    for (number, line) in pair::lines(&text) {
        let done = Pair::of_line(line).and_then(|pair| session.measure(&pair, &tiers));
        all += 1;
        match done {
            Ok(()) => {}
            Err(Failure::Output(error)) => return Err(error.into()),
            Err(failure) => {
                failed += 1;
                eprintln!("line {number}: {line}: {failure}");
            }
        }
    }
    session.means(&tiers)?;
    match failed {
        0 => Ok(()),
        n => Err(Failure::Wrong(format!("{n} of {all} failed"))),
    }
}

struct Session<'a> {
    args: &'a BenchArgs,
    out: &'a mut dyn Write,
    table: Table,
    memory: Memories,
    rows: Vec<Row>,
}

/// What all that is timed reads and writes, the same pages from one conversion to the next.
#[derive(Default)]
struct Memories {
    src: Option<Buffer>,
    dst: Option<Buffer>,
}

/// A source and a destination, and how much of each copies take.
struct Sides<'m> {
    src: &'m [u8],
    dst: &'m mut [u8],
}

/// What takes turns.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    Memcpy,
    Nt,
    Naive,
    /// The kernel of this number.
    Ours(usize),
}

impl Session<'_> {
    fn head(&mut self) -> Result<(), Failure> {
        if !self.args.json {
            self.out.write_all(self.table.head().as_bytes())?;
        }
        Ok(self.out.flush()?)
    }

    fn measure(&mut self, pair: &Pair, tiers: &[Tier]) -> Result<(), Failure> {
        let args = self.args;
        let sizes = pair.sizes()?;
        let mut draw = Draw::new(pair.seed(args.seed));
        let values = pair.values(Numbers::Ordinary, &mut draw);
        let mut kernels = Vec::new();
        for &tier in tiers {
            kernels.push((tier, self.make(pair, tier)?));
        }
        let bytes = distinct(&pair.src) * pair.src.dtype().size() + footprint(&pair.dst, &sizes);
        let half = bytes / 2;
        let threads = usize::from(args.threads);
        let mut sides = self.memory.sides(pair, &sizes, half, &mut draw)?;
        let naive = Naive::new(pair, &values);
        let mut subjects = vec![Subject::Memcpy, Subject::Naive];
        if stream::AVAILABLE {
            subjects.push(Subject::Nt);
        }
        subjects.extend((0..kernels.len()).map(Subject::Ours));
        let until = match args.seconds {
            Some(seconds) => Until::Elapsed(Duration::from_secs_f64(seconds)),
            None => Until::Rounds(args.rounds.into()),
        };
        let times =
            interleaved(subjects.len(), until, &mut sides, |which, sides| match subjects[which] {
                Subject::Memcpy => {
                    copies(sides, half, threads, |src, dst| dst.copy_from_slice(src))
                }
                Subject::Nt => copies(sides, half, threads, stream::copy),
                Subject::Naive => {
                    let (naive, Sides { src, dst }) = (&naive, sides);
                    vec![Box::new(move || naive.run(src, dst))]
                }
                Subject::Ours(k) => ours(&kernels[k].1.kernel, sides, &values, threads),
            });
        let of = |subject: Subject| {
            let at = subjects.iter().position(|other| *other == subject);
            at.map(|at| times[at])
        };
        let always = |subject| of(subject).unwrap_or(times[0]);
        for (k, (tier, made)) in kernels.iter().enumerate() {
            let mut row = made.row(pair, *tier, args, bytes);
            let (memcpy, naive) = (always(Subject::Memcpy), always(Subject::Naive));
            row.count(always(Subject::Ours(k)), memcpy, of(Subject::Nt), naive);
            self.say(row)?;
        }
        Ok(())
    }

    fn say(&mut self, row: Row) -> Result<(), Failure> {
        let text = match self.args.json {
            true => serde_json::to_string(&row).map_err(std::io::Error::from)? + "\n",
            false => self.table.line(&row),
        };
        self.rows.push(row);
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }

    fn make(&self, pair: &Pair, tier: Tier) -> Result<Made, Failure> {
        let locality = self.args.locality.into();
        let options = Options::new().max_tier(tier).locality(locality);
        let make = || Kernel::with_options(&pair.src, &pair.dst, &pair.attr, &options);
        let kernel = make()?;
        let target = kernel.plan().target;
        let plan = || {
            let (problem, _) = Problem::new(&pair.src, &pair.dst, &pair.attr)?;
            Ok(plan_with(&problem, &target, locality))
        };
        Ok(Made { plan_ns: once(plan)?, make_ns: once(make)?, kernel })
    }

    fn means(&mut self, tiers: &[Tier]) -> Result<(), Failure> {
        if self.args.json {
            return Ok(());
        }
        let l2 = Isa::detect()?.target().l2;
        for tier in tiers.iter().map(Tier::to_string) {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.tier == tier).collect();
            let lower = rows.iter().filter(|row| row.runs_on != row.tier).count();
            if !rows.is_empty() {
                write!(self.out, "\n{}", Means { tier: &tier, rows, l2 })?;
            }
            if lower > 0 {
                writeln!(
                    self.out,
                    "  {lower} of them ran on a lower tier, for want of machine code"
                )?;
            }
        }
        Ok(self.out.flush()?)
    }
}

/// A kernel, and what making it took.
struct Made {
    kernel: Kernel,
    plan_ns: f64,
    make_ns: f64,
}

impl Made {
    /// A row without what follows from times.
    fn row(&self, pair: &Pair, tier: Tier, args: &BenchArgs, bytes: usize) -> Row {
        let threads = usize::from(args.threads);
        Row {
            pair: pair.to_string(),
            tier: tier.to_string(),
            runs_on: self.kernel.tier().to_string(),
            target: self.kernel.plan().target.to_string(),
            locality: args.locality.to_string(),
            threads,
            tasks: self.kernel.task_count(threads),
            bytes,
            plan_ns: self.plan_ns,
            make_ns: self.make_ns,
            run_ns: 0.0,
            run_ns_least: 0.0,
            run_ns_most: 0.0,
            rounds: 0,
            ours_gbs: 0.0,
            memcpy_gbs: 0.0,
            nt_gbs: None,
            naive_gbs: 0.0,
            ratio: 0.0,
            spread: 0.0,
            cpu: host::cpu(),
        }
    }
}

/// The median of some calls, in nanoseconds; of one where that takes long.
fn once<T>(mut call: impl FnMut() -> retile::Result<T>) -> Result<f64, Failure> {
    let mut samples = Vec::new();
    let start = Instant::now();
    while samples.len() < 5 && start.elapsed() < Duration::from_millis(50) {
        let start = Instant::now();
        // What was made is dropped behind the clock.
        let made = call()?;
        samples.push(start.elapsed().as_nanos() as f64);
        drop(made);
    }
    Ok(Times::of(samples).median)
}

impl Memories {
    /// Both sides, large enough for the conversion and for copies of `half` bytes; filled with ordinary
    /// numbers, so that every page is there.
    fn sides(
        &mut self,
        pair: &Pair,
        sizes: &Sizes,
        half: usize,
        draw: &mut Draw,
    ) -> Result<Sides<'_>, Failure> {
        let src = room(&mut self.src, sizes.src.max(half))?;
        fill(src, pair.src.dtype(), draw);
        let dst = room(&mut self.dst, sizes.dst.max(half))?;
        fill(dst, pair.dst.dtype(), draw);
        Ok(Sides { src, dst })
    }
}

/// So many bytes at the start of a page, of a large one where they are many.
fn room(buffer: &mut Option<Buffer>, bytes: usize) -> Result<&mut [u8], Failure> {
    const LARGE: usize = 2 << 20;
    if buffer.as_ref().is_none_or(|buffer| buffer.bytes().len() < bytes) {
        let align = if bytes < LARGE { 4096 } else { LARGE };
        // The old one goes first: there may not be room for both.
        *buffer = None;
        *buffer = Some(Buffer::new(bytes, align, 0)?);
    }
    let buffer = buffer.as_mut().ok_or_else(|| Failure::Absent("no memory".into()))?;
    Ok(&mut buffer.bytes_mut()[..bytes])
}

/// Fills memory with copies of a few drawn elements, since drawing all takes long.
fn fill(bytes: &mut [u8], dtype: retile::DType, draw: &mut Draw) {
    const DRAWN: usize = 64 << 10;
    let drawn = bytes.len().min(DRAWN) / dtype.size() * dtype.size();
    let (start, rest) = bytes.split_at_mut(drawn);
    draw::fill(start, dtype, Numbers::Ordinary, draw);
    for chunk in rest.chunks_mut(DRAWN) {
        let length = chunk.len().min(start.len());
        chunk[..length].copy_from_slice(&start[..length]);
    }
}

/// Copies of `half` bytes, shared between threads in whole pages.
fn copies<'a>(
    sides: &'a mut Sides<'_>,
    half: usize,
    threads: usize,
    copy: impl Fn(&[u8], &mut [u8]) + Copy + Send + 'a,
) -> Vec<Job<'a>> {
    let part = half.div_ceil(threads).next_multiple_of(4096).max(4096);
    let (src, dst) = (sides.src[..half].chunks(part), sides.dst[..half].chunks_mut(part));
    let jobs = src.zip(dst).map(|(src, dst)| Box::new(move || copy(src, dst)) as Job<'a>);
    let jobs: Vec<_> = jobs.collect();
    if jobs.is_empty() { vec![Box::new(|| ())] } else { jobs }
}

/// The tasks of a kernel.
fn ours<'a>(
    kernel: &'a Kernel,
    sides: &'a mut Sides<'_>,
    values: &'a GivenValues,
    threads: usize,
) -> Vec<Job<'a>> {
    let count = kernel.task_count(threads).max(1);
    let tasks = run::tasks(kernel, sides.src, sides.dst, values.as_values(), count);
    let tasks = tasks.expect("buffers as large as the kernel asks for, at the start of pages");
    tasks.into_iter().map(|mut task| Box::new(move || task.run()) as Job<'a>).collect()
}

/// How many elements of memory a source reads, however often.
fn distinct(src: &Layout) -> usize {
    match src.check_destination() {
        Ok(()) => src.elements(),
        // Some are read again and again.
        Err(_) => src.offsets().collect::<HashSet<_>>().len(),
    }
}

/// The bytes that are written.
fn footprint(dst: &Layout, sizes: &Sizes) -> usize {
    let sums = sizes.s8s8.or(sizes.asymmetric).map_or(0, |start| sizes.dst - start);
    Memory::of(dst).counts.all() * dst.dtype().size() + sums
}
