//! Views of layouts drawn at random: region, permute, flip, broadcast and reshape say the
//! parent's places at mapped coordinates.

mod common;
mod model;

use common::*;
use model::random::{self, Sample};
use proptest::prelude::*;
use retile::{Attr, Problem};

fn sample(draw: &mut Choices) -> Sample {
    random::any(draw, &names())
}

/// A view, and where each of its elements lies in the layout it was taken of.
struct View {
    layout: Layout,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
enum Step {
    Region(Vec<usize>, Vec<usize>),
    Permute(Vec<usize>),
    /// The mask, and the extents it acts on.
    Flip(u32, Vec<usize>),
}

impl Step {
    fn back(&self, i: Vec<isize>) -> Vec<isize> {
        match self {
            Self::Region(at, _) => i.iter().zip(at).map(|(i, &at)| i + at as isize).collect(),
            Self::Permute(axes) => {
                let mut old = i.clone();
                for (new, &axis) in axes.iter().enumerate() {
                    old[axis] = i[new];
                }
                old
            }
            Self::Flip(mask, dims) => {
                let flip = |(d, &i): (usize, &isize)| match mask >> d & 1 {
                    1 => dims[d] as isize - 1 - i,
                    _ => i,
                };
                i.iter().enumerate().map(flip).collect()
            }
        }
    }
}

impl View {
    fn take(&mut self, step: Step) {
        let view = match &step {
            Step::Region(at, dims) => self.layout.region(at, dims),
            Step::Permute(axes) => self.layout.permute(axes),
            Step::Flip(mask, _) => self.layout.flip(*mask),
        };
        self.layout = view.unwrap_or_else(|e| panic!("{} {step:?}: {e}", self.layout));
        self.steps.push(step);
    }

    fn random_step(&mut self, draw: &mut Choices, kind: usize) {
        let dims = self.layout.dims().to_vec();
        self.take(match kind {
            0 => {
                let at: Vec<usize> = dims.iter().map(|&n| draw.below(n)).collect();
                let size = |(&n, &at): (&usize, &usize)| draw.between(1, n - at);
                Step::Region(at.clone(), dims.iter().zip(&at).map(size).collect())
            }
            1 => {
                let mut axes: Vec<usize> = (0..dims.len()).collect();
                draw.shuffle(&mut axes);
                Step::Permute(axes)
            }
            _ => Step::Flip(draw.below(1 << dims.len()) as u32, dims),
        });
    }

