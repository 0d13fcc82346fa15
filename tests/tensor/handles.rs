//! Handles of one buffer, and who may read and write when.

use std::sync::{Barrier, mpsc};
use std::time::Duration;

use crate::support::{coordinates, layout, refused};
use retile::{Attr, DType, Error, ErrorKind, Layout, Tensor, Values};

/// On another thread, which has to come back: nothing waits for a guard.
fn in_time(test: impl FnOnce() + Send + 'static) {
    let (done, waiting) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        test();
        done.send(()).unwrap();
    });
    match waiting.recv_timeout(Duration::from_secs(5)) {
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("a deadlock"),
        _ => thread.join().unwrap(),
    }
}

#[test]
fn tensors_may_go_to_other_threads() {
    fn everywhere<T: Send + Sync + 'static>() {}
    fn borrowed<'a, T: Send + Sync + 'a>(_: &'a ()) {}
    everywhere::<Tensor<'static>>();
    everywhere::<Layout>();
    everywhere::<Attr>();
    everywhere::<Error>();
    fn attached<'a>(short: &'a ()) {
        borrowed::<Tensor<'a>>(short);
    }
    attached(&());
}

#[test]
fn guards_exclude_each_other() {
    in_time(|| {
        let tensor = Tensor::zeroed(layout("f32:ab:2x3")).unwrap();
        let handles = [
            tensor.clone(),
            tensor.view(layout("f32:a:6")).unwrap(),
            tensor.view(tensor.layout().region(&[0, 1], &[2, 2]).unwrap()).unwrap(),
        ];
        for other in handles.iter().chain([&tensor]) {
            let reading = tensor.read::<f32>().unwrap();
            assert!(other.read::<f32>().is_ok());
            assert!(other.to_logical::<f32>().is_ok());
            refused(other.write::<f32>(), ErrorKind::Buffer);
            drop(reading);
            let writing = tensor.write::<f32>().unwrap();
            refused(other.read::<f32>(), ErrorKind::Buffer);
            refused(other.write::<f32>(), ErrorKind::Buffer);
            refused(other.to_logical::<f32>(), ErrorKind::Buffer);
            // What needs no elements does not ask.
            assert_eq!(other.clone().layout(), other.layout());
            assert!(other.same_buffer(&tensor));
            let _ = format!("{other:?}");
            drop(writing);
            assert!(other.write::<f32>().is_ok());
            assert!(tensor.read::<f32>().is_ok());
        }
        // Another buffer is another matter.
        let other = Tensor::zeroed(layout("f32:a:6")).unwrap();
        let _writing = tensor.write::<f32>().unwrap();
        assert!(other.write::<f32>().is_ok());
    });
}

#[test]
fn handles_share_a_buffer() {
    let tensor = Tensor::zeroed(layout("u8:a:8")).unwrap();
    let same = tensor.clone();
    let part = tensor.view(layout("u8:a:2:offset=3")).unwrap();
    let other = Tensor::zeroed(layout("u8:a:8")).unwrap();
    assert!(tensor.same_buffer(&tensor) && tensor.same_buffer(&same));
    assert!(part.same_buffer(&same) && same.same_buffer(&part));
    assert!(!tensor.same_buffer(&other) && !other.same_buffer(&part));
    let error = tensor.reorder_into(&same, &Attr::new(), &Values::default()).unwrap_err();
    assert_eq!(error.to_string(), "source and destination are one buffer");
    // The memory lives as long as a handle does.
    tensor.write::<u8>().unwrap()[3] = 7;
    drop((tensor, same));
    assert_eq!(part.to_logical::<u8>().unwrap(), [7, 0]);
}

#[test]
fn a_view_writes_into_its_parent() {
    let whole: Vec<f32> = (0..60u8).map(f32::from).collect();
    let tensor =
        Tensor::from_logical(layout("f32:aBc4b:2x5x6:upper=0,0,1:fill=-1"), &whole).unwrap();
    let before = tensor.read::<f32>().unwrap().to_vec();
    let part = tensor.view(tensor.layout().region(&[1, 2, 1], &[1, 3, 4]).unwrap()).unwrap();
    let expected: Vec<f32> = (0..12).map(|i| (30 + (2 + i / 4) * 6 + 1 + i % 4) as f32).collect();
    assert_eq!(part.to_logical::<f32>().unwrap(), expected);
    {
        let mut elements = part.write::<f32>().unwrap();
        for at in coordinates(part.layout()) {
            elements[part.layout().offset_of(&at).unwrap()] += 1000.0;
        }
    }
    let mut changed = 0;
    let after = tensor.read::<f32>().unwrap();
    for at in coordinates(tensor.layout()) {
        let offset = tensor.layout().offset_of(&at).unwrap();
        let inside = at[0] == 1 && at[1] >= 2 && (1..5).contains(&at[2]);
        assert_eq!(after[offset], before[offset] + if inside { 1000.0 } else { 0.0 }, "{at:?}");
        changed += usize::from(inside);
    }
    assert_eq!(changed, 12);
    drop(after);
    // It may see the bytes as another type, and reach what its parent does not.
    let bits = tensor.view(Layout::row_major(DType::S32, &[1]).unwrap()).unwrap();
    assert_eq!(bits.to_logical::<i32>().unwrap(), [0]);
    let again = part.view(tensor.layout().clone()).unwrap();
    assert_eq!(again.to_logical::<f32>().unwrap().len(), 60);
}

