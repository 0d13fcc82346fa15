//! Attributes as the command's arguments spell them. In: `--src-scale=mask:2:0.5,2 --sum=1`. Out: what
//! is asked for, and the values that were given; and back.
//!
//! ```text
//! --src-scale=(common|mask:N)[:V,V,..]   --dst-scale   --src-zp   --dst-zp
//! --sum=BETA                             --comp=s8s8:MASK | zp:MASK | s8s8:MASK+zp:MASK
//! ```

use std::fmt;
use std::str::FromStr;

use super::{Attr, Values};
use crate::layout::parse_float;
use crate::{Error, Result};

/// Values that a text gave; nothing for those it left open.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct GivenValues {
    pub src_scale: Option<Vec<f32>>,
    pub dst_scale: Option<Vec<f32>>,
    pub src_zero_point: Option<Vec<i32>>,
    pub dst_zero_point: Option<Vec<i32>>,
}

impl GivenValues {
    /// The lists as a run takes them; empty where nothing was given.
    pub fn as_values(&self) -> Values<'_> {
        Values {
            src_scale: self.src_scale.as_deref().unwrap_or(&[]),
            dst_scale: self.dst_scale.as_deref().unwrap_or(&[]),
            src_zero_point: self.src_zero_point.as_deref().unwrap_or(&[]),
            dst_zero_point: self.dst_zero_point.as_deref().unwrap_or(&[]),
        }
    }
}

/// Words as it prints them, apart by white space; values have no place there.
impl FromStr for Attr {
    type Err = Error;

    fn from_str(text: &str) -> Result<Attr> {
        match Attr::from_words(text.split_whitespace())? {
            (attr, values) if values == GivenValues::default() => Ok(attr),
            _ => Err(Error::text(text, "attributes without values, such as --dst-scale=mask:2")),
        }
    }
}

impl Attr {
    /// Attributes from words like `--dst-scale=mask:2`, with the values they give.
    ///
    /// ```
    /// # use retile::Attr;
    /// let (attr, values) = Attr::from_words(["--dst-scale=common:0.5", "--sum=1"])?;
    /// assert_eq!(attr, Attr::new().dst_scale(0).sum(1.0));
    /// assert_eq!(values.dst_scale, Some(vec![0.5]));
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<(Attr, GivenValues)> {
        let (mut attr, mut values) = (Attr::new(), GivenValues::default());
        for word in words {
            let Some((name, value)) = word.strip_prefix("--").and_then(|word| word.split_once('='))
            else {
                return Err(Error::text(word, EXPECTED));
            };
            match name {
                "src-scale" => {
                    (attr.src_scale, values.src_scale) = asked(value, attr.src_scale, name, scale)?;
                }
                "dst-scale" => {
                    (attr.dst_scale, values.dst_scale) = asked(value, attr.dst_scale, name, scale)?;
                }
                "src-zp" => {
                    (attr.src_zero_point, values.src_zero_point) =
                        asked(value, attr.src_zero_point, name, zero_point)?;
                }
                "dst-zp" => {
                    (attr.dst_zero_point, values.dst_zero_point) =
                        asked(value, attr.dst_zero_point, name, zero_point)?;
                }
                "sum" => {
                    let beta = scale(value).map_err(|expected| {
                        Error::text(value, format!("a factor, {expected} (in `--sum`)"))
                    })?;
                    attr = once(attr.sum, "--sum").map(|()| attr.sum(beta))?;
                }
                "comp" => parse_compensation(&mut attr, value)?,
                _ => return Err(Error::text(word, EXPECTED)),
            }
        }
        Ok((attr, values))
    }
}

const EXPECTED: &str =
    "an attribute (--src-scale=, --dst-scale=, --src-zp=, --dst-zp=, --sum= or --comp=)";

fn once<T>(before: Option<T>, what: &str) -> Result<()> {
    match before {
        None => Ok(()),
        Some(_) => Err(Error::text(what, format!("{what} said once"))),
    }
}

fn scale(text: &str) -> std::result::Result<f32, &'static str> {
    parse_float(text).ok_or("a number that f32 has")
}

fn zero_point(text: &str) -> std::result::Result<i32, &'static str> {
    text.parse().map_err(|_| "a whole number of 32 bits")
}

