//! Layouts drawn at random, each as a text and as the model's reading of it.
#![allow(dead_code)] // every test binary uses its own part

use super::{Digit, Format, Item, Placed, Window, tags};
use crate::common::{Draw, Layout, Name, edge, join, layout};

/// The most cells a layout drawn here has, block tails and parents included.
const CELLS: i64 = 6000;

pub(crate) struct Sample {
    pub(crate) text: String,
    /// The text up to the extents.
    pub(crate) head: String,
    pub(crate) placed: Placed,
    /// No two cells share a place.
    pub(crate) injective: bool,
}

impl Sample {
    #[track_caller]
    pub(crate) fn layout(&self) -> Layout {
        layout(&self.text)
    }

    pub(crate) fn has_margins(&self) -> bool {
        let window = &self.placed.window;
        window.lower.iter().chain(&window.upper).any(|&m| m != 0)
    }
}

/// A layout of any kind that a text can say.
pub(crate) fn any(draw: &mut impl Draw, names: &[Name]) -> Sample {
    match draw.below(5) {
        0 => strides(draw),
        1 => tag(draw),
        2 => name(draw, names),
        _ => digits(draw),
    }
}

fn finish(
    draw: &mut impl Draw,
    say: impl FnOnce(&Placed) -> String,
    placed: Placed,
    injective: bool,
) -> Sample {
    let dtype = draw.pick(&["u8", "f32", "f16", "s64", "bool", "f64", "bf16", "s16"]);
    let head = format!("{dtype}:{}:", say(&placed));
    let mut text = head.clone() + &placed.window.text();
    if draw.once_in(4) {
        text += draw.pick(&[":fill=1", ":fill=-2.5", ":fill=0.1", ":fill=inf", ":fill=-0"]);
    }
    Sample { text, head, placed, injective }
}

/// Extents near the edges of the blocks, sometimes margins, sometimes a parent.
pub(crate) fn window(draw: &mut impl Draw, format: &Format) -> Window {
    let rank = format.letters.len();
    let most = if rank > 6 { 2 } else { 4 };
    let extent = |draw: &mut _, d| match format.rounding(d) {
        1 => edge(draw, 1).min(most),
        block => edge(draw, block),
    };
    let dims: Vec<usize> = (0..rank).map(|d| extent(draw, d)).collect();
    let mut window = Window::new(&dims);
    if draw.once_in(3) {
        margins(draw, &mut window);
    }
    fit(format, &mut window);
    if draw.once_in(3) && format.fixed.is_empty() {
        parent(draw, format, &mut window);
    }
    if Placed::new(format, &window).aligned.iter().product::<i64>() > CELLS {
        window = Window::new(&vec![1; rank]);
    }
    if draw.once_in(4) {
        window.offset = draw.between(1, 40) as i64;
    }
    if format.has_pitch() {
        window.pitch = draw.pick(&[None, Some(1), Some(7), Some(16), Some(64)]);
    }
    window
}

pub(crate) fn margins(draw: &mut impl Draw, window: &mut Window) {
    for d in 0..window.n.len() {
        window.lower[d] = draw.pick(&[0, 0, 1, 3]);
        window.upper[d] = draw.pick(&[0, 0, 1, 2]);
    }
}

/// Keeps a fixed dim within its extent.
pub(crate) fn fit(format: &Format, window: &mut Window) {
    for &(d, most) in &format.fixed {
        window.n[d] = window.n[d].min(most);
        window.lower[d] = window.lower[d].min(most - window.n[d]);
        window.upper[d] = window.upper[d].min(most - window.n[d] - window.lower[d]);
    }
}

/// A place inside a larger layout, not a multiple of a block as a rule.
fn parent(draw: &mut impl Draw, format: &Format, window: &mut Window) {
    let (mut extents, mut ats) = (Vec::new(), Vec::new());
    for d in 0..window.n.len() {
        let block = format.rounding(d);
        let at = draw.pick(&[0, 1, block - 1, block, 2]) as i64;
        let after = draw.pick(&[0, 1, block - 1]) as i64;
        ats.push(at);
        extents.push(at + window.own(d) + after);
    }
    window.parent = Some((extents, ats));
}

/// A tag of oneDNN's grammar, listed or not.
pub(crate) fn random_tag(draw: &mut impl Draw, rank: usize) -> String {
    let mut order: Vec<usize> = (0..rank).collect();
    draw.shuffle(&mut order);
    let pairs = draw.below(4);
    let inner: Vec<(usize, usize)> =
        (0..pairs).map(|_| (draw.pick(&[2, 3, 4, 5, 8, 12, 16]), draw.below(rank))).collect();
    let letter = |d: usize| (b'a' + d as u8) as char;
    let outer = order.iter().map(|&d| match tags::block(&inner, d) {
        1 => letter(d),
        _ => letter(d).to_ascii_uppercase(),
    });
    let inner = inner.iter().map(|&(size, d)| format!("{size}{}", letter(d)));
    join(outer, "") + &join(inner, "")
}

pub(crate) fn tag(draw: &mut impl Draw) -> Sample {
    let rank = draw.between(1, 5);
    let tag = random_tag(draw, rank);
    let format = Format::tag(&tag);
    let window = window(draw, &format);
    finish(draw, |_| tag, Placed::new(&format, &window), true)
}

pub(crate) fn name(draw: &mut impl Draw, names: &[Name]) -> Sample {
    let name = &names[draw.below(names.len())];
    let format = name.format();
    let mut window = window(draw, &format);
    name.fit(&mut window);
    let placed = Placed::new(&format, &window);
    finish(draw, |_| name.text(), placed, true)
}

impl Name {
    pub(crate) fn format(&self) -> Format {
        Format::parse(self.letters, self.digits, self.align, self.fixed, self.reversed)
    }

