//! A kernel's machine code, called by the harness around such calls. In: a kernel with code.
//! Out: nothing, or what differs, in the buffers or in what is the caller's.
//!
//! The kernel's own way to its code is the same call from ordinary code, which leaves registers, flags
//! and stack as compilers do: it is run beside this one, and finds less.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]

use super::call::Rules;
use super::entry::Entry;
use super::{Comparison, Place};
use crate::common::{Draw, Xorshift};

/// The most code and the most elements that are run one instruction at a time.
const STEPPED_CODE: usize = 2 << 10;
const STEPPED_ELEMENTS: usize = 128;

impl Comparison<'_> {
    /// At every place, each time with other things in registers, and as tasks.
    pub(super) fn guarded(
        &mut self,
        before: &[u8],
        after: &[u8],
        draw: &mut Xorshift,
    ) -> Result<(), String> {
        let entry = Entry::new(&self.kernel)?;
        let small =
            entry.len() < STEPPED_CODE && after.len() < STEPPED_ELEMENTS * self.spans[1].size;
        let plain = entry.rules();
        for place in [Place::End, Place::Start, Place::Odd] {
            self.called(&entry, plain, place, &[0], before, after, draw)?;
        }
        let mut order: Vec<usize> = (0..draw.pick(&[2, 3, 5, 7])).collect();
        draw.shuffle(&mut order);
        let place = draw.pick(&[Place::End, Place::Start, Place::Odd]);
        self.called(&entry, plain, place, &order, before, after, draw)?;
        if small && draw.once_in(16) {
            let stepped = Rules { stepped: true, ..plain };
            self.called(&entry, stepped, place, &order[..1], before, after, draw)?;
        }
        Ok(())
    }

    /// All the tasks of `order`; of a single one that is the whole.
    #[allow(clippy::too_many_arguments)] // what a run is, and what it is held against
    fn called(
        &mut self,
        entry: &Entry,
        rules: Rules,
        place: Place,
        order: &[usize],
        before: &[u8],
        after: &[u8],
        draw: &mut Xorshift,
    ) -> Result<(), String> {
        let (seed, count) = (draw.next(), order.len());
        let how = format!("{place:?}, called with seed {seed}, tasks {order:?}, {rules:?}");
        let mut outcome = Ok(());
        let found = self.run(place, before, |_, src, dst, values| {
            // SAFETY: the lists outlive this run.
            let ready = unsafe { entry.ready(values, place.guarded()) };
            // SAFETY: the destination's start.
            unsafe { entry.clear(dst) };
            for (&task, seed) in order.iter().zip(seed..) {
                let task = if count == 1 { 0 } else { task };
                // SAFETY: the spans lie between the guards, everything the layouts' footprints hold.
                let told =
                    unsafe { entry.call(rules, (task, count), src, dst, ready.as_ref(), seed) };
                if outcome.is_ok() {
                    outcome = told;
                }
            }
        });
        outcome.map_err(|fault| format!("{how}: {fault}"))?;
        self.same(&found?, after, before, &how)
    }
}
