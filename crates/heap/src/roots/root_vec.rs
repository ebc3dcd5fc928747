//! A growable vector outside the heap that keeps alive what is in it.

use crate::context::current::current_roots;
use crate::detector;
use crate::fields::cell::Field;
use crate::layout::parts::Parts;
use crate::objects::array::GcArray;
use crate::roots::table::RootTable;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// Replaces `Vec<Gc<T>>`, `Vec<Obj>` or `Vec<Value>` where a vector on the malloc
/// heap is needed: the collector looks into it. Items are copied in and out. Traced code cannot
/// hold one: a language's own lists are heap objects.
///
/// Numbers need no root:
/// ```compile_fail,E0080
/// # use verdigris_heap::RootVec;
/// let numbers = RootVec::<i64>::new();
/// ```
/// They stay on the thread of their VM:
/// ```compile_fail,E0277
/// # use verdigris_heap::{Gc, RootVec, gc_class};
/// # struct Foo { x: i64 } gc_class! { Foo { x: i64 } }
/// fn send<T: Send>(_: T) {}
/// fn wrong(roots: RootVec<Gc<Foo>>) { send(roots) }
/// ```
pub struct RootVec<P: Parts> {
    table: Rc<RootTable>,
    slot: usize,
    items: PhantomData<fn() -> P>,
}

impl<P: Parts> RootVec<P> {
    const WORDS: usize = P::KINDS.len();

    /// An empty vector that belongs to the current VM's heap.
    ///
    /// # Panics
    /// If no VM is entered on this thread.
    #[allow(clippy::new_without_default)]
    pub fn new() -> RootVec<P> {
        const {
            assert!(
                !P::REFS.is_empty(),
                "`RootVec` holds references to heap objects: use a `Vec` for anything else"
            )
        };
        let _own = detector::own();
        let table = current_roots();
        let slot = table.vecs.borrow_mut().add(Vec::new());
        RootVec {
            table,
            slot,
            items: PhantomData,
        }
    }

    /// Works on the words.
    ///
    /// # Panics
    /// If the VM has been dropped.
    fn with<R>(&self, f: impl FnOnce(&mut Vec<u64>) -> R) -> R {
        self.table.check_open("RootVec");
        let _own = detector::own();
        f(&mut self.table.vecs.borrow_mut()[self.slot])
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.table.vecs.borrow()[self.slot].len() / Self::WORDS
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an item at the end.
    pub fn push(&self, item: P) {
        self.with(|words| {
            let at = words.len();
            words.resize(at + Self::WORDS, 0);
            item.store(&mut words[at..]);
        });
    }

    /// Takes the last item.
    pub fn pop(&self) -> Option<P> {
        let last = self.len().checked_sub(1)?;
        let item = self.get(last);
        self.truncate(last);
        item
    }

    /// An item.
    pub fn get(&self, index: usize) -> Option<P> {
        self.with(|words| {
            let at = index.checked_mul(Self::WORDS)?;
            let words = words.get(at..at.checked_add(Self::WORDS)?)?;
            // SAFETY: written by `store` of the same type, and the objects are alive since the
            // vector is visited.
            Some(unsafe { P::load(words) })
        })
    }

    /// Replaces an item.
    ///
    /// # Panics
    /// If there is none with this index.
    pub fn set(&self, index: usize, item: P) {
        let len = self.len();
        assert!(
            index < len,
            "index out of bounds: the len is {len} but the index is {index}"
        );
        self.with(|words| item.store(&mut words[index * Self::WORDS..][..Self::WORDS]));
    }

    /// Forgets the items from `len` on.
    pub fn truncate(&self, len: usize) {
        self.with(|words| words.truncate(len.saturating_mul(Self::WORDS)));
    }

    /// Forgets all items.
    pub fn clear(&self) {
        self.truncate(0);
    }

    /// An array of the items, as `functions: functions.to_array()`: what is made one by one is kept
    /// here, and in the array in the end.
    ///
    /// # Panics
    /// As [`GcArray::new`].
    pub fn to_array<T: Field<Value = P>, K: 'static>(&self) -> GcArray<T, K> {
        // They are still in this vector, so that they survive a collection here.
        let items: Vec<P> = self.iter().collect();
        GcArray::from_slice(&items)
    }

    /// The items, in order, as they are when the iterator gets to them.
    pub fn iter(&self) -> impl Iterator<Item = P> + '_ {
        (0..).map_while(|index| self.get(index))
    }
}

impl<P: Parts> Extend<P> for RootVec<P> {
    fn extend<I: IntoIterator<Item = P>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<P: Parts> FromIterator<P> for RootVec<P> {
    fn from_iter<I: IntoIterator<Item = P>>(items: I) -> Self {
        let mut all = RootVec::new();
        all.extend(items);
        all
    }
}

impl<P: Parts> Drop for RootVec<P> {
    fn drop(&mut self) {
        let _own = detector::own();
        self.table.vecs.borrow_mut().remove(self.slot);
    }
}

impl<P: Parts + fmt::Debug> fmt::Debug for RootVec<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
