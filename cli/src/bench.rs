//! `retile bench`: kernels timed against copies and loops. In: conversions. Out: a row for each kernel.

mod agree;
mod clock;
mod means;
mod measure;
mod naive;
pub(crate) mod onednn;
mod overhead;
mod page;
mod reasons;
mod report;
mod sides;
mod stream;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use retile::plan::plan_with;
use retile::{Attr, DType, GivenValues, Isa, Kernel, Layout, Options, Problem, Sizes, Tier};

use crate::args::BenchArgs;
use crate::draw::{Draw, Numbers};
use crate::failure::Failure;
use crate::host;
use crate::memory::Memory;
use crate::pair::{self, Pair};
use crate::tell::{Unheard, tell};
use means::{Printed, means};
use measure::{Times, Until, interleaved};
use naive::Naive;
use onednn::{Onednn, Reorder};
use overhead::Cost;
use page::Page;
use report::{Others, Row, Table};
use sides::{Memories, Sides, copies, ours};

pub(crate) fn bench(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    args.attr.belong_to(args.src.as_ref())?;
    if let Some(path) = &args.markdown {
        // Better known before all is timed.
        may_write(path, args.batch.as_deref())
            .map_err(|error| Failure::File(path.clone(), error))?;
    }
    let (text, single) = match (&args.batch, &args.src, &args.dst) {
        (Some(file), ..) => (pair::read(file)?, None),
        (_, Some(src), Some(dst)) => (String::new(), Some(Pair::new(src, dst, args.attr.words())?)),
        _ => (String::new(), None),
    };
    let costs = if args.overhead { overhead::costs()? } else { Vec::new() };
    if args.overhead && args.batch.is_none() {
        return Ok(out.write_all(overhead::table(&costs).as_bytes())?);
    }
    let tiers = match args.tier.is_empty() {
        true => vec![Isa::detect()?.tier()],
        false => host::tiers(&args.tier)?,
    };
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    if usize::from(args.threads) > cpus {
        tell!("{} threads on {cpus} CPUs: they wait for one another", args.threads);
    }
    if !stream::AVAILABLE {
        tell!("skipped nt: no copy past the caches is known for this CPU");
    }
    let onednn = Onednn::find(args.onednn.as_deref(), args.threads.into());
    let onednn = onednn.map_err(Failure::Absent)?;
    // A page is wanted whether or not the rows are read.
    let mut unheard;
    let out: &mut dyn Write = match args.markdown {
        None => out,
        Some(_) => {
            unheard = Unheard::new(out);
            &mut unheard
        }
    };
    let mut session = Session {
        args,
        out,
        onednn: onednn.as_ref(),
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
    let Timed { all, failed, told } = session.batch(&text, &tiers);
    let told = told.and_then(|()| session.means(&tiers)).and_then(|()| session.costs(&costs));
    if let Some(path) = args.markdown.as_ref().filter(|_| !session.rows.is_empty()) {
        let page = session.page()?.print() + &overhead::section(&costs);
        fs::write(path, page).map_err(|error| Failure::File(path.clone(), error))?;
    }
    match failed {
        0 => told,
        n => Err(Failure::Wrong(format!("{n} of {all} failed"))),
    }
}

/// Whether a page may be written to a file, which is not the one that is read; what is there stays as it is.
fn may_write(path: &str, read: Option<&str>) -> io::Result<()> {
    let is_read = |read: &str| Ok(fs::canonicalize(read)? == fs::canonicalize(path)?);
    if read.is_some_and(|read| is_read(read).unwrap_or_else(|_: io::Error| read == path)) {
        let what = "the conversions are read from it, and a page would take their place";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    let new = !Path::new(path).exists();
    File::options().append(true).create(true).open(path)?;
    if new { fs::remove_file(path) } else { Ok(()) }
}

struct Session<'a> {
    args: &'a BenchArgs,
    out: &'a mut dyn Write,
    onednn: Option<&'a Onednn>,
    table: Table,
    memory: Memories,
    rows: Vec<Row>,
}

/// Of a batch: how many were there to be timed, how many of them failed, and whether the rows could be told.
struct Timed {
    all: usize,
    failed: usize,
    told: Result<(), Failure>,
}

/// What takes turns.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    Memcpy,
    Nt,
    Naive,
    Onednn,
    /// The kernel of this number.
    Ours(usize),
}

impl Subject {
    /// With oneDNN's reorder where there is one, and so many kernels.
    fn all(onednn: bool, kernels: usize) -> Vec<Subject> {
        let mut all = vec![Subject::Memcpy, Subject::Naive];
        all.extend(stream::AVAILABLE.then_some(Subject::Nt));
        all.extend(onednn.then_some(Subject::Onednn));
        all.extend((0..kernels).map(Subject::Ours));
        all
    }
}

