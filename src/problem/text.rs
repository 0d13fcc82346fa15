//! A problem on one line. In: a problem. Out: text, and back.
//!
//! ```text
//! problem = DTYPE ">" DTYPE (" " word)* (" " line)* (" " fold)* (" " tail)*
//! word    = src-scale | dst-scale | src-zp | dst-zp | s8s8 | asym | sum=BITS | fill=BITS
//!           src-dense, src-padding: there are other elements, or these and padding, between elements of the source
//! line    = node ("*" node)* ["[" owned "|" padded "|" data "]"]       outermost first; zones FROM..TO
//! node    = EXTENT "(" item ("," item)* ")"                            s4 d256 ss1 .. a stride of an operand
//!           item t0/0;4/64 is a table of source and destination, 8x0/4+2/0 in it eight entries, from 0/4 by 2/0;
//!           f1:16 is a step of 16 along fold 1
//! fold    = "fold(" ("src" | "dst") ",at" START ("," RADIX ":" STRIDE)* ")"         innermost first
//! tail    = "tail(" [LINE ("," LINE)*] ";" FOLD ";" BASE (";" line)* ")"
//! ```

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use smallvec::SmallVec;

use super::{Arith, Between, Fold, Line, Node, OPERANDS, Problem, TABLE_LIMIT, Tail, Zone, check};
use crate::{Error, Result};

/// What operands' strides are called, in the order of [`super::Operand`].
const KEYS: [&str; OPERANDS] = ["s", "d", "ss", "ds", "sz", "dz", "cs", "ca"];

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}>{}", self.src, self.dst)?;
        for (name, present) in flags(&mut self.arith.clone()) {
            if *present {
                write!(f, " {name}")?;
            }
        }
        if let Some(bits) = self.arith.sum {
            write!(f, " sum={bits:#x}")?;
        }
        let between = |known: &&(_, Between)| known.1 == self.src_between;
        if let Some((name, _)) = BETWEEN.iter().find(between) {
            write!(f, " {name}")?;
        }
        if self.fill != 0 {
            write!(f, " fill={:#x}", self.fill)?;
        }
        self.lines.iter().try_for_each(|line| write!(f, " {line}"))?;
        self.folds.iter().try_for_each(|fold| write!(f, " {fold}"))?;
        self.tails.iter().try_for_each(|tail| write!(f, " {tail}"))
    }
}

/// What is said of a source where it is known what lies between its elements.
const BETWEEN: [(&str, Between); 2] =
    [("src-dense", Between::Elements), ("src-padding", Between::Padding)];

