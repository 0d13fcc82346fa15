//! A case: two layouts, attributes and a seed, read from a line and printed as one.

use std::fmt;

use retile::{Attr, DType, Layout, Values};

use crate::common::{Draw, Xorshift};

const BETAS: [f32; 8] = [1.0, 0.5, -2.0, 0.0, -0.0, 1e30, 3.4e38, 1e-42];

/// `SRC DST [attributes]`, and what values are drawn from.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) src: Layout,
    pub(crate) dst: Layout,
    pub(crate) arith: Arith,
    pub(crate) seed: u64,
}

/// Which arithmetic, as `--src-scale=mask:2 --sum=0.5` says it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Arith {
    pub(crate) src_scale: Option<Given>,
    pub(crate) dst_scale: Option<Given>,
    pub(crate) src_zp: Option<Given>,
    pub(crate) dst_zp: Option<Given>,
    pub(crate) sum: Option<f32>,
    pub(crate) s8s8: Option<u32>,
    pub(crate) zp: Option<u32>,
}

/// A mask, and values where the text gives some.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Given {
    pub(crate) mask: u32,
    pub(crate) values: Vec<String>,
}

/// The values of one run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    src_scale: Vec<f32>,
    dst_scale: Vec<f32>,
    src_zp: Vec<i32>,
    dst_zp: Vec<i32>,
}

impl Case {
    /// Reads a line; the destination is short or in full.
    pub(crate) fn parse(line: &str) -> Result<Case, String> {
        let mut words = words(line);
        let (Some(src), Some(dst)) = (words.next(), words.next()) else {
            return Err(format!("{line}: two layouts expected"));
        };
        let src: Layout = src.parse().map_err(|error| format!("{line}: {error}"))?;
        let dst = src.destination(dst).map_err(|error| format!("{line}: {error}"))?;
        let arith = Arith::parse(words).map_err(|part| format!("{line}: `{part}`?"))?;
        let seed = line.bytes().fold(1u64, |seed, byte| seed * 31 % 0xffff_fffb + u64::from(byte));
        Ok(Case { src, dst, arith, seed })
    }

    pub(crate) fn attr(&self) -> Attr {
        self.arith.attr()
    }

    /// The values given, or drawn: every special one among ordinary ones.
    pub(crate) fn values(&self) -> Drawn {
        let mut draw = Xorshift::new(self.seed ^ 0x5eed);
        let dims = self.src.dims();
        // Of half the cases nothing is special: many values would hardly ever be so by themselves.
        let most = if draw.below(2) == 0 { 6 } else { 8 };
        let Arith { src_scale, dst_scale, src_zp, dst_zp, .. } = &self.arith;
        Drawn {
            src_scale: fill(src_scale, dims, || scale(&mut draw, most)),
            dst_scale: fill(dst_scale, dims, || scale(&mut draw, most)),
            src_zp: fill(src_zp, dims, || zero_point(&mut draw, most)),
            dst_zp: fill(dst_zp, dims, || zero_point(&mut draw, most)),
        }
    }
}

/// Cut at blanks, but for those in parentheses.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let parts = line.split(move |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && c.is_whitespace()
    });
    parts.filter(|part| !part.is_empty())
}

impl Drawn {
    pub(crate) fn values(&self) -> Values<'_> {
        Values {
            src_scale: &self.src_scale,
            dst_scale: &self.dst_scale,
            src_zero_point: &self.src_zp,
            dst_zero_point: &self.dst_zp,
        }
    }
}

/// As many values as the mask asks for: those given, again and again, or drawn ones.
fn fill<T: std::str::FromStr<Err: fmt::Debug>>(
    given: &Option<Given>,
    dims: &[usize],
    mut draw: impl FnMut() -> T,
) -> Vec<T> {
    let Some(given) = given else { return Vec::new() };
    let masked = dims.iter().enumerate().filter(|(d, _)| given.mask >> d & 1 == 1);
    let count: usize = masked.map(|(_, n)| n).product();
    let next = |i: usize| match given.values.len() {
        0 => draw(),
        n => given.values[i % n].parse().unwrap(),
    };
    (0..count).map(next).collect()
}

/// Special ones are the last two of 8 kinds.
fn scale(draw: &mut impl Draw, most: usize) -> f32 {
    let special = [0.0, -0.0, f32::INFINITY, f32::NAN, 1e-42, 3.4e38, -1.0, 1.0];
    match draw.below(most) {
        7 => draw.pick(&special),
        6 => f32::from_bits(draw.next() as u32),
        0..3 => draw.pick(&[0.5, 2.0, 0.25, -4.0]),
        _ => (draw.below(2000) as f32 - 700.0) / 256.0,
    }
}

fn zero_point(draw: &mut impl Draw, most: usize) -> i32 {
    match draw.below(most) {
        7 => draw.pick(&[0, i32::MIN, i32::MAX, 16_777_217, -16_777_219]),
        6 => draw.next() as i32,
        _ => draw.below(256) as i32 - 128,
    }
}

