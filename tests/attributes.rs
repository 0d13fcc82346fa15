//! Attributes that have no meaning are refused where a conversion is made, by every door alike; values are never.

use retile::target::TARGETS;
use retile::{
    Attr, ErrorKind, Isa, Kernel, Layout, Locality, Options, Problem, Reorder, Tier, Values,
};

/// Every door refuses it, for the same reason.
#[track_caller]
fn refused(src: &str, dst: &str, attr: &Attr, kind: ErrorKind, words: &[&str]) {
    let src: Layout = src.parse().unwrap();
    let dst = src.destination(dst).unwrap();
    let mut errors = vec![
        attr.sizes(&src, &dst).unwrap_err(),
        Problem::new(&src, &dst, attr).unwrap_err(),
        Reorder::with_attr(&src, &dst, attr).unwrap_err(),
        Kernel::new(&src, &dst, attr).unwrap_err(),
    ];
    for target in TARGETS.iter().copied().step_by(if cfg!(miri) { 5 } else { 1 }) {
        errors.push(Kernel::interpreted(&src, &dst, attr, &target, Locality::Auto).unwrap_err());
    }
    for tier in Tier::ALL.into_iter().filter(|tier| Isa::of_this_cpu().runs(*tier)) {
        let options = Options::new().max_tier(tier);
        errors.push(Kernel::with_options(&src, &dst, attr, &options).unwrap_err());
    }
    for error in &errors {
        assert_eq!(error.kind(), kind, "{src} {dst} {attr}: {error}");
        assert_eq!(error.to_string(), errors[0].to_string(), "{src} {dst} {attr}");
        for word in words {
            assert!(
                error.to_string().contains(word),
                "{src} {dst} {attr}: {error}, without {word}"
            );
        }
    }
}

#[test]
fn mask_bits_past_the_rank() {
    type With = fn(Attr, u32) -> Attr;
    let doors: [(With, &str); 6] = [
        (Attr::src_scale, "source scale"),
        (Attr::dst_scale, "destination scale"),
        (Attr::src_zero_point, "source zero point"),
        (Attr::dst_zero_point, "destination zero point"),
        (Attr::s8s8_compensation, "s8s8 compensation"),
        (Attr::asymmetric_compensation, "asymmetric compensation"),
    ];
    for (with, name) in doors.into_iter().step_by(if cfg!(miri) { 3 } else { 1 }) {
        let masks = [0b100u32, 0b101, 1 << 12, 1 << 31, u32::MAX];
        for mask in masks.into_iter().step_by(if cfg!(miri) { 5 } else { 1 }) {
            let attr = with(Attr::new(), mask);
            let words = [name, &mask.to_string()];
            refused("f32:ab:2x3", "s8:ba", &attr, ErrorKind::Invalid, &words);
            refused("s8:ab:2x3", "s8:aB16b", &attr, ErrorKind::Invalid, &words);
        }
    }
    // Twelve dims have twelve bits.
    let most = "u8:abcdefghijkl:1x2x1x2x1x2x1x1x1x1x1x2";
    let attr = Attr::new().src_scale(1 << 12);
    refused(most, "lkjihgfedcba", &attr, ErrorKind::Invalid, &["4096"]);
    let (src, attr) = (most.parse::<Layout>().unwrap(), Attr::new().src_scale((1 << 12) - 1));
    let dst = src.destination("f32:lkjihgfedcba").unwrap();
    assert!(Kernel::new(&src, &dst, &attr).is_ok());
}

#[test]
fn factors_that_are_not_finite() {
    for beta in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::from_bits(0xff80_0001)] {
        let attr = Attr::new().sum(beta);
        refused("f32:ab:2x3", "f32:ba", &attr, ErrorKind::Invalid, &["finite"]);
        refused("u8:ab:2x3", "bf16:ab", &attr.src_scale(1), ErrorKind::Invalid, &["finite"]);
    }
    let (src, dst): (Layout, Layout) = ("f32:a:3".parse().unwrap(), "f32:a:3".parse().unwrap());
    for beta in [0.0, -0.0, f32::MAX, f32::MIN, 1e-45, f32::MIN_POSITIVE] {
        assert!(Kernel::new(&src, &dst, &Attr::new().sum(beta)).is_ok(), "{beta}");
    }
}

#[test]
fn arithmetic_on_types_without_any() {
    let pairs = [
        ("f64", "f64"),
        ("f64", "f32"),
        ("f32", "f64"),
        ("s64", "s32"),
        ("s32", "s64"),
        ("s16", "s16"),
        ("u16", "u16"),
        ("bool", "u8"),
        ("u8", "bool"),
        ("bool", "bool"),
    ];
    for (from, to) in pairs.into_iter().step_by(if cfg!(miri) { 9 } else { 1 }) {
        for attr in [
            Attr::new().sum(1.0),
            Attr::new().src_scale(0),
            Attr::new().dst_scale(1),
            Attr::new().src_zero_point(0),
            Attr::new().dst_zero_point(2),
        ] {
            let (src, dst) = (format!("{from}:ab:2x3"), format!("{to}:ba"));
            refused(&src, &dst, &attr, ErrorKind::Unsupported, &[from, to]);
        }
    }
}

#[test]
fn compensation_without_meaning() {
    for attr in [Attr::new().s8s8_compensation(1), Attr::new().asymmetric_compensation(0)] {
        for to in ["u8", "s32", "f32", "bf16"].into_iter().step_by(if cfg!(miri) { 3 } else { 1 }) {
            refused("s8:ab:2x3", &format!("{to}:ba"), &attr, ErrorKind::Invalid, &["s8", to]);
        }
        let sum = attr.clone().sum(0.0);
        refused("s8:ab:2x3", "s8:ba", &sum, ErrorKind::Invalid, &["sum"]);
        let region = "s8:ab:in=4x8:at=1,2";
        refused("f32:ab:2x3", region, &attr, ErrorKind::Invalid, &["region"]);
    }
}

#[test]
fn values_are_never_refused() {
    let columns = if cfg!(miri) { 2 } else { 40 };
    let src: Layout = format!("f32:ab:2x{columns}").parse().unwrap();
    let dst = src.destination("s8:ba").unwrap();
    let attr = Attr::new().src_scale(0).dst_scale(0).src_zero_point(0).dst_zero_point(0);
    let reorder = Reorder::with_attr(&src, &dst, &attr).unwrap();
    let floats = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, 1e-45];
    let step = if cfg!(miri) { 3 } else { 1 };
    for src_scale in floats.into_iter().step_by(step) {
        for dst_scale in floats.into_iter().step_by(step) {
            for point in [0, i32::MIN, i32::MAX] {
                let (src_scale, dst_scale, point) = ([src_scale], [dst_scale], [point]);
                let values = Values {
                    src_scale: &src_scale,
                    dst_scale: &dst_scale,
                    src_zero_point: &point,
                    dst_zero_point: &point,
                };
                let (source, mut target) = (vec![1.5f32; 2 * columns], vec![0i8; 2 * columns]);
                assert_eq!(reorder.run_with(&source, &mut target, &values), Ok(()));
            }
        }
    }
}
