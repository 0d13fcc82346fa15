//! Bytes and one zero point: every byte, and every zero point near those at which something saturates, as the kernels
//! of every tier have it.
#![cfg(not(any(miri, retile_portable)))] // kernels by the dozen

mod common;

use common::tiers;
use retile::{Attr, DType, Kernel, Layout, Options, Values};

/// Around nothing, half a byte's range and all of it, twice that, and where numbers of 16 and of 32 bits end.
fn points() -> Vec<i32> {
    let near = [0, 128, 256, 384, 512, 1 << 15, 1 << 16, 1 << 24];
    let near = near.into_iter().flat_map(|at| (at - 3..=at + 3).flat_map(|point| [point, -point]));
    let all = (-600..=600).step_by(7).chain(near);
    all.chain([i32::MAX, i32::MAX - 1, i32::MIN, i32::MIN + 1]).collect()
}

fn number(dtype: DType, byte: u8) -> i64 {
    if dtype == DType::S8 { byte.cast_signed().into() } else { byte.into() }
}

/// The byte that a number becomes.
fn saturated(dtype: DType, number: i64) -> u8 {
    let (least, most) = if dtype == DType::S8 { (-128, 127) } else { (0, 255) };
    number.clamp(least, most) as u8
}

/// Every byte in a row of its own, as many columns as there are zero points, or a few for each.
struct Bytes {
    channels: usize,
    format: &'static str,
    source: Vec<u8>,
    /// Where each goes.
    places: Vec<usize>,
}

impl Bytes {
    fn new(channels: usize, format: &'static str) -> Bytes {
        let source = (0..256 * channels).map(|i| (i / channels) as u8).collect();
        let src: Layout = format!("u8:ab:256x{channels}").parse().unwrap();
        let dst = src.destination(format).unwrap();
        let place = |i| dst.offset_of(&[(i / channels) as isize, (i % channels) as isize]);
        let places = (0..256 * channels).map(|i| place(i).unwrap()).collect();
        Bytes { channels, format, source, places }
    }

    /// How many bytes were moved, by one list of zero points or by one for all after the other.
    fn check(&self, from: DType, to: DType, of_source: bool, lists: &[&[i32]]) -> usize {
        let Bytes { channels, format, source, places } = self;
        let mask = if lists.len() == 1 { 1 << 1 } else { 0 };
        let attr = match of_source {
            true => Attr::new().src_zero_point(mask),
            false => Attr::new().dst_zero_point(mask),
        };
        let src: Layout = format!("{from}:ab:256x{channels}").parse().unwrap();
        let dst = src.destination(&format!("{to}:{format}")).unwrap();
        let mut count = 0;
        for tier in tiers("zero points of bytes") {
            let options = Options::new().max_tier(tier);
            let kernel = Kernel::with_options(&src, &dst, &attr, &options).unwrap();
            assert_eq!(kernel.tier(), tier);
            for own in lists {
                let values = match of_source {
                    true => Values { src_zero_point: own, ..Values::default() },
                    false => Values { dst_zero_point: own, ..Values::default() },
                };
                let mut expected = vec![0; dst.size_bytes()];
                for (i, (&byte, &place)) in source.iter().zip(places).enumerate() {
                    let point = i64::from(own[i % channels % own.len()]);
                    let moved = number(from, byte) + if of_source { -point } else { point };
                    expected[place] = saturated(to, moved);
                }
                let mut found = vec![0; dst.size_bytes()];
                kernel.run_bytes(source, &mut found, &values).unwrap();
                let first = found.iter().zip(&expected).position(|(found, own)| found != own);
                let what = || format!("{src} {dst} {tier} {attr:?} by {own:?}");
                assert_eq!(first, None, "{}", what());
                count += source.len();
            }
        }
        count
    }
}

#[test]
fn every_byte_moves_by_its_zero_point() {
    let points = points();
    let each: Vec<&[i32]> = points.chunks(1).collect();
    let mut count = 0;
    // Along rows and across them, in long rows and in blocks.
    for format in ["ab", "ba", "aB16b", "BA8b4a"] {
        let (all, few) = (Bytes::new(points.len(), format), Bytes::new(5, format));
        for (from, to) in [DType::S8, DType::U8]
            .into_iter()
            .flat_map(|from| [(from, DType::S8), (from, DType::U8)])
        {
            for of_source in [true, false] {
                count += all.check(from, to, of_source, &[&points]);
                count += few.check(from, to, of_source, &each);
            }
        }
    }
    assert!(count >= 4 * 4 * 2 * 2 * 256 * points.len(), "{count} bytes");
}
