//! The form in memory of types marked `#[value]`: that of `repr(C)` for structs, of `repr(u64)` for
//! enums with fields, a small integer for enums without. Where Rust lays the type out in the same
//! way, which `#[value]` sees to unless the type's fields prevent it, memory and value are the same
//! bytes, and nothing is converted.
//!
//! Source: RFC 2195 ("Really tagged unions") defines the memory of a `repr(u64)` enum.

use crate::layout::parts::MAX_PARTS;
use crate::layout::parts_layout::Category;
use crate::layout::stored::Stored;
use std::cmp::Ordering;
use std::mem::MaybeUninit;

/// Makes a struct or enum a type of the merge point and of the heap: what `#[value]` expands to.
/// The syntax of a variant is that of `parts_of!`, with every field; `exact` in front says that the
/// type has the representation that `#[value]` gives it.
///
/// ```
/// #[derive(Clone, Copy)]
/// enum Value { Nil, Int(i64) }
/// verdigris_heap::gc_value! { Value, true { 0 => (Value::Nil) {} 1 => (Value::Int(a)) { a: i64 } } }
/// ```
///
/// The numbers are the variants' own, and no variant and no field can be left out:
/// ```compile_fail,E0080
/// #[derive(Clone, Copy)]
/// enum Value { Nil, Int(i64) }
/// verdigris_heap::gc_value! { Value, true { 0 => (Value::Nil) {} 0 => (Value::Int(a)) { a: i64 } } }
/// ```
/// ```compile_fail,E0004
/// #[derive(Clone, Copy)]
/// enum Value { Nil, Int(i64) }
/// verdigris_heap::gc_value! { Value, false { 0 => (Value::Nil) {} } }
/// ```
/// ```compile_fail,E0308
/// #[derive(Clone, Copy)]
/// struct Value(i64);
/// verdigris_heap::gc_value! { Value, false { 0 => (Value(a)) { a: f64 } } }
/// ```
#[macro_export]
macro_rules! gc_value {
    (exact $self:ident, $($rest:tt)+) => { $crate::gc_value! { @value true $self, $($rest)+ } };
    (@value $sound:literal $self:ident, $tagged:literal
        { $($index:literal => ($($shape:tt)+) { $($name:ident : $ty:ty),* })+ }
    ) => {
        impl $crate::HasLayout for $self {
            const SHAPES: &'static [&'static [$crate::PartShape]] = &[$(&[$($crate::PartShape::of::<$ty>()),*]),+];
            const LAYOUT: &'static $crate::PartsLayout = {
                // Else a value could be read as a variant that it is not.
                const INDICES: &[u64] = &[$($index),+];
                let mut n = 0;
                while n < INDICES.len() {
                    assert!(INDICES[n] == n as u64, "variants are numbered from 0");
                    n += 1;
                }
                assert!($tagged == (n > 1), "a type has a tag if it has several variants");
                const LAYOUT: $crate::PartsLayout = $crate::PartsLayout::of_value(
                    $tagged,
                    $sound,
                    <$self as $crate::HasLayout>::SHAPES,
                );
                assert!(
                    !LAYOUT.exact() || ::core::mem::size_of::<$self>() == LAYOUT.size() as usize,
                    concat!("`", stringify!($self), "` has another size than `#[value]` gives it")
                );
                &LAYOUT
            };
        }

        // SAFETY: components are written and read by one layout, which `KINDS` and `REFS` describe.
        unsafe impl $crate::Parts for $self {
            $crate::parts_of! { @consts $tagged { $({ $($ty),* })+ } }
            #[inline(always)]
            fn store(&self, words: &mut [u64]) {
                const LAYOUT: &$crate::PartsLayout = <$self as $crate::HasLayout>::LAYOUT;
                if const { LAYOUT.is_lean() && LAYOUT.exact() } {
                    $crate::words_of(self, words);
                    return;
                }
                if const { LAYOUT.is_lean() } {
                    $crate::words_of(&<$self as $crate::Stored>::to_mem(*self), words);
                    return;
                }
                $crate::parts_of! { @store $self, self, words, $tagged { $($index => ($($shape)+) { $($name: $ty),* })+ } }
            }
            #[inline(always)]
            unsafe fn load(words: &[u64]) -> Self {
                if const { <$self as $crate::HasLayout>::LAYOUT.is_lean() } {
                    // SAFETY: the caller's promise: these are the words of a value.
                    return unsafe { <$self as $crate::Stored>::from_mem($crate::of_words(words)) };
                }
                $crate::parts_of! { @load $self, words, $tagged { $($index => ($($shape)+) { $($name: $ty),* })+ } }
            }
        }

        // SAFETY: `Mem` has the bytes that `KINDS` and `REFS` describe.
        unsafe impl $crate::Stored for $self {
            type Mem = <$crate::Pick<
                { <$self as $crate::HasLayout>::LAYOUT.category() as u8 },
                { <$self as $crate::HasLayout>::LAYOUT.size() },
            > as $crate::MemOf<
                $self,
                [::core::mem::MaybeUninit<u64>; { <$self as $crate::HasLayout>::LAYOUT.size().div_ceil(8) as usize }],
            >>::Mem;
            type Room = [u64; <$self as $crate::HasLayout>::LAYOUT.len()];
            #[inline(always)]
            #[allow(unused_mut, unused_variables, unused_assignments)]
            fn to_mem(self) -> Self::Mem {
                const LAYOUT: &$crate::PartsLayout = <$self as $crate::HasLayout>::LAYOUT;
                if const { LAYOUT.exact() } {
                    // SAFETY: value and memory are the same bytes.
                    return unsafe { $crate::same_bytes::<$self, Self::Mem>(self) };
                }
                let mut mem = ::core::mem::MaybeUninit::<Self::Mem>::zeroed();
                if const { LAYOUT.is_lean() } {
                    match self {
                        $( $($shape)+ => {
                            let offsets = const { LAYOUT.offsets(<$self as $crate::HasLayout>::SHAPES[$index as usize]) };
                            let tag: u64 = $index;
                            // SAFETY: the layout has room for the tag and each field.
                            unsafe { $crate::put_at(tag, &mut mem, 0) };
                            let mut field = 0;
                            $(
                                // SAFETY: as above.
                                unsafe { $crate::put_at($name, &mut mem, offsets[field]) };
                                field += 1;
                            )*
                        } )+
                    }
                } else {
                    let mut words = [0; $crate::MAX_PARTS];
                    $crate::Parts::store(&self, &mut words);
                    // SAFETY: memory of this kind is the components, or the first bytes of a tag.
                    unsafe { $crate::put_words(&words, &mut mem) };
                }
                // SAFETY: all bytes have been written, zero at least.
                unsafe { mem.assume_init() }
            }
            #[inline(always)]
            #[allow(unused_mut, unused_variables, unused_assignments)]
            unsafe fn from_mem(mem: Self::Mem) -> Self {
                const LAYOUT: &$crate::PartsLayout = <$self as $crate::HasLayout>::LAYOUT;
                if const { LAYOUT.exact() } {
                    // SAFETY: value and memory are the same bytes, and the caller promises that
                    // they are a value.
                    return unsafe { $crate::same_bytes::<Self::Mem, $self>(mem) };
                }
                if const { LAYOUT.is_lean() } {
                    // SAFETY: a lean value begins with its tag.
                    let tag: u64 = unsafe { $crate::take_at(&mem, 0) };
                    $( if tag == $index {
                        let offsets = const { LAYOUT.offsets(<$self as $crate::HasLayout>::SHAPES[$index as usize]) };
                        let mut field = 0;
                        $(
                            // SAFETY: the tag says that the value has this field.
                            let $name = unsafe { $crate::take_at::<$ty, _>(&mem, offsets[field]) };
                            field += 1;
                        )*
                        return $($shape)+;
                    } )+
                    $crate::unknown_variant(stringify!($self))
                }
                // SAFETY: memory of this kind is the components, or the first bytes of a tag.
                unsafe { $crate::Parts::load(&$crate::take_words(&mem)) }
            }
        }

        $crate::received_by_value! { $self }

        // SAFETY: compiled code and the collector know all of it if it is exact; else there is
        // nothing in it that they have to know, as is asserted.
        unsafe impl $crate::Field for $self {
            type Value = Self;
            const KINDS: &'static [$crate::WordKind] = {
                assert!(
                    ::core::mem::align_of::<$self>() <= 8,
                    concat!("a `", stringify!($self), "` in a heap object cannot be aligned to more than 8 bytes")
                );
                let exact = <$self as $crate::Parts>::EXACT;
                assert!(
                    exact || <$self as $crate::Parts>::REFS.is_empty(),
                    concat!(
                        "a `", stringify!($self), "` in a heap object holds references, which only a `Cell` shows to the collector, since \
                         Rust does not say where they lie: write `Cell<", stringify!($self), ">`"
                    )
                );
                if exact { <$self as $crate::Parts>::KINDS } else { $crate::NO_BYTES }
            };
            const IMMUTABLE: bool = true;
            #[inline(always)]
            fn with_value(value: Self) -> Self {
                value
            }
        }
    };
    ($self:ident, $($rest:tt)+) => { $crate::gc_value! { @value false $self, $($rest)+ } };
}

