//! The EVEX instructions that we use, as methods of dynasm's assemblers, which have none of them. In: the
//! manual's mnemonic and its operands. Out: bytes, in place.
//!
//! An instruction is a row, written as the manual heads its page. Tests hold every row at every width,
//! with every mask, register and form of address against a decoder: what is legal here decodes to itself,
//! and nothing else does.
//!
//! ```text
//! form    operands                          mask
//! rm      register, register/memory         yes
//! rvm     two registers, then that          yes
//! vmi6    register, that, an immediate      yes      6: a part of the opcode
//! kvm     mask, register, register/memory   yes      what is left out becomes 0 by itself
//! km      mask, register/memory             yes      the same
//! kv      mask, register                    no
//! halve   register, one of twice its width  yes      or memory: at least 32 bytes
//! gather  register, an address for each     must be  becomes zero
//! load_k  register, memory                  yes
//! load    register, memory                  no
//! mr      memory, register                  yes      the method is called .._store
//! mri     register/memory, register         yes
//! narrow  register/memory, register         yes
//! store   memory, register                  no
//! ..i     and an immediate
//! ```
//!
//! Where the tuple is `Full` or `Half`, memory may be one element for all lanes: [`Mem::everywhere`].
//!
//! Where an instruction touches less memory than a vector, a register in memory's place is as much narrower:
//! `vpbroadcastd(zmm(1), xmm(2))`, `vinserti64x4(zmm(1), zmm(2), ymm(3), 1)`.
//!
//! What is illegal is a mistake of the emitter, and panics: a register that does not exist, a width that
//! the instruction does not have or that its operands do not share, zeroing without a mask or in memory, an
//! address that cannot be encoded.

mod kmov;
mod kop;
mod operand;
mod row;
mod vex;

use dynasmrt::DynasmApi;

pub(crate) use operand::*;
use row::{Form, Operands, PF2, Row, Tuple, W0, W1, Widths};
pub(crate) use row::{M0F, M3A, M38, NP, P66, PF3};
pub(crate) use vex::{Place, Vex};

