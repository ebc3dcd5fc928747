//! Weak references of guest languages, as objects. No field refers to the target: the collector has
//! a table of weak references, and clears them.

use verdigris::rt::{GcRef, WeakHolder, weak_attach, weak_attached};
use verdigris::{Gc, gc, opaque};

/// A weak reference as an object: it can be in fields, lists and maps, and in traced code.
///
/// `R` is a `Gc`, a `GcArray` or the pointer type of an `#[object]`. An object is gone for its weak
/// references as soon as nothing else refers to it and a collection has noticed, even if a
/// `FinalQueue` hands it out afterwards. Machine stacks are scanned conservatively, so an object
/// may live longer than the program can tell.
///
/// Both operations are calls in compiled code, in constant time on average. They are made each
/// time: a collection can come between any two of them. A weak reference keeps an entry in a table
/// of the heap until it is collected itself.
///
/// ```
/// # use verdigris::{HeapOptions, Str, WeakRef, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let name = Str::new("name");
/// let weak = WeakRef::new(name);
/// assert!(weak.get() == Some(name));
/// # });
/// ```
#[gc]
pub struct WeakRef<R: GcRef> {
    slot: Gc<WeakSlot<R>>,
}

/// What the table of the heap knows a weak reference by.
#[doc(hidden)]
#[gc]
pub struct WeakSlot<R: GcRef> {
    /// Always none; it says what type the slot is for.
    none: Option<R>,
}

impl<R: GcRef> WeakHolder for WeakSlot<R> {
    type Target = R;
}

impl<R: GcRef> WeakRef<R> {
    /// A weak reference to an object.
    ///
    /// # Panics
    /// At the heap limit.
    #[allow(clippy::new_ret_no_self)]
    #[opaque(Self)]
    pub fn new(target: R) -> Gc<WeakRef<R>> {
        let slot = Gc::new(WeakSlot { none: None });
        weak_attach(slot, target);
        Gc::new(WeakRef { slot })
    }

    /// The object, unless it is gone. The result is a strong reference: it keeps the object alive.
    #[opaque]
    pub fn get(&self) -> Option<R> {
        weak_attached(self.slot)
    }
}
