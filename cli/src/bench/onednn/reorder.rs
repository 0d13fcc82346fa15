//! A reorder of oneDNN's. In: a pair, then buffers and values. Out: a job that runs it on them.
#![allow(unsafe_code)] // Calls of a library of C functions.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

use retile::Values;

use super::super::measure::Job;
use super::arith::{Arith, List};
use super::calls::{Arg, Handle};
use super::refused::Refused;
use super::{Descriptor, FROM, Onednn, SUCCESS, TO};
use crate::pair::Pair;

/// Numbers of oneDNN's enums.
const F32: c_int = 3;
const S32: c_int = 4;
const IMPLEMENTATION: c_int = 8;

/// A reorder of oneDNN's, compiled.
pub(crate) struct Reorder<'l> {
    library: &'l Onednn,
    primitive: Handle,
    src: Descriptor<'l>,
    dst: Descriptor<'l>,
    arith: Arith,
    implementation: String,
}

/// A reorder with its buffers, which nobody else has as long as it is there.
struct Bound<'a> {
    reorder: &'a Reorder<'a>,
    args: Vec<Arg>,
    /// Where the values lie that arguments point to, and what says how many they are.
    _values: Vec<(Vec<u32>, Descriptor<'a>)>,
    buffers: PhantomData<&'a mut [u8]>,
}

/// Attributes of a primitive, until it is made.
struct Attributes<'l> {
    library: &'l Onednn,
    handle: Handle,
    post_ops: Handle,
}

impl Onednn {
    /// Its reorder of a pair.
    pub(crate) fn reorder(&self, pair: &Pair) -> Result<Reorder<'_>, Refused> {
        let arith = Arith::of(pair)?;
        let (src, dst) = (self.descriptor(&pair.src)?, self.descriptor(&pair.dst)?);
        let attributes = self.attributes(&arith).ok_or(Refused::Reorder)?;
        let (calls, engine) = (&self.calls, self.engine);
        let (mut desc, mut primitive) = (null_mut(), null_mut());
        let mut name: *const c_char = null();
        // SAFETY: each function is given a place for what it makes, and live descriptors and attributes of
        // this library; the description of the primitive is not used behind its end, and the name of its
        // implementation is a constant of the library.
        let (made, implementation) = unsafe {
            let create = calls.reorder_primitive_desc_create;
            let made = create(&mut desc, src.handle, engine, dst.handle, engine, attributes.handle);
            if made != SUCCESS {
                return Err(Refused::Reorder);
            }
            let place = (&raw mut name).cast::<c_void>();
            let said = (calls.primitive_desc_query)(desc, IMPLEMENTATION, 0, place);
            let known = said == SUCCESS && !name.is_null();
            let name = known.then(|| CStr::from_ptr(name).to_string_lossy().into_owned());
            let made = (calls.primitive_create)(&mut primitive, desc);
            (calls.primitive_desc_destroy)(desc);
            (made, name.unwrap_or_default())
        };
        if made != SUCCESS {
            return Err(Refused::Reorder);
        }
        Ok(Reorder { library: self, primitive, src, dst, arith, implementation })
    }

    /// None where the library does not take them.
    fn attributes(&self, arith: &Arith) -> Option<Attributes<'_>> {
        let calls = &self.calls;
        let mut made = Attributes { library: self, handle: null_mut(), post_ops: null_mut() };
        // SAFETY: each function is given a place for what it makes, or what was made before. Attributes copy
        // the operations they are given.
        unsafe {
            let mut status = vec![(calls.primitive_attr_create)(&mut made.handle)];
            for &(arg, mask) in &arith.scales {
                status.push((calls.primitive_attr_set_scales_mask)(made.handle, arg, mask));
            }
            for &(arg, mask) in &arith.zero_points {
                status.push((calls.primitive_attr_set_zero_points_mask)(made.handle, arg, mask));
            }
            if let Some(beta) = arith.sum {
                status.push((calls.post_ops_create)(&mut made.post_ops));
                // No zero point, and the destination's own type.
                status.push((calls.post_ops_append_sum)(made.post_ops, beta, 0, 0));
                status.push((calls.primitive_attr_set_post_ops)(made.handle, made.post_ops));
            }
            status.iter().all(|status| *status == SUCCESS).then_some(made)
        }
    }
}

