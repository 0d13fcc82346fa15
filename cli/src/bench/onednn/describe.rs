//! Layouts as oneDNN takes them. In: its tags, and a layout. Out: the strides or the tag that place the same
//! elements alike; why not where neither does.

use std::ffi::c_int;

use retile::{BlockingDesc, DType, Layout, MAX_RANK};

use super::refused::Refused;

/// The tags with blocks, by number.
#[derive(Default)]
pub(crate) struct Describe {
    tags: Vec<(c_int, String)>,
}

/// What a descriptor is made of.
#[derive(Debug, PartialEq)]
pub(crate) struct Described {
    pub(crate) dtype: c_int,
    pub(crate) dims: [i64; MAX_RANK],
    pub(crate) form: Form,
    /// Elements before the first.
    pub(crate) offset: usize,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Form {
    Strides([i64; MAX_RANK]),
    Tag(c_int),
}

impl Describe {
    /// Tags in the order of their numbers, from 0 on.
    pub(crate) fn new(tags: impl Iterator<Item = String>) -> Describe {
        let tags = (0..).zip(tags);
        Describe {
            tags: tags.filter(|(_, tag)| tag.contains(|c: char| c.is_ascii_digit())).collect(),
        }
    }

    pub(crate) fn layout(&self, layout: &Layout) -> Result<Described, Refused> {
        if layout.is_empty() {
            return Err(Refused::Empty);
        }
        if (0..layout.rank()).any(|d| layout.lower(d) + layout.upper(d) > 0) {
            return Err(Refused::Margins);
        }
        let dtype = dtype(layout.dtype()).ok_or(Refused::Type(layout.dtype()))?;
        let offset = layout.offset_of(&[0; MAX_RANK][..layout.rank()]);
        let offset = offset.map_err(|_| Refused::Format)?;
        let desc = layout.blocking().ok_or(Refused::Format)?;
        if desc.strides.iter().any(|stride| *stride < 0) {
            return Err(Refused::Strides);
        }
        let form = match desc.inner_sizes.is_empty() {
            true => strides(layout, &desc, offset).map(Form::Strides),
            false => self.tag(layout, &desc).map(Form::Tag),
        };
        let form = form.ok_or(Refused::Format)?;
        Ok(Described { dtype, dims: list(layout.dims().iter().map(|n| *n as i64)), form, offset })
    }

    /// The names of the tags with blocks.
    pub(crate) fn blocked(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(|(_, tag)| tag.as_str())
    }

    /// The tag whose layout, of the same dims, is the same but for its place.
    fn tag(&self, layout: &Layout, desc: &BlockingDesc) -> Option<c_int> {
        if layout.is_region() {
            return None;
        }
        let mut placed = desc.clone();
        placed.offset = 0;
        let same = |tag: &str| {
            let letters = tag.chars().filter(char::is_ascii_alphabetic);
            let rank = letters.map(|c| c.to_ascii_lowercase() as usize - 'a' as usize + 1).max();
            let named = || Layout::named(layout.dtype(), tag, layout.dims()).ok()?.blocking();
            rank == Some(layout.rank()) && named().as_ref() == Some(&placed)
        };
        self.tags.iter().find(|(_, tag)| same(tag)).map(|(number, _)| *number)
    }
}

/// The strides of a layout that has no more to it.
fn strides(layout: &Layout, desc: &BlockingDesc, offset: usize) -> Option<[i64; MAX_RANK]> {
    let mut at = [0isize; MAX_RANK];
    let mut along = |d: usize| {
        let last = layout.dims()[d] - 1;
        at[d] = last as isize;
        let found = layout.offset_of(&at[..layout.rank()]).ok()?;
        at[d] = 0;
        Some(found == offset + last * desc.strides[d] as usize)
    };
    let plain = desc.padded_dims == desc.dims && (0..layout.rank()).all(|d| along(d) == Some(true));
    plain.then(|| list(desc.strides.iter().map(|stride| *stride as i64)))
}

fn list(numbers: impl Iterator<Item = i64>) -> [i64; MAX_RANK] {
    let mut all = [0; MAX_RANK];
    all.iter_mut().zip(numbers).for_each(|(place, number)| *place = number);
    all
}

fn dtype(dtype: DType) -> Option<c_int> {
    Some(match dtype {
        DType::F16 => 1,
        DType::Bf16 => 2,
        DType::F32 => 3,
        DType::S32 => 4,
        DType::S8 => 5,
        DType::U8 => 6,
        DType::F64 => 7,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers as places in this list.
    const TAGS: [&str; 8] =
        ["undef", "any", "a", "abcd", "aBcd8b", "aBcd16b", "ABcd16b16a", "Bcda4b"];

    fn form(text: &str) -> Option<(Form, usize)> {
        let describe = Describe::new(TAGS.into_iter().map(String::from));
        let layout: Layout = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        describe.layout(&layout).ok().map(|described| (described.form, described.offset))
    }

    #[test]
    fn blocks_are_a_tag_by_whatever_name() {
        for (text, tag, offset) in [
            ("f32:nChw16c:1x17x3x5", 5, 0),
            ("f32:aBcd8b:1x17x3x5", 4, 0),
            ("s8:b_fs_yx_fsv16:2x17x3x5:offset=3", 5, 3),
            ("u8:megengine/CHWN4:2x8x3x5", 7, 0),
            ("f32:digits(abcd; a b/8 c d b%8):2x17x3x5", 4, 0),
            ("f32:OIhw16i16o:32x30x3x3", 6, 0),
        ] {
            assert_eq!(form(text), Some((Form::Tag(tag), offset)), "{text}");
        }
        assert_eq!(form("f32:OIhw16o16i:32x32x3x3"), None);
        assert_eq!(form("f32:digits(abcd; a b/8 c@100 d b%8):2x17x3x5"), None);
        assert_eq!(form("f32:nChw16c:1x7x2x3:in=1x17x2x3:at=0,3,0,0"), None);
    }

    #[test]
    fn what_is_plain_has_strides() {
        for (text, expected) in [
            ("f32:nhwc:2x3x4x5", Some((vec![60, 1, 15, 3], 0))),
            ("bf16:ba:3x4:offset=5", Some((vec![1, 3], 5))),
            ("s32:strides(10,2):3x4", Some((vec![10, 2], 0))),
            ("f32:strides(0,1):3x4", Some((vec![0, 1], 0))),
            ("f32:nchw:1x2x2x2:in=1x3x4x5:at=0,1,1,1", Some((vec![60, 20, 5, 1], 26))),
            ("f32:strides(-4,1):3x4:offset=8", None),
            ("u8:bfyx:1x3x8x8:upper=0,0,1,1", None),
            ("s64:ab:3x4", None),
            ("f32:ab:0x4", None),
        ] {
            let expected = expected.map(|(strides, offset): (Vec<i64>, usize)| {
                (Form::Strides(list(strides.into_iter())), offset)
            });
            assert_eq!(form(text), expected, "{text}");
        }
    }
}
