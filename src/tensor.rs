//! A layout with its memory. In: a layout, and the system's memory or the caller's. Out: slices to
//! read and to write, for as long as a guard lives; handles that share a buffer.

mod logical;
mod reorder;

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use crate::buffer::{check_alignment, check_type};
use crate::{Element, Error, Layout, Result};

/// What a fresh buffer is aligned to: a cache line, and the widest vector.
const ALIGNMENT: usize = 64;

/// A layout with the memory that it lays out, owned or attached.
///
/// A clone is another handle of the same buffer. Handles in several threads may read at once; a
/// writer is alone, and who comes meanwhile gets an error, never a deadlock.
///
/// ```
/// use retile::Tensor;
/// let tensor = Tensor::zeroed("f32:nChw8c:1x3x2x2".parse()?)?;
/// tensor.write::<f32>()?[1] = 5.0;
/// assert_eq!(tensor.to_logical::<f32>()?[4], 5.0);
/// # Ok::<(), retile::Error>(())
/// ```
#[derive(Clone)]
pub struct Tensor<'a> {
    layout: Layout,
    memory: Arc<RwLock<Memory<'a>>>,
}

enum Memory<'a> {
    /// Of `bytes`, `used` is the buffer, which starts aligned; the vector is never resized, so it
    /// stays so.
    Owned {
        bytes: Vec<u8>,
        used: Range<usize>,
    },
    Attached(&'a mut [u8]),
    ReadOnly(&'a [u8]),
}

/// Elements that may be read while this lives.
#[must_use]
pub struct Reading<'t, 'a, T> {
    memory: RwLockReadGuard<'t, Memory<'a>>,
    bytes: usize,
    element: PhantomData<T>,
}

/// Elements that may be read and written while this lives.
#[must_use]
pub struct Writing<'t, 'a, T> {
    memory: RwLockWriteGuard<'t, Memory<'a>>,
    bytes: usize,
    element: PhantomData<T>,
}

impl<T> fmt::Debug for Reading<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for Writing<'_, '_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Tensor<'static> {
    /// A new buffer, aligned to 64 bytes, all zero.
    pub fn zeroed(layout: Layout) -> Result<Tensor<'static>> {
        let size = layout.size_bytes();
        let bytes: Vec<u8> = zeroed(size + ALIGNMENT)?;
        let start = bytes.as_ptr().align_offset(ALIGNMENT).min(ALIGNMENT);
        let memory = Memory::Owned { bytes, used: start..start + size };
        let memory = Arc::new(RwLock::new(memory));
        Ok(Tensor { layout, memory })
    }
}

