//! Values of several words: what the merge point and the heap make of types that traced code holds in components.
//!
//! In: the types of a struct's fields, or of the fields of an enum's variants. Out: the components, numbered as the
//! translator numbers them, and the way to them and back. Invariants: a type with several variants is its variant's index
//! and the components of all variants, which share those of one scalar type; what a variant does not use is zero.

use crate::word::REF;
use crate::{Abi, Gc, GcClass, Word, WordKind};
use verdigris_ops::Ty;

/// The most components of one value.
pub const MAX_PARTS: usize = verdigris_ops::MAX_RESULTS;

/// A type whose values are words: one for a [`Word`], several for tuples, `Option`s, `Result`s and what `#[value]` marks.
///
/// # Safety
/// `KINDS` describes what `store` writes. A component of type `Ref` is 0 or the address of a live object.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type that the interpreter can share with compiled code",
    label = "not made of words",
    note = "write `#[value]` on the struct or enum, or use integers, `bool`, `f64`, `Gc`, `GcArray`, the types of `#[object]`, and tuples, `Option`s and `Result`s of these"
)]
pub unsafe trait Parts: Copy + 'static {
    /// The type of each component.
    const KINDS: &'static [WordKind];
    /// How its only word is passed to C functions; `u64` if it does not have one.
    type Abi: Abi;
    /// Whether it is a single word that is passed in a register.
    const DIRECT: bool;
    /// Whether components of zero are a value.
    const HAS_ZERO: bool;
    /// Writes the components to the start of a slice.
    fn store(self, words: &mut [u64]);
    /// Reads the components from the start of a slice.
    ///
    /// # Safety
    /// They are words that `store` writes for this type.
    unsafe fn load(words: &[u64]) -> Self;
}

// SAFETY: the only component is the word; `()` has none.
unsafe impl<W: Word> Parts for W {
    const KINDS: &'static [WordKind] = if W::KIND.size == 0 { &[] } else { &[W::KIND] };
    type Abi = W::Abi;
    const DIRECT: bool = W::KIND.size != 0;
    const HAS_ZERO: bool = W::HAS_ZERO;
    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        if const { W::KIND.size != 0 } {
            words[0] = self.to_word();
        }
    }
    #[inline(always)]
    unsafe fn load(words: &[u64]) -> Self {
        let word = if const { W::KIND.size != 0 } {
            words[0]
        } else {
            0
        };
        // SAFETY: the caller's promise.
        unsafe { W::from_word(word) }
    }
}

/// Whether one of the components is a reference.
pub const fn has_refs(kinds: &[WordKind]) -> bool {
    let mut n = 0;
    while n < kinds.len() {
        if matches!(kinds[n].ty, Ty::Ref) {
            return true;
        }
        n += 1;
    }
    false
}

/// How the variants of a type share components.
#[derive(Clone, Copy)]
pub struct PartsLayout {
    kinds: [WordKind; MAX_PARTS],
    len: usize,
    tagged: bool,
}

/// The components of one variant's fields, one after the other.
pub type Slots = [usize; MAX_PARTS];

pub(crate) const INT: WordKind = WordKind {
    ty: Ty::Int,
    size: 8,
    signed: true,
};
const FLOAT: WordKind = WordKind {
    ty: Ty::Float,
    size: 8,
    signed: false,
};

impl PartsLayout {
    /// No fields yet. A type with several variants is `tagged`.
    pub const fn new(tagged: bool) -> PartsLayout {
        PartsLayout {
            kinds: [INT; MAX_PARTS],
            len: tagged as usize,
            tagged,
        }
    }

    /// With a variant whose fields have these components.
    ///
    /// # Panics
    /// If there are more than [`MAX_PARTS`].
    pub const fn variant(mut self, fields: &[&[WordKind]]) -> PartsLayout {
        let mut next = [self.tagged as usize; 3];
        let mut field = 0;
        while field < fields.len() {
            let mut part = 0;
            while part < fields[field].len() {
                let ty = fields[field][part].ty;
                let slot = self.find(ty, next[ty as usize]);
                if slot == self.len {
                    assert!(slot < MAX_PARTS, "a value has too many components");
                    self.kinds[slot] = match ty {
                        Ty::Int => INT,
                        Ty::Float => FLOAT,
                        Ty::Ref => REF,
                    };
                    self.len += 1;
                }
                next[ty as usize] = slot + 1;
                part += 1;
            }
            field += 1;
        }
        self
    }