/// Chooses what a type marked `#[value]` is in memory, by its category and its size.
pub struct Pick<const CATEGORY: u8, const SIZE: u32>;

/// What is chosen: the type itself, words, or a small integer.
pub trait MemOf<Whole, Words> {
    /// The choice.
    type Mem: Copy + 'static;
}

const SHARED: u8 = Category::Shared as u8;
const RECORD: u8 = Category::Record as u8;
const TAG: u8 = Category::Tag as u8;
const LEAN: u8 = Category::Lean as u8;

impl<T, R: Copy + 'static, const SIZE: u32> MemOf<T, R> for Pick<SHARED, SIZE> {
    type Mem = R;
}

impl<T, R: Copy + 'static, const SIZE: u32> MemOf<T, R> for Pick<LEAN, SIZE> {
    type Mem = R;
}

impl<T: Copy + 'static, R, const SIZE: u32> MemOf<T, R> for Pick<RECORD, SIZE> {
    type Mem = T;
}

impl<T, R> MemOf<T, R> for Pick<TAG, 1> {
    type Mem = u8;
}

impl<T, R> MemOf<T, R> for Pick<TAG, 2> {
    type Mem = u16;
}

impl<T, R> MemOf<T, R> for Pick<TAG, 4> {
    type Mem = u32;
}

