//! Masks in terms of one another. In: a bit for each lane, byte or element. Out: the same positions, with a bit for
//! each of another of these.

pub(super) use crate::shuffle::every;

/// The lowest bit of each group of so many, which are a power of two.
fn lowest(group: usize) -> u64 {
    const LOWEST: [u64; 7] = {
        let mut table = [u64::MAX; 7];
        let mut log = 1;
        while log < 7 {
            table[log] = u64::MAX / (u64::MAX >> (64 - (1 << log)));
            log += 1;
        }
        table
    };
    LOWEST[group.trailing_zeros() as usize]
}

/// A bit for each byte of the lanes that have one.
pub(super) fn spread(lanes: u64, lane: usize) -> u64 {
    // Rounds that are known here are a few instructions each.
    match lane {
        1 => lanes,
        2 => spread_by::<2>(lanes),
        4 => spread_by::<4>(lanes),
        8 => spread_by::<8>(lanes),
        _ => unreachable!("lanes of {lane} bytes"),
    }
}

fn spread_by<const LANE: usize>(lanes: u64) -> u64 {
    let mut bits = lanes & every(64 / LANE);
    // Each round halves how many bits lie side by side.
    let mut have = 64 / LANE;
    while have > 1 {
        have /= 2;
        bits = (bits | bits << (have * (LANE - 1))) & (lowest(have * LANE) * every(have));
    }
    bits * every(LANE)
}

/// A bit for each group of so many bits that has its lowest.
pub(super) fn squeeze(bits: u64, group: usize) -> u64 {
    match group {
        1 => bits,
        2 => squeeze_by::<2>(bits),
        4 => squeeze_by::<4>(bits),
        8 => squeeze_by::<8>(bits),
        _ => unreachable!("groups of {group}"),
    }
}

fn squeeze_by<const GROUP: usize>(bits: u64) -> u64 {
    let mut bits = bits & lowest(GROUP);
    // Each round doubles how many bits lie side by side.
    let mut have = 1;
    while have * GROUP < 64 {
        bits = (bits | bits >> (have * (GROUP - 1))) & (lowest(2 * have * GROUP) * every(2 * have));
        have *= 2;
    }
    bits
}

/// Whether each group of so many bits is all ones or none.
pub(super) fn is_grouped(bits: u64, group: usize) -> bool {
    (bits & lowest(group)).wrapping_mul(every(group)) == bits
}

/// Bytes of ones where the mask says so.
pub(super) fn mask_bytes(mask: u64, width: usize) -> Vec<u8> {
    (0..width).map(|i| if mask >> i & 1 == 1 { 0xff } else { 0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_lanes() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..if cfg!(miri) { 30 } else { 1000 } {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let mask = bits & bits.rotate_left(17);
            for group in [1, 2, 4, 8] {
                let count = 64 / group;
                let slow = (0..count).fold(0, |all, i| all | (mask >> (i * group) & 1) << i);
                assert_eq!(squeeze(mask, group), slow, "{mask:#x} by {group}");
                let lanes = mask & every(count);
                let slow = (0..count).filter(|i| lanes >> i & 1 == 1);
                let slow = slow.fold(0, |all, i| all | every(group) << (i * group));
                assert_eq!(spread(lanes, group), slow, "{lanes:#x} by {group}");
                assert!(is_grouped(slow, group));
                assert_eq!(squeeze(slow, group), lanes);
                assert!(group == 1 || !is_grouped(1, group));
            }
        }
    }
}
