//! Digits at work: what a position along an axis adds to the offset, and how far a set of positions
//! reaches. In: an axis' digits, innermost first. Out: offsets.

use super::Digit;

/// What position `value` of an axis adds to the offset.
///
/// Wrapping, because only the sum over all axes is known to be in range.
pub(crate) fn contribution(digits: &[Digit], mut value: isize) -> isize {
    let mut offset = 0isize;
    let Some((top, rest)) = digits.split_last() else {
        return 0;
    };
    for digit in rest {
        offset = offset.wrapping_add((value % digit.radix).wrapping_mul(digit.stride));
        value /= digit.radix;
    }
    offset.wrapping_add(value.wrapping_mul(top.stride))
}

/// The least and the greatest offset that a set of positions adds; `None` where the sum overflows.
pub(crate) type Reach = Option<(i128, i128)>;

pub(crate) fn add(a: Reach, b: Reach) -> Reach {
    let ((a0, a1), (b0, b1)) = (a?, b?);
    Some((a0.checked_add(b0)?, a1.checked_add(b1)?))
}

pub(crate) fn either(a: Reach, b: Reach) -> Reach {
    let ((a0, a1), (b0, b1)) = (a?, b?);
    Some((a0.min(b0), a1.max(b1)))
}

/// Over the positions `first..=last`.
///
/// Only the two ends can be partial in a digit; all between them is whole, and a whole range
/// reaches as far as every digit does by itself. So the recursion follows two lines, not a tree.
pub(crate) fn reach(digits: &[Digit], first: isize, last: isize) -> Reach {
    let (top, rest) = digits.split_last()?;
    let weight: isize = rest.iter().map(|d| d.radix).product();
    let (q0, r0) = (first / weight, first % weight);
    let (q1, r1) = (last / weight, last % weight);
    let step = |q: isize| {
        let offset = (q as i128).checked_mul(top.stride as i128)?;
        Some((offset, offset))
    };
    if rest.is_empty() {
        return either(step(q0), step(q1));
    }
    if r0 == 0 && r1 == weight - 1 {
        let inside = rest.iter().try_fold((0i128, 0i128), |sum, d| {
            let far = (d.radix as i128 - 1).checked_mul(d.stride as i128)?;
            add(Some(sum), Some((far.min(0), far.max(0))))
        });
        return add(either(step(q0), step(q1)), inside);
    }
    if q0 == q1 {
        return add(step(q0), reach(rest, r0, r1));
    }
    let ends =
        either(add(step(q0), reach(rest, r0, weight - 1)), add(step(q1), reach(rest, 0, r1)));
    if q1 - q0 < 2 {
        return ends;
    }
    let middle = either(step(q0 + 1), step(q1 - 1));
    either(ends, add(middle, reach(rest, 0, weight - 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reach_is_what_enumeration_finds() {
        let sets: [&[(isize, isize)]; 5] = [
            &[(7, 3)],
            &[(4, 1), (3, 40)],
            &[(4, -1), (2, 9), (5, 2)],
            &[(3, 100), (2, -7), (2, 1), (4, 30)],
            &[(1, 5), (6, 0), (3, -2)],
        ];
        for set in sets {
            let digits: Vec<Digit> =
                set.iter().map(|&(radix, stride)| Digit { radix, stride }).collect();
            let extent: isize = set.iter().map(|d| d.0).product();
            let step = if cfg!(miri) { 5 } else { 1 };
            for first in (0..extent).step_by(step) {
                for last in (first..extent).step_by(step) {
                    let all = (first..=last).map(|v| contribution(&digits, v) as i128);
                    let expected = (all.clone().min().unwrap(), all.max().unwrap());
                    assert_eq!(
                        reach(&digits, first, last),
                        Some(expected),
                        "{set:?} {first} {last}"
                    );
                }
            }
        }
    }
}
