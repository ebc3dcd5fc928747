//! Which stores the write barrier is behind. In: the operations of a section, one after the other.
//! Out: whether a store has to leave a byte in the card of its place. Invariant: when memory is
//! collected, the card of each old object's place is dirty that holds a young object and was
//! written since the last collection.
//!
//! It is left out where nothing can be missed: behind stores of null and of numbers; of constants,
//! which are pinned for longer than it takes them to be old; and in objects that have been made
//! since anything could be collected. The optimiser knows other objects as new, which may have
//! survived a collection meanwhile; so this is decided by the backends, when it is clear which
//! allocations are done at once. Source: card marking as in "A Fast Write Barrier for Generational
//! Garbage Collectors" (Hölzle, 1993).

use crate::sabotage::Sabotage;
use rustc_hash::FxHashSet;
use verdigris_ops::{DataOp, Effect};
use verdigris_trace::{Arg, Opcode, OptimisedOp, ValRef};

/// What is known at a place in a section.
#[derive(Default, Debug)]
pub struct Barriers {
    /// Objects made since anything could be collected.
    young: FxHashSet<ValRef>,
    /// Objects whose cards are dirty since.
    dirty: FxHashSet<ValRef>,
    /// Words that are numbers.
    numbers: FxHashSet<ValRef>,
}

/// Whether nothing can be collected and the code cannot be left in an operation, so that
/// allocations move over it.
pub fn stays(data: DataOp) -> bool {
    use DataOp::*;
    match data.effect() {
        Effect::Pure | Effect::Read => true,
        Effect::Alloc => false,
        Effect::Write => !matches!(data, Invalidate | Reclaim),
    }
}

impl Barriers {
    /// A section begins.
    pub fn clear(&mut self) {
        self.collected();
        self.numbers.clear();
    }

    /// Learns from the operation that comes next.
    pub fn pass(&mut self, op: OptimisedOp<'_>) {
        match op.opcode() {
            Opcode::Data(DataOp::WordFromInt | DataOp::WordFromFloat) => {
                self.numbers.extend(op.result());
            }
            // Allocations tell when they are done.
            Opcode::Data(DataOp::New | DataOp::NewArray) | Opcode::MergePoint => {}
            Opcode::Data(data) if stays(data) => {}
            opcode if opcode.is_guard() => {}
            _ => self.collected(),
        }
    }

    /// Something may have been collected.
    pub fn collected(&mut self) {
        self.young.clear();
        self.dirty.clear();
    }

    /// An object has been made, and nothing can have been collected since.
    pub fn made(&mut self, object: ValRef) {
        self.young.insert(object);
    }

    /// Whether an object has been made since anything could be collected.
    pub fn is_young(&self, object: Arg) -> bool {
        object.as_ref().is_some_and(|v| self.young.contains(&v))
    }

    /// Whether a collection of the young generation has to know of a store.
    pub fn needs(&self, object: Arg, value: Arg) -> bool {
        let refers = value.as_ref().is_some_and(|v| !self.numbers.contains(&v));
        refers && !self.is_young(object) && !Sabotage::SkipBarrier.is_on()
    }

    /// The same for a store to a field, behind which its object's card is dirty.
    pub fn wants_field(&mut self, object: Arg, value: Arg) -> bool {
        self.needs(object, value) && object.as_ref().is_none_or(|v| self.dirty.insert(v))
    }
}
