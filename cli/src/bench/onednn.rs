//! oneDNN, where its library is to be found at run time. In: a pair. Out: its reorder of the same, to be run
//! on buffers.
#![allow(unsafe_code)] // A library of C functions: all calls of it are here.

mod calls;
mod describe;

use std::ffi::{CStr, c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};

use retile::{Attr, Layout};

use super::measure::Job;
use crate::pair::Pair;
use calls::{Calls, Handle, Version};
use describe::{Describe, Form};

/// The names it goes by.
const NAMES: &[&str] = if cfg!(windows) {
    &["dnnl.dll"]
} else if cfg!(target_os = "macos") {
    &["libdnnl.3.dylib", "libdnnl.dylib"]
} else {
    &["libdnnl.so.3", "libdnnl.so"]
};

/// The variable that names the library; an option goes before it.
const VARIABLE: &str = "RETILE_ONEDNN";

/// What leaves it out.
const NONE: &str = "none";

/// Numbers of oneDNN's enums.
const SUCCESS: c_int = 0;
const CPU: c_int = 1;
const IN_ORDER: u32 = 1;
const FROM: c_int = 1;
const TO: c_int = 17;
const SEQUENTIAL: u32 = 1;
const OPENMP: u32 = 2;

/// The library, with an engine and a stream of its own.
pub(crate) struct Onednn {
    engine: Handle,
    stream: Handle,
    describe: Describe,
    version: String,
    calls: Calls,
}

/// A reorder of oneDNN's, compiled.
pub(crate) struct Reorder<'l> {
    library: &'l Onednn,
    primitive: Handle,
    src: Descriptor<'l>,
    dst: Descriptor<'l>,
}

/// Where elements lie, in oneDNN's words.
struct Descriptor<'l> {
    library: &'l Onednn,
    handle: Handle,
    /// Bytes before what it describes.
    before: usize,
    /// What a buffer must hold.
    reach: usize,
}

/// A reorder with its buffers, which nobody else has as long as it is there.
struct Bound<'a> {
    reorder: &'a Reorder<'a>,
    src: Handle,
    dst: Handle,
    buffers: PhantomData<&'a mut [u8]>,
}

impl Onednn {
    /// The library asked for, else the one that the environment names, else one of the usual names. A line on
    /// standard error says where there is none; that one which was named is not there is an error.
    pub(crate) fn find(asked: Option<&str>, threads: usize) -> Result<Option<Onednn>, String> {
        let of_environment = std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
        match asked.or(of_environment.as_deref()) {
            Some(NONE) => Ok(None),
            Some(name) => match Onednn::load(name, threads) {
                Ok(found) => Ok(Some(found)),
                Err(error) => Err(format!("oneDNN cannot be used: {error}")),
            },
            None => {
                let mut errors = Vec::new();
                for name in NAMES {
                    match Onednn::load(name, threads) {
                        Ok(found) => return Ok(Some(found)),
                        Err(error) => errors.push(error),
                    }
                }
                eprintln!("skipped onednn: {}; --onednn PATH names it", errors.join("; "));
                Ok(None)
            }
        }
    }

    fn load(name: &str, threads: usize) -> Result<Onednn, String> {
        // SAFETY: a library's own code runs as it is loaded. The user named it, or it has oneDNN's name.
        let library =
            unsafe { libloading::Library::new(name) }.map_err(|error| error.to_string())?;
        // SAFETY: the only call whose signature differs between versions of oneDNN is looked up, not called.
        let calls = unsafe { Calls::of(library) }.map_err(|error| format!("{name}: {error}"))?;
        // SAFETY: it takes nothing and returns a constant of the library, or null.
        let version = unsafe { (calls.version)().as_ref() };
        let Some(&Version { major, minor, patch, runtime, .. }) = version else {
            return Err(format!("{name} does not say its version"));
        };
        let version = format!("{major}.{minor}.{patch}");
        if major != 3 {
            return Err(format!("{name} is version {version}, expected 3"));
        }
        match (runtime, calls.omp_set_num_threads) {
            (SEQUENTIAL, _) if threads == 1 => (),
            // SAFETY: a function of OpenMP that takes a count, at least 1; it is about this thread, which is
            // the one that calls reorders.
            (OPENMP, Some(set)) => unsafe { set(threads as c_int) },
            _ => return Err(format!("{name} cannot be told to use {threads} threads")),
        }
        let mut found = Onednn {
            engine: null_mut(),
            stream: null_mut(),
            describe: Describe::default(),
            version,
            calls,
        };
        let calls = &found.calls;
        // SAFETY: each function is given a place for what it makes, and the engine that was made before.
        unsafe {
            said("an engine", (calls.engine_create)(&mut found.engine, CPU, 0))?;
            said("a stream", (calls.stream_create)(&mut found.stream, found.engine, IN_ORDER))?;
        }
        found.describe = Describe::new((0..).map_while(|number| found.tag(number)));
        Ok(found)
    }

    /// The tag of a number; none behind the last.
    fn tag(&self, number: c_int) -> Option<String> {
        // SAFETY: any number may be asked for; the text is a constant of the library, or null.
        let text = unsafe {
            let text = (self.calls.fmt_tag2str)(number);
            (!text.is_null()).then(|| CStr::from_ptr(text))?
        };
        let text = text.to_str().ok()?;
        (!matches!(text, "unknown fmt_tag" | "format_tag_last")).then(|| text.into())
    }

