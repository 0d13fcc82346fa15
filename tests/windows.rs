//! Elements that lie by turns in a run, as the channels of pixels do, and part as they become longer: each number of
//! channels, rows of whole registers and with ends, by code for every microarchitecture that this machine can run.
#![cfg(not(any(miri, retile_portable)))] // kernels by the dozen

mod common;
mod harness;
mod model;

use common::Failures;
use harness::case::Case;
use harness::compare_code;
use retile::{Locality, Target};

const TARGETS: [&str; 6] = ["spr", "zen4", "icelake", "skx", "haswell", "zen5:avx2"];

#[test]
fn channels_part_as_they_become_longer() {
    let targets = TARGETS.map(|name| name.parse::<Target>().unwrap());
    let (mut failures, mut cases, mut ran) = (Failures::default(), 0, 0);
    for channels in 1..=6 {
        for (turn, size) in ["1x64", "7x13", "3x64", "2x131", "9x48"].into_iter().enumerate() {
            for from in ["u8", "s8", "bf16"] {
                for to in ["f32", "bf16", "f16", "s32", "s8"] {
                    let attributes =
                        ["", " --src-scale=mask:2 --src-zp=mask:2", " --dst-zp=common"];
                    let attr = attributes[(turn + cases) % attributes.len()];
                    let dst = if turn % 2 == 0 { "nchw" } else { "nchw:upper=0,0,0,3:fill=1" };
                    let line = format!("{from}:nhwc:2x{channels}x{size} {to}:{dst}{attr}");
                    cases += 1;
                    let locality = if turn == 4 { Locality::Stream } else { Locality::Auto };
                    let made = targets.map(|target| (target, locality));
                    match Case::parse(&line).and_then(|case| compare_code(&case, &made, &[4])) {
                        Ok(codes) => ran += codes,
                        Err(what) => failures.add(what),
                    }
                }
            }
        }
    }
    println!("{cases} cases, {ran} codes");
    failures.none(cases);
}
