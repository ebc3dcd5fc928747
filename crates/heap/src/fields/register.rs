//! Registers of guest frames: items of arrays that are written all the time, without the write
//! barrier. Every collection looks at all arrays of registers that are alive or were at the last
//! collection of everything.

use crate::fields::cell::{Cell, Field};
use crate::layout::stored::Stored;

/// An item of an array of registers or locals: a [`Cell`] that is cheaper to write, in an array
/// that costs the collector more.
///
/// An interpreter writes a register with every instruction. The barrier behind a store of a
/// reference, which tells the collector that an old object may refer to a young one now, would cost
/// more than the store. Instead the collector looks through each array of registers, at every
/// collection. That is cheap as long as there are as many as the guest has activations: it is not
/// meant for the fields and items of the guest's objects.
///
/// ```
/// use verdigris_heap::{Gc, GcArray, HeapOptions, Register, gc_class, with_heap};
/// struct Num { value: i64 }
/// gc_class! { Num { value: i64 } }
/// with_heap(HeapOptions::default(), || {
///     let registers = GcArray::<Register<Option<Gc<Num>>>>::new(4, None);
///     registers[2].set(Some(Gc::new(Num { value: 7 })));
///     assert_eq!(registers[2].get().unwrap().value, 7);
/// });
/// ```
/// It is an item of an array, not a field:
/// ```compile_fail,E0080
/// use verdigris_heap::{HeapOptions, Gc, Register, gc_class, with_heap};
/// struct Frame { top: Register<i64> }
/// gc_class! { Frame { top: Register<i64> } }
/// with_heap(HeapOptions::default(), || Gc::new(Frame { top: Register::new(1) }));
/// ```
#[repr(transparent)]
pub struct Register<T: Stored>(Cell<T>);

impl<T: Stored> Register<T> {
    /// A register with this content.
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Register(Cell::new(value))
    }

    /// The content.
    #[inline(always)]
    pub fn get(&self) -> T {
        self.0.get()
    }

    /// Replaces the content.
    #[inline(always)]
    pub fn set(&self, value: T) {
        self.0.set_silently(value);
    }

    /// Replaces the content and gives the old one.
    #[inline(always)]
    pub fn replace(&self, value: T) -> T {
        let old = self.get();
        self.set(value);
        old
    }
}

impl<T: Stored + std::fmt::Debug> std::fmt::Debug for Register<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Register").field(&self.get()).finish()
    }
}

impl<T: Stored + Default> Default for Register<T> {
    fn default() -> Self {
        Register::new(T::default())
    }
}

// SAFETY: transparent over a cell of the same content.
unsafe impl<T: Stored> Field for Register<T> {
    type Value = T;
    const IMMUTABLE: bool = false;
    const REGISTER: bool = true;
    #[inline(always)]
    fn with_value(value: T) -> Self {
        Register::new(value)
    }
}
