//! Values of the embedder by number. In: values. Out: numbers that the heap's objects can hold.
//! Invariant: a number is used again only after its value was removed.

/// Values by number.
pub(crate) struct Slab<T> {
    items: Vec<Option<T>>,
    free: Vec<usize>,
}

impl<T> Default for Slab<T> {
    fn default() -> Slab<T> {
        Slab {
            items: Vec::new(),
            free: Vec::new(),
        }
    }
}

impl<T> Slab<T> {
    /// The number that the next value gets.
    pub(crate) fn next(&self) -> usize {
        self.free.last().copied().unwrap_or(self.items.len())
    }

    /// Adds a value; its number.
    pub(crate) fn add(&mut self, item: T) -> usize {
        match self.free.pop() {
            Some(at) => {
                self.items[at] = Some(item);
                at
            }
            None => {
                self.items.push(Some(item));
                self.items.len() - 1
            }
        }
    }

    /// The value with a number.
    pub(crate) fn get(&self, at: usize) -> Option<&T> {
        self.items.get(at)?.as_ref()
    }

    /// Takes the value with a number out.
    pub(crate) fn remove(&mut self, at: usize) -> Option<T> {
        let item = self.items.get_mut(at)?.take()?;
        self.free.push(at);
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again_when_they_are_free() {
        let mut slab = Slab::default();
        assert_eq!((slab.next(), slab.add('a'), slab.add('b')), (0, 0, 1));
        assert_eq!((slab.remove(0), slab.remove(0)), (Some('a'), None));
        assert_eq!((slab.next(), slab.add('c')), (0, 0));
        assert_eq!(
            (slab.get(0), slab.get(1), slab.get(2)),
            (Some(&'c'), Some(&'b'), None)
        );
    }
}
