//! A conversion as a line says it. In: `SRC DST [attributes]`, or these as arguments. Out: two layouts,
//! arithmetic and its values; and back, to be pasted into a shell.

use std::fmt;
use std::io::Read;

use retile::{Attr, GivenValues, Layout, Sizes};

use crate::draw::{Draw, Numbers, scale, zero_point};
use crate::failure::Failure;

/// Of a scale or a zero point.
const MOST_VALUES: usize = 1 << 30;

#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) src: Layout,
    pub(crate) dst: Layout,
    pub(crate) attr: Attr,
    given: GivenValues,
    /// The layouts as they were typed.
    texts: [String; 2],
    /// The attributes, their values among them.
    words: Vec<String>,
}

impl Pair {
    pub(crate) fn new(src: &str, dst: &str, words: Vec<String>) -> Result<Pair, Failure> {
        let texts = [src.to_string(), dst.to_string()];
        let src: Layout = src.parse()?;
        let dst = src.destination(dst)?;
        let (attr, given) = Attr::from_words(words.iter().map(String::as_str))?;
        check_counts(&attr, &given, &src)?;
        Ok(Pair { src, dst, attr, given, texts, words })
    }

    /// Of a line, cut at blanks, but for those in parentheses.
    pub(crate) fn of_line(line: &str) -> Result<Pair, Failure> {
        let mut depth = 0;
        let words = line.split(move |c: char| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0 && c.is_whitespace()
        });
        let mut words = words.filter(|word| !word.is_empty());
        match (words.next(), words.next()) {
            (Some(src), Some(dst)) => Pair::new(src, dst, words.map(String::from).collect()),
            _ => Err(Failure::Line(line.into())),
        }
    }

    /// Whether it can be, and what its buffers must hold.
    pub(crate) fn sizes(&self) -> retile::Result<Sizes> {
        self.attr.sizes(&self.src, &self.dst)
    }

    /// The values given, and drawn ones for what was left open.
    pub(crate) fn values(&self, numbers: Numbers, draw: &mut Draw) -> GivenValues {
        let mut values = self.given.clone();
        let counts = self.attr.value_counts(self.src.dims());
        let mut list = |count| (0..count).map(|_| scale(numbers, draw)).collect();
        values.src_scale.get_or_insert_with(|| list(counts[0]));
        values.dst_scale.get_or_insert_with(|| list(counts[1]));
        let mut list = |count| (0..count).map(|_| zero_point(numbers, draw)).collect();
        values.src_zero_point.get_or_insert_with(|| list(counts[2]));
        values.dst_zero_point.get_or_insert_with(|| list(counts[3]));
        values
    }

    /// What an attribute was given as.
    pub(crate) fn word(&self, name: &str) -> Option<&str> {
        let value = |word: &'_ String| -> Option<usize> {
            let (found, _) = word.strip_prefix("--")?.split_once('=')?;
            (found == name).then_some(name.len() + 3)
        };
        self.words.iter().find_map(|word| Some(&word[value(word)?..]))
    }

    /// The mask of a scale or a zero point that is asked for.
    pub(crate) fn mask(&self, name: &str) -> Option<u32> {
        let mut parts = self.word(name)?.split(':');
        match parts.next()? {
            "mask" => parts.next()?.parse().ok(),
            _ => Some(0),
        }
    }

    /// What is drawn for it, whether it stands alone or among others, and however its layouts are spelt.
    pub(crate) fn seed(&self, seed: u64) -> u64 {
        let text = format!("{} {} {}", self.src, self.dst, self.words.join(" "));
        text.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    /// Its words as a shell takes them.
    pub(crate) fn quoted(&self) -> String {
        let words = self.texts.iter().chain(&self.words).map(|word| quoted(word));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let special = |c: char| c.is_whitespace() || "()[];|&<>$`\"'\\*?#~{}!".contains(c);
    match word.is_empty() || word.contains(special) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => word.into(),
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.texts[0], self.texts[1])?;
        self.words.iter().try_for_each(|word| write!(f, " {word}"))
    }
}

/// Values may be left out; those given must be as many as asked for.
fn check_counts(attr: &Attr, values: &GivenValues, src: &Layout) -> Result<(), Failure> {
    let given = [
        ("--src-scale", values.src_scale.as_ref().map(Vec::len)),
        ("--dst-scale", values.dst_scale.as_ref().map(Vec::len)),
        ("--src-zp", values.src_zero_point.as_ref().map(Vec::len)),
        ("--dst-zp", values.dst_zero_point.as_ref().map(Vec::len)),
    ];
    for ((name, given), needed) in given.into_iter().zip(attr.value_counts(src.dims())) {
        if let Some(given) = given.filter(|given| *given != needed) {
            return Err(Failure::Values { name, given, needed });
        }
        if needed > MOST_VALUES {
            return Err(Failure::Many { name, needed, most: MOST_VALUES });
        }
    }
    Ok(())
}

