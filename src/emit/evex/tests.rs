//! Rows against another's decoder, both ways: what is legal decodes to the operands it was made of, in as
//! many bytes as it has and no more than it needs; what is not is refused, or is something else.

mod decoded;
mod trial;

use std::sync::Mutex;
use std::thread;

use dynasmrt::VecAssembler;
use dynasmrt::x64::X64Relocation;
use iced_x86::{CpuidFeature, Register};

use super::*;
use decoded::{Mnemonics, decode, is_mask, is_memory, modrm_bytes};
use trial::{Breadth, Trial};

type Assembler = VecAssembler<X64Relocation>;

/// An instruction by its method, where that has such operands.
type Call = fn(&mut Assembler, &Operands);
type KCall = fn(&mut Assembler, K, Gm);
type KopCall = fn(&mut Assembler, K, K);

macro_rules! table {
    ($($form:ident $name:ident $pp:ident $map:ident $w:ident $opcode:literal $tuple:ident $widths:ident;)*) => {
        const ROWS: &[(Row, Call)] = &[$((
            row!($form $name $pp $map $w $opcode $tuple $widths),
            |a, o| call!(a o $form $name),
        )),*];
    };
}

macro_rules! call {
    ($a:ident $o:ident rm $name:ident) => {
        $a.$name(to($o, $o.reg), $o.rm)
    };
    ($a:ident $o:ident rmi $name:ident) => {
        $a.$name(to($o, $o.reg), $o.rm, imm($o))
    };
    ($a:ident $o:ident rvm $name:ident) => {
        $a.$name(to($o, $o.reg), with($o), $o.rm)
    };
    ($a:ident $o:ident rvmi $name:ident) => {
        $a.$name(to($o, $o.reg), with($o), $o.rm, imm($o))
    };
    ($a:ident $o:ident vmi2 $name:ident) => {
        call!($a $o rmi $name)
    };
    ($a:ident $o:ident vmi4 $name:ident) => {
        call!($a $o rmi $name)
    };
    ($a:ident $o:ident vmi6 $name:ident) => {
        call!($a $o rmi $name)
    };
    ($a:ident $o:ident kvm $name:ident) => {
        $a.$name(to($o, K($o.reg.number)), with($o), $o.rm)
    };
    ($a:ident $o:ident kvmi $name:ident) => {
        $a.$name(to($o, K($o.reg.number)), with($o), $o.rm, imm($o))
    };
    ($a:ident $o:ident kmi $name:ident) => {
        $a.$name(to($o, K($o.reg.number)), $o.reg.width, $o.rm, imm($o))
    };
    ($a:ident $o:ident kv $name:ident) => {
        $a.$name(K($o.reg.number), register($o))
    };
    ($a:ident $o:ident halve $name:ident) => {
        call!($a $o rm $name)
    };
    ($a:ident $o:ident gather $name:ident) => {
        $a.$name(to($o, $o.reg), each($o))
    };
    ($a:ident $o:ident load_k $name:ident) => {
        $a.$name(to($o, $o.reg), memory($o))
    };
    ($a:ident $o:ident load $name:ident) => {
        $a.$name($o.reg, memory($o))
    };
    ($a:ident $o:ident mr $name:ident) => {
        $a.$name(to($o, memory($o)), $o.reg)
    };
    ($a:ident $o:ident mri $name:ident) => {
        $a.$name(to($o, $o.rm), $o.reg, imm($o))
    };
    ($a:ident $o:ident narrow $name:ident) => {
        $a.$name(to($o, $o.rm), $o.reg)
    };
    ($a:ident $o:ident store $name:ident) => {
        $a.$name(memory($o), $o.reg)
    };
}

macro_rules! k_table {
    ($($name:ident $mpp:ident $mw:ident $m:literal $rpp:ident $rw:ident $r:literal;)*) => {
        const K_ROWS: &[(kmov::Row, KCall)] =
            &[$((k_row!($name $mpp $mw $m $rpp $rw $r), |a, to, from| a.$name(to, from))),*];
    };
}

macro_rules! kop_table {
    ($($name:ident $w:ident $opcode:literal;)*) => {
        const KOP_ROWS: &[(kop::Row, KopCall)] =
            &[$((kop_row!($name $w $opcode), |a, one, two| a.$name(one, two))),*];
    };
}

rows! { table }
k_rows! { k_table }
kop_rows! { kop_table }

fn to<T>(o: &Operands, place: T) -> To<T> {
    To { place, mask: o.mask, zeroing: o.zeroing }
}

fn with(o: &Operands) -> V {
    o.with.expect("a second register")
}

fn imm(o: &Operands) -> u8 {
    o.imm.expect("an immediate")
}

