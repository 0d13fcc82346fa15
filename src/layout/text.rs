//! The text form. In: `f32:nChw16c:8x17x31x31:upper=0,0,1,1:fill=1`. Out: a layout; and back.
//!
//! ```text
//! layout = DTYPE ":" FORMAT ":" DIMS (":" option)*
//! FORMAT = [family "/"] name | tag | strides(S,S,..) | digits(LETTERS; DIGIT ..; align ..; fix ..; flip ..)
//! option = offset=N | lower=N,.. | upper=N,.. | fill=V | in=DIMS:at=N,.. | pitch=N
//! ```

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;

use super::format::{Format, FormatAxis, FormatDigit, Options};
use super::{Layout, MAX_DIGITS, MAX_RANK, names, tag};
use crate::error::{Beginning, invalid};
use crate::{DType, Error, Result};

const OPTIONS: [&str; 7] = ["offset", "lower", "upper", "fill", "in", "at", "pitch"];

impl FromStr for Layout {
    type Err = Error;

    fn from_str(text: &str) -> Result<Layout> {
        let mut parts = split(text);
        let dtype = parts.next().unwrap_or("").parse()?;
        let Some(format) = parts.next() else {
            return Err(Error::text(text, "a layout, DTYPE:FORMAT:DIMS (the format is missing)"));
        };
        let Some(dims) = parts.next() else {
            // What is open holds all that follows.
            if let Some((verb, _)) = format.split_once('(').filter(|_| !format.ends_with(')')) {
                return Err(Error::text(
                    format,
                    format!("{}(..) with its closing parenthesis", Beginning(verb)),
                ));
            }
            return Err(Error::text(text, "a layout, DTYPE:FORMAT:DIMS (the dims are missing)"));
        };
        lay_out(dtype, format, &parse_dims(dims)?, parts)
    }
}

impl Layout {
    /// A layout by the name or tag of its format, or by `strides(..)` or `digits(..)`.
    ///
    /// ```
    /// # use retile::{DType, Layout};
    /// let layout = Layout::named(DType::F32, "nChw16c", &[8, 17, 31, 31])?;
    /// assert_eq!(layout.padded_dims(), [8, 32, 31, 31]);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn named(dtype: DType, format: &str, dims: &[usize]) -> Result<Layout> {
        lay_out(dtype, format, dims, std::iter::empty())
    }

    /// A destination for this layout's elements from the short form `[DTYPE:]FORMAT[:option]*`,
    /// which takes the dims, and the type where none is named, from here. The full form, with dims,
    /// is read too.
    ///
    /// ```
    /// # use retile::Layout;
    /// let image: Layout = "u8:nhwc:1x3x224x224".parse()?;
    /// assert_eq!(image.destination("f32:nchw")?, "f32:nchw:1x3x224x224".parse()?);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn destination(&self, text: &str) -> Result<Layout> {
        let mut parts = split(text).peekable();
        let mut dtype = self.dtype();
        if let Some(Ok(named)) = parts.peek().map(|part| part.parse()) {
            dtype = named;
            parts.next();
        }
        let Some(format) = parts.next() else {
            return Err(Error::text(text, "a destination, [DTYPE:]FORMAT"));
        };
        let mut dims = self.dims().to_vec();
        if let Some(part) = parts.peek()
            && part.starts_with(|c: char| c.is_ascii_digit())
        {
            dims = parse_dims(part)?;
            parts.next();
        }
        lay_out(dtype, format, &dims, parts)
    }
}

/// Splits at colons, those in parentheses apart.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ':' && depth == 0
    })
}

fn lay_out<'a>(
    dtype: DType,
    format: &str,
    dims: &[usize],
    options: impl Iterator<Item = &'a str>,
) -> Result<Layout> {
    if super::build::check_rank(dims.len()).is_err() {
        return Err(Error::text(Extents(dims).to_string(), format!("1 to {MAX_RANK} dims")));
    }
    let options = parse_options(options, dims.len())?;
    let parsed = parse_format(format, Some(dims.len()))?;
    if parsed.rank() != dims.len() {
        let (rank, found) = (parsed.rank(), dims.len());
        return Err(Error::text(
            Extents(dims).to_string(),
            format!("the dims of `{}`, which has {rank}, not {found}", Beginning(format)),
        ));
    }
    parsed.lay_out(dtype, dims, &options)
}