/// `(common|mask:N)[:V,V,..]`.
#[allow(clippy::type_complexity)]
fn asked<T>(
    text: &str,
    before: Option<u32>,
    name: &str,
    value: fn(&str) -> std::result::Result<T, &'static str>,
) -> Result<(Option<u32>, Option<Vec<T>>)> {
    once(before, &format!("--{name}"))?;
    let wrong = || Error::text(text, format!("common or mask:N, and values (in `--{name}`)"));
    let (mask, rest) = match text.strip_prefix("common") {
        Some(rest) => (0, rest),
        None => {
            let rest = text.strip_prefix("mask:").ok_or_else(wrong)?;
            let end = rest.find(':').unwrap_or(rest.len());
            (mask_of(&rest[..end], name)?, &rest[end..])
        }
    };
    let value = |part: &str| {
        value(part).map_err(|expected| Error::text(part, format!("{expected} (in `--{name}`)")))
    };
    let values = match rest.strip_prefix(':') {
        Some(list) => Some(list.split(',').map(value).collect::<Result<_>>()?),
        None if rest.is_empty() => None,
        None => return Err(wrong()),
    };
    Ok((Some(mask), values))
}

/// The dims that values are for, a bit each.
fn mask_of(text: &str, name: &str) -> Result<u32> {
    let expected = || format!("a mask, from 0 to {} (in `--{name}`)", u32::MAX);
    text.parse().map_err(|_| Error::text(text, expected()))
}

fn parse_compensation(attr: &mut Attr, text: &str) -> Result<()> {
    for part in text.split('+') {
        let wrong = || Error::text(part, "s8s8:MASK or zp:MASK (in `--comp`)");
        let (kind, mask) = part.split_once(':').ok_or_else(wrong)?;
        let mask = mask_of(mask, "comp")?;
        let slot = match kind {
            "s8s8" => &mut attr.s8s8,
            "zp" => &mut attr.asymmetric,
            _ => return Err(wrong()),
        };
        once(*slot, kind)?;
        *slot = Some(mask);
    }
    Ok(())
}

/// As text, where the factor of a sum is a number.
impl fmt::Debug for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Attr({self})")
    }
}

/// The words that ask for the same.
impl fmt::Display for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lead = "";
        let masks = [
            ("src-scale", self.src_scale),
            ("dst-scale", self.dst_scale),
            ("src-zp", self.src_zero_point),
            ("dst-zp", self.dst_zero_point),
        ];
        for (name, mask) in masks {
            match mask {
                None => continue,
                Some(0) => write!(f, "{lead}--{name}=common")?,
                Some(mask) => write!(f, "{lead}--{name}=mask:{mask}")?,
            }
            lead = " ";
        }
        if let Some(beta) = self.beta() {
            write!(f, "{lead}--sum={beta}")?;
            lead = " ";
        }
        match (self.s8s8, self.asymmetric) {
            (None, None) => Ok(()),
            (Some(mask), None) => write!(f, "{lead}--comp=s8s8:{mask}"),
            (None, Some(mask)) => write!(f, "{lead}--comp=zp:{mask}"),
            (Some(s8s8), Some(zp)) => write!(f, "{lead}--comp=s8s8:{s8s8}+zp:{zp}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_say_the_same_attributes() {
        for text in [
            "",
            "--src-scale=common",
            "--src-scale=mask:2 --dst-zp=common",
            "--dst-scale=mask:3 --src-zp=mask:1 --sum=-0.5",
            "--comp=s8s8:1",
            "--dst-scale=mask:1 --comp=s8s8:1+zp:3",
        ] {
            let (attr, values) = Attr::from_words(text.split_whitespace()).unwrap();
            assert_eq!(attr.to_string(), text);
            assert_eq!(values, GivenValues::default());
            assert_eq!(text.parse::<Attr>(), Ok(attr));
        }
        assert_eq!("".parse::<Attr>(), Ok(Attr::new()));
        let error = "--dst-scale=common:0.5".parse::<Attr>().unwrap_err().to_string();
        assert!(error.contains("without values"), "{error}");
    }

    #[test]
    fn other_words_are_errors_that_quote_them() {
        for (word, part) in [
            ("src-scale=common", "src-scale=common"),
            ("--scale=common", "--scale=common"),
            ("--src-scale=2", "2"),
            ("--src-scale=mask:x", "x"),
            ("--src-zp=mask:4294967296", "4294967296"),
            ("--src-scale=common:1,y", "y"),
            ("--dst-zp=common:1.5", "1.5"),
            ("--dst-scale=common:1e400", "1e400"),
            ("--sum=one", "one"),
            ("--comp=s8s8", "s8s8"),
            ("--comp=s4:1", "s4:1"),
            ("--comp=zp:1+zp:1", "zp"),
        ] {
            let error = Attr::from_words([word]).unwrap_err().to_string();
            assert!(error.contains(&format!("found `{part}`")), "{word}: {error}");
        }
        assert!(Attr::from_words(["--sum=1", "--sum=1"]).is_err());
        assert!(Attr::from_words(["--dst-scale=common:inf,-Infinity,NaN"]).is_ok());
    }
}