    /// Where the components of a variant's fields lie.
    pub const fn slots(&self, fields: &[&[WordKind]]) -> Slots {
        let mut next = [self.tagged as usize; 3];
        let mut slots = [0; MAX_PARTS];
        let (mut field, mut at) = (0, 0);
        while field < fields.len() {
            let mut part = 0;
            while part < fields[field].len() {
                let ty = fields[field][part].ty;
                slots[at] = self.find(ty, next[ty as usize]);
                next[ty as usize] = slots[at] + 1;
                at += 1;
                part += 1;
            }
            field += 1;
        }
        slots
    }

    /// The first component of this type from `from` on, or how many there are.
    const fn find(&self, ty: Ty, from: usize) -> usize {
        let mut slot = from;
        while slot < self.len {
            if self.kinds[slot].ty as u8 == ty as u8 {
                return slot;
            }
            slot += 1;
        }
        self.len
    }

    /// The components.
    pub const fn kinds(&'static self) -> &'static [WordKind] {
        self.kinds.split_at(self.len).0
    }

    /// How many components there are.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no components.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Writes a field's components, the `at`-th of its variant and those behind it.
#[inline(always)]
pub fn put<P: Parts>(value: P, slots: &Slots, at: &mut usize, words: &mut [u64]) {
    let mut own = [0; MAX_PARTS];
    value.store(&mut own);
    for n in 0..P::KINDS.len() {
        words[slots[*at + n]] = own[n];
    }
    *at += P::KINDS.len();
}

/// Reads what [`put`] has written.
///
/// # Safety
/// As [`Parts::load`].
#[inline(always)]
pub unsafe fn take<P: Parts>(slots: &Slots, at: &mut usize, words: &[u64]) -> P {
    let mut own = [0; MAX_PARTS];
    for n in 0..P::KINDS.len() {
        own[n] = words[slots[*at + n]];
    }
    *at += P::KINDS.len();
    // SAFETY: the caller's promise.
    unsafe { P::load(&own) }
}

/// A type that functions which traced code calls have as `&self`.
#[diagnostic::on_unimplemented(
    message = "methods of `{Self}` cannot be called from traced code",
    note = "write `#[gc]` on a struct of the heap, `#[value]` on one that is held by value"
)]
pub trait Receive {
    /// What traced code passes: for a heap class its `Gc`, for other types the value.
    type Passed: Parts;
    /// The receiver.
    fn lend(passed: &Self::Passed) -> &Self;
}

impl<T: GcClass> Receive for T {
    type Passed = Gc<T>;
    #[inline(always)]
    fn lend(passed: &Gc<T>) -> &T {
        passed
    }
}

/// Implements [`Receive`] for a type whose values are passed.
#[doc(hidden)]
#[macro_export]
macro_rules! received_by_value {
    ($self:ty) => {
        impl $crate::Receive for $self {
            type Passed = Self;
            #[inline(always)]
            fn lend(passed: &Self) -> &Self {
                passed
            }
        }
    };
}

