//! Numbers for a few of many entities, in the order of their first mention. The last ones can be
//! forgotten at no cost, so every guard of a long trace can start where the one before differs.
//!
//! Source: "An Efficient Representation for Sparse Sets" (Briggs and Torczon, 1993).

use cranelift_entity::{EntityRef, SecondaryMap};

/// Numbers from 0 on.
#[derive(Clone)]
pub(crate) struct Numbering<K: EntityRef> {
    /// The number that an entity had when it was last mentioned. It has it still if it stands there
    /// in `order`.
    numbers: SecondaryMap<K, u32>,
    order: Vec<K>,
}

impl<K: EntityRef> Default for Numbering<K> {
    fn default() -> Numbering<K> {
        Numbering {
            numbers: SecondaryMap::new(),
            order: Vec::new(),
        }
    }
}

impl<K: EntityRef> Numbering<K> {
    /// Forgets all but the first entities.
    pub fn truncate(&mut self, len: usize) {
        self.order.truncate(len);
    }

    /// The entities by their numbers.
    pub fn order(&self) -> &[K] {
        &self.order
    }

    /// How many entities have numbers.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// The number of an entity, if it has been mentioned.
    pub fn get(&self, entity: K) -> Option<u32> {
        let number = self.numbers[entity];
        (self.order.get(number as usize) == Some(&entity)).then_some(number)
    }

    /// The number of an entity, and whether this is its first mention.
    pub fn number(&mut self, entity: K) -> (u32, bool) {
        if let Some(number) = self.get(entity) {
            return (number, false);
        }
        let number = self.order.len() as u32;
        self.order.push(entity);
        self.numbers[entity] = number;
        (number, true)
    }
}

#[cfg(test)]
mod tests {
    use super::Numbering;
    use verdigris_trace::ValRef;

    #[test]
    fn what_is_forgotten_has_no_number() {
        let [a, b, c] = [3, 70, 0].map(ValRef::from_u32);
        let mut numbering = Numbering::default();
        for _ in 0..2 {
            numbering.truncate(0);
            assert_eq!(numbering.get(b), None);
            assert_eq!(numbering.number(b), (0, true));
            assert_eq!(numbering.number(a), (1, true));
            assert_eq!(numbering.number(b), (0, false));
        }
        numbering.truncate(1);
        assert_eq!([a, b, c].map(|x| numbering.get(x)), [None, Some(0), None]);
        assert_eq!(numbering.number(c), (1, true));
        assert_eq!(numbering.get(a), None);
        assert_eq!(numbering.order(), [b, c]);
    }
}
