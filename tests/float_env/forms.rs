//! Conversions with values of every mask: layouts of every kind, a sum or none, few values and more than are made ready
//! before a run.

const TYPES: [&str; 6] = ["f32", "u8", "bf16", "s32", "f16", "s8"];

const BETAS: [&str; 6] = ["0", "-0", "1", "3.4e38", "1e-42", "-2.5"];

/// Source, destination and rank.
#[rustfmt::skip]
const FEW: [(&str, &str, u32); 25] = [
    ("a:97", "a", 1),
    ("digits(a; a%4 a/4):97", "a:lower=3:upper=2:fill=-7.5", 1),
    ("ab:17x33", "ab", 2),
    ("ab:17x33", "ba", 2),
    ("ab:33x17", "aB16b", 2),
    ("aB8b:17x33", "ba", 2),
    ("AB16b4a:17x33", "AB4a16b", 2),
    ("ab:17x33", "ab:lower=1,2:upper=2,1:fill=1.5", 2),
    ("ab:17x33", "aB16b:lower=1,3:upper=2,1:fill=nan", 2),
    ("ab:17x33:in=20x50:at=2,9", "ba", 2),
    ("ab:17x33", "aB8b:in=20x50:at=2,9", 2),
    ("ba:17x33", "ab:lower=0,5:fill=2:in=20x50:at=2,9", 2),
    ("strides(-33,1):17x33:offset=528", "ba", 2),
    ("strides(33,-1):17x33:offset=32", "ab", 2),
    ("ab:17x33", "strides(40,-1):offset=32", 2),
    ("strides(0,1):17x33", "ba", 2),
    ("strides(1,0):17x33", "ab", 2),
    ("digits(ab; ab/7 ab%7):17x33", "ab", 2),
    ("ab:17x33", "digits(ab; ab/16 ab%16)", 2),
    ("digits(ab; ab%5 ab/5):17x33", "digits(ab; a%3 b a/3)", 2),
    ("abc:3x20x17", "cab", 3),
    ("abc:3x20x17", "aBc16b:upper=0,1,2:fill=3", 3),
    ("aBc12b:3x25x7", "aBc8b", 3),
    ("nchw:2x19x5x3", "nChw16c", 4),
    ("nhwc:2x5x3x19", "chwn", 4),
];

/// Likewise, with as many values as make a difference, or more, of some masks.
#[rustfmt::skip]
const MANY: [(&str, &str, u32); 14] = [
    ("a:2047", "a", 1),
    ("a:2048", "a", 1),
    ("a:2049", "a", 1),
    ("a:5003", "a:lower=5:upper=3:fill=1", 1),
    ("strides(-1):2500:offset=2499", "A16a", 1),
    ("ab:3x1100", "ba", 2),
    ("ab:3x1100", "ab:lower=1,2:upper=2,1:fill=1.5", 2),
    ("ba:700x5", "Ab16a", 2),
    ("ab:2100x2:in=2110x5:at=3,1", "ba", 2),
    ("ab:60x40", "AB16b16a", 2),
    ("ab:60x40", "Ba4b:in=70x60:at=5,7", 2),
    ("digits(ab; ab/7 ab%7):60x40", "ab", 2),
    ("strides(0,1):3x2100", "ba", 2),
    ("abc:13x17x11", "cBa8b", 3),
];

pub(super) fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for (src, dst, rank) in FEW.into_iter().chain(MANY) {
        for mask in 0..1u32 << rank {
            // All pairs of types come, and each in all ways.
            let n = lines.len() / 3;
            let (from, to) = (TYPES[n % 6], TYPES[n / 6 % 6]);
            let beta = BETAS[(n + n / 6) % 6];
            let other = mask.rotate_left(1) & ((1 << rank) - 1) | mask >> (rank - 1);
            let list = ["src-scale", "dst-scale", "src-zp", "dst-zp"][n / 2 % 4];
            let sum = if n % 5 == 0 { format!(" --sum={beta}") } else { String::new() };
            for attributes in [
                all([mask; 4]),
                format!("{} --sum={beta}", all([mask, other, other, mask])),
                format!(" --{list}={}{sum}", of(mask)),
            ] {
                lines.push(format!("{from}:{src} {to}:{dst}{attributes}"));
            }
        }
    }
    lines
}

fn all([src_scale, dst_scale, src_zp, dst_zp]: [u32; 4]) -> String {
    let [src_scale, dst_scale, src_zp, dst_zp] = [src_scale, dst_scale, src_zp, dst_zp].map(of);
    format!(" --src-scale={src_scale} --dst-scale={dst_scale} --src-zp={src_zp} --dst-zp={dst_zp}")
}

fn of(mask: u32) -> String {
    if mask == 0 { "common".into() } else { format!("mask:{mask}") }
}