impl Reorder<'_> {
    /// What the buffers of the two sides must hold: oneDNN counts rows with what lies between them.
    pub(crate) fn reach(&self) -> (usize, usize) {
        (self.src.reach, self.dst.reach)
    }

    /// What oneDNN calls the code that it chose.
    pub(crate) fn implementation(&self) -> &str {
        &self.implementation
    }

    /// To be run on buffers that hold as much, as often as wanted. The source's padding may be overwritten:
    /// oneDNN takes it to be zero.
    pub(crate) fn job<'a>(&'a self, src: &'a mut [u8], dst: &'a mut [u8]) -> Job<'a> {
        let bound = self.bind(src, dst, &Values::default());
        Box::new(move || bound.run().expect("a reorder of two buffers and nothing else runs"))
    }

    /// Runs it once, with as many values as its masks ask for. That some masks are not provided for shows
    /// only here.
    pub(crate) fn run(
        &self,
        src: &mut [u8],
        dst: &mut [u8],
        values: &Values<'_>,
    ) -> Result<(), Refused> {
        self.bind(src, dst, values).run()
    }

    fn bind<'a>(&'a self, src: &'a mut [u8], dst: &'a mut [u8], values: &Values<'_>) -> Bound<'a> {
        assert!(src.len() >= self.src.reach && dst.len() >= self.dst.reach, "too small a buffer");
        let start = |desc: &Descriptor<'_>, bytes: &mut [u8]| {
            self.memory(desc, bytes[desc.before..].as_mut_ptr().cast())
        };
        let mut args = vec![
            Arg { arg: FROM, memory: start(&self.src, src) },
            Arg { arg: TO, memory: start(&self.dst, dst) },
        ];
        let mut kept = Vec::new();
        for (arg, list) in self.arith.lists(values) {
            let (mut bits, dtype): (Vec<u32>, _) = match list {
                List::Floats(list) => (list.iter().map(|value| value.to_bits()).collect(), F32),
                List::Integers(list) => (list.iter().map(|value| *value as u32).collect(), S32),
            };
            let desc = self.library.list(dtype, bits.len());
            args.push(Arg { arg, memory: self.memory(&desc, bits.as_mut_ptr().cast()) });
            kept.push((bits, desc));
        }
        Bound { reorder: self, args, _values: kept, buffers: PhantomData }
    }

    fn memory(&self, desc: &Descriptor<'_>, start: *mut c_void) -> Handle {
        let mut memory = null_mut();
        let Onednn { calls, engine, .. } = self.library;
        // SAFETY: the descriptor lives; the pointer is only kept.
        let made = unsafe { (calls.memory_create)(&mut memory, desc.handle, *engine, start) };
        assert_eq!(made, SUCCESS, "a place for a pointer");
        memory
    }
}

impl Bound<'_> {
    fn run(&self) -> Result<(), Refused> {
        let Onednn { calls, stream, .. } = self.reorder.library;
        let (primitive, count) = (self.reorder.primitive, self.args.len() as c_int);
        // SAFETY:
        // - primitive, stream and memories are of one engine and live;
        // - the memories of the two sides have the descriptors that the primitive was made for, over buffers
        //   that were borrowed alone and are as large as these descriptors say; those of values lie over
        //   lists that are kept beside them, one for each argument that the primitive was told of;
        // - it is waited for, so that nothing is written later.
        let ran = unsafe {
            match (calls.primitive_execute)(primitive, *stream, count, self.args.as_ptr()) {
                SUCCESS => (calls.stream_wait)(*stream),
                status => status,
            }
        };
        if ran == SUCCESS { Ok(()) } else { Err(Refused::Run) }
    }
}

// SAFETY: none of oneDNN's objects belongs to a thread, and these buffers are borrowed alone.
unsafe impl Send for Bound<'_> {}

impl Drop for Bound<'_> {
    fn drop(&mut self) {
        let calls = &self.reorder.library.calls;
        for arg in &self.args {
            // SAFETY: it was made with this, and is not used again.
            unsafe { (calls.memory_destroy)(arg.memory) };
        }
    }
}

impl Drop for Reorder<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made with it, and is not used again.
        unsafe { (self.library.calls.primitive_destroy)(self.primitive) };
    }
}

impl Drop for Attributes<'_> {
    fn drop(&mut self) {
        let calls = &self.library.calls;
        // SAFETY: both were made with it, or are null, which may be given.
        unsafe {
            (calls.post_ops_destroy)(self.post_ops);
            (calls.primitive_attr_destroy)(self.handle);
        }
    }
}
