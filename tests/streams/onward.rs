//! Blocks of the source that lie in one piece, of which tiles ask for the next one.

use retile::Target;
use retile::plan::Locality;

use super::machines::{pinched, targets};
use super::moved_right;

/// The same machine, where tiles ask for the next block of whatever is large enough for several.
fn onward(target: Target) -> Target {
    let mut target = pinched(target);
    target.l2 = 256 << 10;
    target.memory.onward_from = 0;
    target
}

/// Up to the source's end and past it, where nothing may be read, beside rows that come together, values, sums,
/// padding, and tasks that end within.
#[test]
fn tiles_ask_for_the_next_block() {
    let pairs = [
        "f32:nhwc:2x80x25x25 u8:nchw",
        "u8:nhwc:1x130x31x33 nchw",
        "u8:nhwc:2x72x40x40 nchw",
        "f32:nChw16c:2x33x24x24 s8:nchw",
        "bf16:nChw8c:3x40x30x30 nchw",
        "s8:nhwc:1x96x40x40 bf16:nchw --src-scale=mask:2",
        "f32:nhwc:2x48x30x30 s8:nchw --dst-scale=common --dst-zp=common",
        "f64:abc:2x500x40 acb",
        "u8:abc:3x1000x96 acb:lower=0,2,1:upper=0,0,3:fill=5",
        "bf16:nhwc:1x80x41x41 f32:nchw --sum=0.5",
    ];
    let both = |target| [(onward(target), Locality::Auto), (onward(target), Locality::Stream)];
    let made = |_| targets().into_iter().flat_map(both).collect();
    moved_right(&pairs, made, &[0, 8, 56], "next block asked for by tiles");
}