/// The same bytes as another type.
///
/// # Safety
/// They are a value of it.
#[inline(always)]
pub unsafe fn same_bytes<A: Copy, B: Copy>(value: A) -> B {
    assert!(size_of::<A>() == size_of::<B>());
    // SAFETY: the caller's promise.
    unsafe { std::mem::transmute_copy(&value) }
}

/// Writes a part of a value.
///
/// # Safety
/// There is room for it.
#[inline(always)]
pub unsafe fn put_at<S: Stored, M>(part: S, mem: &mut MaybeUninit<M>, offset: usize) {
    let part = part.to_mem();
    // SAFETY: the caller's promise; a value in memory has `SIZE` bytes at least.
    unsafe {
        let to = mem.as_mut_ptr().cast::<u8>().add(offset);
        to.copy_from_nonoverlapping((&raw const part).cast(), S::SIZE as usize);
    }
}

/// Reads what [`put_at`] has written.
///
/// # Safety
/// There is a value of this type.
#[inline(always)]
pub unsafe fn take_at<S: Stored, M>(mem: &M, offset: usize) -> S {
    let mut part = MaybeUninit::<S::Mem>::zeroed();
    // SAFETY: the caller's promise; what is behind the bytes of a value in memory is never looked
    // at.
    unsafe {
        let from = (&raw const *mem).cast::<u8>().add(offset);
        let to = part.as_mut_ptr().cast::<u8>();
        to.copy_from_nonoverlapping(from, S::SIZE as usize);
        S::from_mem(part.assume_init())
    }
}

/// Writes as many bytes of the words as memory has.
///
/// # Safety
/// Any bytes may be in it.
#[inline(always)]
pub unsafe fn put_words<M>(words: &[u64; MAX_PARTS], mem: &mut MaybeUninit<M>) {
    const { assert!(size_of::<M>() <= MAX_PARTS * 8) }
    // SAFETY: the caller's promise, and the words are at least as many bytes.
    unsafe {
        let to = mem.as_mut_ptr().cast::<u8>();
        to.copy_from_nonoverlapping(words.as_ptr().cast(), size_of::<M>());
    }
}

/// Reads what [`put_words`] has written.
///
/// # Safety
/// All bytes have been written.
#[inline(always)]
pub unsafe fn take_words<M: Copy>(mem: &M) -> [u64; MAX_PARTS] {
    const { assert!(size_of::<M>() <= MAX_PARTS * 8) }
    let mut words = [0; MAX_PARTS];
    // SAFETY: the caller's promise, and the words are at least as many bytes.
    unsafe {
        let to = words.as_mut_ptr().cast::<u8>();
        to.copy_from_nonoverlapping((&raw const *mem).cast(), size_of::<M>());
    }
    words
}

/// The words of a lean value. Those that its variant does not use, or not wholly, may be anything.
#[inline(always)]
pub fn words_of<M: Copy>(mem: &M, words: &mut [u64]) {
    assert!(size_of::<M>().is_multiple_of(8) && align_of::<M>() == 8);
    let words = &mut words[..size_of::<M>() / 8];
    // SAFETY: there is room for the words. Some may be uninitialised; the piece of assembly, which
    // does nothing, might write them all for what the compiler knows, so that they are whatever
    // they happen to be.
    unsafe {
        let from = (&raw const *mem).cast::<MaybeUninit<u64>>();
        let to = words.as_mut_ptr().cast::<MaybeUninit<u64>>();
        for n in 0..words.len() {
            // Volatile, so that words are not read in pairs: see `Parts::store`.
            to.add(n).write(from.add(n).read_volatile());
        }
        std::arch::asm!("/* {0} */", in(reg) to, options(nostack, preserves_flags));
    }
}

/// The lean value with these words.
///
/// # Safety
/// Any words may be in such memory.
#[inline(always)]
pub unsafe fn of_words<M: Copy>(words: &[u64]) -> M {
    let count = size_of::<M>() / 8;
    let words = &words[..count];
    let mut mem = MaybeUninit::<M>::uninit();
    let to: *mut u64 = mem.as_mut_ptr().cast();
    for (n, word) in words.iter().enumerate() {
        // SAFETY: there is room. Volatile reads are not merged: compiled code has just written
        // words, one at a time (`read_words`).
        unsafe {
            to.add(n)
                .write_unaligned((&raw const *word).read_volatile())
        }
    }
    // SAFETY: the caller's promise.
    unsafe { mem.assume_init() }
}

crate::gc_value! { Ordering, true {
    0 => (Ordering::Less) {}
    1 => (Ordering::Equal) {}
    2 => (Ordering::Greater) {}
} }