/// The lines of a batch with their numbers, without comments and empty ones.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    headed(text).map(|(_, number, line)| (number, line))
}

/// The lines of a batch with their numbers, behind their heads: a comment heads the lines up to the next.
pub(crate) fn headed(text: &str) -> impl Iterator<Item = (&str, usize, &str)> {
    let mut head = "";
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    lines.filter_map(move |(number, line)| match line.strip_prefix('#') {
        Some(comment) => {
            head = comment.trim();
            None
        }
        None => {
            let line = before_comment(line);
            (!line.is_empty()).then_some((head, number, line))
        }
    })
}

/// A line up to a `#` that starts a word.
fn before_comment(line: &str) -> &str {
    let starts = |&(at, _): &(usize, &str)| line[..at].ends_with(char::is_whitespace);
    let end = line.match_indices('#').find(starts).map_or(line.len(), |(at, _)| at);
    line[..end].trim_end()
}

/// The text of a batch; `-` is standard input.
pub(crate) fn read(file: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = match file {
        "-" => std::io::stdin().read_to_end(&mut bytes),
        _ => std::fs::File::open(file).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::File(file.into(), error))?;
    // What is no text is refused where it stands, in its line.
    let text = String::from_utf8_lossy(&bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_string();
    // What is empty is not what was meant, and nothing of it would fail.
    if lines(&text).next().is_none() {
        return Err(Failure::Empty(file.into()));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(line: &str) -> Pair {
        Pair::of_line(line).unwrap_or_else(|failure| panic!("{line}: {failure}"))
    }

    #[test]
    fn lines_print_as_they_are_read() {
        for line in [
            "f32:nchw:1x3x4x4 nhwc",
            "u8:ab:6x3 u8:digits(ab; a/4 b a%4; flip a):6x3",
            "f32:ab:2x3 s8:ba:2x3 --dst-scale=mask:2:1,2,3 --sum=-0.5",
        ] {
            assert_eq!(pair(line).to_string(), line);
        }
        assert_eq!(pair("f32:ab:2x3   ba").to_string(), "f32:ab:2x3 ba");
        let quoted = pair("u8:ab:6x3 digits(ab; b a) --sum=1").quoted();
        assert_eq!(quoted, "u8:ab:6x3 'digits(ab; b a)' --sum=1");
        assert_eq!(pair("f32:ab:2x3 ba").seed(1), pair("f32:ab:2x3 f32:ba:2x3").seed(1));
    }

    #[test]
    fn values_are_those_given_and_drawn_ones() {
        let pair = pair("f32:ab:2x3 s8:ba --dst-scale=mask:2:1,2,3 --src-zp=mask:1");
        let values = |seed| pair.values(Numbers::Any, &mut Draw::new(pair.seed(seed)));
        assert_eq!(values(1).dst_scale.unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(values(1).src_zero_point, values(1).src_zero_point);
        assert_ne!(values(1).src_zero_point, values(2).src_zero_point);
        pair.attr.check_values(pair.src.dims(), &values(1).as_values()).unwrap();
    }

    #[test]
    fn masks_are_those_of_the_words() {
        let pair = pair("f32:ab:2x3 s8:ba --dst-scale=mask:2:1,2,3 --src-zp=common:4 --sum=-0.5");
        assert_eq!((pair.mask("dst-scale"), pair.mask("src-zp")), (Some(2), Some(0)));
        assert_eq!((pair.mask("src-scale"), pair.word("sum")), (None, Some("-0.5")));
    }

    #[test]
    fn comments_are_no_lines() {
        let found: Vec<_> = lines("# one\n\nf32:a:1 a\n  # two\n f32:a:2 a\n").collect();
        assert_eq!(found, [(3, "f32:a:1 a"), (5, "f32:a:2 a")]);
        assert!(Pair::of_line("f32:a:1").is_err());
        let text = "u8:a:1 a\n#one\n# two \n\nu8:a:2 a\nu8:a:3 a\n";
        let found: Vec<_> = headed(text).map(|(head, number, _)| (head, number)).collect();
        assert_eq!(found, [("", 1), ("two", 5), ("two", 6)]);
        let behind: Vec<_> =
            lines("f32:a:1 a # one # two\nf32:a:2 a\t#three\nf32:a:3 a#b\n").collect();
        assert_eq!(behind, [(1, "f32:a:1 a"), (2, "f32:a:2 a"), (3, "f32:a:3 a#b")]);
    }
}