/// A format by itself; the rank is needed for the wildcard alone.
pub(crate) fn parse_format(text: &str, rank: Option<usize>) -> Result<Format> {
    if let Some(list) = inside(text, "strides(") {
        let strides = parse_list(list?, "a stride")?;
        super::build::check_rank(strides.len())?;
        return Ok(Format::strided(&strides));
    }
    if let Some(body) = inside(text, "digits(") {
        return parse_digits(body?);
    }
    names::resolve(text, rank)
}

/// What stands between `open` and the closing parenthesis.
fn inside<'a>(text: &'a str, open: &str) -> Option<Result<&'a str>> {
    let body = text.strip_prefix(open)?;
    let closed = body.strip_suffix(')');
    Some(closed.ok_or_else(|| Error::text(text, format!("{open}..) with its closing parenthesis"))))
}

fn parse_digits(body: &str) -> Result<Format> {
    let mut clauses = body.split(';').map(str::trim);
    let letters = clauses.next().unwrap_or("");
    let mut format = Format::default();
    for letter in letters.chars() {
        if !letter.is_ascii_alphabetic() || format.letters.contains(&letter) {
            return Err(Error::text(
                letter,
                format!("one of the letters of the dims `{}`, each once", Beginning(letters)),
            ));
        }
        if format.letters.try_push(letter).is_err() {
            return Err(Error::text(letters, format!("at most {MAX_RANK} dims")));
        }
    }
    if letters.is_empty() {
        return Err(Error::text(body, "digits(LETTERS; DIGIT ..), the letters of the dims first"));
    }
    for digit in clauses.next().unwrap_or("").split_whitespace() {
        if digit == "|" {
            if format.mark.replace(format.digits.len()).is_some() {
                return Err(Error::text("|", "the only row pitch mark"));
            }
            continue;
        }
        if format.digits.len() == MAX_DIGITS {
            return Err(Error::text(digit, format!("one of at most {MAX_DIGITS} digits")));
        }
        let digit = parse_digit(&mut format, digit)?;
        format.digits.push(digit);
    }
    for d in 0..format.rank() {
        if !format.axes.iter().any(|axis| axis.dims.contains(&(d as u8))) {
            return Err(Error::text(
                format!("digits({body})"),
                format!("digits of all dims, {} is missing", format.letters[d]),
            ));
        }
    }
    let mut seen: ArrayVec<&str, 3> = ArrayVec::new();
    for clause in clauses {
        let (verb, items) = clause.split_once(char::is_whitespace).unwrap_or((clause, ""));
        if seen.contains(&verb) || seen.try_push(verb).is_err() {
            return Err(Error::text(clause, "one clause each of align, fix and flip"));
        }
        parse_clause(&mut format, clause, verb, items)?;
    }
    format.check()?;
    Ok(format)
}

/// `axis[%M][/D][@stride]`.
fn parse_digit(format: &mut Format, text: &str) -> Result<FormatDigit> {
    let (rest, stride) = match text.split_once('@') {
        Some((rest, stride)) => (rest, Some(parse_number(stride, "a stride")?)),
        None => (text, None),
    };
    let (rest, divisor) = match rest.split_once('/') {
        Some((rest, divisor)) => (rest, parse_positive(divisor, "a divisor")?),
        None => (rest, 1),
    };
    let (axis, modulus) = match rest.split_once('%') {
        Some((axis, modulus)) => (axis, Some(parse_positive(modulus, "a modulus")?)),
        None => (rest, None),
    };
    if let Some(modulus) = modulus
        && (modulus % divisor != 0)
    {
        return Err(Error::text(text, format!("a digit: {modulus} is no multiple of {divisor}")));
    }
    let axis = find_axis(format, axis, text)?;
    Ok(FormatDigit { axis, modulus, divisor, stride })
}

/// The axis of these letters, made where they are met for the first time.
fn find_axis(format: &mut Format, name: &str, digit: &str) -> Result<usize> {
    let mut dims: ArrayVec<u8, MAX_RANK> = ArrayVec::new();
    for letter in name.chars() {
        let found = format.letters.iter().position(|&l| l == letter);
        let Some(d) = found.filter(|&d| !dims.contains(&(d as u8))) else {
            let letters: String = format.letters.iter().collect();
            return Err(Error::text(
                digit,
                format!("a digit axis%M/D@STRIDE of the dims `{letters}`"),
            ));
        };
        dims.push(d as u8);
    }
    if let Some(a) = format.axes.iter().position(|axis| axis.dims == dims) {
        return Ok(a);
    }
    let shared = |axis: &FormatAxis| axis.dims.iter().any(|d| dims.contains(d));
    if dims.is_empty() || format.axes.iter().any(shared) {
        return Err(Error::text(digit, "a digit of one axis, with each dim in one axis only"));
    }
    format.axes.push(FormatAxis { dims, align: 1 });
    Ok(format.axes.len() - 1)
}

