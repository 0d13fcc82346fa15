//! Arithmetic as oneDNN takes it. In: a pair. Out: the masks of its scales and zero points, by the numbers of
//! its arguments, and the factor of its sum.

use std::ffi::c_int;

use retile::Values;

use super::refused::Refused;
use super::{FROM, TO};
use crate::pair::Pair;

/// Numbers that, with the number of an argument, stand for its scales and zero points.
const SCALES: c_int = 4096;
const ZERO_POINTS: c_int = 8192;

/// What a primitive is told of, and later given the values of.
#[derive(Debug, PartialEq)]
pub(super) struct Arith {
    /// Argument and mask.
    pub(super) scales: Vec<(c_int, c_int)>,
    pub(super) zero_points: Vec<(c_int, c_int)>,
    pub(super) sum: Option<f32>,
}

/// The values of an argument.
pub(super) enum List<'a> {
    Floats(&'a [f32]),
    Integers(&'a [i32]),
}

impl Arith {
    pub(super) fn of(pair: &Pair) -> Result<Arith, Refused> {
        if pair.word("comp").is_some() {
            return Err(Refused::Compensation);
        }
        let masks = |names: [(c_int, &str); 2]| {
            let asked = names.into_iter().map(|(arg, name)| Some((arg, pair.mask(name)? as c_int)));
            asked.flatten().collect()
        };
        Ok(Arith {
            scales: masks([(FROM, "src-scale"), (TO, "dst-scale")]),
            zero_points: masks([(FROM, "src-zp"), (TO, "dst-zp")]),
            sum: pair.attr.beta(),
        })
    }

    /// What it is given when it runs: number of the argument, and values.
    pub(super) fn lists<'a>(
        &self,
        values: &Values<'a>,
    ) -> impl Iterator<Item = (c_int, List<'a>)> + use<'_, 'a> {
        let Values { src_scale, dst_scale, src_zero_point, dst_zero_point } = *values;
        let scales = self.scales.iter().map(move |(arg, _)| {
            (SCALES | arg, List::Floats(if *arg == FROM { src_scale } else { dst_scale }))
        });
        let zero_points = self.zero_points.iter().map(move |(arg, _)| {
            let list = if *arg == FROM { src_zero_point } else { dst_zero_point };
            (ZERO_POINTS | arg, List::Integers(list))
        });
        scales.chain(zero_points)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arith(line: &str) -> Result<Arith, Refused> {
        Arith::of(&Pair::of_line(line).unwrap_or_else(|failure| panic!("{line}: {failure}")))
    }

    #[test]
    fn masks_go_with_the_arguments_they_are_of() {
        let none = Arith { scales: vec![], zero_points: vec![], sum: None };
        assert_eq!(arith("f32:ab:2x3 s8:ba"), Ok(none));
        let all = "f32:ab:2x3 s8:ba --dst-scale=mask:2 --src-scale=common --src-zp=mask:3:1,2,3,4,5,6 \
                   --dst-zp=mask:1 --sum=-0.5";
        let expected = Arith {
            scales: vec![(1, 0), (17, 2)],
            zero_points: vec![(1, 3), (17, 1)],
            sum: Some(-0.5),
        };
        assert_eq!(arith(all), Ok(expected));
        assert_eq!(arith("f32:ab:2x3 s8:ba --comp=s8s8:1"), Err(Refused::Compensation));
    }

    #[test]
    fn values_go_with_the_arguments_they_are_of() {
        let arith = arith("f32:ab:2x3 s8:ba --dst-scale=common --dst-zp=mask:1 --src-zp=common");
        let values = Values {
            src_scale: &[],
            dst_scale: &[2.0],
            src_zero_point: &[7],
            dst_zero_point: &[8, 9],
        };
        let arith = arith.unwrap();
        let lists = arith.lists(&values).map(|(arg, list)| match list {
            List::Floats(list) => (arg, list.iter().map(|v| *v as i32).collect()),
            List::Integers(list) => (arg, list.to_vec()),
        });
        let expected = [(4096 + 17, vec![2]), (8192 + 1, vec![7]), (8192 + 17, vec![8, 9])];
        assert_eq!(lists.collect::<Vec<_>>(), expected);
    }
}