    /// The view's offsets are the parent's, its text says the same, its footprint is inside.
    fn agrees_with(&self, parent: &Layout) -> Result<(), TestCaseError> {
        let l = &self.layout;
        for i in elements(l.dims()) {
            let old = self.steps.iter().rev().fold(i.clone(), |i, step| step.back(i));
            prop_assert_eq!(
                offset(l, &i),
                offset(parent, &old),
                "{} {:?} at {:?}",
                parent,
                self.steps,
                i
            );
        }
        let text = l.to_string();
        let again = text.parse::<Layout>();
        let again = again.map_err(|e| TestCaseError::fail(format!("{text} of {parent}: {e}")))?;
        prop_assert_eq!(&again, l, "printed as {}, a view of {}", text, parent);
        prop_assert_eq!(again.to_string(), text);
        prop_assert_eq!(footprint(&again), footprint(l));
        for cell in l.cells() {
            prop_assert!((cell.offset + 1) * l.dtype().size() <= l.size_bytes(), "{l}");
            if cell.role != Role::Tail {
                prop_assert_eq!(offset(l, &cell.coords[..l.rank()]), cell.offset, "{}", l);
            }
        }
        Ok(())
    }
}

fn places(l: &Layout) -> Vec<usize> {
    footprint(l).into_iter().map(|(offset, _)| offset).collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn views_of_views(choices in choices()) {
        let mut draw = Choices::new(choices);
        let parent = sample(&mut draw).layout();
        let mut view = View { layout: parent.clone(), steps: Vec::new() };
        for _ in 0..draw.between(1, 4) {
            let kind = draw.below(3);
            view.random_step(&mut draw, kind);
        }
        view.agrees_with(&parent)?;
    }

    /// On blocked layouts, at offsets that no block divides.
    #[test]
    fn region_of_region_permuted_and_flipped(choices in choices()) {
        let mut draw = Choices::new(choices);
        let parent = random::tag(&mut draw).layout();
        let mut view = View { layout: parent.clone(), steps: Vec::new() };
        for kind in [0, 0, 1, 2] {
            view.random_step(&mut draw, kind);
            view.agrees_with(&parent)?;
        }
        // A region twice is one region.
        let [Step::Region(a, _), Step::Region(b, dims), ..] = &view.steps[..] else { panic!() };
        let at: Vec<usize> = a.iter().zip(b).map(|(a, b)| a + b).collect();
        let once = parent.region(&at, dims).unwrap();
        let first = parent.region(a, parent_of(&view)).unwrap();
        prop_assert_eq!(once, first.region(b, dims).unwrap());
    }

    /// Permuting or flipping moves no place and no role, margins included.
    #[test]
    fn permute_and_flip_keep_the_footprint(choices in choices()) {
        let mut draw = Choices::new(choices);
        let parent = sample(&mut draw).layout();
        let (rank, dims) = (parent.rank(), parent.dims().to_vec());
        let mut axes: Vec<usize> = (0..rank).collect();
        draw.shuffle(&mut axes);
        let mask = draw.below(1 << rank) as u32;
        let permuted = parent.permute(&axes).unwrap();
        let flipped = parent.flip(mask).unwrap();
        for view in [&permuted, &flipped] {
            prop_assert_eq!(footprint(view), footprint(&parent), "{} of {}", view, parent);
            prop_assert_eq!(view.size_bytes(), parent.size_bytes(), "{} of {}", view, parent);
            prop_assert_eq!(view.is_dense(), parent.is_dense());
        }
        let low: Vec<isize> = (0..rank).map(|d| -(parent.lower(d) as isize)).collect();
        let high: Vec<isize> = (0..rank).map(|d| (dims[d] + parent.upper(d)) as isize).collect();
        for i in grid(&low, &high) {
            let moved: Vec<isize> = axes.iter().map(|&axis| i[axis]).collect();
            prop_assert_eq!(offset(&permuted, &moved), offset(&parent, &i), "{} {:?}", parent, axes);
            let mirrored = Step::Flip(mask, dims.clone()).back(i.clone());
            prop_assert_eq!(offset(&flipped, &mirrored), offset(&parent, &i), "{} {}", parent, mask);
        }
        prop_assert_eq!(&flipped.flip(mask).unwrap(), &parent);
        let mut inverse = axes.clone();
        for (new, &axis) in axes.iter().enumerate() {
            inverse[axis] = new;
        }
        prop_assert_eq!(&permuted.permute(&inverse).unwrap(), &parent);
    }

    /// "A region owns the parent's block tail of a dim only where it reaches that dim's end":
    /// so the 2^k corners of a cut parent own each of its places once.
    #[test]
    fn corners_partition_the_parent(choices in choices()) {
        let mut draw = Choices::new(choices);
        let sample = sample(&mut draw);
        if !sample.injective || sample.has_margins() {
            return Ok(());
        }
        let parent = sample.layout();
        let dims = parent.dims();
        let cuts: Vec<usize> = dims.iter().map(|&n| draw.below(n)).collect();
        let mut owned = Vec::new();
        for corner in 0..1usize << dims.len() {
            let (mut at, mut size) = (Vec::new(), Vec::new());
            for (d, &n) in dims.iter().enumerate() {
                let second = corner >> d & 1 == 1;
                at.push(if second { cuts[d] } else { 0 });
                size.push(if second { n - cuts[d] } else { cuts[d] });
            }
            let part = parent.region(&at, &size).unwrap();
            owned.extend(footprint(&part));
            if parent.check_destination().is_ok() {
                prop_assert!(part.check_destination().is_ok(), "{part} of {parent}");
            }
        }
        owned.sort_unstable();
        prop_assert_eq!(owned, footprint(&parent), "{} cut at {:?}", sample.text, cuts);
    }

    /// A parent's margins are the parent's: its regions have none and do not reach past one.
    #[test]
    fn regions_leave_margins_alone(choices in choices()) {
        let mut draw = Choices::new(choices);
        let sample = sample(&mut draw);
        let parent = sample.layout();
        let whole = parent.region(&vec![0; parent.rank()], parent.dims()).unwrap();
        for d in 0..parent.rank() {
            prop_assert_eq!((whole.lower(d), whole.upper(d)), (0, 0));
        }
        let ours = places(&parent);
        for cell in whole.cells() {
            prop_assert!(cell.role != Role::Margin, "{} of {}", whole, parent);
            prop_assert!(ours.binary_search(&cell.offset).is_ok(), "{} of {}", whole, parent);
        }
        let elements = |l: &Layout| footprint(l).iter().filter(|cell| cell.1 == 'e').count();
        prop_assert_eq!(elements(&whole), elements(&parent));
    }

    #[test]
    fn broadcast_repeats(choices in choices()) {
        let mut draw = Choices::new(choices);
        let sample = sample(&mut draw);
        if sample.has_margins() {
            return Ok(());
        }
        let parent = sample.layout();
        let wider = |&n: &usize| if n == 1 { draw.between(1, 3) } else { n };
        let mut dims: Vec<usize> = parent.dims().iter().map(wider).collect();
        let before = draw.below(3);
        dims.splice(0..0, (0..before).map(|_| 2));
        let view = match parent.broadcast(&dims) {
            Ok(view) => view,
            // Where a block holds the one element, strides need not say it.
            Err(_) if parent.strides().is_none() => return Ok(()),
            Err(error) => panic!("{parent} to {dims:?}: {error}"),
        };
        prop_assert_eq!(view.dims(), &dims);
        for i in elements(&dims) {
            let inner = i[before..].iter().zip(parent.dims());
            let old: Vec<isize> = inner.map(|(&i, &n)| if n == 1 { 0 } else { i }).collect();
            prop_assert_eq!(offset(&view, &i), offset(&parent, &old), "{} to {:?}", parent, dims);
        }
        prop_assert_eq!(&layout(&view.to_string()), &view);
    }

    #[test]
    fn reshape_keeps_the_order(choices in choices()) {
        let mut draw = Choices::new(choices);
        let sample = sample(&mut draw);
        let mut view = View { layout: sample.layout(), steps: Vec::new() };
        for _ in 0..draw.below(3) {
            let kind = draw.pick(&[0, 2]);
            view.random_step(&mut draw, kind);
        }
        let parent = view.layout;
        // Cut the count into random factors.
        let mut left: usize = parent.dims().iter().product();
        let mut dims = Vec::new();
        for _ in 0..draw.below(5) {
            let factor = draw.pick(&[2, 3, 4, 5, 1, 6]);
            if left.is_multiple_of(factor) {
                dims.push(factor);
                left /= factor;
            }
        }
        dims.push(left);
        draw.shuffle(&mut dims);
        let Ok(view) = parent.reshape(&dims) else {
            let row_major = Layout::row_major(parent.dtype(), parent.dims()).unwrap();
            prop_assert_ne!(parent, row_major, "not to {:?}", dims);
            return Ok(());
        };
        for (index, i) in elements(&dims).enumerate() {
            let old = unravel(index, parent.dims());
            prop_assert_eq!(offset(&view, &i), offset(&parent, &old), "{} to {:?}", parent, dims);
        }
        prop_assert_eq!(footprint(&view), footprint(&parent), "{} to {:?}", parent, dims);
        prop_assert_eq!(&layout(&view.to_string()), &view);
    }
}

/// The extents of a view's first region.
fn parent_of(view: &View) -> &[usize] {
    match &view.steps[0] {
        Step::Region(_, dims) => dims,
        step => panic!("{step:?}"),
    }
}

/// NumPy's rule on what is a view: dims that lie as one can be cut and joined.
#[test]
fn reshapes_of_strides() {
    for (from, to, expected) in [
        ("2x6:strides(6,1)", "12", Some("strides(1)")),
        ("2x6:strides(12,2)", "12", Some("strides(2)")),
        ("2x6:strides(12,2)", "4x3", Some("strides(6,2)")),
        ("2x6:strides(12,1)", "2x2x3", Some("strides(12,3,1)")),
        ("2x6:strides(1,2)", "2x3x2", Some("strides(1,4,2)")),
        ("2x6:strides(12,1)", "2x1x6", Some("strides(12,6,1)")),
        ("3x1x4:strides(4,99,1)", "12", Some("strides(1)")),
        ("2x3:strides(0,0)", "6", Some("strides(0)")),
        ("2x6:strides(12,1)", "12", None),
        ("2x6:strides(1,2)", "12", None),
        ("2x6:strides(1,2)", "6x2", None),
        ("2x2:strides(5,4611686018427387904)", "4", None),
        ("16x4x5:strides(2147483648,2305843009213693952,4)", "64x5", None),
    ] {
        let (dims, format) = from.split_once(':').unwrap();
        let parent = layout(&format!("u8:{format}:{dims}:offset=5"));
        let found = parent.reshape(&numbers::<usize>(to, 'x'));
        match (&found, expected) {
            (Ok(view), Some(format)) => {
                let expected = layout(&format!("u8:{format}:{to}:offset=5"));
                let all = elements(view.dims());
                all.for_each(|i| assert_eq!(offset(view, &i), offset(&expected, &i), "{from}"));
            }
            (Err(error), None) => assert_eq!(error.kind(), ErrorKind::Invalid, "{from} to {to}"),
            _ => panic!("{from} to {to}: {found:?}, expected {expected:?}"),
        }
    }
    // Dims of extent 1 come and go.
    let blocked = layout("u8:abcd:2x1x3x5").reshape(&[2, 3, 1, 5]).unwrap();
    assert_eq!(offset(&blocked, &[1, 2, 0, 4]), 29);
}

#[test]
fn impossible_views() {
    let l = layout("f32:nChw16c:2x20x3x5");
    let negative = layout("f32:strides(-5,1):3x5:offset=10");
    for (what, view) in [
        ("region past the end", l.region(&[0, 17, 0, 0], &[2, 4, 3, 5])),
        ("region far out", l.region(&[0, usize::MAX, 0, 0], &[2, 4, 3, 5])),
        ("region of rank 3", l.region(&[0, 0, 0], &[2, 4, 3])),
        ("region of two ranks", l.region(&[0, 0, 0, 0], &[2, 4, 3])),
        ("axis twice", l.permute(&[0, 1, 1, 3])),
        ("no such axis", l.permute(&[0, 1, 2, 4])),
        ("axis left out", l.permute(&[0, 1, 2])),
        ("flip of no dim", l.flip(1 << 4)),
        ("broadcast of 20 to 40", l.broadcast(&[2, 40, 3, 5])),
        ("broadcast to a smaller rank", l.broadcast(&[20, 3, 5])),
        ("broadcast to rank 13", l.broadcast(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 20, 3, 5])),
        ("reshape to another count", l.reshape(&[2, 20, 16])),
        ("reshape to rank 13", negative.reshape(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 5])),
        ("reshape to rank 0", layout("u8:a:1").reshape(&[])),
    ] {
        match view {
            Err(error) => assert_eq!(error.kind(), ErrorKind::Invalid, "{what}: {error}"),
            Ok(view) => panic!("{what}: {view}"),
        }
    }
}

