//! Time. In: things to run, which take turns. Out: nanoseconds of each run, round by round.

use std::hint::spin_loop;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What one thread does in a run.
pub(crate) type Job<'a> = Box<dyn FnMut() + Send + 'a>;

/// How long one sample should take, so that neither the clock nor a stray interrupt counts.
const SAMPLE: Duration = Duration::from_millis(2);

/// Whoever has had so much time need not be sampled again.
const ENOUGH: Duration = Duration::from_millis(500);

/// Runs longer than this need no repetition within a sample, and no run before it.
const LONG: Duration = Duration::from_millis(50);

/// When rounds end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    Rounds(usize),
    /// Not before the fifth round.
    Elapsed(Duration),
}

/// Nanoseconds of a run: of the middle, the fastest and the slowest round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Times {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) rounds: usize,
}

impl Times {
    pub(crate) fn of(mut samples: Vec<f64>) -> Times {
        samples.sort_by(f64::total_cmp);
        let n = samples.len();
        let median = (samples[(n - 1) / 2] + samples[n / 2]) / 2.0;
        Times { median, least: samples[0], most: samples[n - 1], rounds: n }
    }
}

/// Times so many things in turns. `jobs` makes what is run of their numbers, anew for each sample, since
/// all of them work on the same memory.
pub(crate) fn interleaved<M>(
    count: usize,
    until: Until,
    memory: &mut M,
    mut jobs: impl for<'a> FnMut(usize, &'a mut M) -> Vec<Job<'a>>,
) -> Vec<Times> {
    let start = Instant::now();
    let mut subjects: Vec<Subject> = Vec::new();
    for which in 0..count {
        subjects.push(Subject::calibrated(jobs(which, memory)));
    }
    let enough = match until {
        Until::Rounds(_) => ENOUGH,
        Until::Elapsed(time) => time.max(ENOUGH),
    };
    for round in 0.. {
        let done = match until {
            Until::Rounds(rounds) => round >= rounds,
            Until::Elapsed(time) => round >= 5 && start.elapsed() >= time,
        };
        if done {
            break;
        }
        for (which, subject) in subjects.iter_mut().enumerate() {
            if subject.samples.is_empty() || subject.spent < enough {
                subject.sample(jobs(which, memory));
            }
        }
    }
    subjects.into_iter().map(|subject| Times::of(subject.samples)).collect()
}

#[derive(Default)]
struct Subject {
    /// Runs of a sample.
    times: usize,
    samples: Vec<f64>,
    spent: Duration,
}

impl Subject {
    fn calibrated(mut jobs: Vec<Job<'_>>) -> Subject {
        let first = run(&mut jobs, 1);
        if first > LONG {
            let samples = vec![first.as_nanos() as f64];
            return Subject { times: 1, samples, spent: first };
        }
        let mut times = 1;
        loop {
            let took = run(&mut jobs, times);
            if took >= SAMPLE / 8 || times >= 1 << 20 {
                let each = took.as_nanos().max(1) as f64 / times as f64;
                let times = (SAMPLE.as_nanos() as f64 / each).ceil().max(1.0) as usize;
                return Subject { times, ..Subject::default() };
            }
            times *= 2;
        }
    }

    fn sample(&mut self, mut jobs: Vec<Job<'_>>) {
        // What ran before has left its own lines in the caches.
        let before = if self.times > 1 { run(&mut jobs, 1) } else { Duration::ZERO };
        let took = run(&mut jobs, self.times);
        self.samples.push(took.as_nanos() as f64 / self.times as f64);
        self.spent += before + took;
    }
}

/// Runs the jobs so often, each on a thread of its own, all of them together each time. From the first to begin, since
/// another may find that all is done when it is let run at last; to the first that sees that all have come to the end.
fn run(jobs: &mut [Job<'_>], times: usize) -> Duration {
    if let [job] = jobs {
        let start = Instant::now();
        (0..times).for_each(|_| job());
        return start.elapsed();
    }
    let gate = Gate { count: jobs.len(), ..Gate::default() };
    let work = |job: &mut Job<'_>| {
        gate.pass();
        let start = Instant::now();
        for _ in 0..times {
            job();
            gate.pass();
        }
        (start, Instant::now())
    };
    let (start, end) = thread::scope(|scope| {
        let (first, others) = jobs.split_first_mut().expect("at least one job");
        let others: Vec<_> = others.iter_mut().map(|job| scope.spawn(|| work(job))).collect();
        let own = work(first);
        others.into_iter().fold(own, |(start, end), other| {
            let (other_start, other_end) = other.join().expect("no job panics");
            (start.min(other_start), end.min(other_end))
        })
    });
    end.duration_since(start)
}

/// Lets threads through when all have come; without a system call where they come at once.
#[derive(Default)]
struct Gate {
    count: usize,
    waiting: AtomicUsize,
    passed: AtomicUsize,
}

impl Gate {
    fn pass(&self) {
        let passed = self.passed.load(Ordering::Acquire);
        if self.waiting.fetch_add(1, Ordering::AcqRel) + 1 == self.count {
            self.waiting.store(0, Ordering::Relaxed);
            self.passed.store(passed.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut spins = 0;
        while self.passed.load(Ordering::Acquire) == passed {
            spins += 1;
            // There may be fewer cores than threads.
            if spins % 1024 == 0 { thread::yield_now() } else { spin_loop() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_ends() {
        let times = Times::of(vec![5.0, 1.0, 2.0]);
        assert_eq!(times, Times { median: 2.0, least: 1.0, most: 5.0, rounds: 3 });
        assert_eq!(Times::of(vec![4.0, 1.0, 2.0, 9.0]).median, 3.0);
    }

    #[test]
    fn all_take_turns_and_all_threads_run() {
        let mut counts = vec![0u64; 6];
        let times = interleaved(2, Until::Rounds(5), &mut counts, |which, counts| {
            let own = counts.chunks_mut(3).nth(which).unwrap();
            own.iter_mut().map(|n| Box::new(|| *n += 1) as Job<'_>).collect()
        });
        assert_eq!(times.len(), 2);
        assert!(times.iter().all(|t| t.rounds == 5 && t.least <= t.median && t.median <= t.most));
        assert!(counts[0] > 5 && counts[..3].iter().all(|n| *n == counts[0]));
        assert!(counts[3] > 5 && counts[3..].iter().all(|n| *n == counts[3]));
    }
}
