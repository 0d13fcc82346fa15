use super::*;

/// An element without arithmetic.
fn plain(from: DType, to: DType, src: u64) -> Element {
    Element {
        from,
        to,
        tail: false,
        src,
        before: 0,
        src_zero_point: None,
        src_scale: None,
        sum: None,
        dst_scale: None,
        dst_zero_point: None,
        masked: false,
    }
}

fn f32s(value: f32) -> u64 {
    value.to_bits().into()
}

/// Elements, the code that made something of them, what it made, and the rule that is meant.
fn cases() -> Vec<(Element, &'static str, u64, Rule)> {
    use DType::*;
    let nan = f32s(f32::NAN);
    let half = |element: Element| Element { src_scale: Some(0.5), ..element };
    let source = |element: Element| Element { src_zero_point: Some(3), ..element };
    let summed = |beta, before, element| Element { sum: Some(beta), before, ..element };
    let joined = Element { dst_scale: Some(8.0), ..plain(F32, F32, f32s(-0.0)) };
    let tail = Element { tail: true, src_scale: Some(-2.0), ..plain(F32, F32, 0) };
    vec![
        (half(plain(F32, F32, 0xffc0_0001)), COMPILED, 0xffc0_0001, Rule::NanKept),
        (half(plain(F32, S8, nan)), COMPILED, 0x7f, Rule::NanIsMost),
        (plain(Bf16, S8, 0x7fc0), COMPILED, 0x80, Rule::NanIsLeast),
        (plain(F32, S32, nan), PLAIN, 0x8000_0000, Rule::NanIsLeast),
        (plain(Bf16, F32, 0x7f81), COMPILED, 0x7f81_0000, Rule::SignallingKept),
        (plain(F16, U8, 0x7c00), COMPILED, 0, Rule::OverflowIsLeast),
        (plain(F32, S32, f32s(1e10)), COMPILED, 0x7fff_ff80, Rule::S32Ceiling),
        (plain(F32, Bf16, 0x8001_8000), COMPILED, 0x8000, Rule::Bf16Flushed),
        (plain(F16, F32, 0x8000), PLAIN, 0, Rule::ZeroAdded),
        (plain(S32, S32, 16_777_217), PLAIN, 16_777_216, Rule::ThroughFloat),
        (summed(0.0, nan, plain(F32, F32, f32s(2.0))), COMPILED, f32s(2.0), Rule::SumOfZero),
        (summed(-2.0, f32s(8.0), joined), PLAIN, f32s(-16.0), Rule::ScalesJoined),
        (source(plain(S32, S32, 1 << 31)), COMPILED, 0x7fff_fffd, Rule::IntegerZeroPoints),
        (source(plain(U8, U8, 9)), COMPILED, 9, Rule::ZeroPointsForgotten),
        (tail, COMPILED, 0x8000_0000, Rule::TailComputed),
    ]
}

#[test]
fn each_rule_explains_what_it_is_there_for_and_no_other_bits() {
    for (element, by, theirs, rule) in cases() {
        assert_eq!(explain(&element, by, theirs), Some(vec![rule]), "{element:x?}");
        // What is ours needs no rule, and some other NaN would do as well.
        let others = [theirs ^ 1, theirs ^ 4].into_iter();
        let others = others.filter(|other| model(&element, &[]) != Made::Bits(*other));
        for other in others.filter(|_| rule != Rule::NanKept) {
            assert_eq!(explain(&element, by, other), None, "{element:x?} {other:#x}");
        }
    }
    for row in &ROWS {
        assert!(cases().iter().any(|(.., rule)| *rule == row.rule), "{}", row.name);
    }
}

#[test]
fn code_of_another_name_and_ordinary_elements_are_not_excused() {
    for (element, _, theirs, rule) in cases() {
        let anywhere = [
            Rule::NanKept,
            Rule::SignallingKept,
            Rule::S32Ceiling,
            Rule::Bf16Flushed,
            Rule::ThroughFloat,
            Rule::SumOfZero,
        ];
        let found = explain(&element, "other", theirs);
        let integers = element.from == DType::S32 && element.to == DType::S32;
        assert_eq!(found.is_some(), anywhere.contains(&rule) && !integers, "{element:x?}");
    }
    let element = Element { dst_scale: Some(2.0), ..plain(DType::F32, DType::S8, f32s(9.0)) };
    for theirs in (0..256).filter(|theirs| *theirs != 4) {
        assert_eq!(explain(&element, COMPILED, theirs), None);
        assert_eq!(explain(&element, PLAIN, theirs), None);
    }
}

/// Types that do not compute are moved, and that is all.
#[test]
fn wide_types_have_no_rules() {
    assert_eq!(explain(&plain(DType::F64, DType::F64, 1), COMPILED, 0), None);
}

/// Where no rule is on the model is the reference.
#[test]
fn the_model_without_rules_is_the_reference() {
    use crate::check::onednn::element::Masks;
    use crate::draw::{Draw, Numbers, fill};
    use crate::pair::Pair;
    for line in [
        "f32:ab:64x16 s8:ab --src-scale=mask:2 --dst-scale=common --dst-zp=mask:1",
        "bf16:ab:64x16 f32:ab",
        "s32:ab:64x16 bf16:ab --sum=-0.5 --src-zp=common --dst-scale=mask:3",
        "f16:ab:64x16 u8:ab --sum=1",
        "s8:ab:64x16 s32:ab --src-scale=common",
        "f32:ab:64x16 f32:ab",
    ] {
        let pair = Pair::of_line(line).unwrap_or_else(|failure| panic!("{line}: {failure}"));
        let mut draw = Draw::new(pair.seed(1));
        let given = pair.values(Numbers::Extreme, &mut draw);
        let (values, sizes) = (given.as_values(), pair.sizes().unwrap());
        let (mut src, mut before) = (vec![0; sizes.src], vec![0; sizes.dst]);
        fill(&mut src, pair.src.dtype(), Numbers::Extreme, &mut draw);
        fill(&mut before, pair.dst.dtype(), Numbers::Extreme, &mut draw);
        let mut expected = before.clone();
        let Pair { src: from, dst: to, attr, .. } = &pair;
        retile::reference::reorder(from, &src, to, &mut expected, attr, &values).unwrap();
        let masks = Masks::of(&pair);
        for cell in to.cells() {
            let at = |layout: &retile::Layout, bytes: &[u8]| {
                let size = layout.dtype().size();
                let bytes = &bytes[cell.offset * size..][..size];
                bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
            };
            let both = [at(from, &src), at(to, &before)];
            let element = masks.element(&pair, &values, &cell.coords, both);
            let made = Made::Bits(at(to, &expected));
            assert_eq!(model(&element, &[]), made, "{line}: {element:x?}");
        }
    }
}

/// The page has a row for each rule, by its name.
#[test]
fn the_page_of_rules_has_all_of_them() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/onednn.md"));
    let page = page.unwrap();
    let named: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("| `")).collect();
    let named: Vec<_> = named.iter().filter_map(|line| line.split_once('`')).collect();
    let names: Vec<_> = named.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ROWS.each_ref().map(|row| row.name));
}
