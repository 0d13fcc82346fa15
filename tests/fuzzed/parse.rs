//! Any bytes as the text of a layout, and as a destination's short form.

use retile::{Error, Layout};

/// Where `data` is a layout's text, the layout must print, parse back and answer every question; where it is
/// not, the error must print. Neither may panic.
pub(crate) fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match text.parse::<Layout>() {
        Ok(layout) => check_layout(&layout),
        Err(error) => check_error(&error),
    }
    let source: Layout = "f32:nchw:2x17x3x5".parse().expect("a plain source");
    match source.destination(text) {
        Ok(layout) => check_layout(&layout),
        Err(error) => check_error(&error),
    }
}

fn check_error(error: &Error) {
    assert!(!error.to_string().is_empty(), "{error:?} has no message");
}

fn check_layout(layout: &Layout) {
    check_text(layout);
    check_queries(layout);
    if !layout.is_empty() {
        check_offsets(layout);
    }
}

fn check_text(layout: &Layout) {
    let printed = layout.to_string();
    match printed.parse::<Layout>() {
        Ok(again) => {
            assert_eq!(again, *layout, "{printed} reads as another layout");
            assert_eq!(again.to_string(), printed, "equal layouts print equally");
        }
        Err(error) => panic!("{printed} is printed and refused: {error}"),
    }
}

fn check_queries(layout: &Layout) {
    let bytes = layout.size_bytes();
    assert_eq!(bytes, layout.size_elements() * layout.dtype().size());
    if layout.is_empty() {
        assert_eq!(bytes, 0, "{layout} is empty");
    }
    for (padded, &n) in layout.padded_dims().iter().zip(layout.dims()) {
        assert!(*padded >= n, "{layout}: padded to {padded}");
    }
    // Whatever these answer, they answer.
    let _ = layout.strides();
    let _ = layout.leading_dimension();
    let _ = layout.is_dense();
    let _ = layout.onednn_size_bytes();
    let _ = layout.check_destination();
    let _ = layout.digits();
}

fn check_offsets(layout: &Layout) {
    let end = layout.size_elements();
    let rank = layout.rank();
    // Every corner over the first six dims, the others all low or all high, margins included.
    let corners = rank.min(6);
    for corner in 0..2u32 << corners {
        let at: Vec<isize> = (0..rank)
            .map(|d| match corner >> d.min(corners) & 1 {
                0 => -(layout.lower(d) as isize),
                _ => (layout.dims()[d] + layout.upper(d)) as isize - 1,
            })
            .collect();
        match layout.offset_of(&at) {
            Ok(offset) => assert!(offset < end, "{layout}: {at:?} lies at {offset} of {end}"),
            Err(error) => panic!("{layout}: no offset of {at:?}: {error}"),
        }
    }
    // A step too far, on either side; a coordinate too many, and one too few.
    let refuse = |at: &[isize]| {
        let found = layout.offset_of(at);
        assert!(found.is_err(), "{layout}: {at:?} lies at {found:?}");
    };
    let mut at = vec![0; rank + 1];
    refuse(&at);
    at.truncate(rank);
    for d in 0..rank {
        at[d] = (layout.dims()[d] + layout.upper(d)) as isize;
        refuse(&at);
        at[d] = -(layout.lower(d) as isize) - 1;
        refuse(&at);
        at[d] = 0;
    }
    at.pop();
    refuse(&at);
    // All of a small one.
    let dims = layout.dims().iter();
    let elements = dims.fold(1usize, |n, &extent| n.saturating_mul(extent));
    if elements <= 512 {
        let inside = layout.offsets().filter(|&offset| offset < end).count();
        assert_eq!(inside, elements, "{layout}: offsets() strays");
    }
}
