//! Fields and items: what they may be, and [`Cell`], the ordinary mutable one.

use crate::fields::access_log::log_access;
use crate::layout::parts::Parts;
use crate::layout::refs::{Filter, RefPlace};
use crate::layout::stored::Stored;
use crate::layout::word::{Word, WordKind};
use crate::memory::address_space::barrier;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// What a heap class can have as a field, and an array as item: a word or a value marked `#[value]`
/// (immutable), or a [`Cell`] of what is [`Stored`].
///
/// # Safety
/// The type has the representation of `Value::Mem`, as `KINDS` describes it; or it holds no
/// references, and `KINDS` describes no bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in a heap object",
    label = "neither a word, nor a `Cell`, nor marked `#[value]`",
    note = "words are integers, `bool`, `char`, `f64`, `()`, `Gc`, `GcArray`, the types of `#[object]`, and `Option`s of references; tuples, `Result`s and other `Option`s go into a `Cell`"
)]
pub unsafe trait Field: Sized + 'static {
    /// The type of the content.
    type Value: Stored;
    /// Type and representation of each component in memory.
    const KINDS: &'static [WordKind] = <Self::Value as Parts>::KINDS;
    /// Where references may be in it.
    const REFS: &'static [RefPlace] = <Self::Value as Parts>::REFS;
    /// Whether it never changes after construction.
    const IMMUTABLE: bool;
    /// Whether compiled code may assume what it holds until it is written: see
    /// [`Quasi`](crate::Quasi).
    const QUASI: bool = false;
    /// Whether compiled code may keep what it holds to itself: see
    /// [`Virtualizable`](crate::Virtualizable).
    const VIRTUALIZABLE: bool = false;
    /// Whether it is written without a barrier, and looked at by every collection: see
    /// [`Register`](crate::Register).
    const REGISTER: bool = false;
    /// A field with this content.
    fn with_value(value: Self::Value) -> Self;
}

// SAFETY: the type is the value.
unsafe impl<W: Word> Field for W {
    type Value = W;
    const IMMUTABLE: bool = true;
    #[inline(always)]
    fn with_value(value: W) -> W {
        value
    }
}

/// A mutable field of a heap class. Unlike `std::cell::Cell` it tells the collector about stores.
///
/// ```compile_fail,E0277
/// fn send<T: Send>(_: T) {}
/// send(verdigris_heap::Cell::new(1i64));
/// ```
#[repr(transparent)]
pub struct Cell<W: Stored>(std::cell::Cell<W::Mem>, PhantomData<*const W>);

/// How many words memory is copied by, one at a time; 0 if it is copied as a whole.
///
/// A value of several words has often just been written a word at a time, by native or by compiled
/// code. A processor hands such stores on to loads of the same words, but lets a load of both wait
/// until they have reached the cache.
const fn words_to_copy<M>() -> usize {
    match size_of::<M>() > 8 && size_of::<M>().is_multiple_of(8) && align_of::<M>() == 8 {
        true => size_of::<M>() / 8,
        false => 0,
    }
}

/// Reads a cell's content word by word.
#[inline(always)]
pub(crate) fn read_words<M: Copy>(cell: &std::cell::Cell<M>) -> M {
    if const { words_to_copy::<M>() == 0 } {
        return cell.get();
    }
    let mut mem = MaybeUninit::<M>::uninit();
    let from: *const MaybeUninit<u64> = cell.as_ptr().cast();
    let to: *mut MaybeUninit<u64> = mem.as_mut_ptr().cast();
    for n in 0..const { words_to_copy::<M>() } {
        // SAFETY: both have that many aligned words, and a word may be uninitialised in either.
        // Volatile reads are not merged.
        unsafe { to.add(n).write(from.add(n).read_volatile()) }
    }
    // SAFETY: all its words have been copied.
    unsafe { mem.assume_init() }
}

/// Replaces a cell's content word by word.
#[inline(always)]
pub(crate) fn write_words<M: Copy>(cell: &std::cell::Cell<M>, mem: M) {
    if const { words_to_copy::<M>() == 0 } {
        cell.set(mem);
        return;
    }
    let from: *const MaybeUninit<u64> = (&raw const mem).cast();
    let to: *mut MaybeUninit<u64> = cell.as_ptr().cast();
    for n in 0..const { words_to_copy::<M>() } {
        // SAFETY: as above. With volatile writes, the reads are not merged either.
        unsafe { to.add(n).write_volatile(from.add(n).read()) }
    }
}

impl<W: Stored> Cell<W> {
    /// A cell with this content.
    #[inline(always)]
    pub fn new(value: W) -> Self {
        Cell(std::cell::Cell::new(value.to_mem()), PhantomData)
    }

    /// The content.
    #[inline(always)]
    pub fn get(&self) -> W {
        log_access(self.0.as_ptr().cast(), false);
        // SAFETY: the cell holds what `to_mem` made, or compiled code from the same components.
        unsafe { W::from_mem(read_words(&self.0)) }
    }

    /// Replaces the content.
    #[inline(always)]
    pub fn set(&self, value: W) {
        log_access(self.0.as_ptr().cast(), true);
        let mem = value.to_mem();
        write_words(&self.0, mem);
        // SAFETY: a value of this type.
        if unsafe { const { Filter::of(W::REFS) }.passes(&mem) } {
            barrier(self.0.as_ptr().cast());
        }
    }

    /// Replaces the content without the barrier: every collection looks here, or nothing is
    /// collected before the barrier is called.
    #[inline(always)]
    pub(crate) fn set_silently(&self, value: W) {
        log_access(self.0.as_ptr().cast(), true);
        write_words(&self.0, value.to_mem());
    }

    /// Replaces the content and gives the old one.
    #[inline(always)]
    pub fn replace(&self, value: W) -> W {
        let old = self.get();
        self.set(value);
        old
    }
}

impl<W: Stored + std::fmt::Debug> std::fmt::Debug for Cell<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Cell").field(&self.get()).finish()
    }
}

impl<W: Stored + Default> Default for Cell<W> {
    fn default() -> Self {
        Cell::new(W::default())
    }
}

// SAFETY: transparent over the value's memory.
unsafe impl<W: Stored> Field for Cell<W> {
    type Value = W;
    const IMMUTABLE: bool = false;
    #[inline(always)]
    fn with_value(value: W) -> Self {
        Cell::new(value)
    }
}
