//! Every name and tag against a second implementation of the layout model, over whole
//! footprints: shapes at the blocks' edges, margins, and row pitches.
#![cfg(not(miri))] // footprints by the hundred

mod common;
mod model;

use common::*;
use model::{Format, Placed, Window, random};

/// Draws a shape for a format, of few enough cells to look at all of them.
fn draw_window(draw: &mut Xorshift, format: &Format, with_margins: bool) -> Window {
    let rank = format.letters.len();
    let most = if rank > 6 { 2 } else { 3 };
    let mut dims: Vec<usize> = (0..rank)
        .map(|d| match format.rounding(d) {
            1 => draw.between(1, most),
            block => edge(draw, block),
        })
        .collect();
    let size = |w: &Window| Placed::new(format, w).aligned.iter().product::<i64>();
    while size(&Window::new(&dims)) > 6000 && dims.iter().any(|&n| n > 1) {
        let largest = (0..rank).max_by_key(|&d| dims[d]).unwrap();
        dims[largest] = dims[largest].div_ceil(3);
    }
    let mut window = Window::new(&dims);
    if with_margins {
        random::margins(draw, &mut window);
        // Two margins at most where there are many dims, and none past a size worth walking.
        for d in 3..rank {
            (window.lower[d], window.upper[d]) = (0, 0);
        }
        if size(&window) > 20_000 {
            window = Window::new(&dims);
        }
    }
    random::fit(format, &mut window);
    if format.has_pitch() {
        window.pitch = draw.pick(&[None, Some(1), Some(5), Some(16), Some(64)]);
    }
    window
}

/// Everything a layout says about its places, against the model.
fn compare(text: &str, placed: &Placed, failures: &mut Failures) {
    let layout = match text.parse::<Layout>() {
        Ok(layout) => layout,
        Err(error) => return failures.add(format!("{text}: {error}")),
    };
    let dims = placed.window.dims();
    let (low, high) = placed.window.bounds();
    let mut wrong = |what: String| failures.add(format!("{text}: {what}"));
    for i in grid(&low, &high) {
        let found = layout.offset_of(&i).ok();
        let expected = placed.offset_of(&i) as usize;
        if found != Some(expected) {
            return wrong(format!("{i:?} at {found:?}, expected {expected}"));
        }
    }
    if layout.dims() != dims {
        wrong(format!("dims {:?}", layout.dims()));
    }
    let size = layout.size_elements();
    if size as i64 != placed.size() || layout.size_bytes() != size * layout.dtype().size() {
        wrong(format!("{size} elements, expected {}", placed.size()));
    }
    for (d, found) in layout.padded_dims().into_iter().enumerate() {
        if placed.padded(d).is_some_and(|expected| expected != found as i64) {
            wrong(format!("dim {d} is padded to {found}, not {:?}", placed.padded(d)));
        }
        let margins = (layout.lower(d) as i64, layout.upper(d) as i64);
        if margins != (placed.window.lower[d], placed.window.upper[d]) {
            wrong(format!("dim {d} has margins {margins:?}"));
        }
    }
    if let Err(what) = same_footprint(&layout, placed) {
        wrong(what);
    }
    if let Err(error) = layout.check_destination() {
        wrong(format!("no destination: {error}"));
    }
}

/// Every place of the footprint once, none outside the size, each in its role.
fn same_footprint(layout: &Layout, placed: &Placed) -> Result<(), String> {
    let rank = layout.rank();
    let mut roles = vec![None; layout.size_elements()];
    for cell in layout.cells() {
        let Some(role) = roles.get_mut(cell.offset) else {
            return Err(format!("a cell at {}, outside the size", cell.offset));
        };
        if role.replace(cell.role).is_some() {
            return Err(format!("two cells at {}", cell.offset));
        }
        let coords = &cell.coords[..rank];
        if cell.role != Role::Tail && layout.offset_of(coords).ok() != Some(cell.offset) {
            return Err(format!("{coords:?} is said to lie at {}", cell.offset));
        }
        let inside = coords.iter().zip(layout.dims()).all(|(&i, &n)| (0..n as isize).contains(&i));
        if cell.role != Role::Tail && inside != (cell.role == Role::Element) {
            return Err(format!("{coords:?} is called {:?}", cell.role));
        }
    }
    let mut expected = vec![None; layout.size_elements()];
    for (offset, role) in placed.cells() {
        expected[offset as usize] = Some(role);
    }
    if let Some(at) = (0..roles.len()).find(|&at| roles[at] != expected[at]) {
        return Err(format!("place {at} is {:?}, expected {:?}", roles[at], expected[at]));
    }
    let count = |role| roles.iter().filter(|&&r| r == Some(role)).count() as i64;
    let window = &placed.window;
    let product = |of: &dyn Fn(usize) -> i64| (0..rank).map(of).product::<i64>();
    let (own, inner) = (product(&|d| window.own(d)), product(&|d| window.n[d]));
    match (count(Role::Element), count(Role::Margin)) {
        counts if counts == (inner, own - inner) => Ok(()),
        counts => Err(format!("{counts:?} elements and margins, not {:?}", (inner, own - inner))),
    }
}

