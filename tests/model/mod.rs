//! The layout model once more and as plainly as can be, from a coordinate to its offset: an interpreter of
//! the `digits` column of names.tsv. It shares nothing with the crate.
#![allow(dead_code)] // every test binary uses its own part

pub(crate) mod random;
pub(crate) mod tags;

use crate::common::{Role, join};

/// A digit, `axis%modulus/over@stride`; modulus 0 where there is none.
#[derive(Clone, Debug)]
pub(crate) struct Digit {
    pub(crate) axis: usize,
    pub(crate) modulus: i64,
    pub(crate) over: i64,
    pub(crate) stride: Option<i64>,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Digit(Digit),
    Pitch,
}

/// A format, before any extent is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Format {
    pub(crate) letters: Vec<char>,
    pub(crate) axes: Vec<Vec<usize>>,
    pub(crate) items: Vec<Item>,
    pub(crate) align: Vec<(usize, i64)>,
    pub(crate) fixed: Vec<(usize, i64)>,
    pub(crate) reversed: Vec<usize>,
}

/// Extents and margins: `lower + n + upper`, at `at` of a parent of these extents, if any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window {
    pub(crate) n: Vec<i64>,
    pub(crate) lower: Vec<i64>,
    pub(crate) upper: Vec<i64>,
    pub(crate) parent: Option<(Vec<i64>, Vec<i64>)>,
    pub(crate) offset: i64,
    pub(crate) pitch: Option<i64>,
}

pub(crate) fn round_up(value: i64, to: i64) -> i64 {
    (value + to - 1) / to * to
}

fn lcm(a: i64, b: i64) -> i64 {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    a / gcd(a, b) * b
}

impl Format {
    /// Reads the columns of names.tsv; `-` is none.
    pub(crate) fn parse(
        letters: &str,
        digits: &str,
        align: &str,
        fixed: &str,
        reversed: &str,
    ) -> Self {
        let letters: Vec<char> = letters.chars().collect();
        let dim = |letter: char| letters.iter().position(|&l| l == letter).unwrap();
        let dims = |axis: &str| axis.chars().map(dim).collect::<Vec<_>>();
        let pairs = |list: &str| -> Vec<(Vec<usize>, i64)> {
            let pair = |p: &str| p.split_once(':').map(|(a, n)| (dims(a), n.parse().unwrap()));
            list.split(',').filter_map(pair).collect()
        };
        let mut format = Self::default();
        for word in digits.split(' ') {
            let end = word.find(['%', '/']).unwrap_or(word.len());
            let after = |mark| word.split(mark).nth(1);
            let number = |text: &str| text.split(['/', '%']).next().unwrap().parse().unwrap();
            let item = match word {
                "|" => Item::Pitch,
                _ => Item::Digit(Digit {
                    axis: format.axis(dims(&word[..end])),
                    modulus: after('%').map_or(0, number),
                    over: after('/').map_or(1, number),
                    stride: None,
                }),
            };
            format.items.push(item);
        }
        for (dims, to) in pairs(align) {
            let axis = format.axis(dims);
            format.align.push((axis, to));
        }
        format.fixed = pairs(fixed).into_iter().map(|(d, n)| (d[0], n)).collect();
        format.reversed = dims(reversed.trim_matches('-'));
        Self { letters, ..format }
    }

    pub(crate) fn axis(&mut self, dims: Vec<usize>) -> usize {
        let found = self.axes.iter().position(|axis| *axis == dims);
        found.unwrap_or_else(|| {
            self.axes.push(dims);
            self.axes.len() - 1
        })
    }

    /// The product of an axis' inner digits.
    pub(crate) fn block(&self, axis: usize) -> i64 {
        let of_axis = self.items.iter().filter_map(|item| match item {
            Item::Digit(digit) if digit.axis == axis => Some(digit.modulus.max(1)),
            _ => None,
        });
        of_axis.max().unwrap_or(1)
    }

    /// What the extent of dim `d` is rounded up to, where it is an axis of its own.
    pub(crate) fn rounding(&self, d: usize) -> usize {
        let Some(axis) = self.axes.iter().position(|axis| *axis == [d]) else {
            return 1;
        };
        let align = self.align.iter().filter(|(a, _)| *a == axis);
        align.fold(self.block(axis), |to, &(_, n)| lcm(to, n)) as usize
    }

