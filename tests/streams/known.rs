//! Rows of the source in parts, each of which leads to no more pages of the destination than are known.

use retile::Target;
use retile::plan::Locality;

use super::machines::{pinched, targets};
use super::moved_right;

/// The same machine, which knows so few pages.
fn forgetful(mut target: Target) -> Vec<(Target, Locality)> {
    target.memory.pages_known = 16;
    let mut small = pinched(target);
    small.memory.pages_known = 5;
    small.memory.copies_lead = 8 << 10;
    vec![(target, Locality::Stream), (small, Locality::Stream)]
}

/// Parts that end within what is asked for and copied, beside batches, margins, values, and tasks that end within.
#[test]
fn rows_come_in_parts() {
    let pairs = [
        "u8:ab:192x801 ba",
        "u8:strides(4096,1):256x333 strides(1,4096)",
        "bf16:ab:100x700 ba",
        "f32:ab:64x1000 ba",
        "f32:abc:3x64x500 acb:lower=0,2,1:upper=0,0,3:fill=5",
        "f32:ab:96x600 s8:ba --dst-scale=mask:2",
        "s8:ab:192x700 f32:ba --src-scale=mask:1 --src-zp=common",
        "u8:ab:200x500 ba:in=260x520:at=7,9",
        "f64:strides(-301,1):64x300:offset=18963 ba",
    ];
    let made = |_| targets().into_iter().flat_map(forgetful).collect();
    moved_right(&pairs, made, &[0, 8, 56], "rows in parts of known pages");
}
