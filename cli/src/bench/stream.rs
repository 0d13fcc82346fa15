//! A copy that stores past the caches. In: bytes. Out: the same bytes elsewhere, by instructions that do
//! not read a line of the destination before they write it.
#![allow(unsafe_code)] // Such stores are intrinsics that take pointers.

/// Whether there are such stores here.
pub(crate) const AVAILABLE: bool = cfg!(target_arch = "x86_64");

/// Bytes that are stored together.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Copies as many bytes as both have.
#[cfg(target_arch = "x86_64")]
pub(crate) fn copy(src: &[u8], dst: &mut [u8]) {
    use std::arch::x86_64::_mm_sfence;

    let length = src.len().min(dst.len());
    // These stores want aligned addresses; what lies before and behind whole lines is copied as usual.
    let head = dst.as_ptr().align_offset(LINE).min(length);
    let body = (length - head) / LINE * LINE;
    let (src, dst) = (&src[..length], &mut dst[..length]);
    dst[..head].copy_from_slice(&src[..head]);
    dst[head + body..].copy_from_slice(&src[head + body..]);
    let (src, dst) = (&src[head..][..body], &mut dst[head..][..body]);
    // SAFETY:
    // - both slices are as long as each other, and whole lines;
    // - the destination starts on a line, where it is not empty, by what `head` is;
    // - AVX is called only where the CPU was asked for it, the others are part of every x86-64.
    unsafe {
        match is_x86_feature_detected!("avx") {
            true => avx(src, dst),
            false => sse2(src, dst),
        }
        // Such stores are ordered behind others by nothing else.
        _mm_sfence();
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn copy(_: &[u8], _: &mut [u8]) {
    unreachable!("nobody asks for what is not available")
}

/// # Safety
///
/// The CPU has AVX; both slices are as long as each other, in whole lines; the destination starts on one.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn avx(src: &[u8], dst: &mut [u8]) {
    use std::arch::x86_64::{_mm256_loadu_si256, _mm256_stream_si256};

    for (from, to) in src.chunks_exact(LINE).zip(dst.chunks_exact_mut(LINE)) {
        let (from, to) = (from.as_ptr().cast(), to.as_mut_ptr().cast());
        // SAFETY: each chunk has two registers' bytes, and that of the destination is aligned for them.
        unsafe {
            let (one, two) = (_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1)));
            _mm256_stream_si256(to, one);
            _mm256_stream_si256(to.add(1), two);
        }
    }
}

/// # Safety
///
/// Both slices are as long as each other, in whole lines; the destination starts on one.
#[cfg(target_arch = "x86_64")]
unsafe fn sse2(src: &[u8], dst: &mut [u8]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};

    for (from, to) in src.chunks_exact(LINE).zip(dst.chunks_exact_mut(LINE)) {
        let (from, to) = (from.as_ptr().cast::<__m128i>(), to.as_mut_ptr().cast::<__m128i>());
        // SAFETY: each chunk has four registers' bytes, and that of the destination is aligned for them.
        unsafe {
            for i in 0..4 {
                _mm_stream_si128(to.add(i), _mm_loadu_si128(from.add(i)));
            }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn any_length_and_alignment_is_copied_and_nothing_else() {
        let src: Vec<u8> = (0..1000u32).map(|i| (i * 7 + 1) as u8).collect();
        for from in [0, 1, 16, 63] {
            for to in [0, 1, 15, 32, 64] {
                for length in [0, 1, 31, 63, 64, 65, 128, 500] {
                    let mut dst = vec![0xee; 700];
                    copy(&src[from..][..length], &mut dst[to..][..length]);
                    assert_eq!(dst[to..][..length], src[from..][..length]);
                    let beside = dst[..to].iter().chain(&dst[to + length..]);
                    assert!(beside.into_iter().all(|&byte| byte == 0xee));
                }
            }
        }
    }

    #[test]
    fn both_ways_copy() {
        let src: Vec<u8> = (0..256).map(|i| i as u8).collect();
        let mut memory = vec![0; 256 + LINE];
        let start = memory.as_ptr().align_offset(LINE);
        // SAFETY: four lines on both sides, the destination aligned; AVX where it is here.
        unsafe {
            sse2(&src, &mut memory[start..][..256]);
            assert_eq!(memory[start..][..256], src);
            memory.fill(0);
            if is_x86_feature_detected!("avx") {
                avx(&src, &mut memory[start..][..256]);
                assert_eq!(memory[start..][..256], src);
            }
        }
    }
}
