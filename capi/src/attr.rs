//! `retile_attr_*`. In: masks and factors, one call each. Out: settings that a kernel copies.

use std::ffi::{c_char, c_int};

use retile_core::plan::Locality;
use retile_core::{Builder, Layout, Reorder, Result, Tier};

use crate::arg::{self, invalid, make, not_null, text};
use crate::status::{Status, guard};

/// `RETILE_SRC` and `RETILE_DST`, as indices too.
const SIDES: [c_int; 2] = [0, 1];
/// `RETILE_COMP_S8S8` and `RETILE_COMP_ASYMMETRIC`
const KINDS: [c_int; 2] = [1, 2];
/// `RETILE_LOCALITY_AUTO`, `_KEEP` and `_STREAM`
const LOCALITIES: [c_int; 3] = [0, 1, 2];

/// `retile_attr`.
#[derive(Clone, Debug, Default)]
pub struct Attr {
    scale: [Option<u32>; 2],
    zero_point: [Option<u32>; 2],
    sum: Option<f32>,
    compensation: [Option<u32>; 2],
    locality: Locality,
    max_tier: Option<Tier>,
}

impl Attr {
    /// The arithmetic, as the library takes it.
    fn arithmetic(&self) -> retile_core::Attr {
        type Set = fn(retile_core::Attr, u32) -> retile_core::Attr;
        let sets: [(Option<u32>, Set); 6] = [
            (self.scale[0], retile_core::Attr::src_scale),
            (self.scale[1], retile_core::Attr::dst_scale),
            (self.zero_point[0], retile_core::Attr::src_zero_point),
            (self.zero_point[1], retile_core::Attr::dst_zero_point),
            (self.compensation[0], retile_core::Attr::s8s8_compensation),
            (self.compensation[1], retile_core::Attr::asymmetric_compensation),
        ];
        let mut attr = retile_core::Attr::new();
        for (mask, set) in sets {
            attr = mask.iter().fold(attr, |attr, &mask| set(attr, mask));
        }
        self.sum.iter().fold(attr, |attr, &beta| attr.sum(beta))
    }

    /// How a kernel is made with it.
    pub fn builder<'a>(&self, src: &'a Layout, dst: &'a Layout) -> Builder<'a> {
        let builder = Reorder::builder(src, dst).attr(self.arithmetic()).locality(self.locality);
        self.max_tier.iter().fold(builder, |builder, &tier| builder.max_tier(tier))
    }
}

/// A function that changes an attribute.
///
/// # Safety
/// `attr` is NULL or an attribute of ours that nobody else uses meanwhile.
unsafe fn change(attr: *mut Attr, body: impl FnOnce(&mut Attr) -> Result<()>) -> Status {
    guard(|| {
        not_null("attr", attr)?;
        // SAFETY:
        // - not null, as just checked
        // - from `Box::into_raw` in `make`, so aligned and initialized, by the contract
        // - used by nobody else meanwhile, by the contract
        body(unsafe { &mut *attr })
    })
}

/// The place of a number among those the header has.
fn index(name: &str, found: c_int, known: &[c_int], expected: &str) -> Result<usize> {
    let at = known.iter().position(|&number| number == found);
    at.map_or_else(|| invalid!("{name} is {found}, expected {expected}"), Ok)
}

fn side(found: c_int) -> Result<usize> {
    index("side", found, &SIDES, "RETILE_SRC (0) or RETILE_DST (1)")
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_attr_new(out: *mut *mut Attr) -> Status {
    // SAFETY: `out` is NULL or may be written, by the contract.
    unsafe { make(out, || Ok(Attr::default())) }
}

/// See the header. Set again, the last mask counts. Whether the mask fits is known, and said, when a
/// kernel is made.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_attr_set_scale(attr: *mut Attr, which: c_int, mask: u32) -> Status {
    let body = |attr: &mut Attr| {
        attr.scale[side(which)?] = Some(mask);
        Ok(())
    };
    // SAFETY: `attr` is NULL or ours, and nobody else uses it meanwhile, by the contract.
    unsafe { change(attr, body) }
}

/// See the header. Masks as in [`retile_attr_set_scale`].
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_attr_set_zero_point(
    attr: *mut Attr,
    which: c_int,
    mask: u32,
) -> Status {
    let body = |attr: &mut Attr| {
        attr.zero_point[side(which)?] = Some(mask);
        Ok(())
    };
    // SAFETY: `attr` is NULL or ours, and nobody else uses it meanwhile, by the contract.
    unsafe { change(attr, body) }
}

/// See the header. The factor must be finite.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_attr_set_sum(attr: *mut Attr, beta: f32) -> Status {
    let body = |attr: &mut Attr| {
        if !beta.is_finite() {
            return invalid!("beta is {beta}, which is not finite");
        }
        attr.sum = Some(beta);
        Ok(())
    };
    // SAFETY: `attr` is NULL or ours, and nobody else uses it meanwhile, by the contract.
    unsafe { change(attr, body) }
}

/// See the header. A second mask for the same kind is refused.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_attr_set_compensation(
    attr: *mut Attr,
    kind: c_int,
    mask: u32,
) -> Status {
    let body = |attr: &mut Attr| {
        let expected = "RETILE_COMP_S8S8 (1) or RETILE_COMP_ASYMMETRIC (2)";
        let slot = &mut attr.compensation[index("kind", kind, &KINDS, expected)?];
        if let Some(before) = slot {
            return invalid!("compensation of kind {kind} is set already, with the mask {before}");
        }
        *slot = Some(mask);
        Ok(())
    };
    // SAFETY: `attr` is NULL or ours, and nobody else uses it meanwhile, by the contract.
    unsafe { change(attr, body) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_attr_set_locality(attr: *mut Attr, locality: c_int) -> Status {
    let expected = "RETILE_LOCALITY_AUTO (0), _KEEP (1) or _STREAM (2)";
    let body = |attr: &mut Attr| {
        let localities = [Locality::Auto, Locality::Keep, Locality::Stream];
        attr.locality = localities[index("locality", locality, &LOCALITIES, expected)?];
        Ok(())
    };
    // SAFETY: `attr` is NULL or ours, and nobody else uses it meanwhile, by the contract.
    unsafe { change(attr, body) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_attr_set_max_isa(attr: *mut Attr, tier: *const c_char) -> Status {
    let body = |attr: &mut Attr| {
        // SAFETY: `tier` is NULL or ends in a NUL, by the contract.
        let tier = unsafe { text("tier", tier) }?;
        let Some(found) = Tier::ALL.into_iter().find(|known| known.name() == tier) else {
            let names = Tier::ALL.map(Tier::name).join(", ");
            return invalid!("tier is `{tier}`, expected one of {names}");
        };
        attr.max_tier = Some(found);
        Ok(())
    };
    // SAFETY: `attr` is NULL or ours, and nobody else uses it meanwhile, by the contract.
    unsafe { change(attr, body) }
}

/// See the header.
///
/// # Safety
/// Of the caller as the [crate](crate) says; `attr` is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retile_attr_free(attr: *mut Attr) {
    // SAFETY: NULL or from `make` as an `Attr`, and not used again, by the contract.
    unsafe { arg::free(attr) }
}
