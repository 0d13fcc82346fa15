//! What the fuzz targets check, for a second each: the seeds, and mutations of them. The long run is `just fuzz`.

#![allow(unsafe_code)] // The harness calls kernels on pointers.

#[path = "common/draw.rs"]
mod common;
#[path = "harness/machine.rs"]
mod harness;
#[path = "fuzzed/kernel.rs"]
mod kernel;
#[path = "fuzzed/pair.rs"]
mod pair;
#[path = "fuzzed/parse.rs"]
mod parse;
#[path = "fuzzed/problem.rs"]
mod problem;

use std::time::{Duration, Instant};

type Check = fn(&[u8]);

/// Each text that is checked, by what checks it.
const TEXTS: [(Check, &str); 2] = [
    (parse::check, include_str!("fuzzed/parse.txt")),
    (problem::check, include_str!("fuzzed/problem.txt")),
];

#[test]
fn seeds() {
    for (check, seeds) in TEXTS {
        for seed in lines(seeds).step_by(if cfg!(miri) { 60 } else { 1 }) {
            try_on(check, seed.as_bytes());
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "as many as a second is long enough for")]
fn mutations() {
    for (check, seeds) in TEXTS {
        let mut mutator = Mutator::new(lines(seeds).collect(), include_str!("../fuzz/dict"));
        let start = Instant::now();
        while start.elapsed() < seconds(1) {
            try_on(check, &mutator.next());
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "as many as two seconds are long enough for")]
fn random_pairs() {
    on_bytes(pair::check);
}

#[cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
#[test]
fn random_kernels() {
    on_bytes(kernel::check);
}

/// As many seconds as `RETILE_FUZZ_SECONDS` says, or so many.
fn seconds(else_so_many: u64) -> Duration {
    let asked = std::env::var("RETILE_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok());
    Duration::from_secs(asked.unwrap_or(else_so_many))
}

/// Runs a check on any bytes, for some seconds.
fn on_bytes(check: fn(&[u8])) {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let start = Instant::now();
    while start.elapsed() < seconds(2) {
        let data: Vec<u8> = (0..160).map(|_| random.below(256) as u8).collect();
        check(&data);
    }
}

/// Runs a check, and says which input it was where the check panics.
fn try_on(check: fn(&[u8]), data: &[u8]) {
    struct Input<'a>(&'a [u8]);
    impl Drop for Input<'_> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("on the input {:?}", String::from_utf8_lossy(self.0));
            }
        }
    }
    let _input = Input(data);
    check(data);
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty())
}

/// Seeds cut, spliced, and sprinkled with tokens and with numbers at the edges of their types.
struct Mutator<'a> {
    seeds: Vec<&'a str>,
    tokens: Vec<&'a str>,
    random: Random,
}

const NUMBERS: [&str; 14] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "7",
    "4096",
    "65536",
    "2147483648",
    "4294967296",
    "4611686018427387904",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
];

impl<'a> Mutator<'a> {
    fn new(seeds: Vec<&'a str>, dict: &'a str) -> Self {
        Self {
            seeds,
            tokens: lines(dict)
                .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'))
                .collect(),
            random: Random(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn next(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        let mut text = random.pick(&self.seeds).as_bytes().to_vec();
        for _ in 0..=random.below(2) {
            let from = random.below(text.len() + 1);
            let to = text.len().min(from + random.below(12));
            match random.below(8) {
                0 => drop(text.drain(from..to)),
                1 => {
                    let piece = text[from..to].to_vec();
                    text.splice(to..to, piece);
                }
                2 => {
                    let token = random.pick(&self.tokens);
                    text.splice(from..from, token.bytes());
                }
                3 => {
                    let other = random.pick(&self.seeds).as_bytes();
                    text.truncate(from);
                    text.extend(&other[random.below(other.len())..]);
                }
                4 => {
                    if let Some(byte) = text.get_mut(from) {
                        *byte = b' ' + random.below(95) as u8;
                    }
                }
                _ => replace_number(&mut text, from, random.pick(&NUMBERS)),
            }
        }
        text
    }
}

/// Puts `number` in place of the first number at or after `from`.
fn replace_number(text: &mut Vec<u8>, from: usize, number: &str) {
    if let Some(skip) = text[from..].iter().position(u8::is_ascii_digit) {
        let start = from + skip;
        let digits = text[start..].iter().take_while(|b| b.is_ascii_digit());
        let end = start + digits.count();
        text.splice(start..end, number.bytes());
    }
}

/// xorshift64
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
