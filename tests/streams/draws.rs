//! What is drawn. In: a source of choices. Out: pairs whose rows are long enough to come together, and how they are to
//! be stored.

use retile::Locality;
use retile::Problem;

use crate::common::{self, Draw};
use crate::harness::case::Case;

/// A permutation of two to four dims with a long row somewhere, of blocks, with gaps, in a parent, with margins.
pub(crate) fn pair(draw: &mut impl Draw) -> String {
    let (dtype, size) = draw.pick(&[("u8", 1), ("bf16", 2), ("f32", 4), ("f64", 8)]);
    if draw.once_in(64) {
        // Rows of which each is in another page, more than are known at once.
        let (apart, offset) = draw.pick(&[("4096", 0), ("4099", 1), ("-4103", 7_000_000)]);
        let (rows, columns) = (draw.between(1540, 1600), draw.between(30, 80));
        return format!("u8:strides({apart},1):{rows}x{columns}:offset={offset} ba");
    }
    if draw.once_in(4) {
        // Rows of the source in each other's way, some with more in them than is taken of them.
        let (rows, columns) = (draw.between(260, 800) / size + 9, draw.between(40, 150));
        let apart = draw.pick(&[4096, 4096, 2048, 1024, 8192]) / size;
        let (at, to) =
            (draw.pick(&[0, 0, 1, 5]), side(draw, &[rows, columns], &[1, 0], size, false));
        return format!("{dtype}:strides({apart},1):{rows}x{columns}:offset={at} {}{}", to.0, to.1);
    }
    let rank = draw.between(2, 4);
    let mut dims: Vec<usize> = (0..rank).map(|_| draw.pick(&[1, 2, 3, 5])).collect();
    let long = draw.below(rank);
    let other = (long + 1 + draw.below(rank - 1)) % rank;
    dims[long] = draw.between(300, 1600) / size + draw.below(20);
    dims[other] = match draw.below(3) {
        0 => draw.pick(&[16, 32, 64, 128]),
        _ => draw.between(3, 100),
    };
    while dims.iter().product::<usize>() > 80_000 / size {
        let most = (0..rank).filter(|&d| d != long).max_by_key(|&d| dims[d]).unwrap();
        dims[most] = dims[most].div_ceil(2);
    }
    let from = order(draw, rank, other);
    let to = order(draw, rank, long);
    let src = side(draw, &dims, &from, size, true);
    let dst = side(draw, &dims, &to, size, false);
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    let (name, options) = src;
    format!("{dtype}:{name}:{}{options} {}{}", dims.join("x"), dst.0, dst.1)
}

/// The same, some of them with arithmetic on the way.
pub(crate) fn converted(draw: &mut impl Draw) -> String {
    let pair = pair(draw);
    let (src, dst) = pair.split_once(' ').unwrap_or_else(|| panic!("{pair}"));
    if src.starts_with("f64") || draw.once_in(2) {
        return pair;
    }
    let words = draw.pick(&[
        "s8 --comp=s8s8:1",
        "s8 --comp=zp:2",
        "s8 --comp=s8s8:2+zp:2 --dst-scale=mask:2",
        "s8 --dst-scale=mask:1 --dst-zp=common",
        "u8 --src-scale=common --src-zp=mask:2",
        "f32 --src-scale=mask:3",
        "bf16",
        "f16 --dst-scale=common",
        "s32 --sum=0.5",
    ]);
    let (to, words) = words.split_once(' ').unwrap_or((words, ""));
    let line = format!("{src} {to}:{dst} {words}");
    // What two types or a shape cannot have is left out.
    let case = Case::parse(&line).unwrap_or_else(|error| panic!("{error}"));
    let allowed = Problem::new(&case.src, &case.dst, &case.attr()).is_ok();
    if allowed { line } else { pair }
}

/// Dims in any order, one of them mostly innermost.
fn order(draw: &mut impl Draw, rank: usize, inner: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rank).collect();
    draw.shuffle(&mut order);
    if draw.below(4) != 3 {
        order.retain(|&d| d != inner);
        order.push(inner);
    }
    order
}

/// One side: its name, and what comes behind the dims.
fn side(
    draw: &mut impl Draw,
    dims: &[usize],
    order: &[usize],
    size: usize,
    source: bool,
) -> (String, String) {
    let letter = |d: usize| (b'a' + d as u8) as char;
    let plain: String = order.iter().map(|&d| letter(d)).collect();
    let list = |numbers: &[usize]| common::join(numbers, ",");
    match draw.below(8) {
        // A block of one dim.
        0 => {
            let (d, block) = (draw.below(dims.len()), draw.pick(&[4, 8, 16, 3, 32, 64]));
            let outer = order.iter().map(|&o| match o == d {
                true => letter(o).to_ascii_uppercase(),
                false => letter(o),
            });
            (format!("{}{block}{}", outer.collect::<String>(), letter(d)), String::new())
        }
        // A region.
        1 | 2 => {
            let at: Vec<usize> = dims.iter().map(|_| draw.pick(&[0, 1, 3, 5])).collect();
            let more = |(n, at): (&usize, &usize)| n + at + draw.pick(&[0, 0, 1, 7]);
            let parent: Vec<usize> = dims.iter().zip(&at).map(more).collect();
            (plain, format!(":in={}:at={}", common::join(&parent, "x"), list(&at)))
        }
        // Steps of any length, forwards and backwards.
        3 | 4 => {
            let (mut next, mut offset) = (1, draw.pick(&[0, 0, 1, 13]) as isize);
            let mut strides = vec![0isize; dims.len()];
            for (k, &d) in order.iter().rev().enumerate() {
                let gap = if k > 0 || draw.once_in(8) { draw.pick(&[0, 1, 3, 17]) } else { 0 };
                let mut stride: usize = next + gap;
                let alias = draw.pick(&[4096, 1024, 256]) / size;
                // Rows in each other's way.
                let wide = stride.next_multiple_of(alias);
                if source && k > 0 && draw.once_in(2) && wide * dims[d] * size <= 2 << 20 {
                    stride = wide;
                }
                next = stride * dims[d];
                let back = draw.once_in(6);
                strides[d] = if back { -(stride as isize) } else { stride as isize };
                offset += if back { (stride * (dims[d] - 1)) as isize } else { 0 };
            }
            (format!("strides({})", common::join(&strides, ",")), format!(":offset={offset}"))
        }
        // Margins.
        5 if !source => {
            let mut margins = || -> Vec<usize> {
                let margin = dims.iter().map(|_| draw.pick(&[0, 0, 1, 2, 5]));
                margin.collect()
            };
            let (lower, upper) = (list(&margins()), list(&margins()));
            let fill = draw.pick(&["", ":fill=3"]);
            (plain, format!(":lower={lower}:upper={upper}{fill}"))
        }
        _ => (plain, String::new()),
    }
}

pub(crate) fn locality(draw: &mut impl Draw) -> Locality {
    draw.pick(&[
        Locality::Stream,
        Locality::Auto,
        Locality::Stream,
        Locality::Keep,
        Locality::Stream,
    ])
}
