//! Pairs as lines of text, for all benchmarks. In: `SRC DST [attributes]`. Out: layouts and attributes.
#![allow(dead_code)] // every benchmark uses its own part

use retile::plan::{Plan, plan};
use retile::{Attr, Kernel, Layout, Options, Problem, Target};

pub(crate) struct Pair {
    pub(crate) src: Layout,
    pub(crate) dst: Layout,
    pub(crate) attr: Attr,
}

impl Pair {
    pub(crate) fn parse(line: &str) -> Pair {
        let mut depth = 0;
        let words: Vec<&str> = line
            .split(|c: char| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0 && c.is_whitespace()
            })
            .collect();
        let [src, dst, attr @ ..] = &words[..] else { panic!("{line}: two layouts expected") };
        let src: Layout = src.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let dst = src.destination(dst).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (attr, _) = Attr::from_words(attr.iter().copied()).unwrap();
        Pair { src, dst, attr }
    }

    pub(crate) fn problem(&self) -> Problem {
        Problem::new(&self.src, &self.dst, &self.attr).unwrap().0
    }

    pub(crate) fn plan(&self, target: &Target) -> Plan {
        plan(std::hint::black_box(&self.problem()), target)
    }

    pub(crate) fn kernel(&self, options: &Options) -> Kernel {
        Kernel::with_options(&self.src, &self.dst, &self.attr, options).unwrap()
    }
}
