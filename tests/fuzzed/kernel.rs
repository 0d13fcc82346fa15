//! Any bytes as a pair of layouts with arithmetic: machine code of every tier that this CPU has, under guard
//! pages and held to the calling convention, against the reference.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
#![allow(unsafe_code)] // machine code is called

use std::cell::RefCell;

use retile::target::TARGETS;
use retile::{Attr, Isa, Kernel, Layout, Locality, Options, Sizes, Tier, Values, reference};

use crate::common::{Draw, Xorshift};
use crate::harness::entry::Entry;
use crate::harness::guard::{Arena, told};
use crate::harness::values::{Guarded, Lists};
use crate::pair::{Choices, decode, floats, integers};

/// Bytes that each side may have; the arenas have some more.
const MOST_BYTES: usize = 1 << 16;

thread_local! {
    static ARENAS: RefCell<[Arena; 2]> =
        RefCell::new([Arena::new(MOST_BYTES + 4096), Arena::new(MOST_BYTES + 4096)]);
    static LISTS: RefCell<[Lists; 2]> =
        RefCell::new([Lists::new(Guarded::Before), Lists::new(Guarded::Behind)]);
}

/// Runs what the bytes say, where there is machine code for it; else the move between such layouts.
pub(crate) fn check(data: &[u8]) {
    let mut choices = Choices(data);
    let Some((src, dst, attr)) = decode(&mut choices) else { return };
    // Compensation is computed by ordinary code.
    let has_code = |sizes: &Sizes| sizes.s8s8.is_none() && sizes.asymmetric.is_none();
    let (dst, attr) = match attr.sizes(&src, &dst).is_ok_and(|sizes| has_code(&sizes)) {
        true => (dst, attr),
        false => {
            let text = dst.to_string();
            let Some((_, format)) = text.split_once(':') else { return };
            let Ok(dst) = format!("{}:{format}", src.dtype()).parse::<Layout>() else { return };
            (dst, Attr::new())
        }
    };
    let Ok(sizes) = attr.sizes(&src, &dst) else { return };
    if sizes.src > MOST_BYTES || sizes.dst > MOST_BYTES {
        return;
    }
    let seed = choices.word();
    let (scales, points) =
        (floats(&attr, src.dims(), seed as u32), integers(&attr, src.dims(), seed as u32));
    let values = Values {
        src_scale: &scales[0],
        dst_scale: &scales[1],
        src_zero_point: &points[0],
        dst_zero_point: &points[1],
    };
    let line = format!("{src} {dst} {attr} (seed {seed})");
    ARENAS.with_borrow_mut(|arenas| {
        LISTS.with_borrow_mut(|lists| {
            lists.iter_mut().for_each(|lists| lists.fill(&values));
            told(&line, || {
                let sizes = [sizes.src, sizes.dst];
                if let Err(what) = compare(&src, &dst, &attr, sizes, seed, arenas, lists) {
                    panic!("{line}\n{what}");
                }
            })
        })
    });
}

fn compare(
    src: &Layout,
    dst: &Layout,
    attr: &Attr,
    sizes: [usize; 2],
    seed: u64,
    arenas: &mut [Arena; 2],
    lists: &[Lists; 2],
) -> Result<(), String> {
    let mut draw = Xorshift::new(seed);
    let [source, before] =
        sizes.map(|size| (0..size).map(|_| draw.next() as u8).collect::<Vec<u8>>());
    let mut expected = before.clone();
    reference::reorder(src, &source, dst, &mut expected, attr, &lists[0].values())
        .map_err(|error| format!("the reference refuses it: {error}"))?;
    let locality = draw.pick(&[Locality::Auto, Locality::Keep, Locality::Stream]);
    let isa = Isa::of_this_cpu();
    // On each tier as one of the microarchitectures that have it.
    for tier in Tier::ALL.into_iter().filter(|tier| tier.vector() > 0 && isa.runs(*tier)) {
        let have: Vec<_> = TARGETS.iter().copied().filter(|target| target.tier >= tier).collect();
        let target = draw.pick(&have).capped(tier);
        let how = format!("for {}, {locality:?}", target);
        let options = Options::new().target(target).locality(locality);
        let kernel = Kernel::with_options(src, dst, attr, &options)
            .map_err(|error| format!("{how}: {error}"))?;
        if kernel.code().is_none() {
            return Err(format!("{how}: there is no code: {:?}", kernel.why_portable()));
        }
        let entry = Entry::new(&kernel)?;
        // Against the guard behind, against the one before, and between them where only elements are aligned.
        for place in 0..3 {
            let element = [src.dtype().size(), dst.dtype().size()];
            let starts = [0, 1].map(|side| match place {
                0 => arenas[side].len() - sizes[side],
                1 => 0,
                _ => element[side] * (1 + draw.below(64)),
            });
            let guarded = [Guarded::Behind, Guarded::Before][place % 2];
            // SAFETY: the lists outlive this function.
            let ready = unsafe { entry.ready(&lists[guarded as usize].values(), guarded) };
            let count = draw.pick(&[1, 1, 2, 3, 7]);
            let mut order: Vec<usize> = (0..count).collect();
            draw.shuffle(&mut order);
            let how = format!("{how}, source and destination at {starts:?}, tasks {order:?}");
            arenas[0].bytes_mut()[starts[0]..][..sizes[0]].copy_from_slice(&source);
            arenas[1].bytes_mut().fill(0x5a);
            arenas[1].bytes_mut()[starts[1]..][..sizes[1]].copy_from_slice(&before);
            let [from, to] = [0, 1].map(|side| arenas[side].at(starts[side] as isize));
            // SAFETY: the destination's start.
            unsafe { entry.clear(to) };
            for task in order {
                // SAFETY: both buffers hold what the sizes say, aligned for elements; the pointers were made
                // of arenas that live on.
                unsafe {
                    let seed = draw.next();
                    entry.call(entry.rules(), (task, count), from, to, ready.as_ref(), seed)
                }
                .map_err(|what| format!("{how}: {what}"))?;
            }
            let found = arenas[1].bytes();
            let right = |at: usize| match at.checked_sub(starts[1]).and_then(|at| expected.get(at))
            {
                Some(&expected) => found[at] == expected,
                None => found[at] == 0x5a,
            };
            if let Some(at) = (0..found.len()).find(|&at| !right(at)) {
                let (own, is) = (at as isize - starts[1] as isize, found[at]);
                return Err(format!("{how}: byte {own} is {is:#04x}"));
            }
            if arenas[0].bytes()[starts[0]..][..sizes[0]] != source {
                return Err(format!("{how}: the source was written"));
            }
        }
    }
    Ok(())
}