fn flags(arith: &mut Arith) -> [(&'static str, &mut bool); 6] {
    [
        ("src-scale", &mut arith.src_scale),
        ("dst-scale", &mut arith.dst_scale),
        ("src-zp", &mut arith.src_zero_point),
        ("dst-zp", &mut arith.dst_zero_point),
        ("s8s8", &mut arith.s8s8),
        ("asym", &mut arith.asymmetric),
    ]
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, node) in self.nodes.iter().rev().enumerate() {
            write!(f, "{}{node}", if i == 0 { "" } else { "*" })?;
        }
        let whole = Zone::all(self.extent());
        if [self.owned, self.padded, self.data] != [whole; 3] {
            write!(f, "[{}|{}|{}]", self.owned, self.padded, self.data)?;
        }
        Ok(())
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Fewer entries of a table than this are written one by one, however even they are.
const FEW: usize = 3;

/// How many entries of a table go on evenly from the first, and by what steps.
fn evenly(table: &[(isize, isize)]) -> (usize, (isize, isize)) {
    let apart = |from: (isize, isize), to: (isize, isize)| {
        (to.0.wrapping_sub(from.0), to.1.wrapping_sub(from.1))
    };
    let [first, second, ..] = *table else { return (table.len(), (0, 0)) };
    let step = apart(first, second);
    let more = table.windows(2).take_while(|two| apart(two[0], two[1]) == step);
    (more.count() + 1, step)
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.extent)?;
        for (i, (key, stride)) in KEYS.iter().zip(&self.strides).enumerate() {
            // Source and destination always, so that a node is never empty.
            match i {
                0 => write!(f, "{key}{stride}")?,
                1 => write!(f, ",{key}{stride}")?,
                _ if *stride != 0 => write!(f, ",{key}{stride}")?,
                _ => {}
            }
        }
        let mut between = ",t";
        let mut rest = self.table.as_deref().unwrap_or_default();
        while let Some(&(src, dst)) = rest.first() {
            let (count, step) = evenly(rest);
            match count < FEW {
                true => write!(f, "{between}{src}/{dst}")?,
                false => write!(f, "{between}{count}x{src}/{dst}+{}/{}", step.0, step.1)?,
            }
            rest = &rest[if count < FEW { 1 } else { count }..];
            between = ";";
        }
        for (fold, step) in &self.folds {
            write!(f, ",f{fold}:{step}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Fold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "fold({},at{}", if self.dst { "dst" } else { "src" }, self.start)?;
        for (radix, stride) in &self.digits {
            write!(f, ",{radix}:{stride}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tail(")?;
        for (i, line) in self.lines.iter().enumerate() {
            write!(f, "{}{line}", if i == 0 { "" } else { "," })?;
        }
        write!(f, ";{};{}", self.fold, self.base)?;
        self.instead.iter().try_for_each(|line| write!(f, ";{line}"))?;
        f.write_str(")")
    }
}

impl FromStr for Problem {
    type Err = Error;

    fn from_str(text: &str) -> Result<Problem> {
        let mut words = text.split_whitespace();
        let types = words.next().unwrap_or("");
        let Some((src, dst)) = types.split_once('>') else {
            return Err(Error::text(types, "the types of a problem, like f32>s8"));
        };
        let mut problem = Problem {
            src: src.parse()?,
            dst: dst.parse()?,
            arith: Arith::default(),
            src_between: Between::Anything,
            fill: 0,
            lines: Vec::new(),
            folds: Vec::new(),
            tails: Vec::new(),
        };
        for word in words {
            parse_word(&mut problem, word)?;
        }
        if problem.lines.is_empty() {
            return Err(Error::text(text, "a problem with a line of nodes, like 64(s4,d256)"));
        }
        check::types(&problem, types)?;
        check::references(&problem, text)?;
        check::reach(&problem, text)?;
        Ok(problem)
    }
}

fn parse_word(problem: &mut Problem, word: &str) -> Result<()> {
    if let Some((_, flag)) = flags(&mut problem.arith).into_iter().find(|flag| flag.0 == word) {
        *flag = true;
    } else if let Some((_, between)) = BETWEEN.iter().find(|known| known.0 == word) {
        problem.src_between = *between;
    } else if let Some(bits) = word.strip_prefix("sum=") {
        problem.arith.sum = Some(parse_bits(bits, size_of::<f32>())? as u32);
    } else if let Some(bits) = word.strip_prefix("fill=") {
        problem.fill = parse_bits(bits, problem.dst.size())?;
    } else if let Some(body) = inside(word, "fold(") {
        problem.folds.push(parse_fold(body)?);
    } else if let Some(body) = inside(word, "tail(") {
        problem.tails.push(parse_tail(body)?);
    } else {
        problem.lines.push(parse_line(word)?);
    }
    Ok(())
}

fn inside<'a>(word: &'a str, open: &str) -> Option<&'a str> {
    word.strip_prefix(open)?.strip_suffix(')')
}

fn parse_line(text: &str) -> Result<Line> {
    let (nodes, zones) = match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((nodes, zones)) => (nodes, Some(zones)),
        None => (text, None),
    };
    let nodes: Result<SmallVec<[Node; 2]>> = nodes.split('*').rev().map(parse_node).collect();
    let nodes = nodes?;
    let extent = nodes.iter().try_fold(1usize, |extent, node| extent.checked_mul(node.extent));
    let Some(extent) = extent.filter(|&extent| isize::try_from(extent).is_ok()) else {
        return Err(Error::text(text, "a line of fewer positions than memory has bytes"));
    };
    let whole = Zone::all(extent);
    let mut line = Line { nodes, owned: whole, padded: whole, data: whole };
    if let Some(zones) = zones {
        let parsed: Vec<Zone> = zones.split('|').map(parse_zone).collect::<Result<_>>()?;
        let nested =
            |outer: Zone, inner: Zone| outer.start <= inner.start && inner.end <= outer.end;
        match parsed[..] {
            [owned, padded, data]
                if nested(whole, owned) && nested(owned, padded) && nested(padded, data) =>
            {
                (line.owned, line.padded, line.data) = (owned, padded, data);
            }
            _ => return Err(Error::text(zones, "zones within one another, owned|padded|data")),
        }
    }
    Ok(line)
}