/// Hands all rows to another macro.
macro_rules! rows {
    ($to:ident) => {
        $to! {
            // form name              pp  map W  opcode tuple widths
            rm     vmovdqu8           PF2 M0F W0 0x6f FullMem XYZ;
            rm     vmovdqu16          PF2 M0F W1 0x6f FullMem XYZ;
            rm     vmovdqu32          PF3 M0F W0 0x6f FullMem XYZ;
            rm     vmovdqu64          PF3 M0F W1 0x6f FullMem XYZ;
            rm     vmovdqa64          P66 M0F W1 0x6f FullMem XYZ;
            mr     vmovdqu8_store     PF2 M0F W0 0x7f FullMem XYZ;
            mr     vmovdqu16_store    PF2 M0F W1 0x7f FullMem XYZ;
            mr     vmovdqu32_store    PF3 M0F W0 0x7f FullMem XYZ;
            mr     vmovdqu64_store    PF3 M0F W1 0x7f FullMem XYZ;
            kv     vpmovb2m           PF3 M38 W0 0x29 FullMem XYZ;
            store  vmovntdq           P66 M0F W0 0xe7 FullMem XYZ;
            load   vmovd              P66 M0F W0 0x6e T1x32   X;
            load   vmovq              P66 M0F W1 0x6e T1x64   X;
            store  vmovd_store        P66 M0F W0 0x7e T1x32   X;
            store  vmovq_store        P66 M0F W1 0x7e T1x64   X;

            rm     vpbroadcastb       P66 M38 W0 0x78 T1x8    XYZ;
            rm     vpbroadcastw       P66 M38 W0 0x79 T1x16   XYZ;
            rm     vpbroadcastd       P66 M38 W0 0x58 T1x32   XYZ;
            rm     vpbroadcastq       P66 M38 W1 0x59 T1x64   XYZ;
            load_k vbroadcasti32x4    P66 M38 W0 0x5a T4x32   YZ;
            load_k vbroadcasti64x4    P66 M38 W1 0x5b T4x64   Z;

            rvmi   vinserti32x4       P66 M3A W0 0x38 T4x32   YZ;
            rvmi   vinserti64x4       P66 M3A W1 0x3a T4x64   Z;
            mri    vextracti32x4      P66 M3A W0 0x39 T4x32   YZ;
            mri    vextracti64x4      P66 M3A W1 0x3b T4x64   Z;

            rvm    vpunpcklbw         P66 M0F W0 0x60 FullMem XYZ;
            rvm    vpunpcklwd         P66 M0F W0 0x61 FullMem XYZ;
            rvm    vpunpckldq         P66 M0F W0 0x62 Full    XYZ;
            rvm    vpunpcklqdq        P66 M0F W1 0x6c Full    XYZ;
            rvm    vpunpckhbw         P66 M0F W0 0x68 FullMem XYZ;
            rvm    vpunpckhwd         P66 M0F W0 0x69 FullMem XYZ;
            rvm    vpunpckhdq         P66 M0F W0 0x6a Full    XYZ;
            rvm    vpunpckhqdq        P66 M0F W1 0x6d Full    XYZ;

            rvmi   vshufps            NP  M0F W0 0xc6 Full    XYZ;
            rvmi   vshufpd            P66 M0F W1 0xc6 Full    XYZ;
            rvmi   vshufi64x2         P66 M3A W1 0x43 Full    YZ;
            rvm    vpshufb            P66 M38 W0 0x00 FullMem XYZ;
            rmi    vpshufd            P66 M0F W0 0x70 Full    XYZ;

            rvm    vpermb             P66 M38 W0 0x8d FullMem XYZ;
            rvm    vpermi2b           P66 M38 W0 0x75 FullMem XYZ;
            rvm    vpermi2d           P66 M38 W0 0x76 Full    XYZ;
            rvm    vpermw             P66 M38 W1 0x8d FullMem XYZ;
            rvm    vpermd             P66 M38 W0 0x36 Full    YZ;
            rvm    vpermq             P66 M38 W1 0x36 Full    YZ;

            rvm    vpblendmb          P66 M38 W0 0x66 FullMem XYZ;
            rvm    vpblendmw          P66 M38 W1 0x66 FullMem XYZ;
            rvm    vpblendmd          P66 M38 W0 0x64 Full    XYZ;
            rvm    vpandd             P66 M0F W0 0xdb Full    XYZ;
            rvm    vpord              P66 M0F W0 0xeb Full    XYZ;
            rvm    vpxord             P66 M0F W0 0xef Full    XYZ;
            rvmi   vpternlogd         P66 M3A W0 0x25 Full    XYZ;

            rvm    vaddps             NP  M0F W0 0x58 Full    XYZ;
            rvm    vsubps             NP  M0F W0 0x5c Full    XYZ;
            rvm    vmulps             NP  M0F W0 0x59 Full    XYZ;
            rvm    vdivps             NP  M0F W0 0x5e Full    XYZ;
            rvm    vminps             NP  M0F W0 0x5d Full    XYZ;
            rvm    vfmadd132ps        P66 M38 W0 0x98 Full    XYZ;
            rvm    vfnmadd231ps       P66 M38 W0 0xbc Full    XYZ;
            rvmi   vfixupimmps        P66 M3A W0 0x54 Full    XYZ;
            rvm    vpaddw             P66 M0F W0 0xfd FullMem XYZ;
            rvm    vpaddd             P66 M0F W0 0xfe Full    XYZ;
            rvm    vpsubw             P66 M0F W0 0xf9 FullMem XYZ;
            rvm    vpsubd             P66 M0F W0 0xfa Full    XYZ;
            rvm    vpmaddubsw         P66 M38 W0 0x04 FullMem XYZ;
            rvm    vpmaddwd           P66 M0F W0 0xf5 FullMem XYZ;
            rvm    vpminsd            P66 M38 W0 0x39 Full    XYZ;
            rvm    vpmaxsd            P66 M38 W0 0x3d Full    XYZ;
            rvm    vpmaxsb            P66 M38 W0 0x3c FullMem XYZ;
            rvm    vpminub            P66 M0F W0 0xda FullMem XYZ;
            rvm    vpminsw            P66 M0F W0 0xea FullMem XYZ;
            rvm    vpaddsb            P66 M0F W0 0xec FullMem XYZ;
            rvm    vpsubsb            P66 M0F W0 0xe8 FullMem XYZ;
            rvm    vpaddusb           P66 M0F W0 0xdc FullMem XYZ;
            rvm    vpsubusb           P66 M0F W0 0xd8 FullMem XYZ;

            vmi4   vpsraw             P66 M0F W0 0x71 FullMem XYZ;
            vmi6   vpslld             P66 M0F W0 0x72 Full    XYZ;
            vmi2   vpsrld             P66 M0F W0 0x72 Full    XYZ;
            vmi4   vpsrad             P66 M0F W0 0x72 Full    XYZ;

            rvm    vpacksswb          P66 M0F W0 0x63 FullMem XYZ;
            rvm    vpackuswb          P66 M0F W0 0x67 FullMem XYZ;
            rvm    vpackssdw          P66 M0F W0 0x6b Full    XYZ;
            rvm    vpackusdw          P66 M38 W0 0x2b Full    XYZ;
            rm     vpmovsxbd          P66 M38 W0 0x21 QuarterMem XYZ;
            rm     vpmovsxwd          P66 M38 W0 0x23 HalfMem XYZ;
            rm     vpmovsxdq          P66 M38 W0 0x25 HalfMem XYZ;
            rm     vpmovzxbd          P66 M38 W0 0x31 QuarterMem XYZ;
            rm     vpmovzxwd          P66 M38 W0 0x33 HalfMem XYZ;
            narrow vpmovsdb           PF3 M38 W0 0x21 QuarterMem XYZ;
            narrow vpmovusdb          PF3 M38 W0 0x11 QuarterMem XYZ;
            narrow vpmovdw            PF3 M38 W0 0x33 HalfMem XYZ;
            narrow vpmovsqd           PF3 M38 W0 0x25 HalfMem XYZ;

            rm     vcvtdq2ps          NP  M0F W0 0x5b Full    XYZ;
            rm     vcvtps2dq          P66 M0F W0 0x5b Full    XYZ;
            rm     vcvtph2ps          P66 M38 W0 0x13 HalfMem XYZ;
            mri    vcvtps2ph          P66 M3A W0 0x1d HalfMem XYZ;
            rvm    vcvtne2ps2bf16     PF2 M38 W0 0x72 Full    XYZ;
            rm     vcvtps2pd          NP  M0F W0 0x5a Half    XYZ;
            halve  vcvtpd2ps          P66 M0F W1 0x5a Full    XYZ;
            halve  vcvtneps2bf16      PF3 M38 W0 0x72 Full    XYZ;

            kmi    vfpclassps         P66 M3A W0 0x66 Full    XYZ;
            kvmi   vcmpps             NP  M0F W0 0xc2 Full    XYZ;
            kvm    vptestmd           P66 M38 W0 0x27 Full    XYZ;
            kvm    vpcmpeqw           P66 M0F W0 0x75 FullMem XYZ;

            gather vgatherdps         P66 M38 W0 0x92 T1x32   XYZ;
        }
    };
}

