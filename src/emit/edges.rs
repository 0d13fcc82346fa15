//! Parts of registers. In: which bytes of a register move, and where. Out: instructions that touch these and
//! no others: under masks where the tier has them, else in pieces of 1 to 16 bytes.

use dynasmrt::{DynasmApi, dynasm};

use super::asm::Asm;
use super::bits::{every, is_grouped, mask_bytes, squeeze};
use super::blend::blend;
use super::evex::{Evex, Mem, To, V, Width};
use super::held::{Constant, Held};
use crate::shuffle::{self, extracted};

/// Bytes of a register in a row.
#[derive(Clone, Copy)]
struct Span {
    from: usize,
    len: usize,
}

impl Span {
    fn of(bytes: u64) -> Span {
        let from = bytes.trailing_zeros() as usize;
        let len = (bytes >> from).trailing_ones() as usize;
        debug_assert_eq!(bytes, every(len) << from, "bytes in a row");
        Span { from, len }
    }
}

/// The coarsest elements, at most of `most` bytes, that a mask of bytes has all or none of, and the mask
/// of these.
pub(super) fn grained(bytes: u64, width: usize, most: usize) -> (usize, u64) {
    let coarse = |grain: &usize| *grain <= most && is_grouped(bytes, *grain);
    let grain = [4, 2].into_iter().find(coarse).unwrap_or(1);
    (grain, squeeze(bytes & every(width), grain))
}

/// How a part of a register is loaded where there are masks.
enum Way {
    /// As a whole register of so many bytes, the rest zero.
    Front,
    /// Everywhere, and kept where the mask says so, in elements of 4 bytes.
    Everywhere,
    /// In its place, by elements of so many bytes.
    InPlace,
}

fn way(span: Span, width: usize, keeps: bool) -> Way {
    match (span.from, span.len) {
        (0, 4 | 8 | 16 | 32) if !keeps => Way::Front,
        (from, 4 | 8 | 16 | 32) if from.is_multiple_of(span.len) && span.len < width => {
            Way::Everywhere
        }
        _ => Way::InPlace,
    }
}

/// The mask that a load needs.
pub(super) fn load_mask(bytes: u64, width: usize, keeps: bool) -> Option<u64> {
    if bytes == every(width) {
        return None;
    }
    match way(Span::of(bytes), width, keeps) {
        Way::Front => None,
        Way::Everywhere => Some(everywhere(bytes, width)),
        Way::InPlace => Some(grained(bytes, width, 4).1),
    }
}

/// The elements that a broadcast to everywhere keeps, of 8 bytes where it is of 8.
fn everywhere(bytes: u64, width: usize) -> u64 {
    match Span::of(bytes).len {
        // The broadcast of 8 bytes, and that of 32, count in elements of 8.
        8 | 32 => squeeze(bytes, 8),
        _ => grained(bytes, width, 4).1,
    }
}

/// The mask that a store of these bytes needs.
pub(super) fn store_mask(bytes: u64, width: usize) -> Option<u64> {
    if bytes == every(width) || in_front(bytes) || part(Span::of(bytes)).is_some() {
        return None;
    }
    Some(grained(bytes, width, 4).1)
}

fn in_front(bytes: u64) -> bool {
    [4, 8, 16, 32].iter().any(|len| bytes == every(*len))
}

/// Loads bytes in a row to their place in a register, of which `kept` are kept and the others become zero. `m` is where
/// the first of them is.
pub(super) fn load(a: &mut Asm, held: &mut Held, d: V, m: Mem, bytes: u64, kept: u64) {
    let (width, keeps) = (d.width.bytes(), kept != 0);
    let span = Span::of(bytes);
    if bytes == every(width) {
        return a.vmovdqu(d, m);
    }
    if !a.masks() {
        return load_pieces(a, held, d, m, span, keeps);
    }
    match way(span, width, keeps) {
        Way::Front => front(a, d, m, span.len),
        Way::Everywhere => {
            let mask = everywhere(bytes, width);
            if let Some(all) = held.aside(mask, d).filter(|_| keeps) {
                broadcast(a, all.into(), m, span.len);
                return blend(a, held, d, (d, all), bytes);
            }
            let k = held.mask(a, mask);
            broadcast(a, if keeps { d.keep(k) } else { d.zero(k) }, m, span.len);
        }
        Way::InPlace => {
            let (grain, bits) = grained(bytes, width, 4);
            let k = held.mask(a, bits);
            // No wider than it must be: what is not wanted of a register may lie on another line.
            let d = V { width: least(bytes | kept), ..d };
            let to = if keeps { d.keep(k) } else { d.zero(k) };
            let m = m.on(-(span.from as isize));
            match grain {
                1 => a.ops.vmovdqu8(to, m),
                2 => a.ops.vmovdqu16(to, m),
                _ => a.ops.vmovdqu32(to, m),
            }
        }
    }
}

