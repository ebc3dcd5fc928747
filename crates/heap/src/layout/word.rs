//! Types that are one 64-bit word, in memory and in the C calling convention.
//! `from_word(to_word(x))` is `x`, and narrow integers are extended as their sign says, so equal
//! values are equal words.

use verdigris_ops::Ty;

/// The type and representation of a field, item, parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WordKind {
    /// The machine type.
    pub ty: Ty,
    /// Bytes in memory: 1, 2, 4 or 8, and 0 for `()`.
    pub size: u8,
    /// Whether a narrower integer is sign-extended when loaded.
    pub signed: bool,
    /// Of a component: bytes from the start of the value.
    pub offset: u32,
}

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

/// A word of a lean value, for functions that the translator writes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct RawWord(pub u64);

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
}