/// Hands the rows of what loads k-registers to another macro.
macro_rules! k_rows {
    ($to:ident) => {
        $to! {
            // name  from memory    from a general register
            kmovq    NP  W1 0x90     PF2 W1 0x92;
        }
    };
}

/// Hands the rows of what is asked of two k-registers to another macro.
macro_rules! kop_rows {
    ($to:ident) => {
        $to! {
            // name  W opcode
            kortestw W0 0x98;
            kortestq W1 0x98;
        }
    };
}

macro_rules! row {
    ($form:ident $name:ident $pp:ident $map:ident $w:ident $opcode:literal $tuple:ident $widths:ident) => {
        Row {
            name: stringify!($name),
            form: Form::$form,
            pp: $pp,
            map: $map,
            w: $w,
            opcode: $opcode,
            tuple: Tuple::$tuple,
            widths: Widths::$widths,
        }
    };
}

macro_rules! k_row {
    ($name:ident $mpp:ident $mw:ident $m:literal $rpp:ident $rw:ident $r:literal) => {
        kmov::Row { name: stringify!($name), memory: [$mpp, $mw, $m], register: [$rpp, $rw, $r] }
    };
}

macro_rules! kop_row {
    ($name:ident $w:ident $opcode:literal) => {
        kop::Row { name: stringify!($name), w: $w, opcode: $opcode }
    };
}

