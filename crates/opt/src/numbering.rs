//! Numbers for a few of many entities, forgotten all at once.
//!
//! In: entities, one after the other. Out: the number of each, in the order of their first mention. Invariant: forgetting costs
//! nothing, so that every guard of a long trace can begin anew without a table of its own.

use cranelift_entity::{EntityRef, SecondaryMap};

/// Numbers from 0 on.
pub(crate) struct Numbering<K: EntityRef> {
    /// The round in which an entity was last mentioned, and its number then.
    numbers: SecondaryMap<K, (u32, u32)>,
    round: u32,
    next: u32,
}

impl<K: EntityRef> Default for Numbering<K> {
    fn default() -> Numbering<K> {
        Numbering {
            numbers: SecondaryMap::new(),
            round: 0,
            next: 0,
        }
    }
}

impl<K: EntityRef> Numbering<K> {
    /// Forgets all numbers.
    pub fn begin(&mut self) {
        self.round += 1;
        self.next = 0;
    }

    /// The number of an entity, if it has been mentioned.
    pub fn get(&self, entity: K) -> Option<u32> {
        let (round, number) = self.numbers[entity];
        (round == self.round).then_some(number)
    }

    /// The number of an entity, and whether this is its first mention.
    pub fn number(&mut self, entity: K) -> (u32, bool) {
        if let Some(number) = self.get(entity) {
            return (number, false);
        }
        let number = self.next;
        self.next += 1;
        self.numbers[entity] = (self.round, number);
        (number, true)
    }
}

#[cfg(test)]
mod tests {
    use super::Numbering;
    use verdigris_trace::ValRef;

    #[test]
    fn rounds_know_nothing_of_each_other() {
        let [a, b] = [3, 70].map(ValRef::from_u32);
        let mut numbering = Numbering::default();
        for _ in 0..2 {
            numbering.begin();
            assert_eq!(numbering.get(b), None);
            assert_eq!(numbering.number(b), (0, true));
            assert_eq!(numbering.number(a), (1, true));
            assert_eq!(numbering.number(b), (0, false));
        }
    }
}