    /// Makes X even, with and without its margins, where the name asks for that.
    pub(crate) fn fit(&self, window: &mut Window) {
        if self.wants_even_x() {
            let x = self.letters.find('x').unwrap();
            window.n[x] += window.n[x] % 2;
            window.upper[x] = window.lower[x];
            window.parent = None;
        }
    }
}

/// Plain strides: wide, negative, and sometimes zero.
pub(crate) fn strides(draw: &mut impl Draw) -> Sample {
    let rank = draw.between(1, 5);
    let letters: String = ('a'..='z').take(rank).collect();
    let mut format = Format::parse(&letters, &join(letters.chars(), " "), "-", "-", "-");
    draw.shuffle(&mut format.items);
    let mut window = window(draw, &format);
    let injective = wide(draw, &mut format, &mut window);
    let say = |placed: &Placed| {
        let stride = |d| {
            let mut of_dim = placed.digits.iter();
            of_dim.find(|digit| digit.0.axis == d).unwrap().2
        };
        format!("strides({})", join((0..rank).map(stride), ","))
    };
    finish(draw, say, Placed::new(&format, &window), injective)
}

/// Gives every digit a stride of its own, and an offset that keeps all of them at 0 or above.
/// Says whether no two places coincide.
fn wide(draw: &mut impl Draw, format: &mut Format, window: &mut Window) -> bool {
    let (mut running, mut least, mut injective) = (1, 0, true);
    let radices: Vec<i64> = Placed::new(format, window).digits.iter().map(|d| d.1).collect();
    for (item, radix) in format.items.iter_mut().zip(radices).rev() {
        let Item::Digit(digit) = item else {
            panic!("no pitch mark where every stride is said");
        };
        let stride = running + draw.pick(&[0, 0, 1, 3, 10]);
        let sign = draw.pick(&[1, 1, 1, -1, -1, 0]);
        digit.stride = Some(sign * stride);
        match sign {
            0 => injective &= radix == 1,
            _ => running = stride * radix,
        }
        least += (sign * stride * (radix - 1)).min(0);
    }
    window.offset -= least;
    injective
}

/// The digits of an axis, top to bottom: up to two inner ones, of any radix.
fn split(draw: &mut impl Draw, axis: usize) -> Vec<Item> {
    let digit = |modulus, over| Item::Digit(Digit { axis, modulus, over, stride: None });
    let mut radix = || draw.pick(&[2, 3, 4, 5, 7, 8, 2, 3, 4, 5, 7, 8, 1]);
    let (low, high) = (radix(), radix());
    match draw.below(6) {
        0..3 => vec![digit(0, 1)],
        3 | 4 => vec![digit(0, low), digit(low, 1)],
        _ => vec![digit(0, low * high), digit(low * high, low), digit(low, 1)],
    }
}

/// Digits in any order, of merged axes, aligned, fixed and flipped, with strides of their own.
pub(crate) fn digits(draw: &mut impl Draw) -> Sample {
    let rank = draw.between(1, 4);
    let mut letters: Vec<char> = ('a'..='z').collect();
    draw.shuffle(&mut letters);
    letters.truncate(rank);
    let mut dims: Vec<usize> = (0..rank).collect();
    draw.shuffle(&mut dims);
    let mut format = Format { letters, ..Format::default() };
    while !dims.is_empty() {
        let merged = draw.pick(&[1, 1, 1, 1, 1, 1, 2, 2, 3]);
        let dims = dims.split_off(dims.len().saturating_sub(merged));
        let axis = format.axis(dims);
        format.items.extend(split(draw, axis));
    }
    draw.shuffle(&mut format.items);
    if draw.once_in(4) {
        let axis = draw.below(format.axes.len());
        format.align.push((axis, draw.pick(&[2, 3, 4, 6])));
    }
    let alone = format.axes.iter().filter(|axis| axis.len() == 1);
    let alone: Vec<usize> = alone.map(|axis| axis[0]).collect();
    if draw.once_in(6) && !alone.is_empty() {
        format.fixed.push((draw.pick(&alone), draw.pick(&[3, 4, 7])));
    }
    let free = |d: &usize| !format.fixed.iter().any(|&(fixed, _)| fixed == *d);
    let free: Vec<usize> = (0..rank).filter(free).collect();
    format.reversed = free.into_iter().filter(|_| draw.once_in(4)).collect();
    let explicit = draw.below(4);
    if explicit == 0 && format.items.len() > 1 && draw.once_in(3) {
        let at = draw.between(1, format.items.len() - 1);
        format.items.insert(at, Item::Pitch);
    }
    let mut window = window(draw, &format);
    let injective = match explicit {
        0 => true,
        1 => {
            widen_one(draw, &mut format, &window);
            true
        }
        2 => {
            tangle(draw, &mut format, &window);
            false
        }
        _ => wide(draw, &mut format, &mut window),
    };
    let placed = Placed::new(&format, &window);
    finish(draw, |placed| placed.format.text(), placed, injective)
}

/// Gives every digit any stride; places may coincide.
fn tangle(draw: &mut impl Draw, format: &mut Format, window: &Window) {
    let most = Placed::new(format, window).aligned.iter().product::<i64>().min(40) as usize;
    for item in &mut format.items {
        if let Item::Digit(digit) = item {
            digit.stride = Some(draw.between(1, most.max(2)) as i64);
        }
    }
}

/// Gives one digit a wider stride; those outside it take the running one.
fn widen_one(draw: &mut impl Draw, format: &mut Format, window: &Window) {
    let placed = Placed::new(format, window);
    let which = draw.below(format.items.len());
    if let Item::Digit(digit) = &mut format.items[which] {
        digit.stride = Some(placed.digits[which].2 + draw.pick(&[1, 5, 32]));
    }
}