#[test]
fn every_tag_over_its_whole_footprint() {
    let mut failures = Failures::default();
    let mut draw = Xorshift::new(873);
    let mut checked = 0;
    for row in rows(TAGS) {
        let format = Format::tag(row[0]);
        for with_margins in [false, true, false, true] {
            let window = draw_window(&mut draw, &format, with_margins);
            let placed = Placed::new(&format, &window);
            compare(&format!("u8:{}:{}", row[0], window.text()), &placed, &mut failures);
            checked += 1;
        }
    }
    failures.none(checked);
}

#[test]
fn every_name_over_its_whole_footprint() {
    let mut failures = Failures::default();
    let mut draw = Xorshift::new(275);
    let mut checked = 0;
    for name in names() {
        let format = name.format();
        for round in 0..6 {
            let mut window = draw_window(&mut draw, &format, round % 2 == 1);
            name.fit(&mut window);
            let placed = Placed::new(&format, &window);
            let text = format!("f16:{}:{}", name.text(), window.text());
            compare(&text, &placed, &mut failures);
            checked += 1;
        }
    }
    failures.none(checked);
}

/// The digits of a name, spelt out, are the name.
#[test]
fn every_name_by_its_digits() {
    let mut failures = Failures::default();
    let mut draw = Xorshift::new(276);
    for name in names() {
        let format = name.format();
        let mut window = draw_window(&mut draw, &format, true);
        name.fit(&mut window);
        let of = |format: &str| format!("u8:{format}:{}", window.text()).parse::<Layout>();
        let (named, spelt) = (of(&name.text()), of(&format.text()));
        let same = matches!((&named, &spelt), (Ok(named), Ok(spelt)) if named == spelt);
        failures.check(same, || {
            format!("{} by name, {} by {}", told(&named), told(&spelt), format.text())
        });
    }
    failures.none(275);
}

/// An odd X has a slab of its own outside the digits: refused. The digits themselves stand.
#[test]
fn an_odd_x_of_the_ao32_names() {
    let with_slab: Vec<Name> = names().into_iter().filter(Name::wants_even_x).collect();
    assert_eq!(with_slab.len(), 6);
    for name in with_slab {
        let dims = &"3x20x2x3x4"[if name.letters.len() == 5 { 0 } else { 2 }..];
        let even = layout(&format!("u8:{}:{dims}", name.text()));
        let odd = dims.replace("x4", "x5");
        let error = refused(&format!("u8:{}:{odd}", name.text()));
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{}: {error}", name.text());
        assert!(error.to_string().contains(name.name), "{error}");
        let digits = layout(&format!("u8:{}:{odd}", name.format().text()));
        assert_eq!(digits.dims()[..2], even.dims()[..2]);
    }
}

/// A fixed extent holds its margins too, and no more than its extent.
#[test]
fn a_fixed_extent_is_a_limit() {
    let rgba = layout("u8:image_2d_rgba:1x3x2x5:pitch=32");
    assert_eq!(rgba.padded_dims()[1], 4);
    for channels in [0, 1, 4] {
        layout(&format!("u8:image_2d_rgba:1x{channels}x2x5"));
    }
    for text in [
        "u8:image_2d_rgba:1x5x2x5",
        "u8:image_2d_rgba:1x4x2x5:upper=0,1,0,0",
        "u8:digits(ab; a b; fix b:3):2x4",
    ] {
        assert_eq!(refused(text).kind(), ErrorKind::Invalid, "{text}");
    }
}

/// As many rows as there are, each as long as the pitch, wherever its last element is.
#[test]
fn the_last_row_is_as_long_as_all_others() {
    for text in ["f32:digits(ab; a | b@2):4x4:pitch=7", "f32:digits(ab; a | b):4x4:pitch=14"] {
        assert_eq!(layout(text).size_elements(), 4 * 14, "{text}");
    }
    // Only who reaches the end of the rows has what is behind the last.
    assert_eq!(
        layout("f32:digits(ab; a | b@2):4x3:pitch=7:in=4x4:at=0,0").size_elements(),
        3 * 14 + 5
    );
}

/// What clDNN's document calls zero padding, and what a margin is beside it.
#[test]
fn roles_of_a_padded_block() {
    let l = layout("u8:b_fs_yx_fsv16:1x3x1x2:lower=0,2,0,0:upper=0,0,0,1");
    let mut roles = vec![' '; l.size_elements()];
    for cell in l.cells() {
        roles[cell.offset] = letter(cell.role);
    }
    assert_eq!(
        roles.iter().collect::<String>(),
        "mmeeetttttttttttmmeeetttttttttttmmmmmttttttttttt"
    );
}
