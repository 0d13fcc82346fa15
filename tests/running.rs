//! Ways to run: what is checked before anything is written, memory that nothing was written to, tasks in any threads,
//! and tensors in other layouts.

use std::mem::MaybeUninit;

use retile::{
    Attr, ErrorKind, Isa, Kernel, Layout, Options, Reorder, Tensor, Tier, Values, reference,
};

fn pair(src: &str, dst: &str) -> (Layout, Layout) {
    let src: Layout = src.parse().unwrap();
    let dst = src.destination(dst).unwrap();
    (src, dst)
}

fn made(src: &str, dst: &str, attr: &Attr) -> Reorder {
    let (src, dst) = pair(src, dst);
    Reorder::with_attr(&src, &dst, attr).unwrap()
}

/// Numbers that tell elements apart.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| i as f32).collect()
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_written() {
    let scale = Attr::new().src_scale(1 << 1);
    let reorder = made("f32:ab:3x5", "s8:ba", &scale);
    let (source, scales) = (numbers(15), [1f32; 5]);
    let values = Values { src_scale: &scales, ..Values::default() };
    let few = Values { src_scale: &scales[1..], ..Values::default() };
    let mut target = [77i8; 15];
    let short = reorder.run_with(&source[1..], &mut target, &values);
    let said = [
        short.unwrap_err(),
        reorder.run_with(&source, &mut target[1..], &values).unwrap_err(),
        reorder.run_with(&source, &mut target, &few).unwrap_err(),
        reorder.run(&source, &mut target).unwrap_err(),
        reorder.run_with(&[0i32; 15], &mut target, &values).unwrap_err(),
        reorder.run_with(&source, &mut [0u8; 15], &values).unwrap_err(),
        reorder.tasks(&source[1..], &mut target, &values, 2).map(|_| ()).unwrap_err(),
        reorder.run_on_threads(&source, &mut target, &few, 2).unwrap_err(),
    ];
    for error in said {
        assert_eq!(error.kind(), ErrorKind::Buffer, "{error}");
    }
    assert_eq!(target, [77; 15]);
    reorder.run_with(&source, &mut target, &values).unwrap();
    assert_eq!(target[..4], [0, 5, 10, 1]);
}

#[test]
fn bytes_off_their_alignment_are_refused() {
    let reorder = made("f32:ab:3x5", "ba", &Attr::new());
    let (source, mut target) = ([0f64; 9], [0f64; 9]);
    let source: &[u8] = bytemuck::cast_slice(&source);
    let target: &mut [u8] = bytemuck::cast_slice_mut(&mut target);
    let none = Values::default();
    assert!(reorder.run_bytes(&source[2..], target, &none).is_err());
    assert!(reorder.run_bytes(source, &mut target[1..], &none).is_err());
    assert!(reorder.run_bytes(&source[4..], &mut target[8..], &none).is_ok());
}

