//! `retile_cache_*`. In: a capacity, or the caller's struct, of this version or another. Out: what the cache has done,
//! in as much of the struct as there is.

use std::mem::offset_of;

use retile_core::cache;

use crate::arg::{check_struct_size, not_null};
use crate::status::{Status, guard};

/// `retile_cache_stats`, field by field.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Stats {
    struct_size: usize,
    hits: u64,
    misses: u64,
    entries: u64,
    code_bytes: u64,
}

/// See the header. Kernels that are in use stay with those who have them.
#[unsafe(no_mangle)]
pub extern "C" fn retile_cache_set_capacity(kernels: usize) -> Status {
    guard(|| {
        cache::set_capacity(kernels);
        Ok(())
    })
}

/// See the header. Kernels that are in use stay with those who have them.
#[unsafe(no_mangle)]
pub extern "C" fn retile_cache_clear() -> Status {
    guard(|| {
        cache::clear();
        Ok(())
    })
}

/// See the header. Fields that do not lie whole within the struct's own size are left alone, as is that size.
///
/// # Safety
/// Of the caller as the [crate](crate) says; `stats` is as long as its first word says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_cache_get_stats(stats: *mut Stats) -> Status {
    guard(|| {
        not_null("stats", stats)?;
        // SAFETY: not null, as just checked, and at least one word long, by the contract.
        let size = unsafe { stats.cast::<usize>().read_unaligned() };
        check_struct_size("stats", size)?;
        let found = cache::stats();
        let fields = [
            (offset_of!(Stats, hits), found.hits),
            (offset_of!(Stats, misses), found.misses),
            (offset_of!(Stats, entries), found.entries as u64),
            (offset_of!(Stats, code_bytes), found.code_bytes as u64),
        ];
        for (at, value) in fields {
            if at + size_of::<u64>() <= size {
                // SAFETY: so many bytes from `stats` on may be written, by the contract and as just checked.
                unsafe { stats.byte_add(at).cast::<u64>().write_unaligned(value) };
            }
        }
        Ok(())
    })
}
