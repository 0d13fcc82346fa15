//! Conversions by kernels of every tier against the scalar ones. In: a type, and bits of its elements. Out: a panic
//! that says which kernel makes other bits of which element.
#![allow(dead_code, unsafe_code)] // every test binary uses its own part; kernels take raw pointers

mod shape;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use retile::dtype::convert;
use retile::{Attr, DType, Isa, Kernel, Options, Target, Tier, Values};
pub(crate) use shape::LEAST;
use shape::SHAPES;
use shape::Shape;

/// What is where nothing was written.
const CANARY: u8 = 0xa5;

/// What elements are multiplied with where they pass the formula.
const ONE: Values<'_> =
    Values { src_scale: &[1.0], dst_scale: &[], src_zero_point: &[], dst_zero_point: &[] };

/// What becomes of elements.
#[derive(Clone, Copy, PartialEq)]
struct Wanted {
    to: DType,
    /// Through f32, by a scale of 1: NaNs are all alike then.
    formula: bool,
}

/// Which shapes a part of the inputs comes to.
#[derive(Clone, Copy)]
pub(crate) enum Which {
    All,
    /// The first ones, and of the others that whose turn it is.
    Turn(usize),
}

/// So many shapes bring every input to machine code, the first of them also through the formula.
const ALWAYS: usize = 3;

impl Which {
    fn sees(self, shape: usize, formula: bool, target: &Target) -> bool {
        let Which::Turn(n) = self else { return true };
        // What has no code takes ten times as long, and is one way for all shapes.
        if target.tier == Tier::Portable {
            return shape == 0 && !formula || n % (4 * SHAPES) == 4 * shape;
        }
        let turn = n % SHAPES == shape;
        shape == 0 || turn || shape < ALWAYS && !formula
    }
}

/// Kernels that do their parts of a shape, and the element that each starts at.
type Calls = Vec<(Kernel, usize)>;

/// All kernels from a type.
pub(crate) struct Proof {
    from: DType,
    results: Vec<Wanted>,
    targets: Vec<Target>,
    shapes: Vec<Shape>,
    /// By shape, result and target.
    kernels: Vec<Vec<Vec<Calls>>>,
    inputs: usize,
}

/// Buffers of one thread, and what it took.
pub(crate) struct Work<'p> {
    proof: &'p Proof,
    source: Vec<u64>,
    expected: Vec<Vec<u8>>,
    found: Vec<u64>,
    image: Vec<u8>,
    /// By the scalar conversions, and by the kernels of each target.
    pub(crate) scalar: Duration,
    pub(crate) kernels: Vec<Duration>,
}

/// The target of each tier that this machine has, unless `RETILE_TARGETS` names some.
fn targets() -> Vec<Target> {
    let isa = Isa::of_this_cpu();
    match std::env::var("RETILE_TARGETS") {
        Ok(names) => {
            let named = names.split(',').map(|name| name.parse::<Target>().unwrap());
            named.filter(|target| isa.runs_target(target)).collect()
        }
        Err(_) => {
            let tiers = Tier::ALL.into_iter().filter(|tier| isa.runs(*tier));
            tiers.map(|tier| isa.capped(tier).target()).collect()
        }
    }
}

impl Proof {
    /// To all types that a type becomes; a kernel for every `every`th of the short lengths.
    pub(crate) fn new(from: DType, every: usize) -> Proof {
        let (mut results, targets) = (Vec::new(), targets());
        for to in DType::ALL.into_iter().filter(|to| convert::allowed(from, *to)) {
            results.push(Wanted { to, formula: false });
            if convert::arithmetic_allowed(from, to) {
                results.push(Wanted { to, formula: true });
            }
        }
        // Equal types are copied.
        results.retain(|result| result.formula || result.to != from);
        let shapes = shape::all(from as usize % every, every);
        let kernels = shapes.iter().map(|shape| {
            let of =
                |result: &Wanted| targets.iter().map(|t| made(from, shape, *result, t)).collect();
            results.iter().map(of).collect()
        });
        let kernels = kernels.collect();
        let inputs = shapes.iter().map(|shape| shape.places.len()).max().unwrap();
        Proof { from, results, targets, shapes, kernels, inputs }
    }

    /// How many inputs are wanted at once.
    pub(crate) fn inputs(&self) -> usize {
        self.inputs
    }