/// It adds nothing to the number that they make; one of several would.
#[test]
fn a_single_position_of_merged_dims_repeats() {
    let repeated = layout("f32:digits(abc; c ab):2x1x3").broadcast(&[2, 4, 3]).unwrap();
    assert_eq!(repeated.strides().unwrap(), [1, 0, 2], "{repeated}");
    assert_eq!(
        layout("f32:digits(ab; ab):1x3").broadcast(&[4, 3]).unwrap().strides().unwrap(),
        [0, 1]
    );
    let part = layout("f32:digits(ab; ab):1x3:in=2x3:at=1,0").broadcast(&[4, 3]).unwrap_err();
    assert_eq!(part.kind(), ErrorKind::Unsupported, "{part}");
}

/// A parent's other end may be further than an address can say; ours is not there.
#[test]
fn flips_of_parents_beyond_memory() {
    let l = layout("u8:strides(2305843009213693952,1):2x3:in=5x4:at=1,0");
    let turned = l.flip(1).unwrap();
    for i in elements(l.dims()) {
        assert_eq!(offset(&turned, &[1 - i[0], i[1]]), offset(&l, &i), "{turned}");
    }
    assert_eq!(layout(&turned.to_string()), turned);
    assert_eq!(turned.flip(1).unwrap(), l);
    // The dims of a merged axis are walked as it counts them, on both sides.
    let merged = layout("u8:digits(ab; ab; flip a):2x3");
    assert!(Problem::new(&l, &merged, &Attr::new()).is_ok());
}

