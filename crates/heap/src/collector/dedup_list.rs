//! A list that may contain an item several times, but never grows beyond a few times its distinct
//! items.

/// Items that may be added before duplicates are removed.
const MANY: usize = 1024;

/// Things that were noted.
pub(crate) struct DedupList<T> {
    items: Vec<T>,
    /// How many there may be before those are removed that are there twice.
    limit: usize,
}

impl<T> Default for DedupList<T> {
    fn default() -> DedupList<T> {
        DedupList {
            items: Vec::new(),
            limit: MANY,
        }
    }
}

impl<T: Copy + Ord> DedupList<T> {
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
        let mut noted = DedupList::default();
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