    pub(crate) fn has_pitch(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Pitch))
    }

    /// The text of a `digits(...)` format.
    pub(crate) fn text(&self) -> String {
        let axis = |axis: usize| join(self.axes[axis].iter().map(|&d| self.letters[d]), "");
        let digit = |digit: &Digit| {
            let some = |holds: bool, mark: char, n: i64| match holds {
                true => format!("{mark}{n}"),
                false => String::new(),
            };
            let modulus = some(digit.modulus != 0, '%', digit.modulus);
            let over = some(digit.over != 1, '/', digit.over);
            let stride = some(digit.stride.is_some(), '@', digit.stride.unwrap_or(0));
            format!("{}{modulus}{over}{stride}", axis(digit.axis))
        };
        let item = |item: &Item| match item {
            Item::Digit(d) => digit(d),
            Item::Pitch => "|".to_string(),
        };
        let mut parts = vec![join(&self.letters, ""), join(self.items.iter().map(item), " ")];
        if !self.align.is_empty() {
            let pairs = self.align.iter().map(|&(a, n)| format!("{}:{n}", axis(a)));
            parts.push(format!("align {}", join(pairs, " ")));
        }
        if !self.fixed.is_empty() {
            let pairs = self.fixed.iter();
            let pairs = pairs.map(|&(d, n)| format!("{}:{n}", self.letters[d]));
            parts.push(format!("fix {}", join(pairs, " ")));
        }
        if !self.reversed.is_empty() {
            let dims = self.reversed.iter().map(|&d| self.letters[d]);
            parts.push(format!("flip {}", join(dims, " ")));
        }
        format!("digits({})", parts.join("; "))
    }
}

impl Window {
    pub(crate) fn new(dims: &[usize]) -> Self {
        let zeros = vec![0; dims.len()];
        Self {
            n: dims.iter().map(|&n| n as i64).collect(),
            lower: zeros.clone(),
            upper: zeros,
            ..Self::default()
        }
    }

    /// `DIMS:option:option`, without the options that say nothing.
    pub(crate) fn text(&self) -> String {
        let mut text = join(&self.n, "x");
        let mut option = |name: &str, value: String| text += &format!(":{name}={value}");
        for (name, margin) in [("lower", &self.lower), ("upper", &self.upper)] {
            if margin.iter().any(|&m| m != 0) {
                option(name, join(margin, ","));
            }
        }
        if let Some((extents, at)) = &self.parent {
            option("in", join(extents, "x"));
            option("at", join(at, ","));
        }
        if self.offset != 0 {
            option("offset", self.offset.to_string());
        }
        if let Some(pitch) = self.pitch {
            option("pitch", pitch.to_string());
        }
        text
    }

    /// lower + n + upper of a dim.
    pub(crate) fn own(&self, d: usize) -> i64 {
        self.lower[d] + self.n[d] + self.upper[d]
    }

    pub(crate) fn dims(&self) -> Vec<usize> {
        self.n.iter().map(|&n| n as usize).collect()
    }

    /// The bounds of the coordinates that are ours.
    pub(crate) fn bounds(&self) -> (Vec<isize>, Vec<isize>) {
        let low = self.lower.iter().map(|&l| -l as isize).collect();
        let high = self.n.iter().zip(&self.upper);
        (low, high.map(|(n, u)| (n + u) as isize).collect())
    }
}

/// A format with extents: every stride is known.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) format: Format,
    pub(crate) window: Window,
    /// `e[d]`.
    pub(crate) extents: Vec<i64>,
    /// `E[A]`.
    pub(crate) aligned: Vec<i64>,
    /// (digit, its radix, its stride), outermost first.
    pub(crate) digits: Vec<(Digit, i64, i64)>,
    /// The rest of the last row, past its last digit.
    slack: i64,
}

impl Placed {
    pub(crate) fn new(format: &Format, window: &Window) -> Self {
        let (format, window) = (format.clone(), window.clone());
        let extent = |d: usize| match &window.parent {
            Some((extents, _)) => extents[d],
            None => window.own(d),
        };
        let mut extents: Vec<i64> = (0..window.n.len()).map(extent).collect();
        for &(d, n) in &format.fixed {
            extents[d] = n;
        }
        let align = |axis: usize| {
            let value = format.axes[axis].iter().map(|&d| extents[d]).product();
            let to = format.align.iter().filter(|(a, _)| *a == axis);
            round_up(value, to.fold(format.block(axis), |to, &(_, n)| lcm(to, n)))
        };
        let aligned: Vec<i64> = (0..format.axes.len()).map(align).collect();
        let (mut running, mut slack, mut digits) = (1, 0, Vec::new());
        for item in format.items.iter().rev() {
            match item {
                Item::Pitch => {
                    let rounded = round_up(running, window.pitch.unwrap_or(1));
                    slack = rounded - running;
                    running = rounded;
                }
                Item::Digit(digit) => {
                    let whole = match digit.modulus {
                        0 => aligned[digit.axis],
                        modulus => modulus,
                    };
                    let (radix, stride) = (whole / digit.over, digit.stride.unwrap_or(running));
                    digits.insert(0, (digit.clone(), radix, stride));
                    running = stride * radix;
                }
            }
        }
        Self { format, window, extents, aligned, digits, slack }
    }

