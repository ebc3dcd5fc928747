//! Decides which stores have a write barrier: when memory is collected, the card of each place in
//! an old object that holds a young object and was written since the last collection must be dirty.
//!
//! The barrier is left out behind stores of null, of numbers and of constants, which are pinned for
//! longer than it takes them to be old, and in objects that have been made since anything could be
//! collected. The backends decide this and not the optimiser, since only they know which
//! allocations are done at once. Source: card marking as in "A Fast Write Barrier for Generational
//! Garbage Collectors" (Hölzle, 1993).

use crate::sabotage::Sabotage;
use rustc_hash::FxHashSet;
use verdigris_ops::{DataOp, Effect};
use verdigris_trace::{Arg, Opcode, OptimisedOp, ValRef};

/// The state at a place in a section.
#[derive(Default, Debug)]
pub struct Barriers {
    /// Objects made since anything could be collected.
    young: FxHashSet<ValRef>,
    /// Objects whose cards are dirty since.
    dirty: FxHashSet<ValRef>,
    /// Words that are numbers.
    numbers: FxHashSet<ValRef>,
}

/// Whether an operation neither collects nor leaves, so that allocations move over it.
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
            // Backends tell when allocations are done.
            Opcode::Data(DataOp::New | DataOp::NewArray) | Opcode::MergePoint => {}
            Opcode::Data(data) if stays(data) => {}
            opcode if opcode.is_guard() => {}
            _ => self.collected(),
        }
    }

    /// Forgets what a collection changes.
    pub fn collected(&mut self) {
        self.young.clear();
        self.dirty.clear();
    }

    /// Adds an object that has just been made.
    pub fn made(&mut self, object: ValRef) {
        self.young.insert(object);
    }

    /// Whether an object has been made since anything could be collected.
    pub fn is_young(&self, object: Arg) -> bool {
        object.as_ref().is_some_and(|v| self.young.contains(&v))
    }

    /// Whether a store has a barrier.
    pub fn needs(&self, object: Arg, value: Arg) -> bool {
        let refers = value.as_ref().is_some_and(|v| !self.numbers.contains(&v));
        refers && !self.is_young(object) && !Sabotage::SkipBarrier.is_on()
    }

    /// Whether a store to a field has a barrier, behind which its object's card is dirty.
    pub fn wants_field(&mut self, object: Arg, value: Arg) -> bool {
        self.needs(object, value) && object.as_ref().is_none_or(|v| self.dirty.insert(v))
    }
}