fn parse_zone(text: &str) -> Result<Zone> {
    let bounds = text.split_once("..").and_then(|(start, end)| {
        let zone = Zone { start: start.parse().ok()?, end: end.parse().ok()? };
        (zone.start <= zone.end).then_some(zone)
    });
    bounds.ok_or_else(|| Error::text(text, "a zone, FROM..TO"))
}

fn parse_node(text: &str) -> Result<Node> {
    let wrong = || Error::text(text, "a node, EXTENT(s4,d256,..)");
    let (extent, body) = text.split_once('(').ok_or_else(wrong)?;
    let body = body.strip_suffix(')').ok_or_else(wrong)?;
    let mut node = Node::plain(extent.parse().map_err(|_| wrong())?, [0; OPERANDS]);
    for item in body.split(',') {
        if let Some(step) = item.strip_prefix('f') {
            let (fold, step) = step.split_once(':').ok_or_else(wrong)?;
            node.folds.push((fold.parse().map_err(|_| wrong())?, parse_number(step)?));
        } else if let Some(table) = item.strip_prefix('t') {
            let mut known = Vec::new();
            for entries in table.split(';') {
                parse_entries(entries, node.extent.min(TABLE_LIMIT), &mut known)?;
            }
            node.table = Some(known.into());
        } else {
            let digits = item.find(|c: char| c == '-' || c.is_ascii_digit()).ok_or_else(wrong)?;
            let (key, stride) = item.split_at(digits);
            let operand = KEYS.iter().position(|known| *known == key).ok_or_else(wrong)?;
            node.strides[operand] = parse_number(stride)?;
        }
    }
    if node.table.as_ref().is_some_and(|table| table.len() != node.extent) {
        return Err(Error::text(text, "a table with an entry for each step"));
    }
    Ok(node)
}

/// Adds one entry to a table, or several that go on evenly, which is to have no more than `most`.
fn parse_entries(text: &str, most: usize, table: &mut Vec<(isize, isize)>) -> Result<()> {
    let wrong = || Error::text(text, "entries of a table, SRC/DST or COUNTxSRC/DST+STEP/STEP");
    let both = |text: &str| -> Result<(isize, isize)> {
        let (src, dst) = text.split_once('/').ok_or_else(wrong)?;
        Ok((parse_number(src)?, parse_number(dst)?))
    };
    let (count, first, step) = match text.split_once('x') {
        None => (1, both(text)?, (0, 0)),
        Some((count, steps)) => {
            let (first, step) = steps.split_once('+').ok_or_else(wrong)?;
            let count: NonZeroUsize = count.parse().map_err(|_| wrong())?;
            (count.get(), both(first)?, both(step)?)
        }
    };
    if count > most.saturating_sub(table.len()) {
        return Err(Error::text(text, format!("entries of a table of no more than {most}")));
    }
    let at = |from: isize, step: isize, k: isize| from.wrapping_add(step.wrapping_mul(k));
    table.extend((0..count as isize).map(|k| (at(first.0, step.0, k), at(first.1, step.1, k))));
    Ok(())
}