/// Implements [`Parts`] for a type: `(generics) Type, tagged { index => (shape) { name: Type, .. } .. }`, where the shape of
/// a variant is what stands for it as a pattern and as an expression.
#[doc(hidden)]
#[macro_export]
macro_rules! parts_of {
    (
        ($($generic:tt)*) $self:ty, $tagged:literal
        { $($index:literal => ($($shape:tt)+) { $($name:ident : $ty:ty),* })+ }
    ) => {
        impl<$($generic)*> $crate::HasLayout for $self {
            const LAYOUT: &'static $crate::PartsLayout = {
                // Else a value could be read as a variant that it is not.
                const INDICES: &[u64] = &[$($index),+];
                let mut n = 0;
                while n < INDICES.len() {
                    assert!(INDICES[n] == n as u64, "variants are numbered from 0");
                    n += 1;
                }
                assert!($tagged == (n > 1), "a type has a tag if it has several variants");
                &$crate::PartsLayout::new($tagged)
                    $( .variant(&[$(<$ty as $crate::Parts>::KINDS),*]) )+
            };
        }

        // SAFETY: components are written and read by one layout, which `KINDS` describes.
        unsafe impl<$($generic)*> $crate::Parts for $self {
            const KINDS: &'static [$crate::WordKind] = <$self as $crate::HasLayout>::LAYOUT.kinds();
            type Abi = u64;
            const DIRECT: bool = false;
            // It would be the first variant, with fields of zero.
            const HAS_ZERO: bool = [$(true $(&& <$ty as $crate::Parts>::HAS_ZERO)*),+][0];
            #[inline(always)]
            #[allow(unused_mut, unused_variables, unused_assignments)]
            fn store(self, words: &mut [u64]) {
                words[..<$self as $crate::HasLayout>::LAYOUT.len()].fill(0);
                match self {
                    $( $($shape)+ => {
                        let slots = const {
                            <$self as $crate::HasLayout>::LAYOUT.slots(&[$(<$ty as $crate::Parts>::KINDS),*])
                        };
                        if $tagged {
                            words[0] = $index;
                        }
                        let mut at = 0;
                        $( $crate::put($name, &slots, &mut at, words); )*
                    } )+
                }
            }
            #[inline(always)]
            #[allow(unused_mut, unused_variables)]
            unsafe fn load(words: &[u64]) -> Self {
                let tag = if $tagged { words[0] } else { 0 };
                $( if tag == $index {
                    let slots = const {
                        <$self as $crate::HasLayout>::LAYOUT.slots(&[$(<$ty as $crate::Parts>::KINDS),*])
                    };
                    let mut at = 0;
                    $(
                        // SAFETY: the caller's promise; the tag says which variant was stored.
                        let $name = unsafe { $crate::take::<$ty>(&slots, &mut at, words) };
                    )*
                    return $($shape)+;
                } )+
                $crate::unknown_variant(stringify!($self))
            }
        }
    };
}

/// Makes a struct or enum a type of the merge point and of the heap: what `#[value]` expands to. The syntax of
/// a variant is that of [`parts_of!`], with every field.
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
    ($self:ident, $($rest:tt)+) => {
        $crate::parts_of! { () $self, $($rest)+ }
        $crate::received_by_value! { $self }

        $crate::stored_in! { () $self, [u64; <$self as $crate::HasLayout>::LAYOUT.len()] }

        // SAFETY: there is nothing in it that compiled code or the collector have to know, as is asserted.
        unsafe impl $crate::Field for $self {
            type Value = Self;
            const KINDS: &'static [$crate::WordKind] = {
                assert!(
                    ::core::mem::align_of::<$self>() <= 8,
                    concat!("a `", stringify!($self), "` in a heap object cannot be aligned to more than 8 bytes")
                );
                assert!(
                    !$crate::has_refs(<$self as $crate::Parts>::KINDS),
                    concat!(
                        "a `", stringify!($self), "` in a heap object holds references, which only a `Cell` shows to the collector: ",
                        "write `Cell<", stringify!($self), ">`"
                    )
                );
                $crate::NO_BYTES
            };
            const IMMUTABLE: bool = true;
            #[inline(always)]
            fn with_value(value: Self) -> Self {
                value
            }
        }
    };
}

/// Carries the layout of a type of several variants or fields.
pub trait HasLayout {
    /// The layout.
    const LAYOUT: &'static PartsLayout;
}

/// The end of `load`: no variant has this index.
#[cold]
#[inline(never)]
pub fn unknown_variant(ty: &'static str) -> ! {
    panic!(
        "a `{ty}` in the heap has none of its variants: the object has been freed while it was in use"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<P: Parts + PartialEq + std::fmt::Debug>(value: P, parts: &[u64]) {
        let mut words = [7; MAX_PARTS];
        value.store(&mut words);
        assert_eq!(&words[..P::KINDS.len()], parts);
        // SAFETY: just stored.
        assert_eq!(unsafe { P::load(&words) }, value);
    }

    #[test]
    fn values_go_to_words_and_back() {
        round_trip((1i64, (true, -2i8)), &[1, 1, -2i64 as u64]);
        round_trip(None::<i64>, &[0, 0]);
        round_trip(Some(5u8), &[1, 5]);
        round_trip(
            Result::<(i64, f64), i32>::Ok((3, 0.5)),
            &[0, 3, 0.5f64.to_bits()],
        );
        round_trip(Result::<(i64, f64), i32>::Err(-1), &[1, u64::MAX, 0]);
    }

    #[test]
    fn variants_share_components_of_one_type() {
        let kinds = <Result<(i64, f64), (f64, bool, u8)> as Parts>::KINDS;
        let types: Vec<Ty> = kinds.iter().map(|k| k.ty).collect();
        assert_eq!(types, [Ty::Int, Ty::Int, Ty::Float, Ty::Int]);
    }
}
