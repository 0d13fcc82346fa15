//! Running never allocates, whatever the plan.
#![cfg(not(miri))] // a count, over kernels of large tensors
#![allow(unsafe_code)] // The harness counts what the system's allocator is asked for.

use std::alloc::{GlobalAlloc, Layout as Block, System};
use std::cell::Cell;

use retile::{Attr, Isa, Layout, Reorder, Tier, Values};

struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all is the system's own doing; counting touches a cell without a destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, block: Block) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: the same contract.
        unsafe { System.alloc(block) }
    }

    unsafe fn dealloc(&self, at: *mut u8, block: Block) {
        // SAFETY: the same contract.
        unsafe { System.dealloc(at, block) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn running_allocates_nothing() {
    let scales = [0.5f32; 64];
    let scaled = Values { dst_scale: &scales, ..Values::default() };
    let none = Values::default();
    let scale = Attr::new().dst_scale(2);
    // Few values of each list, and more than are made ready at once.
    let all = |mask| {
        Attr::new().src_scale(mask).dst_scale(mask).src_zero_point(mask).dst_zero_point(mask)
    };
    let (floats, points) = ([0.5f32; 3300], [3i32; 3300]);
    let lists = |count| Values {
        src_scale: &floats[..count],
        dst_scale: &floats[..count],
        src_zero_point: &points[..count],
        dst_zero_point: &points[..count],
    };
    for (src, dst, attr, values) in [
        ("f32:nchw:1x64x14x14", "nChw16c", Attr::new(), none),
        ("f32:nchw:1x17x5x5", "nChw16c:upper=0,0,1,1:fill=1", Attr::new(), none),
        ("f32:nchw:1x64x14x14", "s8:nhwc", scale, scaled),
        ("f32:nchw:1x64x14x14", "bf16:nChw16c", Attr::new(), none),
        ("f32:ab:3x1100", "u8:ba", all(0).sum(0.5), lists(1)),
        ("f32:ab:3x1100", "u8:ba", all(2).sum(0.5), lists(1100)),
        ("f32:ab:3x1100", "u8:ba", all(3).sum(0.5), lists(3300)),
        ("u8:nchw:1x9x5x5:in=1x9x6x6:at=0,0,1,1", "bf8_xy16", Attr::new(), none),
        ("u8:aBc1000b:2x5000x3", "aBc1024b", Attr::new(), none),
        ("u8:aBcd12b:2x50x3x3", "aBcd16b", Attr::new(), none),
        ("s8:oihw:17x5x3x3", "OIhw4i16o4i", Attr::new().s8s8_compensation(1), none),
        ("s8:oihw:17x5x3x3", "OIhw4i16o4i", Attr::new().asymmetric_compensation(0), none),
        (
            "u8:abcdefghijkl:3x3x3x3x3x3x1x3x3x3x3x1",
            "ABCDEFGHIJKL2a2b2c2d2e2f2g2h2i2j2k2l",
            Attr::new(),
            none,
        ),
    ] {
        let src: Layout = src.parse().unwrap();
        let dst = src.destination(dst).unwrap();
        for tier in Tier::ALL.into_iter().filter(|tier| Isa::detect().unwrap().runs(*tier)) {
            let reorder =
                Reorder::builder(&src, &dst).attr(attr.clone()).max_tier(tier).build().unwrap();
            let sizes = reorder.kernel().sizes();
            let (from, mut to) = (vec![0u64; sizes.src / 8 + 1], vec![0u64; sizes.dst / 8 + 1]);
            let from = bytemuck::cast_slice(&from);
            let to = bytemuck::cast_slice_mut(&mut to);
            let before = COUNT.get();
            reorder.run_bytes(from, to, &values).unwrap();
            assert_eq!(COUNT.get(), before, "{src} {dst} {attr} on {tier}");
        }
    }
}