/// Which dims a negative stride says is decided for all together, and again from the text.
#[test]
fn flips_at_the_last_offset() {
    for text in [
        "bool:strides(-73,63,-4294967297):1x1x7:offset=9223372036854775807:in=5x6x15:at=3,4,4",
        "u8:strides(1,4611686018427387904,-4611686018427387904):4x1x1:offset=100:in=9x5x5:at=1,3,3",
    ] {
        let whole: Layout = text.parse().unwrap();
        for mask in 0..8 {
            let flipped = whole.flip(mask).unwrap();
            assert_eq!(flipped.to_string().parse().as_ref(), Ok(&flipped), "{text} {mask}");
            assert_eq!(flipped.flip(mask).unwrap(), whole, "{text} {mask}");
        }
    }
}

/// Nothing is owned of what is empty, and its padding is known all the same, as oneDNN's descriptors have it.
#[test]
fn padding_of_nothing() {
    for (text, padded) in [
        ("f32:nchw:0x2x3x4:lower=1,0,0,1", [1, 2, 3, 5]),
        ("f32:nChw8c:0x11x2x3", [0, 16, 2, 3]),
        ("f32:nChw8c:1x0x2x3:in=1x11x2x3:at=0,11,0,0", [1, 5, 2, 3]),
        ("f32:nChw8c:1x0x2x3:in=1x11x2x3:at=0,3,0,0:lower=0,2,0,0", [1, 2, 2, 3]),
    ] {
        let l = layout(text);
        assert_eq!(l.padded_dims(), padded, "{text}");
        assert_eq!((l.size_bytes(), l.cells().count()), (0, 0), "{text}");
    }
    let empty = layout("f32:nChw8c:0x11x2x3");
    let desc = empty.blocking().unwrap();
    assert_eq!(Layout::blocked(empty.dtype(), &desc.as_blocking()).unwrap(), empty);
}

