//! Tame values. In: types of whole numbers, and scales and zero points as the caller gives them. Out: whether these
//! make nothing that code would have to look for: NaNs and denormals, and where bytes become whole numbers, any past 4
//! bytes.

use crate::DType;
use crate::attr::Values;

/// Scales, and their reciprocals, that are neither 0 nor less than this.
const LEAST_SCALE: f32 = 1.0 / (1u64 << 60) as f32;

/// Zero points of the source no further from 0: of more floats would not hold each whole number beside them.
const MOST_POINT: u32 = 1 << 22;

/// What comes out is no further from 0: where bytes become whole numbers, which leaves room for any rounding, and else.
const MOST_WHOLE: f64 = (1u64 << 30) as f64;
const MOST: f64 = (1u128 << 120) as f64;

/// Whether no tame value takes an element of one type past the whole numbers that another is made of.
pub(crate) fn stays_within(from: DType, to: DType) -> bool {
    from.size() == 1 && !to.is_float()
}

/// Whether values are tame, by which elements of a whole number become others.
pub(crate) fn are_tame(from: DType, to: DType, values: &Values<'_>) -> bool {
    let points = |own: &[i32]| own.iter().fold(0, |most, point| point.unsigned_abs().max(most));
    let point = points(values.src_zero_point);
    let (one, two) = (range(values.src_scale), range(values.dst_scale));
    // By the scales of the destination is divided, and not by 0.
    let divides = two.least > 0.0 && two.most <= 1.0 / LEAST_SCALE;
    let numbers = if from.size() == 1 { 256.0 } else { 2f64.powi(31) };
    let scaled = (numbers + f64::from(point)) * f64::from(one.most);
    let far = scaled / f64::from(two.least) + f64::from(points(values.dst_zero_point));
    let most = if stays_within(from, to) { MOST_WHOLE } else { MOST };
    point <= MOST_POINT && one.fits && two.fits && divides && scaled <= MOST && far <= most
}

/// How far scales are from 0.
struct Range {
    least: f32,
    most: f32,
    /// Whether none is a NaN or too small, but for those that are 0.
    fits: bool,
}

/// Of none it is that of 1. Bits without a sign are in the order of the floats that they are of, and NaNs behind all.
fn range(scales: &[f32]) -> Range {
    if scales.is_empty() {
        return Range { least: 1.0, most: 1.0, fits: true };
    }
    let tiny = LEAST_SCALE.to_bits() as i32;
    let (mut least, mut most, mut fits) = (i32::MAX, 0, true);
    // Without a stop where it is known, so that several are looked at at once.
    for scale in scales {
        let far = scale.abs().to_bits() as i32;
        (least, most) = (least.min(far), most.max(far));
        fits &= (far == 0) | (far >= tiny);
    }
    let [least, most] = [least, most].map(|bits| f32::from_bits(bits as u32));
    Range { least, most, fits: fits && !most.is_nan() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(scales: [f32; 2], points: [i32; 2], [from, to]: [DType; 2]) -> bool {
        let values = Values {
            src_scale: &scales[..1],
            dst_scale: &scales[1..],
            src_zero_point: &points[..1],
            dst_zero_point: &points[1..],
        };
        are_tame(from, to, &values)
    }

    /// Whatever is tame, no step makes what code does not look for.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn tame_values_make_numbers() {
        let near = |scale: f32| [scale.next_down(), scale, scale.next_up()];
        let ends =
            [LEAST_SCALE, 1.0 / LEAST_SCALE, 1.0, (1 << 22) as f32, 0.499, 1e30, 3e-39, 1e-45];
        let others = [0.0, -0.0, f32::MAX, f32::INFINITY, f32::NAN];
        let scales: Vec<f32> = ends.into_iter().flat_map(near).chain(others).collect();
        let points = [0, -128, 1 << 22, (1 << 22) + 1, i32::MIN, i32::MAX];
        let mut tame = 0;
        for from in [DType::U8, DType::S8, DType::S32] {
            let numbers = match from {
                DType::U8 => [0i32, 1, 7, 254, 255],
                DType::S8 => [0, 1, -1, -128, 127],
                _ => [0, -1, (1 << 24) + 1, i32::MIN, i32::MAX],
            };
            for (&one, &two) in
                scales.iter().flat_map(|one| scales.iter().map(move |two| (one, two)))
            {
                for (zero, end) in points.into_iter().flat_map(|zero| points.map(|end| (zero, end)))
                {
                    for to in [DType::F32, DType::S8] {
                        if !judge([one, -two], [zero, end], [from, to]) {
                            continue;
                        }
                        tame += 1;
                        for x in numbers.map(|x| x as f32 - zero as f32) {
                            let scaled = [x * one, x * one * (1.0 / -two)];
                            let last = scaled[1] + end as f32;
                            for y in [x, scaled[0], scaled[1], last] {
                                let number = y == 0.0 || y.is_normal();
                                assert!(number, "{y}: {x} {one} {two} {end}");
                            }
                            let within = !stays_within(from, to) || last.abs() < 2f32.powi(31);
                            assert!(within, "{last}: {x} {one} {two} {end}");
                        }
                    }
                }
            }
        }
        assert!(tame > 5000, "{tame}");
    }

    #[test]
    fn values_of_any_use_are_tame() {
        for types in [[DType::U8, DType::S8], [DType::U8, DType::F32], [DType::S8, DType::Bf16]] {
            assert!(judge([0.017, 1e-3], [128, -128], types), "{types:?}");
            assert!(judge([1.0 / 255.0 / 0.229, 1.0], [0, 255], types), "{types:?}");
        }
        assert!(judge([1e-4, 0.02], [0, 3], [DType::S32, DType::U8]));
        let wild = [f32::NAN, f32::INFINITY, 1e-45];
        let of_one = |scale| judge([scale, 1.0], [0, 0], [DType::U8, DType::F32]);
        let of_two = |scale| judge([1.0, scale], [0, 0], [DType::U8, DType::F32]);
        assert!(!wild.into_iter().any(of_one) && !wild.into_iter().any(of_two));
        assert!(of_one(0.0) && !of_two(0.0));
        // One of many is enough.
        for scale in wild {
            let src_scale = [0.5, 0.25, scale, 2.0];
            let values = Values { src_scale: &src_scale, ..Values::default() };
            assert!(!are_tame(DType::U8, DType::F32, &values), "{scale}");
        }
    }

    /// The float of a byte's bits that count ones, less a zero point, holds every byte less that.
    #[test]
    fn tame_points_leave_room_for_bytes() {
        let most = MOST_POINT as i32;
        let large = (1 << 23) as f32;
        for point in [-most, -most + 1, -129, 0, 1, 128, most - 1, most] {
            let less = large + 128.0 + point as f32;
            for byte in 0..=255u8 {
                let x = f32::from_bits(large.to_bits() | u32::from(byte));
                assert_eq!(x - less, f32::from(byte) - 128.0 - point as f32, "{byte} less {point}");
            }
        }
    }
}
