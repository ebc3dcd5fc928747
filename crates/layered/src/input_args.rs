//! The arguments of links between methods: typed slots that the block which is left writes and the
//! block which comes next reads, since methods of one host have one signature.
//!
//! There is one set of slots, since nothing happens between a write and the read of it: no object
//! is allocated, so the collector need not see the slots, and no other method runs. Slots are made
//! when a method is, enough for all its links, so that no link asks whether there are enough.
//! Source: class `InputArgs` in section 6.3 of the paper of 2009, which has to ask.

use std::cell::{Cell, RefCell};
use verdigris_heap::detector;
use verdigris_ops::Ty;
use verdigris_trace::GuardId;

/// The slots.
#[derive(Default)]
pub struct InputArgs {
    /// Integers, and words whose type only the program knows.
    ints: RefCell<Vec<u64>>,
    floats: RefCell<Vec<f64>>,
    /// Addresses of objects.
    refs: RefCell<Vec<u64>>,
    /// The guard that was left at last.
    guard: Cell<Option<GuardId>>,
}

/// How many slots of each kind precede one.
#[derive(Clone, Copy, Default)]
struct Places {
    ints: usize,
    floats: usize,
    refs: usize,
}

impl Places {
    /// The place of the next argument, which has this type.
    fn take(&mut self, ty: Ty) -> usize {
        let next = match ty {
            Ty::Int | Ty::Word => &mut self.ints,
            Ty::Float => &mut self.floats,
            Ty::Ref => &mut self.refs,
        };
        *next += 1;
        *next - 1
    }
}

impl InputArgs {
    /// Makes room for arguments of these types.
    pub fn reserve(&self, types: impl IntoIterator<Item = Ty>) {
        // Slots still have what was read from them.
        let _own = detector::own();
        let mut places = Places::default();
        for ty in types {
            places.take(ty);
        }
        let grow = |slots: &RefCell<Vec<u64>>, least: usize| {
            let mut slots = slots.borrow_mut();
            let len = slots.len().max(least);
            slots.resize(len, 0);
        };
        grow(&self.ints, places.ints);
        grow(&self.refs, places.refs);
        let mut floats = self.floats.borrow_mut();
        let len = floats.len().max(places.floats);
        floats.resize(len, 0.0);
    }

    /// Writes arguments: their types with their words.
    ///
    /// # Panics
    /// If there is no room for them.
    pub fn write(&self, args: impl IntoIterator<Item = (Ty, u64)>) {
        let mut places = Places::default();
        for (ty, word) in args {
            let place = places.take(ty);
            match ty {
                Ty::Int | Ty::Word => self.ints.borrow_mut()[place] = word,
                Ty::Float => self.floats.borrow_mut()[place] = f64::from_bits(word),
                Ty::Ref => self.refs.borrow_mut()[place] = word,
            }
        }
    }

    /// Reads arguments of these types: their words, in order.
    ///
    /// # Panics
    /// If there is no room for them.
    pub fn read<'a>(
        &'a self,
        types: impl IntoIterator<Item = Ty> + 'a,
    ) -> impl Iterator<Item = u64> + 'a {
        let mut places = Places::default();
        types.into_iter().map(move |ty| {
            let place = places.take(ty);
            match ty {
                Ty::Int | Ty::Word => self.ints.borrow()[place],
                Ty::Float => self.floats.borrow()[place].to_bits(),
                Ty::Ref => self.refs.borrow()[place],
            }
        })
    }

    /// Says which guard is left.
    pub fn set_guard(&self, guard: GuardId) {
        self.guard.set(Some(guard));
    }

    /// The guard that was left at last.
    pub fn guard(&self) -> Option<GuardId> {
        self.guard.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_slots() {
        let args = InputArgs::default();
        let types = [Ty::Int, Ty::Ref, Ty::Float, Ty::Int, Ty::Word];
        args.reserve(types);
        let words = [1, 2, 0.5f64.to_bits(), u64::MAX, 5];
        args.write(types.into_iter().zip(words));
        assert_eq!(args.read(types).collect::<Vec<_>>(), words);
        assert_eq!(args.ints.borrow().len(), 3);
        // Fewer arguments leave room for more.
        args.reserve([Ty::Int]);
        assert_eq!(args.ints.borrow().len(), 3);
    }
}