impl<'a> Tensor<'a> {
    /// The caller's memory, borrowed for as long as a handle lives.
    pub fn attach<T: Element>(layout: Layout, elements: &'a mut [T]) -> Result<Tensor<'a>> {
        check_type::<T>("buffer", layout.dtype())?;
        Tensor::over(layout, Memory::Attached(bytemuck::cast_slice_mut(elements)))
    }

    /// The caller's memory, to be read only.
    pub fn attach_ref<T: Element>(layout: Layout, elements: &'a [T]) -> Result<Tensor<'a>> {
        check_type::<T>("buffer", layout.dtype())?;
        Tensor::over(layout, Memory::ReadOnly(bytemuck::cast_slice(elements)))
    }

    /// The caller's memory as bytes, which must be aligned for the elements.
    pub fn attach_bytes(layout: Layout, bytes: &'a mut [u8]) -> Result<Tensor<'a>> {
        check_alignment("buffer", &layout, bytes.as_ptr())?;
        Tensor::over(layout, Memory::Attached(bytes))
    }

    /// The caller's memory as bytes, which must be aligned for the elements, to be read only.
    pub fn attach_bytes_ref(layout: Layout, bytes: &'a [u8]) -> Result<Tensor<'a>> {
        check_alignment("buffer", &layout, bytes.as_ptr())?;
        Tensor::over(layout, Memory::ReadOnly(bytes))
    }

    /// Another layout of the same buffer, such as a region of this one.
    pub fn view(&self, layout: Layout) -> Result<Tensor<'a>> {
        check_size(&layout, self.lock()?.bytes().len())?;
        check_alignment("buffer", &layout, self.lock()?.bytes().as_ptr())?;
        Ok(Tensor { layout, memory: Arc::clone(&self.memory) })
    }

    fn over(layout: Layout, memory: Memory<'a>) -> Result<Tensor<'a>> {
        check_size(&layout, memory.bytes().len())?;
        Ok(Tensor { layout, memory: Arc::new(RwLock::new(memory)) })
    }

    /// Where the elements lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether both are handles of one buffer.
    pub fn same_buffer(&self, other: &Tensor<'_>) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.memory), Arc::as_ptr(&other.memory))
    }

    /// The buffer as elements in memory order, to read. An error while a writer is at work.
    pub fn read<T: Element>(&self) -> Result<Reading<'_, 'a, T>> {
        check_type::<T>("buffer", self.layout.dtype())?;
        self.reading()
    }

    /// The buffer as bytes, to read, for those who know the element type at run time alone.
    pub fn read_bytes(&self) -> Result<Reading<'_, 'a, u8>> {
        self.reading()
    }

    fn reading<T>(&self) -> Result<Reading<'_, 'a, T>> {
        let (memory, bytes) = (self.lock()?, self.layout.size_bytes());
        Ok(Reading { memory, bytes, element: PhantomData })
    }

    /// The buffer as elements in memory order, to write. An error while somebody else reads or
    /// writes, where the memory was attached to be read only, and where the layout overlaps itself.
    pub fn write<T: Element>(&self) -> Result<Writing<'_, 'a, T>> {
        check_type::<T>("buffer", self.layout.dtype())?;
        self.writing()
    }

    /// The buffer as bytes, to write, for those who know the element type at run time alone; errors as of
    /// [`write`](Tensor::write).
    pub fn write_bytes(&self) -> Result<Writing<'_, 'a, u8>> {
        self.writing()
    }

    fn writing<T>(&self) -> Result<Writing<'_, 'a, T>> {
        self.layout.check_destination()?;
        let (mut memory, bytes) = (self.lock_mut()?, self.layout.size_bytes());
        memory.bytes_mut()?;
        Ok(Writing { memory, bytes, element: PhantomData })
    }

    fn lock(&self) -> Result<RwLockReadGuard<'_, Memory<'a>>> {
        match self.memory.try_read() {
            Ok(memory) => Ok(memory),
            // A writer that panicked leaves elements half written, not memory that is unsound.
            Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(Error::Buffer("the buffer is being written".into()))
            }
        }
    }

    fn lock_mut(&self) -> Result<RwLockWriteGuard<'_, Memory<'a>>> {
        match self.memory.try_write() {
            Ok(memory) => Ok(memory),
            Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(Error::Buffer("the buffer is being read or written".into()))
            }
        }
    }
}

impl Memory<'_> {
    fn bytes(&self) -> &[u8] {
        match self {
            Memory::Owned { bytes, used } => &bytes[used.clone()],
            Memory::Attached(bytes) => bytes,
            Memory::ReadOnly(bytes) => bytes,
        }
    }

    fn bytes_mut(&mut self) -> Result<&mut [u8]> {
        match self {
            Memory::Owned { bytes, used } => Ok(&mut bytes[used.clone()]),
            Memory::Attached(bytes) => Ok(bytes),
            Memory::ReadOnly(_) => {
                Err(Error::Buffer("the buffer was attached to be read only".into()))
            }
        }
    }
}

impl<T: Element> Deref for Reading<'_, '_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        elements(&self.memory.bytes()[..self.bytes])
    }
}

impl<T: Element> Deref for Writing<'_, '_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        elements(&self.memory.bytes()[..self.bytes])
    }
}

impl<T: Element> DerefMut for Writing<'_, '_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let bytes = self.memory.bytes_mut().expect("a writer was given to read-only memory");
        // Nothing of no memory is aligned anyhow.
        match self.bytes {
            0 => &mut [],
            used => bytemuck::cast_slice_mut(&mut bytes[..used]),
        }
    }
}

impl fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({})", self.layout)
    }
}

/// Bytes of a buffer that is aligned for its elements, or of none.
fn elements<T: Element>(bytes: &[u8]) -> &[T] {
    if bytes.is_empty() { &[] } else { bytemuck::cast_slice(bytes) }
}

/// Memory that the system has set to zero, or will when it is touched.
fn zeroed<T: Element>(count: usize) -> Result<Vec<T>> {
    let refused = |()| Error::Memory { bytes: count.saturating_mul(size_of::<T>()) };
    bytemuck::try_zeroed_vec(count).map_err(refused)
}

fn check_size(layout: &Layout, found: usize) -> Result<()> {
    let needed = layout.size_bytes();
    if found < needed {
        return Err(Error::Buffer(format!("the buffer has {found} bytes, {needed} are needed")));
    }
    Ok(())
}