impl Arith {
    fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Result<Arith, String> {
        let mut arith = Arith::default();
        for word in words {
            let bad = || word.to_string();
            let (name, value) = word.split_once('=').ok_or_else(bad)?;
            match name {
                "--src-scale" => arith.src_scale = Some(Given::parse(value).ok_or_else(bad)?),
                "--dst-scale" => arith.dst_scale = Some(Given::parse(value).ok_or_else(bad)?),
                "--src-zp" => arith.src_zp = Some(Given::parse(value).ok_or_else(bad)?),
                "--dst-zp" => arith.dst_zp = Some(Given::parse(value).ok_or_else(bad)?),
                "--sum" => arith.sum = Some(value.parse().map_err(|_| bad())?),
                "--comp" => {
                    for part in value.split('+') {
                        let (kind, mask) = part.split_once(':').ok_or_else(bad)?;
                        let mask = Some(mask.parse().map_err(|_| bad())?);
                        match kind {
                            "s8s8" => arith.s8s8 = mask,
                            "zp" => arith.zp = mask,
                            _ => return Err(bad()),
                        }
                    }
                }
                _ => return Err(bad()),
            }
        }
        Ok(arith)
    }

    pub(crate) fn attr(&self) -> Attr {
        let mut attr = Attr::new();
        let set = |attr: Attr, given: &Option<Given>, door: fn(Attr, u32) -> Attr| match given {
            Some(given) => door(attr, given.mask),
            None => attr,
        };
        attr = set(attr, &self.src_scale, Attr::src_scale);
        attr = set(attr, &self.dst_scale, Attr::dst_scale);
        attr = set(attr, &self.src_zp, Attr::src_zero_point);
        attr = set(attr, &self.dst_zp, Attr::dst_zero_point);
        if let Some(beta) = self.sum {
            attr = attr.sum(beta);
        }
        if let Some(mask) = self.s8s8 {
            attr = attr.s8s8_compensation(mask);
        }
        if let Some(mask) = self.zp {
            attr = attr.asymmetric_compensation(mask);
        }
        attr
    }

    /// Any arithmetic, of these types and so many dims: half of the time none.
    pub(crate) fn draw(draw: &mut impl Draw, from: DType, to: DType, rank: usize) -> Arith {
        let mut arith = Arith::default();
        if !retile::dtype::convert::arithmetic_allowed(from, to) || draw.below(2) == 0 {
            return arith;
        }
        let mask = |draw: &mut _| mask(draw, rank);
        let given = |draw: &mut _| Some(Given { mask: mask(draw), values: Vec::new() });
        for field in
            [&mut arith.src_scale, &mut arith.dst_scale, &mut arith.src_zp, &mut arith.dst_zp]
        {
            if draw.once_in(3) {
                *field = given(draw);
            }
        }
        if to == DType::S8 && draw.once_in(2) {
            arith.s8s8 = Some(mask(draw)).filter(|_| draw.below(3) != 0);
            arith.zp = Some(mask(draw)).filter(|_| draw.below(3) != 0);
        }
        if arith.s8s8.is_none() && arith.zp.is_none() && draw.once_in(3) {
            arith.sum = Some(draw.pick(&BETAS));
        }
        arith
    }
}

impl Arith {
    /// Lists of many values, and a sum or none.
    pub(crate) fn valued(draw: &mut impl Draw, rank: usize) -> Arith {
        let mut arith = Arith::default();
        for field in
            [&mut arith.src_scale, &mut arith.dst_scale, &mut arith.src_zp, &mut arith.dst_zp]
        {
            if draw.below(2) == 0 {
                let mask = if draw.below(3) == 0 { mask(draw, rank) } else { (1 << rank) - 1 };
                *field = Some(Given { mask, values: Vec::new() });
            }
        }
        if draw.once_in(3) {
            arith.sum = Some(draw.pick(&BETAS));
        }
        arith
    }
}

/// Nothing, one dim, all dims, or any.
fn mask(draw: &mut impl Draw, rank: usize) -> u32 {
    let all = (1 << rank) - 1;
    match draw.below(4) {
        0 => 0,
        1 => 1 << draw.below(rank),
        2 => draw.next() as u32 & all,
        _ => all,
    }
}

impl Given {
    fn parse(text: &str) -> Option<Given> {
        let (mask, values) = match text.strip_prefix("mask:") {
            None => (0, text.strip_prefix("common")?.strip_prefix(':')),
            Some(rest) => match rest.split_once(':') {
                None => (rest.parse().ok()?, None),
                Some((mask, values)) => (mask.parse().ok()?, Some(values)),
            },
        };
        let values = values.map_or(Vec::new(), |v| v.split(',').map(String::from).collect());
        Some(Given { mask, values })
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mask {
            0 => f.write_str("common")?,
            mask => write!(f, "mask:{mask}")?,
        }
        for (i, value) in self.values.iter().enumerate() {
            write!(f, "{}{value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl fmt::Display for Arith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = [
            ("src-scale", &self.src_scale),
            ("dst-scale", &self.dst_scale),
            ("src-zp", &self.src_zp),
            ("dst-zp", &self.dst_zp),
        ];
        for (name, given) in given {
            if let Some(given) = given {
                write!(f, " --{name}={given}")?;
            }
        }
        if let Some(beta) = self.sum {
            write!(f, " --sum={beta}")?;
        }
        match (self.s8s8, self.zp) {
            (Some(s8s8), Some(zp)) => write!(f, " --comp=s8s8:{s8s8}+zp:{zp}"),
            (Some(s8s8), None) => write!(f, " --comp=s8s8:{s8s8}"),
            (None, Some(zp)) => write!(f, " --comp=zp:{zp}"),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.src, self.dst, self.arith)
    }
}
