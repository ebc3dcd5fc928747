//! The form of values in heap objects. The components of tuples, `Option`s and `Result`s lie one
//! behind the other, 8 bytes each; bytes behind them are never looked at.
//! `crates/heap/src/layout/value.rs` has the types that are marked `#[value]`.

use crate::layout::parts::Parts;
use crate::layout::word::{Word, WordKind};
use verdigris_ops::Ty;

/// A type whose values can be in heap objects, in a [`crate::Cell`].
///
/// # Safety
/// `Mem` is the components in memory, where [`Parts::KINDS`] says, and perhaps unused bytes behind
/// them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be in a heap object",
    label = "not a type of the heap",
    note = "write `#[value]` on the struct or enum; other types in the heap are integers, `bool`, `char`, `f64`, `Gc`, `GcArray`, the types of `#[object]`, `Option`s of these, tuples of up to four, and `Result`s"
)]
pub unsafe trait Stored: Parts {
    /// A value as it lies in memory.
    type Mem: Copy + 'static;
    /// Room for the components, one word each.
    type Room: Room;
    /// The value as it lies in memory.
    fn to_mem(self) -> Self::Mem;
    /// The value that lies in memory.
    ///
    /// # Safety
    /// It has been made by `to_mem` of this type, or by compiled code from the same components.
    unsafe fn from_mem(mem: Self::Mem) -> Self;
}

// SAFETY: a word is its own memory.
unsafe impl<W: Word> Stored for W {
    type Mem = W;
    type Room = [u64; 1];
    #[inline(always)]
    fn to_mem(self) -> W {
        self
    }
    #[inline(always)]
    unsafe fn from_mem(mem: W) -> W {
        mem
    }
}

/// Memory that consists of words.
///
/// # Safety
/// The type has no other bytes, and any bits in them are a value.
pub unsafe trait Room: Copy + 'static {
    /// All words zero.
    const ZERO: Self;
}

// SAFETY: an array of words.
unsafe impl<const N: usize> Room for [u64; N] {
    const ZERO: Self = [0; N];
}

/// Room for the components of two values, one behind the other.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Joined<A, B>(A, B);

// SAFETY: both consist of words, and so nothing is between them.
unsafe impl<A: Room, B: Room> Room for Joined<A, B> {
    const ZERO: Self = Joined(A::ZERO, B::ZERO);
}

/// The words.
#[inline(always)]
pub fn words<R: Room>(room: &mut R) -> &mut [u64] {
    // SAFETY: a `Room` consists of words.
    unsafe { std::slice::from_raw_parts_mut((&raw mut *room).cast(), size_of::<R>() / 8) }
}

/// What is known of a field or item that only native code reads.
pub const NO_BYTES: &[WordKind] = &[WordKind {
    ty: Ty::Int,
    size: 0,
    signed: false,
    offset: 0,
}];

/// Implements [`Stored`] for a type of several components, with room for them.
#[doc(hidden)]
#[macro_export]
macro_rules! stored_in {
    (($($generic:tt)*) $self:ty, $room:ty) => {
        // SAFETY: `Mem` is one word for each component, in order.
        unsafe impl<$($generic)*> $crate::Stored for $self {
            type Mem = $room;
            type Room = $room;
            #[inline(always)]
            fn to_mem(self) -> $room {
                const { assert!(<$self as $crate::Parts>::KINDS.len() * 8 <= ::core::mem::size_of::<$room>()) }
                let mut mem = <$room as $crate::Room>::ZERO;
                $crate::Parts::store(&self, $crate::words(&mut mem));
                mem
            }
            #[inline(always)]
            unsafe fn from_mem(mut mem: $room) -> Self {
                // SAFETY: the caller's promise.
                unsafe { <$self as $crate::Parts>::load($crate::words(&mut mem)) }
            }
        }
    };
}

crate::parts_of! { (A: Parts) (A,), false { 0 => ((a,)) { a: A } } }
crate::parts_of! { (A: Parts, B: Parts) (A, B), false { 0 => ((a, b)) { a: A, b: B } } }
crate::parts_of! { (A: Parts, B: Parts, C: Parts) (A, B, C), false {
    0 => ((a, b, c)) { a: A, b: B, c: C }
} }
crate::parts_of! { (A: Parts, B: Parts, C: Parts, D: Parts) (A, B, C, D), false {
    0 => ((a, b, c, d)) { a: A, b: B, c: C, d: D }
} }
crate::parts_of! { (T: Parts, E: Parts) Result<T, E>, true {
    0 => (Ok(value)) { value: T }
    1 => (Err(error)) { error: E }
} }