impl Session<'_> {
    fn head(&mut self) -> Result<(), Failure> {
        if !self.args.json {
            self.out.write_all(self.table.head().as_bytes())?;
        }
        Ok(self.out.flush()?)
    }

    fn batch(&mut self, text: &str, tiers: &[Tier]) -> Timed {
        let (mut all, mut failed) = (0, 0);
        for (head, number, line) in pair::headed(text) {
            let before = self.rows.len();
            let done = Pair::of_line(line).and_then(|pair| self.measure(&pair, tiers));
            self.rows[before..].iter_mut().for_each(|row| row.head = head.into());
            all += 1;
            match done {
                Ok(()) => {}
                // Rows that nobody reads need not be timed; what failed before has failed.
                Err(told @ Failure::Output(_)) => return Timed { all, failed, told: Err(told) },
                Err(failure) => {
                    failed += 1;
                    tell!("line {number}: {line}: {failure}");
                }
            }
        }
        Timed { all, failed, told: Ok(()) }
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
        // The copies beside it move bytes, and so do the reorders that are timed.
        let moves = self.onednn.filter(|_| pair.attr == Attr::new());
        let onednn = moves.and_then(|library| library.reorder(pair).ok());
        let reach = onednn.as_ref().map_or((0, 0), Reorder::reach);
        let room = (sizes.src.max(half).max(reach.0), sizes.dst.max(half).max(reach.1));
        let mut sides = self.memory.sides(pair, room, &mut draw)?;
        let first = &kernels[0].1.kernel;
        let agrees = onednn.as_ref().map(|theirs| agrees(pair, first, theirs, &mut sides, &values));
        let naive = Naive::new(pair, &values);
        let subjects = Subject::all(onednn.is_some(), kernels.len());
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
                Subject::Onednn => match &onednn {
                    Some(theirs) => vec![theirs.job(sides.src, sides.dst)],
                    None => Vec::new(),
                },
                Subject::Ours(k) => ours(&kernels[k].1.kernel, sides, &values, threads),
            });
        let of = |subject: Subject| {
            let at = subjects.iter().position(|other| *other == subject);
            at.map(|at| times[at])
        };
        let always = |subject| of(subject).unwrap_or(times[0]);
        let others = Others {
            memcpy: always(Subject::Memcpy),
            nt: of(Subject::Nt),
            naive: always(Subject::Naive),
            onednn: of(Subject::Onednn),
        };
        for (k, (tier, made)) in kernels.iter().enumerate() {
            let mut row = made.row(pair, *tier, args, bytes);
            row.onednn_agrees = agrees;
            // The model has one core, and without registers there is nothing that it counts.
            let plan = made.kernel.plan();
            if threads == 1 && plan.target.tier.vector() > 0 {
                row.predict(&plan.bounds());
            }
            row.count(always(Subject::Ours(k)), others);
            if args.markdown.is_some() && reasons::is_slow(&row) {
                row.why = reasons::reasons(pair, plan, &row);
            }
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
        let locality = self.args.locality;
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
                let onednn = self.onednn.map_or("", Onednn::version);
                let printed = Printed { tier: &tier, means: means(&rows, l2), onednn };
                write!(self.out, "\n{printed}")?;
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

    /// What was asked for besides.
    fn costs(&mut self, costs: &[Cost]) -> Result<(), Failure> {
        if !costs.is_empty() {
            write!(self.out, "\n{}", overhead::table(costs))?;
        }
        Ok(self.out.flush()?)
    }
}

impl Session<'_> {
    /// All of it as a page.
    fn page(&self) -> Result<Page<'_>, Failure> {
        let args = self.args;
        let target = Isa::detect()?.target();
        let mut targets: Vec<&str> = self.rows.iter().map(|row| row.target.as_str()).collect();
        targets.sort_unstable();
        targets.dedup();
        let tiers: Vec<&str> = self.rows.iter().map(|row| row.tier.as_str()).collect();
        let tiers = Tier::ALL.map(Tier::name).into_iter().filter(|tier| tiers.contains(tier));
        let of_tier = |tier: &str| {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.tier == tier).collect();
            (tier.to_string(), means(&rows, target.l2))
        };
        let mut sections: Vec<(&str, Vec<&Row>)> = Vec::new();
        for row in &self.rows {
            match sections.last_mut().filter(|(head, _)| *head == row.head) {
                Some((_, rows)) => rows.push(row),
                None => sections.push((&row.head, vec![row])),
            }
        }
        Ok(Page {
            file: args.batch.as_deref().filter(|file| *file != "-").unwrap_or("standard input"),
            command: args.command(),
            cpu: retile::explain::cpu(),
            caches: host::caches(&target),
            clock_ghz: clock::ghz(),
            targets: targets.join(", "),
            threads: args.threads,
            onednn: self.onednn.map(Onednn::version),
            means: tiers.map(of_tier).collect(),
            sections,
        })
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
        let (src, dst) = (pair.src.dtype(), pair.dst.dtype());
        Row {
            pair: pair.to_string(),
            head: String::new(),
            why: Vec::new(),
            element: (src == dst).then(|| src.size()),
            f32: [src, dst] == [DType::F32; 2],
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
            onednn_gbs: None,
            onednn_agrees: None,
            predicted_gbs: None,
            bound: None,
            clock_ghz: clock::ghz(),
            ratio: 0.0,
            spread: 0.0,
            cpu: retile::explain::cpu(),
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

/// Whether oneDNN writes what we write; what differs is said.
fn agrees(
    pair: &Pair,
    kernel: &Kernel,
    theirs: &Reorder<'_>,
    sides: &mut Sides<'_>,
    values: &GivenValues,
) -> bool {
    sides.dst.fill(0);
    ours(kernel, sides, values, 1).iter_mut().for_each(|job| job());
    let written = sides.dst.to_vec();
    sides.dst.fill(0);
    theirs.job(sides.src, sides.dst)();
    let difference = agree::difference(&pair.dst, &written, sides.dst);
    if let Some(difference) = &difference {
        tell!("onednn differs: {pair}: {difference}");
    }
    difference.is_none()
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