fn register(o: &Operands) -> V {
    match o.rm {
        Rm::V(v) => v,
        _ => panic!("{o:?} has something else where a method takes a register"),
    }
}

fn memory(o: &Operands) -> Mem {
    match o.rm {
        Rm::M(m) => m,
        _ => panic!("{o:?} has something else where a method takes memory"),
    }
}

fn each(o: &Operands) -> Each {
    match o.rm {
        Rm::E(e) => e,
        _ => panic!("{o:?} has no vector of addresses"),
    }
}

/// Every row, on every core.
fn try_rows(breadth: &Breadth) {
    let (next, done) = (Mutex::new(ROWS.iter()), Mutex::new((0, 0)));
    let mnemonics = Mnemonics::new();
    let work = || {
        loop {
            let Some((row, call)) = next.lock().unwrap().next() else { return };
            let (tried, legal) = Trial::run(row, *call, mnemonics.of(row.name), breadth);
            let mut done = done.lock().unwrap();
            *done = (done.0 + tried, done.1 + legal);
        }
    };
    let threads = thread::available_parallelism().map_or(1, |count| count.get());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let (tried, legal) = done.into_inner().unwrap();
    eprintln!("{} instructions: {tried} encodings tried, {legal} of them legal", ROWS.len());
}

#[test]
fn some_encodings() {
    try_rows(&Breadth::sample());
}

#[test]
#[ignore = "minutes: run by `just prove`"]
fn all_encodings() {
    try_rows(&Breadth::all());
}

#[test]
fn masks_from_memory_and_registers() {
    let mnemonics = Mnemonics::new();
    let addresses = Breadth::all().addresses(1);
    for (row, call) in K_ROWS {
        let (mut encoded, mut called) = (Vec::new(), Assembler::new(0));
        let general = if row.name == "kmovq" { Register::RAX } else { Register::EAX };
        let sources = (0..=16).map(|r| Gm::R(R(r))).chain(addresses.iter().copied().map(Gm::M));
        for (from, to) in sources.flat_map(|from| (0..=8).map(move |k| (from, K(k)))) {
            let bytes = row.encode(to, from);
            let decoded = decode(&bytes);
            let same = decoded.is_some_and(|i| {
                i.mnemonic() == mnemonics.of(row.name)
                    && i.op_count() == 2
                    && i.op_register(0) == Register::K0 + u32::from(to.0)
                    && match from {
                        Gm::R(r) => i.op_register(1) == general + u32::from(r.0),
                        Gm::M(m) => is_memory(&i, 1, m),
                    }
            });
            let legal = row.legal(to, from);
            assert_eq!(same, legal, "{} {to:?} {from:?} is {bytes:02x?}", row.name);
            if legal {
                // Three bytes of prefix only where W or a number above 7 asks for them.
                let short = bytes[0] == 0xc5 || bytes[1] & 0x60 != 0x60 || bytes[2] & 0x80 != 0;
                let prefix = if bytes[0] == 0xc5 { 2 } else { 3 };
                let rm = match from {
                    Gm::R(_) => 1,
                    Gm::M(m) => modrm_bytes(Rm::M(m), 1),
                };
                assert!(short && bytes.len() == prefix + 1 + rm, "{} {from:?}: too long", row.name);
                encoded.extend(&bytes);
                call(&mut called, to, from);
            }
        }
        assert!(called.finalize().unwrap() == encoded, "{}: the method is not the row", row.name);
    }
}

#[test]
fn masks_from_masks() {
    let mnemonics = Mnemonics::new();
    for (row, call) in KOP_ROWS {
        let (mut encoded, mut called, mut legal) = (Vec::new(), Assembler::new(0), 0);
        for (a, b) in (0..81).map(|n| (K(n / 9), K(n % 9))) {
            let bytes = row.encode(a, b);
            let same = decode(&bytes).is_some_and(|i| {
                i.mnemonic() == mnemonics.of(row.name)
                    && i.op_count() == 2
                    && is_mask(&i, 0, a)
                    && is_mask(&i, 1, b)
            });
            assert_eq!(same, row.legal(a, b), "{} {a:?} {b:?} is {bytes:02x?}", row.name);
            if same {
                encoded.extend(&bytes);
                call(&mut called, a, b);
                legal += 1;
            }
        }
        assert!(
            legal > 0 && called.finalize().unwrap() == encoded,
            "{}: the method is not the row",
            row.name
        );
    }
}