    /// What it calls its version.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// Its reorder of a pair; none where it has none, or cannot say one of the layouts.
    pub(crate) fn reorder(&self, pair: &Pair) -> Option<Reorder<'_>> {
        if pair.attr != Attr::new() {
            return None;
        }
        let (src, dst) = (self.descriptor(&pair.src)?, self.descriptor(&pair.dst)?);
        let (calls, engine) = (&self.calls, self.engine);
        let (mut desc, mut primitive) = (null_mut(), null_mut());
        // SAFETY: each function is given a place for what it makes, live descriptors of this library, and no
        // attributes; the description of the primitive is not used behind its end.
        let made = unsafe {
            let create = calls.reorder_primitive_desc_create;
            if create(&mut desc, src.handle, engine, dst.handle, engine, null()) != SUCCESS {
                return None;
            }
            let made = (calls.primitive_create)(&mut primitive, desc);
            (calls.primitive_desc_destroy)(desc);
            made
        };
        (made == SUCCESS).then_some(Reorder { library: self, primitive, src, dst })
    }

    fn descriptor(&self, layout: &Layout) -> Option<Descriptor<'_>> {
        let described = self.describe.layout(layout)?;
        let calls = &self.calls;
        let (rank, dims) = (layout.rank() as c_int, described.dims.as_ptr());
        let mut handle = null_mut();
        // SAFETY: a place for what is made, and lists of as many numbers as oneDNN has dims at most.
        let made = unsafe {
            match &described.form {
                Form::Strides(strides) => (calls.memory_desc_create_with_strides)(
                    &mut handle,
                    rank,
                    dims,
                    described.dtype,
                    strides.as_ptr(),
                ),
                Form::Tag(tag) => (calls.memory_desc_create_with_tag)(
                    &mut handle,
                    rank,
                    dims,
                    described.dtype,
                    *tag,
                ),
            }
        };
        if made != SUCCESS {
            return None;
        }
        // SAFETY: the descriptor was made just now.
        let size = unsafe { (calls.memory_desc_get_size)(handle) };
        let before = described.offset * layout.dtype().size();
        // Where dims share elements the size may be less than what is read.
        let reach = before.saturating_add(size).max(layout.size_bytes());
        let found = Descriptor { library: self, handle, before, reach };
        // That both mean the same is seen by what is written; but this is in time.
        (layout.onednn_size_bytes() == Some(size)).then_some(found)
    }
}

impl Reorder<'_> {
    /// What the buffers of the two sides must hold: oneDNN counts rows with what lies between them.
    pub(crate) fn reach(&self) -> (usize, usize) {
        (self.src.reach, self.dst.reach)
    }

    /// To be run on buffers that hold as much. The source's padding may be overwritten: oneDNN takes it to be
    /// zero.
    pub(crate) fn job<'a>(&'a self, src: &'a mut [u8], dst: &'a mut [u8]) -> Job<'a> {
        assert!(src.len() >= self.src.reach && dst.len() >= self.dst.reach, "too small a buffer");
        let src = self.memory(&self.src, src);
        let dst = self.memory(&self.dst, dst);
        let bound = Bound { reorder: self, src, dst, buffers: PhantomData };
        Box::new(move || bound.run())
    }

    fn memory(&self, desc: &Descriptor<'_>, bytes: &mut [u8]) -> Handle {
        let mut memory = null_mut();
        let start = bytes[desc.before..].as_mut_ptr().cast::<c_void>();
        let Onednn { calls, engine, .. } = self.library;
        // SAFETY: the descriptor lives, and of its size so many bytes are there, which may be written.
        let made = unsafe { (calls.memory_create)(&mut memory, desc.handle, *engine, start) };
        assert_eq!(made, SUCCESS, "a place for a pointer");
        memory
    }
}

impl Bound<'_> {
    fn run(&self) {
        let Onednn { calls, stream, .. } = self.reorder.library;
        let args =
            [calls::Arg { arg: FROM, memory: self.src }, calls::Arg { arg: TO, memory: self.dst }];
        let primitive = self.reorder.primitive;
        // SAFETY:
        // - primitive, stream and memories are of one engine and live;
        // - the memories have the descriptors that the primitive was made for, over buffers that were borrowed
        //   alone and are as large as these descriptors say;
        // - it is waited for, so that nothing is written later.
        let ran = unsafe {
            match (calls.primitive_execute)(primitive, *stream, 2, args.as_ptr()) {
                SUCCESS => (calls.stream_wait)(*stream),
                status => status,
            }
        };
        assert_eq!(ran, SUCCESS, "a reorder that was compiled runs");
    }
}

// SAFETY: none of oneDNN's objects belongs to a thread, and these buffers are borrowed alone.
unsafe impl Send for Bound<'_> {}

impl Drop for Bound<'_> {
    fn drop(&mut self) {
        let calls = &self.reorder.library.calls;
        // SAFETY: both were made with it, and are not used again.
        unsafe {
            (calls.memory_destroy)(self.src);
            (calls.memory_destroy)(self.dst);
        }
    }
}

impl Drop for Reorder<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made with it, and is not used again.
        unsafe { (self.library.calls.primitive_destroy)(self.primitive) };
    }
}

impl Drop for Descriptor<'_> {
    fn drop(&mut self) {
        // SAFETY: as above.
        unsafe { (self.library.calls.memory_desc_destroy)(self.handle) };
    }
}

impl Drop for Onednn {
    fn drop(&mut self) {
        // SAFETY: as above; whatever uses them borrows the library. Null, where making one failed, may be
        // given.
        unsafe {
            (self.calls.stream_destroy)(self.stream);
            (self.calls.engine_destroy)(self.engine);
        }
    }
}

fn said(what: &str, status: c_int) -> Result<(), String> {
    match status {
        SUCCESS => Ok(()),
        status => Err(format!("oneDNN made no {}: status {status}", what.trim_start_matches("a "))),
    }
}
