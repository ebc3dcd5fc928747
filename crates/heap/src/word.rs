//! Which Rust types the traced code and the heap can hold. In: a type. Out: its representation as a
//! 64-bit word, in memory, and in the C calling convention. Invariant: `from_word(to_word(x))` is
//! `x`, and narrow integers are extended as their sign says, so equal values are equal words.

use crate::refs::Filter;
use crate::touches::note;
use crate::{Parts, RawWord, RefPlace, Stored, WordKind, barrier};
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use verdigris_ops::Ty;

/// A register class of the C calling convention.
pub trait Abi: Copy + 'static + sealed::Sealed {
    /// What a call that panicked returns.
    const ZERO: Self;
    /// The word in such a register.
    fn from_word(word: u64) -> Self;
    /// The register's content as a word.
    fn to_word(self) -> u64;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for f64 {}
}

impl Abi for u64 {
    const ZERO: u64 = 0;
    #[inline(always)]
    fn from_word(word: u64) -> u64 {
        word
    }
    #[inline(always)]
    fn to_word(self) -> u64 {
        self
    }
}

impl Abi for f64 {
    const ZERO: f64 = 0.0;
    #[inline(always)]
    fn from_word(word: u64) -> f64 {
        f64::from_bits(word)
    }
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.to_bits()
    }
}

/// A type whose values are one word: integers, `bool`, `char`, `f64`, `()`, references to heap
/// objects and their options.
///
/// # Safety
/// `KIND` tells size and meaning of the value in memory: little-endian integer, double, or object
/// address (0 for `None`). A type of kind `Ref` holds nothing but addresses of live objects of the
/// class it promises.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type that traced code can hold",
    label = "not a word",
    note = "words are integers, `bool`, `char`, `f64`, `()`, `Gc`, `GcArray`, the types of `#[object]`, and `Option`s of references"
)]
pub unsafe trait Word: Copy + 'static {
    /// Type and representation in memory.
    const KIND: WordKind;
    /// Whether a word of zero is a value: not so for a reference that cannot be null.
    const HAS_ZERO: bool = !matches!(Self::KIND.ty, Ty::Ref);
    /// How it is passed to C functions: `u64` or `f64`.
    type Abi: Abi;
    /// The value as a word.
    fn to_word(self) -> u64;
    /// The value of a word.
    ///
    /// # Safety
    /// The word is one that `to_word` gives for this type, or for integers any word (cut to their
    /// size).
    unsafe fn from_word(word: u64) -> Self;
}

/// A non-null thin pointer to a heap object, so that its `Option` is a word with 0 for `None`.
///
/// # Safety
/// The type is `repr(transparent)` over a `NonNull` pointer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no reference to a heap object",
    label = "not a reference",
    note = "an `Option` that traced code can hold is one of references: of other types write an enum marked `#[value]`, with a variant for `None`"
)]
pub unsafe trait GcRef: Word {}

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
    /// What is in it.
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

/// What a cell contains, read word by word.
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

