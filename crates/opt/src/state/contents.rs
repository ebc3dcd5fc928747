//! The contents of a virtual: the fields of a struct, or the words of an array's items.
//!
//! They are sparse: what is not listed is zero, as in new memory, and costs no value in a label, no
//! word in resume data, and no store when the object is allocated. Lookup is logarithmic.

use verdigris_ops::HeapSlot;

/// The most words other than zero that a virtual holds; an object with more is allocated. Every
/// guard lists the contents of its virtuals and hands over what is not constant, for which the
/// context has room for 1024 words.
pub const MAX_WORDS: usize = 512;

/// The contents of a virtual of which `T` are the values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contents<T> {
    /// An array's length.
    len: Option<u32>,
    /// The words that may be other than zero, in the order of [`rank`].
    words: Vec<(HeapSlot, T)>,
}

/// Fields in the order of the class. Items by index, and then their words, so that the words of a
/// value are neighbours.
fn rank(slot: HeapSlot) -> (u32, u32) {
    match slot {
        HeapSlot::Field(field) => (field.as_u32(), 0),
        HeapSlot::Item(class, index) => (index, class.as_u32()),
    }
}

impl<T: Copy> Contents<T> {
    /// An object of zeros: an array of this length, or a struct.
    pub fn zeros(len: Option<u32>) -> Contents<T> {
        Contents {
            len,
            words: Vec::new(),
        }
    }

    /// An array's length.
    pub fn len(&self) -> Option<u32> {
        self.len
    }

    /// Whether the slot exists: an item must not be behind an array's end.
    pub fn has(&self, slot: HeapSlot) -> bool {
        match (slot, self.len) {
            (HeapSlot::Field(_), None) => true,
            (HeapSlot::Item(_, index), Some(len)) => index < len,
            _ => false,
        }
    }

    fn find(&self, slot: HeapSlot) -> Result<usize, usize> {
        let rank_of = rank(slot);
        // Objects are mostly filled in order.
        match self.words.last() {
            Some(&(last, _)) if rank(last) >= rank_of => {
                self.words.binary_search_by_key(&rank_of, |w| rank(w.0))
            }
            _ => Err(self.words.len()),
        }
    }

    /// The contents of a slot, if it may be other than zero.
    pub fn get(&self, slot: HeapSlot) -> Option<T> {
        self.find(slot).ok().map(|at| self.words[at].1)
    }

    /// Sets a slot to this value, or to zero.
    pub fn set(&mut self, slot: HeapSlot, value: Option<T>) {
        match (self.find(slot), value) {
            (Ok(at), Some(value)) => self.words[at].1 = value,
            (Ok(at), None) => drop(self.words.remove(at)),
            (Err(at), Some(value)) => self.words.insert(at, (slot, value)),
            (Err(_), None) => {}
        }
    }

    /// Whether writing this slot keeps within [`MAX_WORDS`].
    pub fn has_room(&self, slot: HeapSlot) -> bool {
        self.words.len() < MAX_WORDS || self.get(slot).is_some()
    }

    /// How many words may be other than zero.
    pub fn most_words(&self) -> usize {
        self.words.len()
    }

    /// The words that may be other than zero; those of one value are neighbours.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = (HeapSlot, T)> + '_ {
        self.words.iter().copied()
    }

    /// The same places with other values; none for a zero.
    pub fn map<U: Copy>(&self, mut f: impl FnMut(HeapSlot, T) -> Option<U>) -> Contents<U> {
        let words = self.words.iter();
        Contents {
            len: self.len,
            words: words
                .filter_map(|&(slot, value)| Some((slot, f(slot, value)?)))
                .collect(),
        }
    }

    /// The slots of both, in order, with the contents of each.
    pub fn both<U: Copy>(&self, other: &Contents<U>) -> Vec<(HeapSlot, Option<T>, Option<U>)> {
        let (mut ours, mut theirs) = (self.words().peekable(), other.words().peekable());
        let mut all = Vec::with_capacity(self.words.len());
        loop {
            let (a, b) = (ours.peek().copied(), theirs.peek().copied());
            let slots = [a.map(|w| w.0), b.map(|w| w.0)];
            let next = slots.into_iter().flatten().min_by_key(|&slot| rank(slot));
            let Some(next) = next else { return all };
            let a = ours.next_if(|w| w.0 == next).map(|w| w.1);
            let b = theirs.next_if(|w| w.0 == next).map(|w| w.1);
            all.push((next, a, b));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Contents;
    use verdigris_ops::{ClassId, HeapSlot};

    fn item(class: u32, index: u32) -> HeapSlot {
        HeapSlot::Item(ClassId::from_u32(class), index)
    }

    #[test]
    fn the_words_of_a_value_are_neighbours() {
        let mut contents = Contents::zeros(Some(10));
        for (n, slot) in [item(5, 7), item(4, 7), item(5, 2), item(4, 9)]
            .into_iter()
            .enumerate()
        {
            assert_eq!(contents.get(slot), None);
            contents.set(slot, Some(n));
            assert_eq!(contents.get(slot), Some(n));
        }
        let order: Vec<usize> = contents.words().map(|w| w.1).collect();
        assert_eq!(order, [2, 1, 0, 3]);
        contents.set(item(4, 7), None);
        contents.set(item(4, 8), None);
        assert_eq!(contents.words().count(), 3);
        assert!(contents.has(item(4, 9)) && !contents.has(item(4, 10)));
    }

    #[test]
    fn what_only_one_holds_is_in_both() {
        let (mut a, mut b) = (Contents::zeros(None), Contents::zeros(None));
        a.set(item(1, 0), Some(10));
        a.set(item(2, 0), Some(20));
        b.set(item(2, 0), Some('x'));
        b.set(item(1, 1), Some('y'));
        let expected = [
            (item(1, 0), Some(10), None),
            (item(2, 0), Some(20), Some('x')),
            (item(1, 1), None, Some('y')),
        ];
        assert_eq!(a.both(&b), expected);
    }
}
