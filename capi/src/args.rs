//! `retile_args`: the values of a run. In: the caller's struct, of this version or another. Out: the
//! library's lists.

use std::ptr;

use retile_core::{Error, Result, Values};

use crate::arg::{check_struct_size, invalid, list};

/// `retile_args`, field by field.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Args {
    struct_size: usize,
    src_scale: *const f32,
    dst_scale: *const f32,
    src_zero_point: *const i32,
    dst_zero_point: *const i32,
    src_scale_count: usize,
    dst_scale_count: usize,
    src_zero_point_count: usize,
    dst_zero_point_count: usize,
}

const WORD: usize = size_of::<usize>();

/// Every field is one word, which [`Args::read`] relies on.
const _: () = assert!(size_of::<Args>() == 9 * WORD && align_of::<Args>() == WORD);

impl Args {
    /// What stands for a struct that is not there. Its size of 0 is what tells it apart.
    const NONE: Args = Args {
        struct_size: 0,
        src_scale: ptr::null(),
        dst_scale: ptr::null(),
        src_zero_point: ptr::null(),
        dst_zero_point: ptr::null(),
        src_scale_count: 0,
        dst_scale_count: 0,
        src_zero_point_count: 0,
        dst_zero_point_count: 0,
    };

    /// The fields that lie whole within the struct's own size, the others NULL and 0.
    ///
    /// # Safety
    /// `args` is NULL or points to at least as many bytes as their first word says.
    pub unsafe fn read(args: *const Args) -> Result<Args> {
        let mut known = Args::NONE;
        if args.is_null() {
            return Ok(known);
        }
        // SAFETY: not null, as just checked, and at least one word long, by the contract.
        let size = unsafe { args.cast::<usize>().read_unaligned() };
        check_struct_size("args", size)?;
        let whole = size.min(size_of::<Args>()) / WORD * WORD;
        // SAFETY:
        // - `whole` is at most `size`, and so many bytes may be read, by the contract
        // - `whole` is at most the size of `known`, which is ours
        // - whole fields are copied, of which any value is one
        unsafe { ptr::copy_nonoverlapping(args.cast::<u8>(), (&raw mut known).cast(), whole) };
        Ok(known)
    }

    /// The lists by name: where each is, and how many values its own count says that it has.
    pub fn lists(&self) -> [(&'static str, usize, usize); 4] {
        [
            ("src_scale", self.src_scale.addr(), self.src_scale_count),
            ("dst_scale", self.dst_scale.addr(), self.dst_scale_count),
            ("src_zero_point", self.src_zero_point.addr(), self.src_zero_point_count),
            ("dst_zero_point", self.dst_zero_point.addr(), self.dst_zero_point_count),
        ]
    }

    /// The lists that masks ask for; their lengths are held against the caller's where `checked`.
    ///
    /// # Safety
    /// Each list asked for is NULL or as long as `asked` or, where `checked`, as its own count says;
    /// nobody writes it during `'a`.
    pub unsafe fn values<'a>(&self, asked: [usize; 4], checked: bool) -> Result<Values<'a>> {
        for ((name, at, given), asked) in self.lists().into_iter().zip(asked) {
            if at == 0 && asked > 0 {
                let field = if self.struct_size == 0 { "" } else { &format!(".{name}") };
                return invalid!("args{field} is NULL, {asked} values of {name} are needed");
            }
            if checked && given != asked {
                let message = format!("args.{name}_count is {given}, {asked} are needed");
                return Err(Error::Buffer(message));
            }
        }
        let [src_scale, dst_scale, src_zero_point, dst_zero_point] = asked;
        // SAFETY: each is NULL or as long as asked, by the contract and, where the caller's own count
        // is what counts, by the check; not written during 'a, by the contract.
        unsafe {
            Ok(Values {
                src_scale: list("args.src_scale", self.src_scale, src_scale)?,
                dst_scale: list("args.dst_scale", self.dst_scale, dst_scale)?,
                src_zero_point: list("args.src_zero_point", self.src_zero_point, src_zero_point)?,
                dst_zero_point: list("args.dst_zero_point", self.dst_zero_point, dst_zero_point)?,
            })
        }
    }
}
