//! oneDNN's functions, by name. In: a library. Out: pointers to the functions of its C interface that are
//! used, version 3.
#![allow(unsafe_code)] // Looking up a function takes its signature on trust.

use std::ffi::{c_char, c_int, c_uint, c_void};

use libloading::{Error, Library};

/// Whatever oneDNN makes is a pointer to something that it does not show.
pub(crate) type Handle = *mut c_void;

/// What it says of itself; there may be more behind.
#[repr(C)]
pub(crate) struct Version {
    pub(crate) major: c_int,
    pub(crate) minor: c_int,
    pub(crate) patch: c_int,
    hash: *const c_char,
    pub(crate) runtime: c_uint,
}

/// An argument of a primitive.
#[repr(C)]
pub(crate) struct Arg {
    pub(crate) arg: c_int,
    pub(crate) memory: Handle,
}

/// The functions, each called `dnnl_` and its name, and the library that has them.
macro_rules! calls {
    ($($name:ident($($arg:ty),*) -> $result:ty;)*) => {
        pub(crate) struct Calls {
            $(pub(crate) $name: unsafe extern "C" fn($($arg),*) -> $result,)*
            /// Of the OpenMP that the library is linked to, where it is.
            pub(crate) omp_set_num_threads: Option<unsafe extern "C" fn(c_int)>,
            /// Loaded as long as they may be called.
            _library: Library,
        }

        impl Calls {
            /// # Safety
            ///
            /// Functions of these names have the signatures of oneDNN 3.
            pub(crate) unsafe fn of(library: Library) -> Result<Calls, Error> {
                // SAFETY: the caller's promise. A pointer is copied out of each symbol, and the library
                // stays beside it.
                unsafe {
                    $(let $name = *library.get(concat!("dnnl_", stringify!($name)).as_bytes())?;)*
                    let omp = library.get(b"omp_set_num_threads").ok().map(|symbol| *symbol);
                    Ok(Calls { $($name,)* omp_set_num_threads: omp, _library: library })
                }
            }
        }
    };
}

calls! {
    version() -> *const Version;
    fmt_tag2str(c_int) -> *const c_char;
    engine_create(*mut Handle, c_int, usize) -> c_int;
    engine_destroy(Handle) -> c_int;
    stream_create(*mut Handle, Handle, c_uint) -> c_int;
    stream_destroy(Handle) -> c_int;
    stream_wait(Handle) -> c_int;
    memory_desc_create_with_strides(*mut Handle, c_int, *const i64, c_int, *const i64) -> c_int;
    memory_desc_create_with_tag(*mut Handle, c_int, *const i64, c_int, c_int) -> c_int;
    memory_desc_get_size(Handle) -> usize;
    memory_desc_destroy(Handle) -> c_int;
    memory_create(*mut Handle, Handle, Handle, *mut c_void) -> c_int;
    memory_destroy(Handle) -> c_int;
    primitive_attr_create(*mut Handle) -> c_int;
    primitive_attr_destroy(Handle) -> c_int;
    primitive_attr_set_scales_mask(Handle, c_int, c_int) -> c_int;
    primitive_attr_set_zero_points_mask(Handle, c_int, c_int) -> c_int;
    primitive_attr_set_post_ops(Handle, Handle) -> c_int;
    post_ops_create(*mut Handle) -> c_int;
    post_ops_destroy(Handle) -> c_int;
    post_ops_append_sum(Handle, f32, i32, c_int) -> c_int;
    primitive_desc_query(Handle, c_int, c_int, *mut c_void) -> c_int;
    reorder_primitive_desc_create(*mut Handle, Handle, Handle, Handle, Handle, Handle) -> c_int;
    primitive_desc_destroy(Handle) -> c_int;
    primitive_create(*mut Handle, Handle) -> c_int;
    primitive_execute(Handle, Handle, c_int, *const Arg) -> c_int;
    primitive_destroy(Handle) -> c_int;
}
