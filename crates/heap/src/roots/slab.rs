//! Numbered slots that are used again. A number means one value from [`Slab::add`] to
//! [`Slab::remove`].

use std::ops::{Index, IndexMut};

/// Values with numbers.
pub(crate) struct Slab<T> {
    items: Vec<Option<T>>,
    free: Vec<usize>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab {
            items: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slab<T> {
    /// Adds a value and returns its number.
    pub(crate) fn add(&mut self, value: T) -> usize {
        match self.free.pop() {
            Some(slot) => {
                self.items[slot] = Some(value);
                slot
            }
            None => {
                self.items.push(Some(value));
                self.items.len() - 1
            }
        }
    }

    /// Forgets a value; its number may be given to another.
    pub(crate) fn remove(&mut self, slot: usize) {
        if self.items[slot].take().is_some() {
            self.free.push(slot);
        }
    }

    /// The value with a number, if there is one.
    pub(crate) fn get_mut(&mut self, slot: usize) -> Option<&mut T> {
        self.items.get_mut(slot)?.as_mut()
    }

    /// All values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().flatten()
    }

    /// All values.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.items.iter_mut().flatten()
    }
}

impl<T> Index<usize> for Slab<T> {
    type Output = T;
    fn index(&self, slot: usize) -> &T {
        let item = self.items[slot].as_ref();
        item.expect("a handle owns its place")
    }
}

impl<T> IndexMut<usize> for Slab<T> {
    fn index_mut(&mut self, slot: usize) -> &mut T {
        let item = self.items[slot].as_mut();
        item.expect("a handle owns its place")
    }
}
