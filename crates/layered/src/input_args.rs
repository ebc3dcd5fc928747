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

/// The kinds of slots: integers and words whose type only the program knows, the bits of doubles,
/// addresses of objects.
const KINDS: usize = 3;

/// The slots.
#[derive(Default)]
pub struct InputArgs {
    /// Where the slots of each kind begin.
    starts: [Cell<usize>; KINDS],
    slots: [RefCell<Box<[Cell<u64>]>>; KINDS],
    /// The guard that was left at last.
    guard: Cell<Option<GuardId>>,
}

/// The place of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ArgPlace {
    /// Which of the kinds of slots it is in.
    pub kind: usize,
    /// Which slot of this kind it is.
    pub slot: usize,
}

/// How many slots of each kind precede one.
#[derive(Clone, Copy, Default)]
struct Places([usize; KINDS]);

impl Places {
    /// The place of the next argument, which has this type.
    fn take(&mut self, ty: Ty) -> ArgPlace {
        let kind = match ty {
            Ty::Int | Ty::Word => 0,
            Ty::Float => 1,
            Ty::Ref => 2,
        };
        let slot = self.0[kind];
        self.0[kind] += 1;
        ArgPlace { kind, slot }
    }
}

impl InputArgs {
    /// The places of arguments of these types.
    pub fn places(types: impl IntoIterator<Item = Ty>) -> impl Iterator<Item = ArgPlace> {
        let mut places = Places::default();
        types.into_iter().map(move |ty| places.take(ty))
    }

    /// Where code finds the slots: the address of as many words as there are kinds, each with the
    /// address of the first slot of its kind. The words stay where they are as long as this does;
    /// slots move when there are more of them.
    pub fn starts(&self) -> usize {
        self.starts.as_ptr().expose_provenance()
    }

    /// Makes room for arguments of these types.
    pub fn reserve(&self, types: impl IntoIterator<Item = Ty>) {
        // Slots still have what was read from them.
        let _own = detector::own();
        let mut places = Places::default();
        for ty in types {
            places.take(ty);
        }
        for (kind, least) in places.0.into_iter().enumerate() {
            let mut slots = self.slots[kind].borrow_mut();
            if slots.len() >= least {
                continue;
            }
            *slots = vec![Cell::new(0); least].into();
            self.starts[kind].set(slots.as_ptr().expose_provenance());
        }
    }

    /// Writes arguments: their types with their words.
    ///
    /// # Panics
    /// If there is no room for them.
    pub fn write(&self, args: impl IntoIterator<Item = (Ty, u64)>) {
        let mut places = Places::default();
        for (ty, word) in args {
            let ArgPlace { kind, slot } = places.take(ty);
            self.slots[kind].borrow()[slot].set(word);
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
        let places = InputArgs::places(types);
        places.map(|place| self.slots[place.kind].borrow()[place.slot].get())
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
        assert_eq!(args.slots[0].borrow().len(), 3);
        // Fewer arguments leave room for more.
        args.reserve([Ty::Int]);
        assert_eq!(args.slots[0].borrow().len(), 3);
    }
}