/// As GNU's assembler writes them.
#[test]
#[rustfmt::skip]
fn as_elsewhere() {
    let mut a = Assembler::new(0);
    a.vpunpckldq(ymm(1), ymm(2), ymm(19));
    a.vpermb(zmm(0).zero(K(1)), zmm(5), at(7, 64));
    a.vmovdqu8_store(Mem { index: Some((13, 8)), ..at(4, -3) }.masked(K(7)), xmm(30));
    a.vextracti32x4(at(13, 0), zmm(17), 3);
    a.vshufps(ymm(8).keep(K(2)), ymm(9), ymm(26), 0x88);
    a.kmovq(K(5), R(8));
    a.kmovq(K(1), at(7, 2));
    let expected: &[&[u8]] = &[
        &[0x62, 0xb1, 0x6d, 0x28, 0x62, 0xcb],
        &[0x62, 0xf2, 0x55, 0xc9, 0x8d, 0x47, 0x01],
        &[0x62, 0x21, 0x7f, 0x0f, 0x7f, 0xb4, 0xec, 0xfd, 0xff, 0xff, 0xff],
        &[0x62, 0xc3, 0x7d, 0x48, 0x39, 0x4d, 0x00, 0x03],
        &[0x62, 0x11, 0x34, 0x2a, 0xc6, 0xc2, 0x88],
        &[0xc4, 0xc1, 0xfb, 0x92, 0xe8],
        &[0xc4, 0xe1, 0xf8, 0x90, 0x4f, 0x02],
    ];
    assert_eq!(a.finalize().unwrap(), expected.concat());
}

/// The operands that the row has, all alike.
fn from_rax(row: &Row, reg: V) -> Operands {
    let with = row.form.has_vvvv().then_some(reg);
    let imm = row.form.has_imm().then_some(0);
    let (rm, mask) = match row.form {
        Form::kv => (Rm::V(reg), K(0)),
        Form::gather => (Rm::E(at(0, 0).each(V { number: 1, ..reg }, 1)), K(1)),
        _ => (Rm::M(at(0, 0)), K(0)),
    };
    Operands { reg, with, rm, mask, zeroing: false, imm }
}

/// The byte permutes are what the tier `avx512vbmi` is there for; one is used where a target says that it has it; all
/// else is every AVX-512's.
#[test]
fn extensions() {
    let common = [
        CpuidFeature::AVX512F,
        CpuidFeature::AVX512BW,
        CpuidFeature::AVX512DQ,
        CpuidFeature::AVX512VL,
    ];
    let mut others = Vec::new();
    for (row, _) in ROWS {
        let mut features = Vec::new();
        for reg in [xmm(0), ymm(0), zmm(0)] {
            let bytes = row.encode(&from_rax(row, reg));
            features.extend(decode(&bytes).iter().flat_map(|i| i.cpuid_features()));
        }
        features.retain(|feature| !common.contains(feature));
        if let Some(feature) = features.first() {
            others.push((row.name, *feature));
        }
    }
    let bytes = ["vpermb", "vpermi2b"].map(|name| (name, CpuidFeature::AVX512_VBMI));
    let bf16 = ["vcvtne2ps2bf16", "vcvtneps2bf16"].map(|name| (name, CpuidFeature::AVX512_BF16));
    assert_eq!(others, [&bytes[..], &bf16].concat());
}

/// What becomes of mistakes.
mod mistakes {
    use super::*;

    fn with(emit: impl FnOnce(&mut Assembler)) {
        emit(&mut Assembler::new(0));
    }

    #[test]
    #[should_panic(
        expected = "no such instruction: vpermd Operands { reg: V { number: 0, width: X }"
    )]
    fn width() {
        with(|a| a.vpermd(xmm(0), xmm(1), xmm(2)));
    }

    #[test]
    #[should_panic(expected = "no such instruction: vpshufb")]
    fn mixed_widths() {
        with(|a| a.vpshufb(zmm(0), zmm(1), ymm(2)));
    }

    #[test]
    #[should_panic(expected = "no such instruction: vmovdqu8")]
    fn zeroing_without_a_mask() {
        with(|a| a.vmovdqu8(zmm(0).zero(K(0)), at(7, 0)));
    }

    #[test]
    #[should_panic(expected = "no such instruction: vmovdqu64_store")]
    fn rsp_as_index() {
        with(|a| a.vmovdqu64_store(Mem { index: Some((4, 1)), ..at(7, 0) }, zmm(0)));
    }

    #[test]
    #[should_panic(expected = "no such instruction: vpshufb")]
    fn bytes_everywhere() {
        with(|a| a.vpshufb(zmm(0), zmm(1), at(7, 0).everywhere()));
    }

    #[test]
    #[should_panic(expected = "no such instruction: vgatherdps")]
    fn gather_over_its_index() {
        with(|a| a.vgatherdps(zmm(1).keep(K(1)), at(7, 0).each(zmm(1), 4)));
    }

    #[test]
    #[should_panic(expected = "no such instruction: kmovq K(8)")]
    fn mask_register() {
        with(|a| a.kmovq(K(8), R(0)));
    }
}
