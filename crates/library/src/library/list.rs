//! A list that grows: a length and an array that has room for more. The length is at most the
//! array's; the slots before it have values, those behind it keep nothing alive. Operations on one
//! item can be traced; those on many are residual calls.

use super::key::KeyObject;
use super::order::Order;
use verdigris::rt::{Slot, at_most};
use verdigris::{
    Cell, Gc, GcArray, Stored, Word, gc, is_constant, is_virtual, opaque, unroll_safe,
};

/// The tag of the arrays that hold the items of lists: no other arrays can be the same.
pub struct ListItems;

/// A growable list of words or `#[value]`s on the heap, as `Vec` is outside of it.
///
/// Methods take `&self`, and lists are passed around as `Gc<List<T>>`; two references to one list
/// see each other's changes. A list that compiled code makes and does not give away costs nothing
/// there: its items become variables. `push` and `pop` take constant time, `push` amortised;
/// `insert`, `remove` and everything that is about many items time in proportion to the items.
///
/// ```
/// # use verdigris::{HeapOptions, List, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let list = List::new();
/// list.push(1);
/// list.push(2);
/// assert_eq!(list.pop(), Some(2));
/// assert_eq!(list.get(0), Some(1));
/// assert_eq!(list.len(), 1);
/// # });
/// ```
#[gc]
pub struct List<T: Stored> {
    len: Cell<usize>,
    items: Cell<GcArray<Slot<T>, ListItems>>,
}

/// The room that a list without any gets.
const FIRST_CAPACITY: usize = 4;

/// So long a list of equal items is made item by item in compiled code, so that it need not exist
/// there.
const FILLED_INSIDE: usize = 16;