    pub(crate) fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Buffers for a thread.
    pub(crate) fn work(&self) -> Work<'_> {
        let most = |side: usize| self.shapes.iter().map(|shape| shape.sizes[side]).max().unwrap();
        Work {
            proof: self,
            source: vec![0; most(0) * self.from.size() / 8 + 1],
            expected: self.results.iter().map(|r| vec![0; self.inputs * r.to.size()]).collect(),
            found: vec![0; most(1) + 1],
            image: vec![0; 8 * most(1)],
            scalar: Duration::ZERO,
            kernels: vec![Duration::ZERO; self.targets.len()],
        }
    }

    /// Holds all kernels to a list of inputs, repeated as often as there is room.
    pub(crate) fn list(&self, inputs: &[u64]) {
        let mut work = self.work();
        for part in inputs.chunks(LEAST) {
            let part: Vec<u64> = part.iter().copied().cycle().take(self.inputs).collect();
            work.judge(&part, Which::All);
        }
    }
}

/// The kernels of a shape and a result, of which there is code wherever there should be.
fn made(from: DType, shape: &Shape, result: Wanted, target: &Target) -> Calls {
    let attr = if result.formula { Attr::new().src_scale(0) } else { Attr::new() };
    let options = Options::new().target(*target);
    let kernel = |src: &retile::Layout, dst: &retile::Layout| {
        let kernel = Kernel::with_options(src, dst, &attr, &options).unwrap();
        assert_eq!(kernel.tier(), target.tier, "{src} {dst}: {:?}", kernel.why_portable());
        kernel
    };
    let (from, to) = (from.to_string(), result.to.to_string());
    if shape.pieces.is_empty() {
        let (src, dst) = (shape.layout(&from, shape.src), shape.layout(&to, shape.dst));
        return vec![(kernel(&src, &dst), 0)];
    }
    let mut known: HashMap<usize, Kernel> = HashMap::new();
    let piece = |&(start, length): &(usize, usize)| {
        let made = || {
            let src = format!("{from}:a:{length}").parse().unwrap();
            kernel(&src, &src.destination(&format!("{to}:a")).unwrap())
        };
        (known.entry(length).or_insert_with(made).clone(), start)
    };
    shape.pieces.iter().map(piece).collect()
}

impl Work<'_> {
    /// Holds the kernels of some shapes to the scalar conversions, on as many inputs as are wanted.
    pub(crate) fn judge(&mut self, inputs: &[u64], which: Which) {
        let proof = self.proof;
        let start = Instant::now();
        // By a scale of 1 every f32 but a NaN stays what it is.
        let nan = |bits: &u64| f32::from_bits(*bits as u32).is_nan();
        let alike = proof.from == DType::F32 && !inputs.iter().any(nan);
        for (r, result) in proof.results.iter().enumerate() {
            let (plain, own) = self.expected.split_at_mut(r);
            match proof.results[..r].last() {
                Some(last) if alike && last.to == result.to => {
                    own[0].copy_from_slice(&plain[r - 1])
                }
                _ => scalar(proof.from, *result, inputs, &mut own[0]),
            }
        }
        self.scalar += start.elapsed();
        for s in 0..proof.shapes.len() {
            let seen = |result: &Wanted, target: &Target| which.sees(s, result.formula, target);
            self.shape(inputs, s, seen);
        }
    }

    fn shape(&mut self, inputs: &[u64], s: usize, seen: impl Fn(&Wanted, &Target) -> bool) {
        let proof = self.proof;
        let shape = &proof.shapes[s];
        let all = proof.results.iter().flat_map(|r| proof.targets.iter().map(move |t| (r, t)));
        if !all.into_iter().any(|(result, target)| seen(result, target)) {
            return;
        }
        let source: &mut [u8] = bytemuck::cast_slice_mut(&mut self.source);
        match proof.from.size() {
            1 => shape.places.iter().zip(inputs).for_each(|(at, bits)| source[*at] = *bits as u8),
            2 => spread(bytemuck::cast_slice_mut(source), shape, inputs, |bits| bits as u16),
            4 => spread(bytemuck::cast_slice_mut(source), shape, inputs, |bits| bits as u32),
            _ => spread(&mut self.source, shape, inputs, |bits| bits),
        }
        for (r, result) in proof.results.iter().enumerate() {
            if !proof.targets.iter().any(|target| seen(result, target)) {
                continue;
            }
            let size = result.to.size();
            let bytes = shape.sizes[1] * size;
            let image = match shape.runs[..] {
                [_] => &self.expected[r][..bytes],
                _ => {
                    let image = &mut self.image[..bytes];
                    image.fill(CANARY);
                    let mut rest = &self.expected[r][..];
                    for &(at, count) in &shape.runs {
                        let (own, after) = rest.split_at(count * size);
                        image[at * size..][..own.len()].copy_from_slice(own);
                        rest = after;
                    }
                    shape.tails.iter().for_each(|at| image[at * size..][..size].fill(0));
                    image
                }
            };
            let targets = proof.targets.iter().enumerate();
            for (t, target) in targets.filter(|(_, target)| seen(result, target)) {
                let start = Instant::now();
                let found: &mut [u8] = &mut bytemuck::cast_slice_mut(&mut self.found)[..bytes];
                found.fill(CANARY);
                let source: &[u8] = bytemuck::cast_slice(&self.source);
                for (kernel, at) in &proof.kernels[s][r][t] {
                    let (from, to) = (at * proof.from.size(), at * size);
                    // SAFETY: the buffers hold all elements of the shape from there on, aligned to 8 bytes.
                    unsafe {
                        kernel.run_raw(source[from..].as_ptr(), found[to..].as_mut_ptr(), &ONE)
                    }
                }
                self.kernels[t] += start.elapsed();
                if found != image {
                    let at = (0..bytes).find(|at| found[*at] != image[*at]).unwrap() / size;
                    told(inputs, proof.from, shape, *result, target, at, found, image);
                }
            }
        }
    }
}

