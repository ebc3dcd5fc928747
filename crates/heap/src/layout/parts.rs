//! Values of several words: the components of the types that traced code holds.
//!
//! Components are numbered as the translator numbers them (`crates/front/src/layout/mod.rs`). An
//! enum marked `#[value]` is a tag and words, in which each variant has its fields as C lays them
//! out. The variants of other types share the components of one scalar type, and what a variant
//! does not use is zero.

use crate::layout::refs::RefPlace;
use crate::layout::word::{Abi, Word, WordKind};
use verdigris_ops::Ty;

/// The most components of one value.
pub const MAX_PARTS: usize = verdigris_ops::MAX_RESULTS;
/// The components of one variant's fields, one after the other; or the bytes where its fields lie.
pub type Slots = [usize; MAX_PARTS];

/// A type whose values are words: one for a [`Word`], several for tuples, `Option`s, `Result`s and
/// what `#[value]` marks.
///
/// # Safety
/// `KINDS` describes what `store` writes: each component, and where it lies in memory of `SIZE`
/// bytes. A component of type `Ref` is 0 or the address of a live object, and so is one of type
/// `Word` where `REFS` says so.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type that the interpreter can share with compiled code",
    label = "not made of words",
    note = "write `#[value]` on the struct or enum, or use integers, `bool`, `f64`, `Gc`, `GcArray`, the types of `#[object]`, and tuples, `Option`s and `Result`s of these"
)]
pub unsafe trait Parts: Copy + 'static {
    /// The type of each component, and its place in memory.
    const KINDS: &'static [WordKind];
    /// The places in memory that may hold references.
    const REFS: &'static [RefPlace];
    /// Bytes in memory.
    const SIZE: u32;
    /// The alignment in memory.
    const ALIGN: u32;
    /// Whether a value of Rust is these bytes, so that it need not be converted.
    const EXACT: bool;
    /// How its only word is passed to C functions; `u64` if it does not have one.
    type Abi: Abi;
    /// Whether it is a single word that is passed in a register.
    const DIRECT: bool;
    /// Whether components of zero are a value.
    const HAS_ZERO: bool;
    /// Writes the components to the start of a slice. By reference, so that the value is not
    /// copied first: a copy reads two words at once, and a processor that has just written them one
    /// by one must wait for that.
    fn store(&self, words: &mut [u64]);
    /// Reads the components from the start of a slice.
    ///
    /// # Safety
    /// They are words that `store` writes for this type.
    unsafe fn load(words: &[u64]) -> Self;
}

// SAFETY: the only component is the word; `()` has none.
unsafe impl<W: Word> Parts for W {
    const KINDS: &'static [WordKind] = if W::KIND.size == 0 { &[] } else { &[W::KIND] };
    const REFS: &'static [RefPlace] = match W::KIND.ty {
        Ty::Ref => &[RefPlace::at(0)],
        _ => &[],
    };
    const SIZE: u32 = W::KIND.size as u32;
    const ALIGN: u32 = if W::KIND.size == 0 { 1 } else { Self::SIZE };
    const EXACT: bool = true;
    type Abi = W::Abi;
    const DIRECT: bool = W::KIND.size != 0;
    const HAS_ZERO: bool = W::HAS_ZERO;
    #[inline(always)]
    fn store(&self, words: &mut [u64]) {
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

/// Writes a field's components, the `at`-th of its variant and those behind it.
#[inline(always)]
pub fn put<P: Parts>(value: &P, slots: &Slots, at: &mut usize, words: &mut [u64]) {
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

/// Implements [`Parts`] for a type whose components are shared:
/// `(generics) Type, tagged { index => (shape) { name: Type, .. } .. }`, where the shape of a
/// variant is what stands for it as a pattern and as an expression.
#[doc(hidden)]
#[macro_export]
macro_rules! parts_of {
    (
        ($($generic:tt)*) $self:ty, $tagged:literal
        { $($index:literal => ($($shape:tt)+) { $($name:ident : $ty:ty),* })+ }
    ) => {
        impl<$($generic)*> $crate::HasLayout for $self {
            const SHAPES: &'static [&'static [$crate::PartShape]] = &[$(&[$($crate::PartShape::of::<$ty>()),*]),+];
            const LAYOUT: &'static $crate::PartsLayout = {
                &$crate::PartsLayout::new($crate::Category::Shared, $tagged, false)
                    $( .variant(&[$($crate::PartShape::of::<$ty>()),*]) )+
                    .finish()
            };
        }

        // SAFETY: components are written and read by one layout, which `KINDS` and `REFS` describe.
        unsafe impl<$($generic)*> $crate::Parts for $self {
            $crate::parts_of! { @consts $tagged { $({ $($ty),* })+ } }
            #[inline(always)]
            fn store(&self, words: &mut [u64]) {
                $crate::parts_of! { @store $self, self, words, $tagged { $($index => ($($shape)+) { $($name: $ty),* })+ } }
            }
            #[inline(always)]
            unsafe fn load(words: &[u64]) -> Self {
                $crate::parts_of! { @load $self, words, $tagged { $($index => ($($shape)+) { $($name: $ty),* })+ } }
            }
        }
    };
    (@consts $tagged:literal { $({ $($ty:ty),* })+ }) => {
        const KINDS: &'static [$crate::WordKind] = <Self as $crate::HasLayout>::LAYOUT.kinds();
        const REFS: &'static [$crate::RefPlace] = <Self as $crate::HasLayout>::LAYOUT.refs();
        const SIZE: u32 = <Self as $crate::HasLayout>::LAYOUT.size();
        const ALIGN: u32 = <Self as $crate::HasLayout>::LAYOUT.align();
        const EXACT: bool = <Self as $crate::HasLayout>::LAYOUT.exact();
        type Abi = u64;
        const DIRECT: bool = false;
        // It would be the first variant, with fields of zero.
        const HAS_ZERO: bool = [$(true $(&& <$ty as $crate::Parts>::HAS_ZERO)*),+][0];
    };
    (@store $self:ty, $value:expr, $words:ident, $tagged:literal
        { $($index:literal => ($($shape:tt)+) { $($name:ident : $ty:ty),* })+ }
    ) => {{
        $words[..<$self as $crate::HasLayout>::LAYOUT.len()].fill(0);
        #[allow(unused_mut, unused_variables, unused_assignments)]
        match $value {
            $( $($shape)+ => {
                let slots = const {
                    <$self as $crate::HasLayout>::LAYOUT.slots(<$self as $crate::HasLayout>::SHAPES, $index as usize)
                };
                if $tagged {
                    $words[0] = $index;
                }
                let mut at = 0;
                $( $crate::put($name, &slots, &mut at, $words); )*
            } )+
        }
    }};
    (@load $self:ty, $words:ident, $tagged:literal
        { $($index:literal => ($($shape:tt)+) { $($name:ident : $ty:ty),* })+ }
    ) => {{
        let tag = if $tagged { $words[0] } else { 0 };
        $( if tag == $index {
            #[allow(unused_variables)]
            let slots = const {
                <$self as $crate::HasLayout>::LAYOUT.slots(<$self as $crate::HasLayout>::SHAPES, $index as usize)
            };
            #[allow(unused_mut, unused_variables)]
            let mut at = 0;
            $(
                // SAFETY: the caller's promise; the tag says which variant was stored.
                let $name = unsafe { $crate::take::<$ty>(&slots, &mut at, $words) };
            )*
            return $($shape)+;
        } )+
        $crate::unknown_variant(stringify!($self))
    }};
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
