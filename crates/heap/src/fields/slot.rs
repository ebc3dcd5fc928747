//! Array items that may have no value yet. The memory of a slot is zero, or what `to_mem` of its
//! type makes; zero is read as a value only if it is one.

use crate::fields::access_log::log_access;
use crate::fields::cell::{Field, read_words, write_words};
use crate::layout::refs::Filter;
use crate::layout::stored::Stored;
use crate::memory::address_space::barrier;
use crate::objects::array::GcArray;
use std::cell::Cell;
use std::mem::MaybeUninit;
use verdigris_ops::VACANT_SLOT;

/// An item of an array with room for values to come: the storage of growable lists. A vacant slot
/// is all zero.
///
/// Native code, and traced code in every form, panics if it reads a vacant slot of a type that has
/// no value for zero, such as `Gc`: the owner of the array knows which of its slots have values,
/// but can be deceived by its items.
#[repr(transparent)]
pub struct Slot<T: Stored>(Cell<MaybeUninit<T::Mem>>);

impl<T: Stored> Slot<T> {
    /// The value.
    ///
    /// # Panics
    /// If there is none, and zero is not a value of the type.
    #[inline(always)]
    pub fn get(&self) -> T {
        log_access(self.0.as_ptr().cast(), false);
        if !T::HAS_ZERO && self.is_vacant() {
            vacant();
        }
        // SAFETY: the memory is what `to_mem` made, or compiled code from the same components, or
        // zero, which is a value.
        unsafe { T::from_mem(read_words(&self.0).assume_init()) }
    }

    /// Gives it a value.
    #[inline(always)]
    pub fn set(&self, value: T) {
        log_access(self.0.as_ptr().cast(), true);
        let mem = value.to_mem();
        write_words(&self.0, MaybeUninit::new(mem));
        // SAFETY: a value of this type.
        if unsafe { const { Filter::of(T::REFS) }.passes(&mem) } {
            barrier(self.0.as_ptr().cast());
        }
    }

    /// Forgets the value if it holds references, so that the slot keeps nothing alive.
    #[inline(always)]
    pub fn clear(&self) {
        if const { !T::REFS.is_empty() } {
            self.0.set(MaybeUninit::zeroed());
        }
    }

    /// Whether all is zero. Only types with references are asked: their memory is whole words.
    fn is_vacant(&self) -> bool {
        let words = self.0.as_ptr().cast::<u64>();
        // SAFETY: the memory is the slot's own, and consists of that many aligned words. What has
        // not been written in a value is not zero in all words, and is whatever is there.
        (0..size_of::<T::Mem>() / 8).all(|n| unsafe { words.add(n).read_volatile() } == 0)
    }
}

#[cold]
#[inline(never)]
fn vacant() -> ! {
    panic!("{VACANT_SLOT}")
}

impl<T: Stored + std::fmt::Debug> std::fmt::Debug for Slot<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match !T::HAS_ZERO && self.is_vacant() {
            true => f.write_str("Slot(vacant)"),
            false => f.debug_tuple("Slot").field(&self.get()).finish(),
        }
    }
}

// SAFETY: transparent over the value's memory.
unsafe impl<T: Stored> Field for Slot<T> {
    type Value = T;
    const IMMUTABLE: bool = false;
    #[inline(always)]
    fn with_value(value: T) -> Self {
        Slot(Cell::new(MaybeUninit::new(value.to_mem())))
    }
}

impl<T: Stored, K: 'static> GcArray<Slot<T>, K> {
    /// An array of vacant slots.
    ///
    /// # Panics
    /// As [`GcArray::new`].
    #[inline]
    pub fn vacant(len: usize) -> Self {
        Self::zeroed(len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collector::options::HeapOptions;
    use crate::context::current::with_heap;
    use crate::objects::gc::Gc;

    fn within<R: Unpin>(f: impl FnOnce() -> R) -> R {
        with_heap(HeapOptions::default(), f)
    }

    fn has_zero<P: crate::layout::parts::Parts>() -> bool {
        P::HAS_ZERO
    }

    struct Leaf;
    crate::gc_class! { Leaf {} }

    #[derive(Clone, Copy)]
    #[allow(dead_code)]
    enum Value {
        Leaf(Gc<Leaf>),
        Nil,
    }
    crate::gc_value! { Value, true { 0 => (Value::Leaf(leaf)) { leaf: Gc<Leaf> } 1 => (Value::Nil) {} } }

    #[test]
    fn zero_is_read_only_where_it_is_a_value() {
        within(|| {
            assert_eq!(GcArray::<Slot<i64>>::vacant(2)[1].get(), 0);
            assert_eq!(GcArray::<Slot<Option<Gc<Leaf>>>>::vacant(1)[0].get(), None);
            assert_eq!(GcArray::<Slot<char>>::vacant(1)[0].get(), '\0');
            assert!(!has_zero::<Gc<Leaf>>());
            assert!(!has_zero::<GcArray<i64>>());
            assert!(!has_zero::<Value>());
            assert!(has_zero::<Option<Gc<Leaf>>>());
            assert!(!has_zero::<Result<Gc<Leaf>, i64>>());
        });
    }

    #[test]
    #[should_panic(expected = "has no value")]
    fn a_vacant_reference_is_not_read() {
        within(|| _ = GcArray::<Slot<Gc<Leaf>>>::vacant(1)[0].get());
    }

    #[test]
    #[should_panic(expected = "has no value")]
    fn a_cleared_value_is_not_read() {
        within(|| {
            let array = GcArray::<Slot<Value>>::vacant(1);
            array[0].set(Value::Leaf(Gc::new(Leaf)));
            let Value::Leaf(_) = array[0].get() else {
                unreachable!("it has just been set")
            };
            array[0].clear();
            _ = array[0].get();
        });
    }
}
