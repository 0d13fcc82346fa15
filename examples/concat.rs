//! Two tensors become one, along channels: two threads write into regions of the same destination, each in its blocks,
//! where neighbours share cache lines and even blocks. `cargo run --example concat`
#![allow(unsafe_code)] // Two threads write to one buffer.

use retile::{Layout, Reorder, Result, Values};

fn main() -> Result<()> {
    // 20 and 12 channels of planes become 32 channels in blocks of 16: the second block has 4 of the one and 12 of the
    // other.
    let whole: Layout = "f32:nChw16c:1x32x28x28".parse()?;
    let sources: [Layout; 2] = ["f32:nchw:1x20x28x28".parse()?, "f32:nchw:1x12x28x28".parse()?];
    let regions = [
        whole.region(&[0, 0, 0, 0], &[1, 20, 28, 28])?,
        whole.region(&[0, 20, 0, 0], &[1, 12, 28, 28])?,
    ];

    let planes: [Vec<f32>; 2] =
        [0, 1].map(|i| (0..sources[i].elements()).map(|at| (at + 100_000 * i) as f32).collect());
    let mut blocks = vec![f32::NAN; whole.size_elements()];

    let shared = Shared(blocks.as_mut_ptr().cast());
    std::thread::scope(|scope| {
        let running = [0, 1].map(|i| {
            let (src, dst, planes, shared) = (&sources[i], &regions[i], &planes[i], &shared);
            scope.spawn(move || {
                let reorder = Reorder::new(src, dst)?;
                // SAFETY: the buffers are as large as the layouts say, and aligned for floats; the regions have no
                // element in common, and of a region's neighbours nothing is read or written.
                unsafe { reorder.run_raw(planes.as_ptr().cast(), shared.0, &Values::default()) };
                Ok(())
            })
        });
        running.into_iter().try_for_each(|one| one.join().expect("threads return what they find"))
    })?;

    for (i, source) in sources.iter().enumerate() {
        for channel in 0..source.dims()[1] as isize {
            let (from, to) = (
                source.offset_of(&[0, channel, 3, 5])?,
                regions[i].offset_of(&[0, channel, 3, 5])?,
            );
            assert_eq!(blocks[to], planes[i][from]);
        }
    }
    println!("{} elements of {} and {} are one {whole}", blocks.len(), sources[0], sources[1]);
    Ok(())
}

/// Two threads may have it: each writes its own region.
struct Shared(*mut u8);

// SAFETY: whoever uses the pointer says why.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}