/// Replaces what a cell contains, word by word.
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
        note(self.0.as_ptr().cast(), false);
        // SAFETY: the cell holds what `to_mem` made, or compiled code from the same components.
        unsafe { W::from_mem(read_words(&self.0)) }
    }

    /// Replaces the content.
    #[inline(always)]
    pub fn set(&self, value: W) {
        note(self.0.as_ptr().cast(), true);
        let mem = value.to_mem();
        write_words(&self.0, mem);
        // SAFETY: a value of this type.
        if unsafe { const { Filter::of(W::REFS) }.passes(&mem) } {
            barrier(self.0.as_ptr().cast());
        }
    }

    /// Replaces the content and tells nobody: every collection looks here, or nothing can be
    /// collected before somebody is told.
    #[inline(always)]
    pub(crate) fn set_silently(&self, value: W) {
        note(self.0.as_ptr().cast(), true);
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

macro_rules! int_words {
    ($($ty:ident $signed:literal)*) => {$(
        // SAFETY: an integer of that size; `as` extends it by its sign.
        unsafe impl Word for $ty {
            const KIND: WordKind = WordKind { ty: Ty::Int, size: size_of::<$ty>() as u8, signed: $signed, offset: 0 };
            type Abi = u64;
            #[inline(always)]
            fn to_word(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            unsafe fn from_word(word: u64) -> Self {
                word as $ty
            }
        }
    )*};
}

int_words! {
    i8 true i16 true i32 true i64 true isize true
    u8 false u16 false u32 false u64 false usize false
}

// SAFETY: one byte, 0 or 1.
unsafe impl Word for bool {
    const KIND: WordKind = WordKind {
        ty: Ty::Int,
        size: 1,
        signed: false,
        offset: 0,
    };
    type Abi = u64;
    #[inline(always)]
    fn to_word(self) -> u64 {
        self as u64
    }
    #[inline(always)]
    unsafe fn from_word(word: u64) -> Self {
        word != 0
    }
}

// SAFETY: four bytes, a Unicode scalar value.
unsafe impl Word for char {
    const KIND: WordKind = WordKind {
        ty: Ty::Int,
        size: 4,
        signed: false,
        offset: 0,
    };
    type Abi = u64;
    #[inline(always)]
    fn to_word(self) -> u64 {
        self as u64
    }
    #[inline(always)]
    unsafe fn from_word(word: u64) -> Self {
        // SAFETY: the caller promises a word made from a `char`.
        unsafe { char::from_u32_unchecked(word as u32) }
    }
}

// SAFETY: no bytes, always 0.
unsafe impl Word for () {
    const KIND: WordKind = WordKind {
        ty: Ty::Int,
        size: 0,
        signed: false,
        offset: 0,
    };
    type Abi = u64;
    #[inline(always)]
    fn to_word(self) -> u64 {
        0
    }
    #[inline(always)]
    unsafe fn from_word(_: u64) -> Self {}
}

// SAFETY: eight bytes, a double.
unsafe impl Word for f64 {
    const KIND: WordKind = WordKind {
        ty: Ty::Float,
        size: 8,
        signed: false,
        offset: 0,
    };
    type Abi = f64;
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    unsafe fn from_word(word: u64) -> Self {
        f64::from_bits(word)
    }
}

// SAFETY: eight bytes.
unsafe impl Word for RawWord {
    const KIND: WordKind = WordKind {
        ty: Ty::Word,
        size: 8,
        signed: false,
        offset: 0,
    };
    type Abi = u64;
    #[inline(always)]
    fn to_word(self) -> u64 {
        self.0
    }
    #[inline(always)]
    unsafe fn from_word(word: u64) -> Self {
        RawWord(word)
    }
}

/// The kind of every reference.
pub(crate) const REF: WordKind = WordKind {
    ty: Ty::Ref,
    size: 8,
    signed: false,
    offset: 0,
};

// SAFETY: a `GcRef` is a non-null pointer, so `None` is 0 in memory too (asserted below).
unsafe impl<R: GcRef> Word for Option<R> {
    const KIND: WordKind = {
        assert!(size_of::<Option<R>>() == 8);
        REF
    };
    type Abi = u64;
    const HAS_ZERO: bool = true;
    #[inline(always)]
    fn to_word(self) -> u64 {
        match self {
            Some(r) => r.to_word(),
            None => 0,
        }
    }
    #[inline(always)]
    unsafe fn from_word(word: u64) -> Self {
        if word == 0 {
            None
        } else {
            // SAFETY: the caller's promise, and it is not `None`.
            Some(unsafe { R::from_word(word) })
        }
    }
}

/// The hash of a position in the guest program, from its greens as words: the index of its counter,
/// to be masked.
#[inline(always)]
pub fn hash_greens(greens: &[u64]) -> u64 {
    let mut hash = 0u64;
    for &word in greens {
        hash = (hash ^ word)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(29);
    }
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<W: Word + PartialEq + std::fmt::Debug>(values: &[W], size: u8, signed: bool) {
        assert_eq!((W::KIND.size, W::KIND.signed), (size, signed));
        for &v in values {
            // SAFETY: the words come from the same type.
            unsafe {
                assert_eq!(W::from_word(v.to_word()), v);
                let abi = <W::Abi as Abi>::from_word(v.to_word());
                assert_eq!(W::from_word(abi.to_word()), v);
            }
        }
    }

    #[test]
    fn words_round_trip() {
        round_trip(&[i8::MIN, -1, 0, 1, i8::MAX], 1, true);
        round_trip(&[i16::MIN, -1, i16::MAX], 2, true);
        round_trip(&[i32::MIN, -1, i32::MAX], 4, true);
        round_trip(&[i64::MIN, -1, i64::MAX], 8, true);
        round_trip(&[isize::MIN, -1, isize::MAX], 8, true);
        round_trip(&[0, u8::MAX], 1, false);
        round_trip(&[0, u16::MAX], 2, false);
        round_trip(&[0, u32::MAX], 4, false);
        round_trip(&[0, u64::MAX], 8, false);
        round_trip(&[0, usize::MAX], 8, false);
        round_trip(&[false, true], 1, false);
        round_trip(&['a', '\u{10FFFF}'], 4, false);
        round_trip(&[0.0, -0.5, f64::INFINITY], 8, false);
        round_trip(&[()], 0, false);
    }

    #[test]
    fn narrow_integers_are_extended_by_their_sign() {
        assert_eq!((-1i8).to_word(), u64::MAX);
        assert_eq!(255u8.to_word(), 255);
        assert_eq!((-1i32).to_word(), u64::MAX);
        assert_eq!(u32::MAX.to_word(), 0xFFFF_FFFF);
    }

    #[test]
    fn neighbouring_greens_have_different_counters() {
        let slots: std::collections::BTreeSet<u64> = (0..512u64)
            .map(|pc| hash_greens(&[pc, 0x7F00_1234_5678]) & 0x3FFF)
            .collect();
        assert!(slots.len() > 490, "{} of 512", slots.len());
    }
}