fn parse_fold(body: &str) -> Result<Fold> {
    let wrong = || Error::text(body, "a fold, src or dst,atSTART,RADIX:STRIDE,..");
    let mut parts = body.split(',');
    let dst = match parts.next() {
        Some("src") => false,
        Some("dst") => true,
        _ => return Err(wrong()),
    };
    let start = parts.next().and_then(|part| part.strip_prefix("at")).ok_or_else(wrong)?;
    let mut digits = SmallVec::new();
    for part in parts {
        let (radix, stride) = part.split_once(':').ok_or_else(wrong)?;
        let (radix, stride) = (parse_number(radix)?, parse_number(stride)?);
        if radix < 1 {
            return Err(wrong());
        }
        digits.push((radix, stride));
    }
    if digits.is_empty() {
        return Err(wrong());
    }
    Ok(Fold { dst, start: parse_number(start)?, digits })
}

fn parse_tail(body: &str) -> Result<Tail> {
    let wrong = || Error::text(body, "a tail, LINE,..;FOLD;BASE;line..");
    // A table is the only other use of semicolons, and tails have none.
    let mut parts = body.split(';');
    // None where all its dims have but one element.
    let lines = parts.next().ok_or_else(wrong)?.split(',').filter(|line| !line.is_empty());
    let lines = lines.map(|line| line.parse().map_err(|_| wrong())).collect::<Result<_>>()?;
    let fold = parts.next().and_then(|part| part.parse().ok()).ok_or_else(wrong)?;
    let base = parse_number(parts.next().ok_or_else(wrong)?)?;
    let instead = parts.map(parse_line).collect::<Result<_>>()?;
    Ok(Tail { lines, fold, base, instead })
}

fn parse_number(text: &str) -> Result<isize> {
    text.parse().map_err(|_| Error::text(text, "a whole number"))
}

/// Of so many bytes.
fn parse_bits(text: &str, bytes: usize) -> Result<u64> {
    let digits = text.strip_prefix("0x").unwrap_or("");
    let bits = u64::from_str_radix(digits, 16).ok();
    let wanted = || format!("{} bits like 0x3f", 8 * bytes);
    bits.filter(|bits| bits >> (8 * bytes - 1) <= 1).ok_or_else(|| Error::text(text, wanted()))
}

#[cfg(test)]
mod tests {
    use crate::{Attr, Layout, Problem};

    #[test]
    fn text_says_the_same_problem() {
        let attr = Attr::new().src_scale(2).dst_zero_point(0).sum(-0.5);
        let quantized = Attr::new().dst_scale(1).s8s8_compensation(1).asymmetric_compensation(0);
        for (src, dst, attr) in [
            ("f32:nchw:1x64x56x56", "nhwc", &Attr::new()),
            ("f32:nchw:2x17x5x5", "s8:nChw16c:upper=0,0,1,1:fill=2", &attr),
            ("f32:oihw:20x5x3x3", "s8:OIhw4i16o4i", &quantized),
            ("u8:nhwc:1x9x5x5:lower=0,0,1,0", "bf8_xy16", &Attr::new()),
            ("u8:aB12b:3x50", "aB16b", &Attr::new()),
            ("u8:aB1000b:3x5000", "aB1024b", &Attr::new()),
            ("u8:nchw:1x2x0x3", "nhwc", &Attr::new()),
            ("u8:nChw4c:1x3x5x5", "nchw", &Attr::new()),
            (
                "f64:abc:1x1x1",
                "f64:digits(abc; a bc/3 bc%3; flip c):in=1x2x2:at=0,1,0",
                &Attr::new(),
            ),
        ] {
            let src: Layout = src.parse().unwrap();
            let dst = src.destination(dst).unwrap();
            let (problem, _) = Problem::new(&src, &dst, attr).unwrap();
            assert_eq!(problem.to_string().parse(), Ok(problem.clone()), "{problem}");
        }
    }