macro_rules! method {
    (rm $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<V>>, from: impl Into<Rm>) {
            put(self, const { &$row }, Operands::load(to.into(), from.into()));
        }
    };
    (rmi $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<V>>, from: impl Into<Rm>, imm: u8) {
            put(self, const { &$row }, Operands::load(to.into(), from.into()).imm(imm));
        }
    };
    (rvm $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<V>>, a: V, b: impl Into<Rm>) {
            put(self, const { &$row }, Operands::load(to.into(), b.into()).with(a));
        }
    };
    (rvmi $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<V>>, a: V, b: impl Into<Rm>, imm: u8) {
            put(self, const { &$row }, Operands::load(to.into(), b.into()).with(a).imm(imm));
        }
    };
    (vmi2 $name:ident $row:expr) => {
        method! { rmi $name $row }
    };
    (vmi4 $name:ident $row:expr) => {
        method! { rmi $name $row }
    };
    (vmi6 $name:ident $row:expr) => {
        method! { rmi $name $row }
    };
    (kvm $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<K>>, a: V, b: impl Into<Rm>) {
            put(self, const { &$row }, Operands::compare(to.into(), a, b.into()));
        }
    };
    (kvmi $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<K>>, a: V, b: impl Into<Rm>, imm: u8) {
            put(self, const { &$row }, Operands::compare(to.into(), a, b.into()).imm(imm));
        }
    };
    (kmi $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<K>>, width: Width, from: impl Into<Rm>, imm: u8) {
            put(self, const { &$row }, Operands::class(to.into(), width, from.into()).imm(imm));
        }
    };
    (kv $name:ident $row:expr) => {
        fn $name(&mut self, to: K, from: V) {
            put(self, const { &$row }, Operands::class(to.into(), from.width, from.into()));
        }
    };
    (halve $name:ident $row:expr) => {
        method! { rm $name $row }
    };
    (gather $name:ident $row:expr) => {
        fn $name(&mut self, to: To<V>, from: Each) {
            put(self, const { &$row }, Operands::load(to, Rm::E(from)));
        }
    };
    (load_k $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<V>>, from: Mem) {
            put(self, const { &$row }, Operands::load(to.into(), from.into()));
        }
    };
    (load $name:ident $row:expr) => {
        fn $name(&mut self, to: V, from: Mem) {
            put(self, const { &$row }, Operands::load(to.into(), from.into()));
        }
    };
    (mr $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<Mem>>, from: V) {
            put(self, const { &$row }, Operands::store(to.into().into(), from));
        }
    };
    (mri $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<Rm>>, from: V, imm: u8) {
            put(self, const { &$row }, Operands::store(to.into(), from).imm(imm));
        }
    };
    (narrow $name:ident $row:expr) => {
        fn $name(&mut self, to: impl Into<To<Rm>>, from: V) {
            put(self, const { &$row }, Operands::store(to.into(), from));
        }
    };
    (store $name:ident $row:expr) => {
        fn $name(&mut self, to: Mem, from: V) {
            put(self, const { &$row }, Operands::store(to.into(), from));
        }
    };
}

macro_rules! methods {
    ($($form:ident $name:ident $pp:ident $map:ident $w:ident $opcode:literal $tuple:ident $widths:ident;)*) => {
        $(method! { $form $name row!($form $name $pp $map $w $opcode $tuple $widths) })*
    };
}

macro_rules! k_methods {
    ($($name:ident $mpp:ident $mw:ident $m:literal $rpp:ident $rw:ident $r:literal;)*) => {$(
        /// From memory or from a general register, of the bits that the mask has.
        fn $name(&mut self, to: K, from: impl Into<Gm>) {
            put_k(self, const { &k_row!($name $mpp $mw $m $rpp $rw $r) }, to, from.into());
        }
    )*};
}

macro_rules! kop_methods {
    ($($name:ident $w:ident $opcode:literal;)*) => {$(
        fn $name(&mut self, a: K, b: K) {
            put_kop(self, const { &kop_row!($name $w $opcode) }, a, b);
        }
    )*};
}

/// The instructions.
pub(crate) trait Evex: DynasmApi {
    rows! { methods }
    k_rows! { k_methods }
    kop_rows! { kop_methods }
}

impl<A: DynasmApi + ?Sized> Evex for A {}

// Not inlined: each of hundreds of lines that emit something would get a copy. The check costs 3 ns, and
// a wrong instruction would be run.
#[inline(never)]
fn put<A: DynasmApi + ?Sized>(assembler: &mut A, row: &Row, operands: Operands) {
    let operands = row.alone(operands);
    assert!(row.legal(&operands), "no such instruction: {} {operands:?}", row.name);
    assembler.extend(&row.encode(&operands));
}

#[inline(never)]
fn put_k<A: DynasmApi + ?Sized>(assembler: &mut A, row: &kmov::Row, to: K, from: Gm) {
    assert!(row.legal(to, from), "no such instruction: {} {to:?} {from:?}", row.name);
    assembler.extend(&row.encode(to, from));
}

#[inline(never)]
fn put_kop<A: DynasmApi + ?Sized>(assembler: &mut A, row: &kop::Row, a: K, b: K) {
    assert!(row.legal(a, b), "no such instruction: {} {a:?} {b:?}", row.name);
    assembler.extend(&row.encode(a, b));
}

#[cfg(all(test, not(miri)))] // machine code
mod tests;