impl<T: Stored> List<T> {
    /// An empty list without room for items.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> Gc<List<T>> {
        List::with_capacity(0)
    }

    /// An empty list with room for `capacity` items.
    ///
    /// # Panics
    /// As [`GcArray::new`], at absurd capacities and at the heap limit. So does everything that
    /// makes a list longer.
    pub fn with_capacity(capacity: usize) -> Gc<List<T>> {
        Gc::new(List {
            len: Cell::new(0),
            items: Cell::new(GcArray::vacant(capacity)),
        })
    }

    /// A list of `len` items, all `item`, in time proportional to their number.
    pub fn filled(len: usize, item: T) -> Gc<List<T>> {
        if is_constant(len) && len <= FILLED_INSIDE {
            List::filled_inside(len, item)
        } else {
            List::filled_outside(len, item)
        }
    }

    #[unroll_safe]
    fn filled_inside(len: usize, item: T) -> Gc<List<T>> {
        let list = List::with_capacity(len);
        for _ in 0..len {
            list.push(item);
        }
        list
    }

    #[doc(hidden)]
    #[opaque(Self)]
    pub fn filled_outside(len: usize, item: T) -> Gc<List<T>> {
        List::filled_inside(len, item)
    }

    /// A list of the items of an array, in time proportional to their number.
    #[opaque(Self)]
    pub fn from_array(array: GcArray<Cell<T>>) -> Gc<List<T>> {
        let list = List::with_capacity(array.len());
        for n in 0..array.len() {
            list.push(array[n].get());
        }
        list
    }

    /// A list of these items; for native code only; in traced code make the list with `List::new()`
    /// and `push` each item.
    pub fn from_slice(items: &[T]) -> Gc<List<T>> {
        let list = List::with_capacity(items.len());
        for &item in items {
            list.push(item);
        }
        list
    }

    /// The number of items.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len.get() == 0
    }

    /// The number of items for which there is room.
    #[inline(always)]
    pub fn capacity(&self) -> usize {
        self.items.get().len()
    }

    /// The items with the slots behind them, and how many are items.
    #[inline(always)]
    fn slots(&self) -> (GcArray<Slot<T>, ListItems>, usize) {
        let items = self.items.get();
        (items, at_most(self.len.get(), items.len()))
    }

    /// Adds an item at the end.
    #[inline]
    pub fn push(&self, item: T) {
        let (mut items, len) = self.slots();
        if len >= items.len() {
            self.grow();
            items = self.items.get();
        }
        items[len].set(item);
        self.len.set(len + 1);
    }

    /// Removes the last item and gives it.
    #[inline]
    pub fn pop(&self) -> Option<T> {
        let (items, len) = self.slots();
        if len == 0 {
            return None;
        }
        let item = items[len - 1].get();
        items[len - 1].clear();
        self.len.set(len - 1);
        Some(item)
    }

    /// The last item.
    #[inline]
    pub fn last(&self) -> Option<T> {
        let (items, len) = self.slots();
        if len == 0 {
            return None;
        }
        Some(items[len - 1].get())
    }

    /// The item at an index, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        let (items, len) = self.slots();
        if index >= len {
            return None;
        }
        Some(items[index].get())
    }

    /// The item at an index.
    ///
    /// # Panics
    /// As an index of a slice: `index out of bounds: the len is 3 but the index is 5`.
    #[inline]
    pub fn at(&self, index: usize) -> T {
        let (items, len) = self.slots();
        if index >= len {
            fail_index(index, len);
        }
        items[index].get()
    }

    /// Replaces the item at an index.
    ///
    /// # Panics
    /// As [`List::at`].
    #[inline]
    pub fn set(&self, index: usize, item: T) {
        let (items, len) = self.slots();
        if index >= len {
            fail_index(index, len);
        }
        items[index].set(item);
    }

    /// Exchanges two items.
    ///
    /// # Panics
    /// As [`List::at`].
    pub fn swap(&self, a: usize, b: usize) {
        let item = self.at(a);
        self.set(a, self.at(b));
        self.set(b, item);
    }

    /// Puts an item in front of the one at an index, or at the end.
    ///
    /// # Panics
    /// As `Vec::insert`: `insertion index (is 5) should be <= len (is 3)`.
    pub fn insert(&self, index: usize, item: T) {
        if index == self.len.get() {
            self.push(item);
        } else {
            self.open_gap(index);
            self.items.get()[index].set(item);
        }
    }

    /// Removes the item at an index and gives it; the items behind it move up.
    ///
    /// # Panics
    /// As `Vec::remove`: `removal index (is 5) should be < len (is 3)`.
    pub fn remove(&self, index: usize) -> T {
        let len = self.len.get();
        if index >= len {
            fail_removal(index, len);
        }
        let item = self.items.get()[index].get();
        self.close_gap(index);
        item
    }

    /// Removes all items but the first `len`; does nothing if there are not more.
    #[opaque]
    pub fn truncate(&self, len: usize) {
        let items = self.items.get();
        for n in len..self.len.get() {
            items[n].clear();
        }
        if len < self.len.get() {
            self.len.set(len);
        }
    }

    /// Removes all items.
    pub fn clear(&self) {
        self.truncate(0);
    }

    /// Adds the items of another list, or of this one, at the end.
    #[opaque]
    pub fn extend(&self, other: Gc<List<T>>) {
        let more = other.len.get();
        self.reserve(more);
        for n in 0..more {
            self.push(other.items.get()[n].get());
        }
    }

    /// A new list of the items from `from` on and before `to`.
    ///
    /// # Panics
    /// As `&slice[from..to]`.
    // What it writes is all in the new list.
    #[opaque(writes())]
    pub fn slice(&self, from: usize, to: usize) -> Gc<List<T>> {
        let len = self.len.get();
        assert!(from <= to, "slice index starts at {from} but ends at {to}");
        assert!(
            to <= len,
            "range end index {to} out of range for slice of length {len}"
        );
        let list = List::with_capacity(to - from);
        for n in from..to {
            list.push(self.items.get()[n].get());
        }
        list
    }

    /// Puts the items in the opposite order.
    #[opaque]
    pub fn reverse(&self) {
        let (items, len) = (self.items.get(), self.len.get());
        for n in 0..len / 2 {
            let item = items[n].get();
            items[n].set(items[len - 1 - n].get());
            items[len - 1 - n].set(item);
        }
    }

    /// Makes room for `more` items besides those in the list.
    #[opaque]
    pub fn reserve(&self, more: usize) {
        let Some(wanted) = self.len.get().checked_add(more) else {
            panic!("capacity overflow")
        };
        if wanted > self.items.get().len() {
            let double = self.items.get().len() * 2;
            self.move_to(if double > wanted { double } else { wanted });
        }
    }

    /// The items in order; for native code only; in traced code loop over the positions, as in
    /// `for n in 0..list.len()` with `list.at(n)`. Items that are added while it runs are among
    /// them.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        let mut index = 0;
        std::iter::from_fn(move || {
            index += 1;
            self.get(index - 1)
        })
    }

    /// Makes room for one item more. Nothing is called for a list that compiled code does not have
    /// to make.
    fn grow(&self) {
        let items = self.items.get();
        if is_virtual(self) && is_constant(items.len()) {
            self.grow_inside();
        } else {
            self.reserve(FIRST_CAPACITY);
        }
    }

    #[unroll_safe]
    fn grow_inside(&self) {
        let (from, len) = (self.items.get(), self.len.get());
        let to = GcArray::<Slot<T>, ListItems>::vacant(len * 2 + FIRST_CAPACITY);
        for n in 0..len {
            to[n].set(from[n].get());
        }
        self.items.set(to);
    }

    /// Moves the items to an array of this length, which is long enough.
    fn move_to(&self, capacity: usize) {
        let from = self.items.get();
        let to = GcArray::<Slot<T>, ListItems>::vacant(capacity);
        for n in 0..self.len.get() {
            to[n].set(from[n].get());
        }
        self.items.set(to);
    }

    /// Moves the items from an index on back by one.
    #[doc(hidden)]
    #[opaque]
    pub fn open_gap(&self, index: usize) {
        let len = self.len.get();
        assert!(
            index <= len,
            "insertion index (is {index}) should be <= len (is {len})"
        );
        self.reserve(1);
        let items = self.items.get();
        for n in (index..len).rev() {
            items[n + 1].set(items[n].get());
        }
        self.len.set(len + 1);
    }

    /// Moves the items behind an index up by one.
    #[doc(hidden)]
    #[opaque]
    pub fn close_gap(&self, index: usize) {
        let (items, len) = (self.items.get(), self.len.get());
        for n in index + 1..len {
            items[n - 1].set(items[n].get());
        }
        items[len - 1].clear();
        self.len.set(len - 1);
    }
}

