//! Pairs of layouts of about 2^16 elements that bring conversions to all that code has for them: whole registers and
//! parts, transposed, in blocks, in rows with gaps, backwards, and a few elements at a time.

use retile::{Layout, Role};

/// How many inputs each of them takes at least.
pub(crate) const LEAST: usize = 1 << 16;

/// Where elements come from and go to.
pub(crate) struct Shape {
    /// Formats and dims.
    pub(crate) src: &'static str,
    pub(crate) dst: &'static str,
    pub(crate) dims: String,
    /// By element, in the order of the destination: its place in the source.
    pub(crate) places: Vec<usize>,
    /// Elements of the destination that follow one another: from where on, and how many.
    pub(crate) runs: Vec<(usize, usize)>,
    /// Places of the destination that are zero.
    pub(crate) tails: Vec<usize>,
    /// Elements that both buffers have room for.
    pub(crate) sizes: [usize; 2],
    /// Where calls start, and how many elements each of them has; none: one call of all.
    pub(crate) pieces: Vec<(usize, usize)>,
}

/// How many there are.
pub(crate) const SHAPES: usize = FORMATS.len() + 1;

const FORMATS: [(&str, &str, &str); 10] = [
    ("a", "a", "65536"),
    ("ba", "ab", "257x256"),
    ("ab", "ba", "21846x3"),
    ("ba", "ab", "21846x3"),
    ("ab", "aB16b", "1129x59"),
    ("AB16b4a", "ab", "1129x59"),
    ("strides(71,1)", "strides(64,1)", "1129x59"),
    ("strides(59,-1)", "ab", "1129x59"),
    ("ab", "Ba4b", "59x1129"),
    ("abcd", "OIhw4i16o4i", "37x45x7x6"),
];

/// All shapes; that of a few elements at a time has every `every`th length from `first` on.
pub(crate) fn all(first: usize, every: usize) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = FORMATS.into_iter().map(Shape::new).collect();
    shapes.insert(2, Shape::short(first, every));
    shapes
}

impl Shape {
    fn new((from, to, dims): (&'static str, &'static str, &str)) -> Shape {
        let shape = Shape {
            src: from,
            dst: to,
            dims: dims.to_string(),
            places: Vec::new(),
            runs: Vec::new(),
            tails: Vec::new(),
            sizes: [0; 2],
            pieces: Vec::new(),
        };
        // Of bytes, places are those of elements of any type.
        let [src, dst] = [shape.layout("u8", from), shape.layout("u8", to)];
        let mut cells: Vec<(usize, Option<usize>)> = dst
            .cells()
            .map(|cell| {
                let at = &cell.coords[..dst.rank()];
                let element = cell.role == Role::Element;
                (cell.offset, element.then(|| src.offset_of(at).unwrap()))
            })
            .collect();
        cells.sort_unstable();
        let (mut places, mut runs, mut tails) = (Vec::new(), Vec::<(usize, usize)>::new(), vec![]);
        for (offset, place) in cells {
            let Some(place) = place else {
                tails.push(offset);
                continue;
            };
            places.push(place);
            match runs.last_mut() {
                Some((start, count)) if *start + *count == offset => *count += 1,
                _ => runs.push((offset, 1)),
            }
        }
        assert!(places.len() >= LEAST, "{from} {to}: {} elements", places.len());
        let sizes = [src.size_elements(), dst.size_elements()];
        Shape { places, runs, tails, sizes, ..shape }
    }

    /// A row cut into pieces of many lengths, again and again.
    fn short(first: usize, every: usize) -> Shape {
        let lengths = (1..=67).chain([79, 95, 96, 97, 127, 128, 129, 191, 255, 257]).skip(first);
        let lengths: Vec<usize> = lengths.step_by(every).collect();
        let mut shape = Shape::new(("a", "a", "65536"));
        let mut start = 0;
        let mut turn = 0;
        while start < LEAST {
            let length = lengths[turn % lengths.len()].min(LEAST - start);
            shape.pieces.push((start, length));
            start += length;
            turn += 1;
        }
        shape
    }

    pub(crate) fn layout(&self, dtype: &str, format: &str) -> Layout {
        let offset = if format.contains(",-1") { ":offset=58" } else { "" };
        format!("{dtype}:{format}:{}{offset}", self.dims).parse().unwrap()
    }
}