/// So many bytes, again and again.
fn broadcast(a: &mut Asm, to: To<V>, m: Mem, bytes: usize) {
    match bytes {
        4 => a.ops.vpbroadcastd(to, m),
        8 => a.ops.vpbroadcastq(to, m),
        16 => a.ops.vbroadcasti32x4(to, m),
        _ => a.ops.vbroadcasti64x4(to, m),
    }
}

/// Bytes of a register, and zeros in place of all others. What is moved as a shorter register has zeros behind it.
pub(super) fn only(a: &mut Asm, held: &Held, d: V, v: V, bytes: u64) {
    let shorter = [Width::X, Width::Y].into_iter().find(|width| bytes == every(width.bytes()));
    if let Some(width) = shorter {
        return a.vmovdqa(V { width, ..d }, V { width, ..v });
    }
    if a.masks()
        && let Some(k) = held.known_mask(bytes)
    {
        return a.ops.vmovdqu8(d.zero(k), v);
    }
    let m = a.constant(&mask_bytes(bytes, d.width.bytes()));
    a.vpand(d, v, m);
}

/// The narrowest registers that have these bytes.
fn least(bytes: u64) -> Width {
    match bytes.ilog2() {
        0..16 => Width::X,
        16..32 => Width::Y,
        _ => Width::Z,
    }
}

/// 4, 8, 16 or 32 bytes to the front of a register.
fn front(a: &mut Asm, d: V, m: Mem, bytes: usize) {
    match bytes {
        4 => a.vmovd(d, m),
        8 => a.vmovq(d, m),
        16 => a.vmovdqu(V { width: Width::X, ..d }, m),
        _ => a.vmovdqu(V { width: Width::Y, ..d }, m),
    }
}

/// Stores bytes in a row of a register; `m` is where the first of them goes.
pub(super) fn store(a: &mut Asm, held: &mut Held, v: V, m: Mem, bytes: u64) {
    let width = v.width.bytes();
    let span = Span::of(bytes);
    match a.masks() {
        _ if bytes == every(width) => a.vmovdqu_store(m, v),
        true => store_masked(a, held, v, m, span),
        false => store_pieces(a, held, v, m, span),
    }
}

/// Stores bytes of a register, not all, under a mask where they do not fill a shorter one.
fn store_masked(a: &mut Asm, held: &mut Held, v: V, m: Mem, span: Span) {
    match (span.from, span.len) {
        (0, 4) => return a.vmovd_store(m, v),
        (0, 8) => return a.vmovq_store(m, v),
        (0, 16) => return a.vmovdqu_store(m, V { width: Width::X, ..v }),
        (0, 32) => return a.vmovdqu_store(m, V { width: Width::Y, ..v }),
        _ => {}
    }
    match part(span) {
        Some((16, number)) => {
            let v = V { width: least(every(span.from + 16)), ..v };
            return a.ops.vextracti32x4(m, v, number);
        }
        Some((_, number)) => return a.ops.vextracti64x4(m, V { width: Width::Z, ..v }, number),
        None => {}
    }
    let bytes = every(span.len) << span.from;
    let (grain, bits) = grained(bytes, v.width.bytes(), 4);
    let k = held.mask(a, bits);
    let m = m.on(-(span.from as isize)).masked(k);
    let v = V { width: least(bytes), ..v };
    match grain {
        1 => a.ops.vmovdqu8_store(m, v),
        2 => a.ops.vmovdqu16_store(m, v),
        _ => a.ops.vmovdqu32_store(m, v),
    }
}

/// The block of 16 bytes of a register or the half of 32 that bytes are, other than the first: how long it is, and which
/// of these. It is stored by itself. Under a mask of the register it would be stored from lane 0 on, which lies further
/// ahead: such stores reach over more lines, and take up to twice as long for it. A mask on a block is none of these
/// means: what it leaves out must be there nevertheless.
fn part(span: Span) -> Option<(usize, u8)> {
    let whole = matches!(span.len, 16 | 32) && span.from.is_multiple_of(span.len);
    (whole && span.from > 0).then_some((span.len, (span.from / span.len) as u8))
}

// ---- without masks ----

/// The part of a span in the lower half of a register, and in the upper.
fn halves(span: Span) -> [Span; 2] {
    let end = span.from + span.len;
    let clip = |least: usize, most: usize| {
        let (from, end) = (span.from.clamp(least, most), end.clamp(least, most));
        Span { from: from - least, len: end - from }
    };
    [clip(0, 16), clip(16, 32)]
}