#[allow(clippy::too_many_arguments)] // all that is said
fn told(
    inputs: &[u64],
    from: DType,
    shape: &Shape,
    result: Wanted,
    target: &Target,
    at: usize,
    found: &[u8],
    expected: &[u8],
) -> ! {
    let Wanted { to, formula } = result;
    let bits = |bytes: &[u8]| {
        let bytes = bytes[at * to.size()..][..to.size()].iter().rev();
        bytes.fold(String::from("0x"), |text, byte| text + &format!("{byte:02x}"))
    };
    let mut before = 0;
    let run = shape.runs.iter().find_map(|&(start, count)| {
        let input = (start..start + count).contains(&at).then(|| inputs[before + at - start]);
        before += count;
        input
    });
    let input = run.map_or("no element".into(), |bits| format!("{bits:#x}"));
    let step = if formula { ", by a scale of 1" } else { "" };
    let pieces = if shape.pieces.is_empty() { "" } else { " in pieces" };
    panic!(
        "{from}:{}:{} {to}:{}{pieces} for {target}{step}: element {at} of the destination, {input}, becomes \
         {}, expected {}",
        shape.src,
        shape.dims,
        shape.dst,
        bits(found),
        bits(expected)
    );
}

fn spread<T: Copy>(source: &mut [T], shape: &Shape, inputs: &[u64], cut: impl Fn(u64) -> T) {
    for (at, bits) in shape.places.iter().zip(inputs) {
        source[*at] = cut(*bits);
    }
}

/// The scalar conversions of many inputs.
fn scalar(from: DType, result: Wanted, inputs: &[u64], out: &mut [u8]) {
    // Types that the compiler knows: a loop for each pair that is asked often.
    macro_rules! pairs {
        ($($from:ident to $($to:ident)+;)+) => {
            match (from, result.to) {
                $($((DType::$from, DType::$to) => one(DType::$from, DType::$to, result.formula, inputs, out),)+)+
                (from, to) => one(from, to, result.formula, inputs, out),
            }
        };
    }
    pairs! {
        F32 to F32 F16 Bf16 S32 S8 U8;
        S32 to F32 F16 Bf16 S32 S8 U8;
    }
}

#[inline(always)]
fn one(from: DType, to: DType, formula: bool, inputs: &[u64], out: &mut [u8]) {
    let element = |bits: u64| convert::element(from, to, bits);
    let scaled = |bits: u64| convert::store_f32(to, convert::load_f32(from, bits) * 1.0);
    let size = to.size();
    let places = out.chunks_exact_mut(size).zip(inputs);
    match formula {
        false => places
            .for_each(|(place, bits)| place.copy_from_slice(&element(*bits).to_le_bytes()[..size])),
        true => places
            .for_each(|(place, bits)| place.copy_from_slice(&scaled(*bits).to_le_bytes()[..size])),
    }
}