fn parse_clause(format: &mut Format, clause: &str, verb: &str, items: &str) -> Result<()> {
    let said = Beginning(clause);
    let dim = |format: &Format, name: &str| {
        let found = format.letters.iter().position(|&l| name.chars().eq([l]));
        found.ok_or_else(|| Error::text(name, format!("a dim (in `{said}`)")))
    };
    let pair = |item: &str| -> Result<(String, isize)> {
        let Some((name, value)) = item.split_once(':') else {
            return Err(Error::text(item, format!("a pair like x:4 (in `{said}`)")));
        };
        Ok((name.into(), parse_positive(value, "a number of elements")?))
    };
    if items.trim().is_empty() {
        return Err(Error::text(clause, "align x:8 .., fix f:4 .. or flip y ..".to_string()));
    }
    for item in items.split_whitespace() {
        match verb {
            "align" => {
                let (name, multiple) = pair(item)?;
                let spelt = |axis: &FormatAxis| {
                    axis.dims.iter().map(|&d| format.letters[d as usize]).eq(name.chars())
                };
                let Some(a) = format.axes.iter().position(spelt) else {
                    return Err(Error::text(name, format!("an axis (in `{said}`)")));
                };
                format.axes[a].align = multiple;
            }
            "fix" => {
                let (name, extent) = pair(item)?;
                let d = dim(format, &name)?;
                if format.fixed.iter().any(|fixed| fixed.0 == d) {
                    return Err(Error::text(item, format!("fixed once (in `{said}`)")));
                }
                format.fixed.push((d, extent));
            }
            "flip" => format.flipped |= 1 << dim(format, item)?,
            _ => return Err(Error::text(verb, "align, fix or flip")),
        }
    }
    Ok(())
}

fn parse_options<'a>(parts: impl Iterator<Item = &'a str>, rank: usize) -> Result<Options> {
    let mut options = Options::default();
    let (mut extents, mut at) = (None, None);
    let mut seen: ArrayVec<&str, 7> = ArrayVec::new();
    for part in parts {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        if OPTIONS.contains(&name) && value.is_empty() {
            return Err(Error::text(part, format!("an option with its value, {name}=..")));
        }
        if !OPTIONS.contains(&name) {
            let expected = format!("an option ({}=..)", OPTIONS.join("=.., "));
            let nearest = names::nearest_to(name, OPTIONS.into_iter());
            return Err(Error::text_near(part, expected, nearest));
        }
        if seen.contains(&name) {
            return Err(Error::text(part, format!("{name} said once")));
        }
        seen.push(name);
        match name {
            "offset" => options.offset = parse_number(value, "an offset in elements")?,
            "lower" => options.lower = Some(parse_margins(part, value, rank)?),
            "upper" => options.upper = Some(parse_margins(part, value, rank)?),
            "fill" => options.fill = parse_fill(value)?,
            "in" => extents = Some(parse_parent(part, value, rank)?),
            "at" => at = Some(parse_margins(part, value, rank)?),
            _ => options.pitch = Some(parse_positive(value, "a pitch in elements")?),
        }
    }
    options.parent = match (extents, at) {
        (Some(extents), Some(at)) => Some((extents, at)),
        (None, None) => None,
        (Some(extents), None) => {
            let part = format!("in={}", joined(&extents, "x"));
            return Err(Error::text(part, "in=DIMS with the at=N,.. that belongs to it"));
        }
        (None, Some(at)) => {
            let part = format!("at={}", joined(&at, ","));
            return Err(Error::text(part, "at=N,.. with the in=DIMS that belongs to it"));
        }
    };
    Ok(options)
}

/// Numbers as they were written.
fn joined(numbers: &[isize], between: &str) -> String {
    numbers.iter().map(isize::to_string).collect::<Vec<_>>().join(between)
}

fn parse_parent(part: &str, value: &str, rank: usize) -> Result<Vec<isize>> {
    let dims = parse_dims(value)?;
    if dims.len() != rank {
        return Err(Error::text(part, format!("a parent of {rank} dims")));
    }
    let extent = |n: usize| match isize::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => invalid!("a parent with {n} elements along a dim is too large"),
    };
    dims.into_iter().map(extent).collect()
}