/// Lists are the same key if they are one list, whatever is in them.
impl<T: Stored> KeyObject for List<T> {}

impl<T: Word + PartialEq> List<T> {
    /// Whether an item is equal to this one, in time in proportion to the items.
    #[opaque]
    pub fn contains(&self, item: T) -> bool {
        for n in 0..self.len.get() {
            if self.items.get()[n].get() == item {
                return true;
            }
        }
        false
    }
}

impl<T: Order> List<T> {
    /// Sorts the items; equal ones stay in order. Takes time proportional to `n log n`, and twice
    /// the memory meanwhile.
    ///
    /// The order may look at the list, which holds the items unsorted until the end. If it changes
    /// the list, the changes are lost.
    #[opaque]
    pub fn sort(&self) {
        let len = self.len.get();
        let mut from = GcArray::<Slot<T>, ListItems>::vacant(len);
        for n in 0..len {
            from[n].set(self.items.get()[n].get());
        }
        let mut to = GcArray::<Slot<T>, ListItems>::vacant(len);
        let mut width = 1;
        while width < len {
            let mut start = 0;
            while start < len {
                merge(from, to, start, width);
                start += 2 * width;
            }
            (from, to) = (to, from);
            width *= 2;
        }
        self.items.set(from);
        self.len.set(len);
    }
}

/// Merges two sorted runs of at most `width` items that begin at `start`.
fn merge<T: Order>(
    from: GcArray<Slot<T>, ListItems>,
    to: GcArray<Slot<T>, ListItems>,
    start: usize,
    width: usize,
) {
    let middle = (start + width).min(from.len());
    let end = (middle + width).min(from.len());
    let (mut left, mut right) = (start, middle);
    for n in start..end {
        let take_right =
            left >= middle || (right < end && from[right].get().precedes(from[left].get()));
        let next = if take_right { &mut right } else { &mut left };
        to[n].set(from[*next].get());
        *next += 1;
    }
}

/// The panic of an index of a slice.
#[doc(hidden)]
#[opaque]
pub fn fail_index(index: usize, len: usize) {
    panic!("index out of bounds: the len is {len} but the index is {index}")
}

/// The panic of `Vec::remove`.
#[doc(hidden)]
#[opaque]
pub fn fail_removal(index: usize, len: usize) {
    panic!("removal index (is {index}) should be < len (is {len})")
}
