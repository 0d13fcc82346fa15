//! Blocks that are copied first, up to the ends of what there is.

use retile::Target;
use retile::plan::Locality;

use super::machines::{copying, copying_far, passing, targets};
use super::moved_right;

/// All targets, each altered, and where the destination should be.
fn planned_for(altered: fn(Target) -> Target, locality: Locality) -> Vec<(Target, Locality)> {
    targets().into_iter().map(|target| (altered(target), locality)).collect()
}

/// Rows of both sides that share places: of the source blocks are copied first, up to its ends, and of the destination
/// few rows go by turns.
#[test]
fn blocks_are_copied() {
    let pairs = [
        "f32:strides(1024,1):140x75 strides(1,1024)",
        "f32:strides(-1023,1):133x70:offset=140000 strides(1,1025)",
        "bf16:strides(2048,1):101x90 strides(1,1024)",
        "u8:strides(2048,1):270x77 strides(1,2049)",
        "u8:strides(4096,1):141x70 strides(1,-1024):offset=71000",
        "f64:strides(512,1):70x33 strides(1,512)",
        "f32:abc:2x130x65:in=2x140x1024:at=0,3,5 acb:in=2x1024x140:at=0,1,2",
        "s8:strides(4096,1):75x70 f32:strides(1,1024) --dst-scale=mask:1 --src-zp=mask:2",
        "bf16:strides(1024,1):75x70 f32:strides(1,1024) --sum=0.5",
        "f32:strides(1024,1):90x70 f32:strides(1,512) --src-scale=mask:3",
    ];
    let made = |turn: usize| planned_for(copying, [Locality::Auto, Locality::Keep][turn % 2]);
    moved_right(&pairs, made, &[0, 8, 24], "blocks copied");
}

/// The same past the caches, of rows that come together: the last of these are fewer, or shorter, and end where no more
/// is read.
#[test]
fn blocks_are_copied_and_carried() {
    let pairs = [
        "u8:strides(1025,1):300x1025 ba",
        "u8:strides(2047,1):333x1100 strides(1,403):offset=5",
        "u8:strides(1024,1):261x1024 strides(1,-263):offset=300000",
        "s8:strides(-1025,1):270x1030:offset=276480 ba",
        "bf16:strides(1023,1):170x1023 ba",
        "bf16:abc:2x131x520 strides(90000,1,133)",
        "u16:strides(513,1):140x513 strides(1,141)",
        "s8:strides(1025,1):300x1025 u8:ba --dst-zp=common",
        "u8:strides(1025,1):300x1025 ba:lower=0,3:upper=0,5:fill=3",
    ];
    let made = |_| planned_for(copying_far, Locality::Auto);
    moved_right(&pairs, made, &[0, 8, 56], "blocks copied and carried");
}

/// The same where rows are those of two loops, and where several of the source lie side by side in a row; each of these
/// for itself.
#[test]
fn blocks_of_rows_of_two_loops_are_copied() {
    let made = |_| planned_for(copying, Locality::Keep);
    for pair in [
        "f32:abcde:4x10x3x13x12:in=4x16x8x64x12:at=0,3,2,1,0 edcba:in=4x16x8x16x12:at=0,1,5,3,0",
        "f32:strides(16384,1024,12,1):8x20x9x12 strides(1,8,160,2048)",
        "f32:strides(-16384,1024,12,1):8x20x9x12:offset=114688 strides(1,8,160,2048)",
        "f32:strides(16384,-1024,12,1):7x20x23x12:offset=19456 strides(1,7,140,4096)",
        "bf16:strides(32768,2048,12,1):8x20x9x12 strides(1,8,160,8192)",
        "u8:strides(65536,4096,12,1):8x24x13x12 strides(1,8,192,4096)",
    ] {
        let name = "blocks of rows of two loops copied";
        moved_right(&[pair], made, &[0, 8, 24], name);
    }
}

/// The same where what shares places passes the caches by, in whole lines or carried to such, from blocks where tiles
/// take parts of the source's lines.
#[test]
fn blocks_pass_the_caches_by() {
    let pairs = [
        "u8:strides(8192,16,1):128x70x16 strides(1,128,65536)",
        "u8:strides(8192,-16,1):131x70x13:offset=1104 strides(1,192,65536)",
        "bf16:strides(4096,24,1):96x41x24 strides(1,96,8192)",
        "u8:strides(4096,40,1):24x90x40 strides(1,24,6144)",
        "f32:strides(1024,1):140x75 strides(1,1024)",
        "s8:strides(4096,32,1):64x60x32 u8:strides(1,64,8192) --dst-zp=common",
        "f32:abc:64x20x33 cba:lower=0,0,3:upper=0,1,2",
    ];
    let made = |_| planned_for(passing, Locality::Auto);
    let seen = moved_right(&pairs, made, &[0, 8, 24], "blocks copied past the caches");
    seen.had("rows carried");
}