#[test]
fn memory_that_nothing_was_written_to() {
    let reorder = made("f32:nchw:1x3x2x2", "nChw8c:upper=0,0,1,0:fill=9", &Attr::new());
    let mut room = [MaybeUninit::<f32>::uninit(); 60];
    let written = reorder.run_uninit(&numbers(12), &mut room, &Values::default()).unwrap();
    assert_eq!(written.len(), reorder.dst().size_elements());
    assert_eq!(written[..9], [0.0, 4.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    // Of an upper margin only the channels that there are have the fill.
    assert_eq!(written[32..36], [9.0, 9.0, 9.0, 0.0]);
}

#[test]
fn no_element_is_left_as_it_was() {
    let mut room = [MaybeUninit::<f32>::uninit(); 64];
    let none = Values::default();
    let sum = made("f32:ab:3x5", "ba", &Attr::new().sum(0.5));
    let error = sum.run_uninit(&numbers(15), &mut room, &none).unwrap_err();
    assert!(error.to_string().contains("sum"), "{error}");
    let gaps = made("f32:ab:3x5", "strides(1,4)", &Attr::new());
    let error = gaps.run_uninit(&numbers(15), &mut room, &none).unwrap_err();
    assert!(error.to_string().contains("gaps"), "{error}");
    // Sums begin on a multiple of four bytes, three behind the data.
    let mut bytes = [MaybeUninit::<i8>::uninit(); 64];
    let sums = Attr::new().s8s8_compensation(1);
    assert!(made("s8:ab:3x7", "ba", &sums).run_uninit(&[1i8; 21], &mut bytes, &none).is_err());
    let whole = made("s8:ab:4x7", "ba", &sums);
    let written = whole.run_uninit(&[1i8; 28], &mut bytes, &none).unwrap();
    assert_eq!(written.len(), 28 + 16);
    assert_eq!(bytemuck::pod_read_unaligned::<i32>(bytemuck::cast_slice(&written[28..32])), -896);
}

#[test]
fn tasks_of_any_threads_are_the_whole() {
    let planes = if cfg!(miri) { "f32:nchw:3x37x3x2" } else { "f32:nchw:3x37x31x29" };
    let reorder = made(planes, "nChw16c", &Attr::new());
    let source = numbers(reorder.src().size_elements());
    let size = reorder.dst().size_elements();
    let mut wanted = vec![f32::NAN; size];
    reorder.run(&source, &mut wanted).unwrap();
    for threads in [0, 1, 2, 3, 8, 1000].into_iter().skip(if cfg!(miri) { 3 } else { 0 }) {
        let mut found = vec![f32::NAN; size];
        reorder.run_on_threads(&source, &mut found, &Values::default(), threads).unwrap();
        assert!(found == wanted, "{threads} threads");
        let mut found = vec![f32::NAN; size];
        let tasks = reorder.tasks(&source, &mut found, &Values::default(), threads).unwrap();
        let mut done = 0;
        while tasks.run_next() {
            done += 1;
        }
        assert_eq!(done, tasks.count());
        assert!(!tasks.run_next());
        assert!(found == wanted, "{threads} threads, one after the other");
    }
}

/// Whoever knows the type of elements at run time alone has bytes.
#[test]
fn bytes_are_as_good_as_elements() {
    let reorder = made("f32:nchw:3x17x9x7", "bf16:nChw16c", &Attr::new());
    let (source, none) = (numbers(reorder.src().size_elements()), Values::default());
    let source: &[u8] = bytemuck::cast_slice(&source);
    let mut wanted = vec![0u16; reorder.dst().size_elements()];
    reorder.run_bytes(source, bytemuck::cast_slice_mut(&mut wanted), &none).unwrap();
    let wanted: &[u8] = bytemuck::cast_slice(&wanted);
    // Whole words are aligned for any element.
    let mut words = vec![!0u64; wanted.len() / 8 + 1];
    let found: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
    reorder.run_on_threads_bytes(source, found, &none, 2).unwrap();
    assert_eq!(&found[..wanted.len()], wanted);
    found.fill(0xff);
    let tasks = reorder.tasks_bytes(source, found, &none, 3).unwrap();
    while tasks.run_next() {}
    assert_eq!(&found[..wanted.len()], wanted);
    assert!(reorder.tasks_bytes(&source[2..], found, &none, 3).is_err());
    let mut room = Vec::<u8>::with_capacity(wanted.len() + 16);
    let room = room.spare_capacity_mut();
    let even = room.as_ptr().align_offset(8);
    let room = &mut room[even..];
    assert!(reorder.run_uninit_bytes(source, &mut room[1..], &none).is_err());
    assert_eq!(reorder.run_uninit_bytes(source, room, &none).unwrap(), wanted);
}

/// Sums are added up in words before they are in double words, of as many elements as have room even so.
#[test]
fn sums_of_all_that_elements_can_be() {
    let pairs = [
        ("s8:goihw:32x1x1x16x16", "Goihw16g", 7),
        ("s8:goihw:20x1x1x9x7", "Goihw8g", 1),
        ("s8:goihw:48x1x1x8x8", "gOhwi16o", 3),
        ("s8:oihw:32x40x3x3", "OIhw4i16o4i", 1),
        ("s8:ab:300x64", "ab", 2),
        ("s8:ab:300x67", "ba", 2),
        ("s8:ab:16x700", "Ba16b", 1),
    ];
    for (src, dst, mask) in pairs.into_iter().step_by(if cfg!(miri) { 4 } else { 1 }) {
        let src: Layout = src.parse().unwrap();
        let dst = src.destination(dst).unwrap();
        let attr = Attr::new().s8s8_compensation(mask).asymmetric_compensation(mask);
        for tier in Tier::ALL.into_iter().filter(|tier| Isa::of_this_cpu().runs(*tier)) {
            let options = Options::new().max_tier(tier);
            let kernel = Kernel::with_options(&src, &dst, &attr, &options).unwrap();
            for element in [i8::MIN, -1, i8::MAX] {
                let source = vec![element as u8; src.size_elements()];
                let size = kernel.sizes().dst;
                let (mut found, mut wanted) = (vec![1; size], vec![2; size]);
                let values = Values::default();
                reference::reorder(&src, &source, &dst, &mut wanted, &attr, &values).unwrap();
                kernel.run_bytes(&source, &mut found, &values).unwrap();
                assert!(found == wanted, "{src} {dst} of {element} on {tier}");
            }
        }
    }
}

/// Whoever caps the tier is named, not the CPU.
#[test]
fn a_target_beyond_the_tier_asked_for() {
    let src: Layout = "f32:nchw:1x2x3x4".parse().unwrap();
    let dst = src.destination("nhwc").unwrap();
    let options = Options::new().target("haswell".parse().unwrap()).max_tier(Tier::Portable);
    let refused = Reorder::builder(&src, &dst).options(options).build().unwrap_err().to_string();
    let why = match Isa::detect().unwrap().runs(Tier::Avx2) {
        true => "no more than portable is asked for",
        false => "allows no more than portable",
    };
    let cpu = "this CPU has no more than portable";
    assert!(refused.ends_with(why) || refused.ends_with(cpu), "{refused}");
}

#[test]
fn little_work_is_one_task() {
    let reorder = made("f32:nchw:1x16x8x8", "nhwc", &Attr::new());
    assert_eq!(reorder.task_count(64), 1);
}

#[cfg(feature = "rayon")]
#[test]
#[cfg_attr(miri, ignore = "rayon makes pointers of numbers")]
fn inside_of_a_pool_that_is_busy() {
    let reorder = made("f32:nchw:2x64x56x56", "nhwc", &Attr::new());
    let source = numbers(reorder.src().size_elements());
    let mut wanted = vec![0f32; reorder.dst().size_elements()];
    reorder.run(&source, &mut wanted).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|_| {
                let mut found = vec![0f32; wanted.len()];
                reorder.run_on_rayon(&source, &mut found, &Values::default()).unwrap();
                assert!(found == wanted);
                found.fill(0.0);
                let (source, bytes) =
                    (bytemuck::cast_slice(&source), bytemuck::cast_slice_mut(&mut found));
                reorder.run_on_rayon_bytes(source, bytes, &Values::default()).unwrap();
                assert!(found == wanted);
            });
        }
    });
}

#[test]
fn tensors_in_other_layouts() {
    let (dims, count) = if cfg!(miri) { ("1x5x2x2", 20) } else { ("2x5x3x4", 120) };
    let planes: Layout = format!("f32:nchw:{dims}").parse().unwrap();
    let planes = Tensor::from_logical(planes, &numbers(count)).unwrap();
    let blocks = planes.reorder_to("nChw16c:upper=0,0,1,1").unwrap();
    let pixels = blocks.reorder_to("s32:nhwc").unwrap();
    let numbers: Vec<i32> = (0..count as i32).collect();
    assert_eq!(pixels.to_logical::<i32>().unwrap(), numbers);
    let error = planes.reorder_into(&planes, &Attr::new(), &Values::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Buffer, "{error}");
    let other = Tensor::zeroed("f32:nhwc:2x5x3x5".parse().unwrap()).unwrap();
    assert!(planes.reorder_into(&other, &Attr::new(), &Values::default()).is_err());
    // Names near a wrong one take Miri long to find.
    let wrong = if cfg!(miri) { "f32:abc" } else { "f32:nonesuch" };
    assert!(planes.reorder_to(wrong).is_err());
}