    /// However much of memory a tensor takes, or leads past the memory that is not its own.
    #[test]
    fn texts_of_the_largest_problems_read_back() {
        let sums = Attr::new().src_scale(5).s8s8_compensation(4);
        for (src, dst, attr) in [
            // Counted down.
            (
                "u8:digits(ab; ab%16 ab/16; flip a b):67108864x126606892071",
                "digits(ab; ab%96/32 ab%32 ab/96)",
                &Attr::new(),
            ),
            ("f32:digits(ab; ab; flip a):7x288230376151711744", "ab", &Attr::new()),
            // With a tail that takes the place of lines.
            (
                "u8:digits(abc; c b a; flip a c):1992939830881x64x65536",
                "digits(abc; bc/6 bc%6/2 a bc%2)",
                &Attr::new(),
            ),
            // Of few elements, with more padding than these are apart.
            ("f32:strides(1125899906842624):5", "A1048576a", &Attr::new()),
            ("f32:strides(1125899906842624):5", "a:lower=1048576", &Attr::new()),
            // Of blocks that are hardly ours.
            (
                "u8:digits(abcd; d b/4 a c%3 c%6/3 b%4 c/6; flip a b c):234649351134x14445x8x224",
                "digits(abcd; a/128 c%12 b d/32 a%32 d%32 c/12 a%128/32)",
                &Attr::new(),
            ),
            // Of two, half of what can be said apart, so that a step over both would be the longest one.
            (
                "u8:strides(-4611686018427387904):2:offset=4611686018427387904",
                "s32:digits(a; a/12 a%2 a%12/2; align a:6755399441055744):upper=2",
                &Attr::new().src_scale(0),
            ),
            // In a parent so large that steps beyond what is ours come round.
            (
                "s8:digits(abc; abc; flip b c):2x213962x4096:in=3x1262538x2199023259648:at=1,0,0",
                "digits(abc; a%8 a/32 a%32/8 c b; flip a c)",
                &sums,
            ),
            // In blocks that begin before it, counted from which it would be longer.
            (
                "s8:digits(a; a/5@4611686018427387904 a%5):7:offset=131072",
                "digits(a; a; align a:9223372036854775806; flip a)",
                &Attr::new().src_scale(0),
            ),
        ] {
            let src: Layout = src.parse().unwrap();
            let dst = src.destination(dst).unwrap();
            let (problem, _) = Problem::new(&src, &dst, attr).unwrap();
            assert_eq!(problem.to_string().parse(), Ok(problem.clone()), "{problem}");
        }
    }

    #[test]
    fn other_texts_are_errors() {
        // Each one position, so far out that five are more than can be summed.
        let most = isize::MAX;
        let zone = format!("{}..{most}", most - 1);
        let far = format!(" {most}(s{},d0)[{zone}|{zone}|{zone}]", most / 2).repeat(5);
        for text in [
            "",
            "f32",
            "f32>f32",
            "f32>f32 4",
            "f32>f32 4(x1)",
            "f32>f32 4(s1,d1)[0..5|0..4|0..4]",
            "f32>f32 4(s1,d1,t0/0)",
            "f32>f32 4(s1,d1,t0/0;4x0/0+1/1)",
            "f32>f32 4(s1,d1,t4x0/0)",
            "f32>f32 4(s1,d1,t4x0/0+1/1;0x0/0+1/1)",
            "f32>f32 4(s1,d1,t99999999999x0/0+1/1)",
            "f32>f32 9999(s1,d1,t9999x0/0+1/1)",
            "f32>f32 4(s1,d1,f0:1)",
            "f32>f32 4(s1,d1) fold(src,at0)",
            "f32>f32 4(s1,d1) tail(7;0;0)",
            "f32>f32 sum=1 4(s1,d1)",
            "f32>f32 sum=0x100000000 4(s1,d1)",
            "u8>u8 fill=0x100 4(s1,d1)",
            &format!("u8>u8{} fold(src,at0,4) tail(0;0;1(s0,d0))", " 1(s0,d0)".repeat(255)),
            "f32>f32 9223372036854775807(s4,d4) 9223372036854775807(s4,d4)",
            &format!("u8>u8{far} 3(s{most},d0) 3(s{most},d1)"),
        ] {
            assert!(text.parse::<Problem>().is_err(), "{text}");
        }
    }
}