crate::stored_in! { (A: Stored) (A,), A::Room }
crate::stored_in! { (A: Stored, B: Stored) (A, B), Joined<A::Room, B::Room> }
crate::stored_in! { (A: Stored, B: Stored, C: Stored) (A, B, C), Joined<A::Room, Joined<B::Room, C::Room>> }
crate::stored_in! { (A: Stored, B: Stored, C: Stored, D: Stored) (A, B, C, D),
    Joined<Joined<A::Room, B::Room>, Joined<C::Room, D::Room>>
}
// The variants share components, so that there may be room left.
crate::stored_in! { (T: Stored, E: Stored) Result<T, E>, Joined<[u64; 1], Joined<T::Room, E::Room>> }

/// `Option` of a type that is not a reference.
macro_rules! options {
    ($($ty:ty)*) => {
        $(
            crate::parts_of! { () Option<$ty>, true { 0 => (None) {} 1 => (Some(value)) { value: $ty } } }
            crate::stored_in! { () Option<$ty>, [u64; 2] }
        )*
    };
}

options! { bool char i8 i16 i32 i64 isize u8 u16 u32 u64 usize f64 }

#[cfg(test)]
mod tests {
    use crate::collector::options::{HeapOptions, Stress};
    use crate::context::current::with_heap;
    use crate::fields::cell::Cell;
    use crate::objects::array::GcArray;
    use crate::objects::gc::Gc;

    struct Leaf {
        number: i64,
    }
    crate::gc_class! { Leaf { number: i64 } }

    #[derive(Clone, Copy, PartialEq, Debug)]
    enum Step {
        Stop,
        Jump(u16),
        Scale(f64, bool),
    }
    crate::gc_value! { Step, true {
        0 => (Step::Stop) {}
        1 => (Step::Jump(to)) { to: u16 }
        2 => (Step::Scale(by, sign)) { by: f64, sign: bool }
    } }

    type Pairs = Result<(Gc<Leaf>, Gc<Leaf>), (f64, u8)>;

    struct Holder {
        first: Step,
        pair: Cell<(Gc<Leaf>, i64)>,
        result: Cell<Pairs>,
        option: Cell<Option<char>>,
        last: Step,
    }
    crate::gc_class! { Holder {
        first: Step,
        pair: Cell<(Gc<Leaf>, i64)>,
        result: Cell<Pairs>,
        option: Cell<Option<char>>,
        last: Step
    } }

    fn leaf(number: i64) -> Gc<Leaf> {
        Gc::new(Leaf { number })
    }

    #[test]
    fn values_in_objects_survive_collections() {
        let stress = HeapOptions {
            stress: Stress::All,
            ..HeapOptions::default()
        };
        with_heap(stress, || {
            let holder = Gc::new(Holder {
                first: Step::Jump(7),
                pair: Cell::new((leaf(1), -1)),
                result: Cell::new(Err((0.5, 3))),
                option: Cell::new(None),
                last: Step::Scale(1.5, true),
            });
            holder.result.set(Ok((leaf(2), leaf(3))));
            holder.option.set(Some('x'));
            let results = GcArray::<Cell<Result<Gc<Leaf>, i64>>>::new(3, Err(4));
            results[1].set(Ok(leaf(5)));
            for number in 0..40 {
                leaf(number);
            }
            assert_eq!((holder.pair.get().0.number, holder.pair.get().1), (1, -1));
            let Ok((a, b)) = holder.result.get() else {
                unreachable!("it has been set")
            };
            assert_eq!((a.number, b.number), (2, 3));
            assert_eq!(holder.option.get(), Some('x'));
            assert_eq!(
                (holder.first, holder.last),
                (Step::Jump(7), Step::Scale(1.5, true))
            );
            let numbers = [0, 1, 2].map(|n| results[n].get().map(|leaf| leaf.number));
            assert_eq!(numbers, [Err(4), Ok(5), Err(4)]);
        });
    }

    #[test]
    fn plain_items_lie_as_rust_lays_them_out() {
        with_heap(HeapOptions::default(), || {
            let steps = [
                Step::Stop,
                Step::Jump(1),
                Step::Scale(2.0, false),
                Step::Jump(9),
            ];
            let array = GcArray::<Step>::from_slice(&steps);
            assert_eq!(array.as_slice(), steps);
            assert_eq!(array[2], Step::Scale(2.0, false));
        });
    }
}
