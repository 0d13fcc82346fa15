//! Windows far along parents that are as long as an address can say, with offsets that bring them back to where they
//! were.

use retile::{DigitView, Layout};

use super::Choices;

/// The same elements at the same places, some of the dims within longer parents; nothing where a text cannot say so.
pub(super) fn far(choices: &mut Choices<'_>, layout: &Layout) -> Option<Layout> {
    if layout.to_string().contains('|') {
        return None;
    }
    let letters =
        |dims: &[usize]| -> String { dims.iter().map(|&d| char::from(b'a' + d as u8)).collect() };
    let views = layout.digits();
    let (mut offset, mut marks, mut flipped) = (layout.offset(), String::new(), String::new());
    let mut windows = layout.windows().to_vec();
    for top in views.iter().filter(|digit| digit.top) {
        let unit = top.divisor as isize;
        let mut extent = unit * top.radix as isize;
        if let &[d] = top.dims.as_slice()
            && windows[d].fixed.is_none()
            && !choices.rarely(3)
        {
            let mut steps = steps(choices, top, extent);
            match offset.checked_sub(steps * top.stride) {
                Some(back) => offset = back,
                None => steps = 0,
            }
            let room = (isize::MAX - extent) / unit - steps;
            let beyond = if choices.rarely(2) { room >> choices.below(4) } else { 0 };
            let (before, after) = match windows[d].reversed {
                false => (steps, beyond),
                true => (beyond, steps),
            };
            windows[d].before += before * unit;
            windows[d].after += after * unit;
            extent += (steps + beyond) * unit;
        }
        let stored: isize = top.dims.iter().map(|&d| windows[d].extent()).product();
        if stored + (unit - stored % unit) % unit != extent {
            marks += &format!("; align {}:{extent}", letters(&top.dims));
        }
    }
    for (d, window) in windows.iter().enumerate() {
        if let Some(fixed) = window.fixed {
            marks += &format!("; fix {}:{fixed}", letters(&[d]));
        }
        if window.reversed {
            flipped += &format!(" {}", letters(&[d]));
        }
    }
    if !flipped.is_empty() {
        marks += &format!("; flip{flipped}");
    }
    let digit = |digit: &DigitView| {
        let (axis, divisor, stride) = (letters(&digit.dims), digit.divisor, digit.stride);
        match digit.top {
            true => format!("{axis}/{divisor}@{stride}"),
            false => format!("{axis}%{}/{divisor}@{stride}", divisor * digit.radix),
        }
    };
    let digits: Vec<String> = views.iter().map(digit).collect();
    let list = |part: fn(&retile::Window) -> isize, by: &str| {
        windows.iter().map(|window| part(window).to_string()).collect::<Vec<_>>().join(by)
    };
    let text = format!(
        "{}:digits({}; {}{marks}):{}:offset={offset}:lower={}:upper={}:fill={}:in={}:at={}",
        layout.dtype(),
        letters(&(0..layout.rank()).collect::<Vec<_>>()),
        digits.join(" "),
        list(|window| window.n, "x"),
        list(|window| window.lower, ","),
        list(|window| window.upper, ","),
        layout.fill(),
        list(|window| window.before + window.padded() + window.after, "x"),
        list(|window| window.before, ","),
    );
    text.parse().ok()
}

/// So many steps of a digit that an address and an offset have room for them, most often nearly so many.
fn steps(choices: &mut Choices<'_>, top: &DigitView, extent: isize) -> isize {
    let room = (isize::MAX - extent) / top.divisor as isize;
    let steps = room.min(isize::MAX / top.stride.abs().max(1));
    let fewer = choices.below(4) as isize;
    ((steps >> choices.below(8).saturating_sub(4)) - fewer).max(0)
}
