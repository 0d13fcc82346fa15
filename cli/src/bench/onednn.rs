//! oneDNN, where its library is to be found at run time. In: a pair. Out: its reorder of the same, to be run
//! on buffers.
#![allow(unsafe_code)] // A library of C functions: all calls of it are here.

mod arith;
mod calls;
mod describe;
mod refused;
mod reorder;

use std::ffi::{CStr, c_int};
use std::ptr::null_mut;

use retile::Layout;

use crate::tell::tell;
use calls::{Calls, Handle, Version};
use describe::{Describe, Form};
pub(crate) use refused::Refused;
pub(crate) use reorder::Reorder;

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

/// Where elements lie, in oneDNN's words.
struct Descriptor<'l> {
    library: &'l Onednn,
    handle: Handle,
    /// Bytes before what it describes.
    before: usize,
    /// What a buffer must hold.
    reach: usize,
}

impl Onednn {
    /// The library asked for, else the one that the environment names, else one of the usual names. A line on
    /// standard error says where there is none; that one which was named is not there is an error.
    pub(crate) fn find(asked: Option<&str>, threads: usize) -> Result<Option<Onednn>, String> {
        let of_environment = std::env::var(VARIABLE).ok().filter(|name| !name.is_empty());
        match asked.or(of_environment.as_deref()) {
            Some(NONE) => Ok(None),
            Some("") => Err("a path is needed for oneDNN, or `none`: this one is empty".into()),
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
                tell!("skipped onednn: {}; --onednn PATH names it", errors.join("; "));
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

    /// Its tags with blocks, by name.
    pub(crate) fn tags(&self) -> impl Iterator<Item = &str> {
        self.describe.blocked()
    }

    fn descriptor(&self, layout: &Layout) -> Result<Descriptor<'_>, Refused> {
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
            return Err(Refused::Descriptor);
        }
        // SAFETY: the descriptor was made just now.
        let size = unsafe { (calls.memory_desc_get_size)(handle) };
        let before = described.offset * layout.dtype().size();
        // Where dims share elements the size may be less than what is read.
        let reach = before.saturating_add(size).max(layout.size_bytes());
        let found = Descriptor { library: self, handle, before, reach };
        // That both mean the same is seen by what is written; but this is in time.
        if layout.onednn_size_bytes() == Some(size) { Ok(found) } else { Err(Refused::Size) }
    }
}

impl Onednn {
    /// So many values, one behind the other.
    fn list(&self, dtype: c_int, count: usize) -> Descriptor<'_> {
        let mut handle = null_mut();
        let (count, one) = (count as i64, 1i64);
        let create = self.calls.memory_desc_create_with_strides;
        // SAFETY: a place for what is made, and lists of as many numbers as there are dims, which is one.
        let made = unsafe { create(&mut handle, 1, &count, dtype, &one) };
        assert_eq!(made, SUCCESS, "a list of values");
        Descriptor { library: self, handle, before: 0, reach: 4 * count as usize }
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