fn parse_margins(part: &str, value: &str, rank: usize) -> Result<Vec<isize>> {
    let list = parse_list(value, "a number of elements")?;
    if list.len() != rank {
        return Err(Error::text(part, format!("a list of {rank} numbers, one for each dim")));
    }
    match list.iter().find(|&&n| n < 0) {
        Some(n) => Err(Error::text(
            n.to_string(),
            format!("a number of elements, 0 or more (in `{}`)", Beginning(part)),
        )),
        None => Ok(list),
    }
}

fn parse_fill(value: &str) -> Result<f32> {
    parse_float(value).ok_or_else(|| Error::text(value, "a fill value, a number that f32 has"))
}

/// Too large a number is a slip, infinity has its own name.
pub(crate) fn parse_float(text: &str) -> Option<f32> {
    let named = text.bytes().any(|b| b.eq_ignore_ascii_case(&b'n'));
    text.parse().ok().filter(|value: &f32| value.is_finite() || named)
}

/// `8x17x31x31`.
pub(crate) fn parse_dims(text: &str) -> Result<Vec<usize>> {
    let said = Beginning(text);
    let extent = |part: &str| {
        let digits = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let expected = || match part == text {
            _ if digits => format!("an extent of at most {} (in the dims `{said}`)", isize::MAX),
            true => "dims like 8x17x31x31".to_string(),
            false if part.is_empty() => "an extent before and after each x".to_string(),
            false => format!("an extent (in the dims `{said}`)"),
        };
        let found = if part.is_empty() { text } else { part };
        part.parse().ok().filter(|_| digits).ok_or_else(|| Error::text(found, expected()))
    };
    text.split('x').map(extent).collect()
}

fn parse_list(text: &str, what: &str) -> Result<Vec<isize>> {
    text.split(',').map(|part| parse_number(part.trim(), what)).collect()
}

fn parse_positive(text: &str, what: &str) -> Result<isize> {
    match parse_number(text, what)? {
        n if n > 0 => Ok(n),
        _ => Err(Error::text(text, format!("{what}, 1 or more"))),
    }
}

fn parse_number(text: &str, what: &str) -> Result<isize> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let expected = || match plain {
        true => format!("{what}, from {} to {}", isize::MIN, isize::MAX),
        false => format!("{what}, a whole number"),
    };
    text.parse().ok().filter(|_| plain).ok_or_else(|| Error::text(text, expected()))
}

/// Dims as texts have them.
pub(crate) struct Extents<'a>(pub(crate) &'a [usize]);

impl fmt::Display for Extents<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        join(f, "", self.0, "x")
    }
}

fn join<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    lead: &str,
    list: &[T],
    by: &str,
) -> fmt::Result {
    f.write_str(lead)?;
    for (i, item) in list.iter().enumerate() {
        let by = if i == 0 { "" } else { by };
        write!(f, "{by}{item}")?;
    }
    Ok(())
}

impl Layout {
    /// The plainest spelling of the format: a tag, else strides, else digits.
    ///
    /// Each candidate is laid out again and held against this layout, so that the text always says
    /// the same layout.
    fn write_format(&self, f: &mut fmt::Formatter<'_>, options: &Options) -> fmt::Result {
        let same = |format: &Format| {
            format.lay_out(self.dtype(), self.dims(), options).is_ok_and(|layout| layout == *self)
        };
        if let Some(desc) = self.order_of_blocks() {
            let spelt = tag::spell(&desc);
            if tag::parse(&spelt).is_some_and(|format| format.is_ok_and(|format| same(&format))) {
                return f.write_str(&spelt);
            }
        }
        if let Some(strides) = self.strides()
            && same(&Format::strided(&strides))
        {
            join(f, "strides(", &strides, ",")?;
            return f.write_str(")");
        }
        write!(f, "{}", Format::of(self))
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = Options::of(self);
        write!(f, "{}:", self.dtype())?;
        self.write_format(f, &options)?;
        write!(f, ":{}", Extents(self.dims()))?;
        if options.offset != 0 {
            write!(f, ":offset={}", options.offset)?;
        }
        for (name, list) in [(":lower=", &options.lower), (":upper=", &options.upper)] {
            if let Some(list) = list {
                join(f, name, list, ",")?;
            }
        }
        if options.fill.to_bits() != 0 {
            write!(f, ":fill={}", options.fill)?;
        }
        if let Some((extents, at)) = &options.parent {
            join(f, ":in=", extents, "x")?;
            join(f, ":at=", at, ",")?;
        }
        match options.pitch {
            Some(pitch) => write!(f, ":pitch={pitch}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({self})")
    }
}