    /// The part of the offset that one axis' value adds.
    fn part(&self, axis: usize, value: i64) -> i64 {
        let of_axis = self.digits.iter().filter(|(digit, ..)| digit.axis == axis);
        let part = |(digit, _, stride): &(Digit, i64, i64)| match digit.modulus {
            0 => value / digit.over * stride,
            modulus => value % modulus / digit.over * stride,
        };
        of_axis.map(part).sum()
    }

    pub(crate) fn offset_of(&self, coords: &[isize]) -> i64 {
        let position = |d: usize| {
            let p = coords[d] as i64 + self.window.lower[d] + self.at(d);
            match self.format.reversed.contains(&d) {
                true => self.extents[d] - 1 - p,
                false => p,
            }
        };
        let merge = |value, &d: &usize| value * self.extents[d] + position(d);
        let axes = self.format.axes.iter().enumerate();
        let parts = axes.map(|(a, dims)| self.part(a, dims.iter().fold(0, merge)));
        self.window.offset + parts.sum::<i64>()
    }

    fn at(&self, d: usize) -> i64 {
        self.window.parent.as_ref().map_or(0, |(_, at)| at[d])
    }

    fn is_fixed(&self, d: usize) -> bool {
        self.format.fixed.iter().any(|&(fixed, _)| fixed == d)
    }

    /// What becomes of one value of an axis: `None` where it is the parent's.
    fn role(&self, axis: usize, value: i64) -> Option<Role> {
        let dims = &self.format.axes[axis];
        let own = |d: usize| self.window.own(d);
        if value >= dims.iter().map(|&d| self.extents[d]).product() {
            // Whoever holds the last position of every dim: the first coordinate of a reversed one.
            let ends = |&d: &usize| match self.format.reversed.contains(&d) {
                _ if self.is_fixed(d) => true,
                true => self.at(d) == 0,
                false => self.at(d) + own(d) == self.extents[d],
            };
            return dims.iter().all(ends).then_some(Role::Tail);
        }
        let (mut rest, mut role) = (value, Role::Element);
        for &d in dims.iter().rev() {
            let mut p = rest % self.extents[d];
            rest /= self.extents[d];
            if self.format.reversed.contains(&d) {
                p = self.extents[d] - 1 - p;
            }
            let mine = p - self.at(d);
            let i = mine - self.window.lower[d];
            let here = match () {
                () if (0..self.window.n[d]).contains(&i) => Role::Element,
                () if (0..own(d)).contains(&mine) => Role::Margin,
                () if mine >= own(d) && self.is_fixed(d) => Role::Tail,
                () => return None,
            };
            role = worse(role, here);
        }
        Some(role)
    }

    /// Every cell of the footprint, in no order.
    pub(crate) fn cells(&self) -> Vec<(i64, Role)> {
        let mut cells = vec![(self.window.offset, Role::Element)];
        for axis in 0..self.aligned.len() {
            let values = 0..self.aligned[axis];
            let part = |v| Some((self.part(axis, v), self.role(axis, v)?));
            let parts: Vec<(i64, Role)> = values.filter_map(part).collect();
            let over = |&(sum, role): &(i64, Role)| {
                let parts = parts.iter();
                let cell = move |&(part, other)| (sum + part, worse(role, other));
                parts.map(cell).collect::<Vec<_>>()
            };
            cells = cells.iter().flat_map(over).collect();
        }
        cells
    }

    /// The number of elements from the buffer's start to the footprint's end.
    pub(crate) fn size(&self) -> i64 {
        let last = self.cells().iter().map(|cell| cell.0).max();
        last.map_or(0, |last| last + 1 + self.slack)
    }

    /// `padded_dims` of a dim that is an axis of its own and has no parent.
    pub(crate) fn padded(&self, d: usize) -> Option<i64> {
        let axis = self.format.axes.iter().position(|axis| *axis == [d]);
        axis.filter(|_| self.window.parent.is_none()).map(|axis| self.aligned[axis])
    }
}

/// A cell is a tail where one axis says so, else a margin where one says so.
fn worse(a: Role, b: Role) -> Role {
    match (a, b) {
        (Role::Tail, _) | (_, Role::Tail) => Role::Tail,
        (Role::Margin, _) | (_, Role::Margin) => Role::Margin,
        _ => Role::Element,
    }
}
