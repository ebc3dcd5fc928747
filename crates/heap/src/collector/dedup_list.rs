//! What has happened since the last collection: things that a collection of the young generation
//! has to look at. In: things, in any order, and as often as they come. Out: each of them, perhaps
//! several times. Invariant: the list is not longer than a few times what is different in it,
//! however long there is no collection.

/// So many things are noted before any is looked for twice.
const MANY: usize = 1024;

/// Things that were noted.
pub(crate) struct Noted<T> {
    items: Vec<T>,
    /// How many there may be before those are removed that are there twice.
    limit: usize,
}

impl<T> Default for Noted<T> {
    fn default() -> Noted<T> {
        Noted {
            items: Vec::new(),
            limit: MANY,
        }
    }
}

impl<T: Copy + Ord> Noted<T> {
    pub(crate) fn add(&mut self, item: T) {
        self.items.push(item);
        if self.items.len() > self.limit {
            self.items.sort_unstable();
            self.items.dedup();
            self.limit = MANY.max(2 * self.items.len());
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.items.iter().copied()
    }

    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.limit = MANY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_things_take_no_room() {
        let mut noted = Noted::default();
        for n in 0..1_000_000 {
            noted.add(n % 3000);
        }
        assert!(noted.items.len() <= 2 * 3000 + 1);
        noted.add(5000);
        let mut all: Vec<i32> = noted.iter().collect();
        all.sort_unstable();
        all.dedup();
        assert!(all.into_iter().eq((0..3000).chain([5000])));
        noted.clear();
        assert_eq!(noted.iter().next(), None);
    }
}