#[test]
fn a_view_has_to_fit() {
    // Wherever the system puts the buffer, it ends where its layout does.
    for bytes in [1, 5, 63, 64, 65, 1000] {
        let tensor = Tensor::zeroed(Layout::row_major(DType::U8, &[bytes]).unwrap()).unwrap();
        let view = |bytes| tensor.view(Layout::row_major(DType::U8, &[bytes]).unwrap());
        assert!(view(bytes).is_ok());
        refused(view(bytes + 1), ErrorKind::Buffer);
        refused(view(bytes + 64), ErrorKind::Buffer);
    }
    // The caller's memory is a buffer to its end.
    let mut memory = [0u8; 9];
    let tensor = Tensor::attach(layout("u8:a:2"), &mut memory).unwrap();
    let whole = tensor.view(layout("u8:a:9")).unwrap();
    assert_eq!(whole.to_logical::<u8>(), Ok(vec![0; 9]));
    refused(tensor.view(layout("u8:a:10")), ErrorKind::Buffer);
}

#[test]
fn what_overlaps_itself_is_read_only() {
    let tensor = Tensor::from_logical(layout("u8:a:4"), &[1u8, 2, 3, 4]).unwrap();
    for (text, elements) in [
        ("u8:strides(0,1):2x2", [1, 2, 1, 2]),
        ("u8:strides(1,1):2x2", [1, 2, 2, 3]),
        ("u8:strides(1,-1):2x2:offset=1", [2, 1, 3, 2]),
    ] {
        let view = tensor.view(layout(text)).unwrap();
        assert_eq!(view.to_logical::<u8>().unwrap(), elements);
        assert_eq!(view.read::<u8>().unwrap()[..2], [1, 2]);
        refused(view.write::<u8>(), ErrorKind::Invalid);
        refused(Tensor::from_logical(layout(text), &elements), ErrorKind::Invalid);
    }
    assert_eq!(tensor.to_logical::<u8>().unwrap(), [1, 2, 3, 4]);
    assert!(tensor.write::<u8>().is_ok(), "the buffer itself is not the view");
}

#[test]
fn threads_read_together_and_write_alone() {
    in_time(|| {
        let tensor = Tensor::from_logical(layout("s32:aB4b:2x3"), &[1, 2, 3, 4, 5, 6]).unwrap();
        let barrier = Barrier::new(2);
        std::thread::scope(|scope| {
            let other = tensor.clone();
            let barrier = &barrier;
            scope.spawn(move || {
                // Both hold a guard at this point.
                let reading = other.read::<i32>().unwrap();
                barrier.wait();
                assert_eq!(reading[..3], [1, 2, 3]);
                barrier.wait();
                drop(reading);
                barrier.wait();
                // Now the other thread writes.
                barrier.wait();
                refused(other.read::<i32>(), ErrorKind::Buffer);
                refused(other.write::<i32>(), ErrorKind::Buffer);
                barrier.wait();
                barrier.wait();
                assert_eq!(other.to_logical::<i32>().unwrap(), [9, 2, 3, 4, 5, 6]);
            });
            let reading = tensor.read::<i32>().unwrap();
            barrier.wait();
            assert_eq!(reading[4..7], [4, 5, 6]);
            drop(reading);
            refused(tensor.write::<i32>(), ErrorKind::Buffer);
            barrier.wait();
            barrier.wait();
            let mut writing = tensor.write::<i32>().unwrap();
            writing[0] = 9;
            barrier.wait();
            barrier.wait();
            drop(writing);
            barrier.wait();
        });
    });
}

#[test]
fn attached_memory_serves_scoped_threads() {
    let mut memory = [0u8; 8];
    {
        let tensor = Tensor::attach(layout("u8:a:8"), &mut memory).unwrap();
        std::thread::scope(|scope| {
            let writer = tensor.clone();
            scope.spawn(move || writer.write::<u8>().unwrap().fill(3));
        });
        assert_eq!(tensor.to_logical::<u8>().unwrap(), [3; 8]);
    }
    assert_eq!(memory, [3; 8]);
}
