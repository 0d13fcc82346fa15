//! Whether two do the same. In: what one left in a destination, and another. Out: where they differ, among
//! the bytes that a conversion may write.

use retile::Layout;

/// None where both wrote the same; else what is to be said.
pub(crate) fn difference(dst: &Layout, ours: &[u8], theirs: &[u8]) -> Option<String> {
    // What lies between is as it was before, mostly: then there is no need to look at each cell.
    if ours == theirs {
        return None;
    }
    let size = dst.dtype().size();
    let (mut first, mut count) = (None, 0usize);
    for cell in dst.cells() {
        let at = cell.offset * size;
        if ours[at..][..size] != theirs[at..][..size] {
            count += 1;
            first.get_or_insert(at);
        }
    }
    let at = first?;
    let hex = |bytes: &[u8]| {
        let bytes = bytes[at..][..size].iter().rev();
        bytes.map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let (ours, theirs) = (hex(ours), hex(theirs));
    Some(format!("{count} elements differ, the first at byte {at}: {theirs}, ours {ours}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_may_be_written_counts() {
        let dst: Layout = "u16:strides(4,1):2x2".parse().unwrap();
        let ours: Vec<u8> = (0..12).collect();
        assert_eq!(difference(&dst, &ours, &ours), None);
        let mut theirs = ours.clone();
        theirs[5] = 99;
        assert_eq!(difference(&dst, &ours, &theirs), None);
        theirs[9] = 99;
        theirs[10] = 0;
        let said = "2 elements differ, the first at byte 8: 6308, ours 0908";
        assert_eq!(difference(&dst, &ours, &theirs).as_deref(), Some(said));
    }
}