/// A window said in text is the region of the parent, margins on our side included.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn windows_in_text() {
    let parent = layout("u8:nChw16c:1x64x9x9");
    let region = parent.region(&[0, 17, 2, 1], &[1, 20, 5, 6]).unwrap();
    assert_eq!(region, layout("u8:nChw16c:1x20x5x6:in=1x64x9x9:at=0,17,2,1"));
    assert!(region.is_region() && !parent.is_region());
    assert_eq!(region.padded_dims(), [1, 20, 5, 6]);
    // To the end of the channels: their tail comes along.
    let parent = layout("u8:nChw16c:1x60x9x9");
    let inside = parent.region(&[0, 17, 0, 0], &[1, 20, 9, 9]).unwrap();
    assert_eq!(inside.padded_dims(), [1, 20, 9, 9]);
    let end = parent.region(&[0, 40, 0, 0], &[1, 20, 9, 9]).unwrap();
    assert_eq!(end.padded_dims(), [1, 24, 9, 9]);
    assert_eq!(end.cells().filter(|c| c.role == Role::Tail).count(), 4 * 81);
    // In memory it lies behind the first element of a dim that is counted backwards.
    let turned = parent.flip(1 << 1).unwrap();
    let first = turned.region(&[0, 0, 0, 0], &[1, 20, 9, 9]).unwrap();
    assert_eq!(first.padded_dims(), [1, 24, 9, 9]);
    let last = turned.region(&[0, 40, 0, 0], &[1, 20, 9, 9]).unwrap();
    assert_eq!(last.padded_dims(), [1, 20, 9, 9]);
    // Our own margin, inside the parent's window.
    let l = layout("u8:ab:2x3:lower=1,1:upper=0,1:in=5x8:at=1,2:fill=9");
    assert_eq!((offset(&l, &[-1, -1]), offset(&l, &[0, 0])), (10, 19));
    assert_eq!(l.cells().filter(|c| c.role == Role::Margin).count(), 15 - 6);
    assert_eq!(l.size_elements(), 3 * 8 + 2 + 5);
}

/// What oneDNN would take for a part of a tensor has each element where the part has it, or there is no descriptor.
#[test]
fn descriptors_of_regions() {
    for (text, has) in [
        ("f32:ab:2x2:in=4x4:at=1,1", true),
        ("f32:ba:2x3:in=5x7:at=2,3:offset=11", true),
        ("f32:aB4b:2x4:in=4x8:at=1,4", true),
        ("f32:aB4b:2x5:in=4x9:at=1,4", true),
        ("f32:aB4b:2x3:in=4x8:at=1,4", false),
        ("f32:aB4b:2x4:in=4x8:at=1,2", false),
        // Nor do margins have a place of their own there.
        ("f32:ab:2x3:lower=0,1:upper=1,0", true),
        ("f32:aB4b:2x4:lower=1,4", true),
        ("f32:aB4b:2x4:lower=0,2:upper=0,2", false),
        ("f32:ab:2x3:lower=1,1:upper=0,1:in=5x8:at=1,2", true),
    ] {
        let part: Layout = text.parse().unwrap();
        let desc = part.blocking();
        assert_eq!(desc.is_some(), has, "{text}");
        let Some(desc) = desc else { continue };
        let again = Layout::blocked(part.dtype(), &desc.as_blocking()).unwrap();
        for at in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            assert_eq!(again.offset_of(&at).unwrap(), part.offset_of(&at).unwrap(), "{text}");
        }
    }
}