/// Whether bytes in a row are loaded under a mask though registers have none.
pub(super) fn loads_by_mask(bytes: u64, width: usize, keeps: bool) -> bool {
    let Span { from, len } = Span::of(bytes);
    shuffle::loads_by_mask(from, len, width, keeps)
}

/// Whether a load takes a register besides its own.
pub(super) fn loads_in_pieces(bytes: u64, width: usize, keeps: bool) -> bool {
    let span = Span::of(bytes);
    let [low, high] = halves(span);
    if loads_by_mask(bytes, width, keeps) {
        return keeps;
    }
    // A piece of a half is put together apart, where the other half holds something.
    bytes != every(width) && (high.len % 16 != 0 || low.len % 16 != 0 && width == 32 && keeps)
}

fn load_pieces(a: &mut Asm, held: &mut Held, d: V, m: Mem, span: Span, keeps: bool) {
    let (half, width) = (V { width: Width::X, ..d }, d.width.bytes());
    let bytes = every(span.len) << span.from;
    if loads_by_mask(bytes, width, keeps) {
        let to = if keeps { held.spare(d) } else { d };
        let mask = match held.vector(Constant::Chosen(bytes)) {
            Some(number) => V { number, ..d },
            None => {
                let place = a.constant(&mask_bytes(bytes, width));
                a.vmovdqu(to, place);
                to
            }
        };
        a.vpmaskmovd(to, mask, m.on(-(span.from as isize)));
        if keeps {
            a.vpblendd(d, d, to, squeeze(bytes, 4) as u8);
        }
        return;
    }
    let whole = d.width != Width::X;
    let [low, high] = halves(span);
    if low.len == 16 && keeps {
        a.vinserti128(d, d, m, 0);
    } else if low.len > 0 && keeps && whole {
        let spare = V { width: Width::X, ..held.spare(half) };
        a.vmovdqa(spare, half);
        insert(a, spare, m, low);
        a.vpblendd(d, d, V { width: Width::Y, ..spare }, 0x0f);
    } else if low.len > 0 && keeps {
        insert(a, half, m, low);
    } else if low.len > 0 {
        gather(a, half, m, low);
    } else if !keeps {
        zero(a, half);
    }
    let m = m.on(low.len as isize);
    if high.len == 16 {
        a.vinserti128(d, d, m, 1);
    } else if high.len > 0 {
        let spare = V { width: Width::X, ..held.spare(half) };
        if keeps {
            a.vextracti128(spare, d, 1);
            insert(a, spare, m, high);
        } else {
            gather(a, spare, m, high);
        }
        a.vinserti128(d, d, spare, 1);
    }
}

fn zero(a: &mut Asm, d: V) {
    dynasm!(a.ops ; .arch x64 ; vpxor Rx(d.number), Rx(d.number), Rx(d.number));
}

/// Bytes into a half that is zero elsewhere.
fn gather(a: &mut Asm, d: V, m: Mem, span: Span) {
    match (span.from, span.len) {
        (0, 16) => a.vmovdqu(d, m),
        (0, len @ 4..8) | (0, len @ 8..16) => {
            let own = if len < 8 { 4 } else { 8 };
            front(a, d, m, own);
            insert(a, d, m.on(own as isize), Span { from: own, len: len - own });
        }
        _ => {
            zero(a, d);
            insert(a, d, m, span);
        }
    }
}

/// Bytes into a half that is kept elsewhere.
fn insert(a: &mut Asm, d: V, m: Mem, span: Span) {
    for (from, len) in extracted(span.from, span.len) {
        a.vpinsr(d, d, m.on((from - span.from) as isize), len, from);
    }
}

/// Whether a store takes a register besides its own.
pub(super) fn stores_in_pieces(bytes: u64, width: usize) -> bool {
    let [_, high] = halves(Span::of(bytes));
    bytes != every(width) && high.len % 16 != 0
}

fn store_pieces(a: &mut Asm, held: &mut Held, v: V, m: Mem, span: Span) {
    let [low, high] = halves(span);
    let half = V { width: Width::X, ..v };
    match low.len {
        16 => a.vmovdqu_store(m, half),
        _ => extract(a, half, m, low),
    }
    let m = m.on(low.len as isize);
    match high.len {
        0 => {}
        16 => a.vextracti128_store(m, v, 1),
        _ => {
            let spare = V { width: Width::X, ..held.spare(half) };
            a.vextracti128(spare, v, 1);
            extract(a, spare, m, high);
        }
    }
}

fn extract(a: &mut Asm, v: V, m: Mem, span: Span) {
    for (from, len) in extracted(span.from, span.len) {
        a.vpextr(m.on((from - span.from) as isize), v, len, from);
    }
}
