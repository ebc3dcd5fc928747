//! Guards that lead to a label of the same trace, by way of moves if there are any.
//!
//! The guard that goes to a label first decides its contract, and goes there without a move of what
//! is in a register or slot.

use crate::exits::guards::place_at_exit;
use crate::exits::{ExitTarget, KnownIfFails, SideExit};
use crate::locations::{Loc, ValueLoc};
use crate::lower::labels::contract_in_place;
use crate::lower::state::Lower;
use verdigris_trace::{OptimisedOp, TargetId};

impl Lower<'_> {
    /// Records where a guard has the values that it passes to a label of the same trace.
    pub(super) fn side_exit(
        &mut self,
        guard: OptimisedOp<'_>,
        target: TargetId,
        known: &[KnownIfFails],
    ) -> ExitTarget {
        let values = &mut self.work.exits.side_values;
        let (first, regs) = (values.len(), &self.work.regs);
        let places = guard.fail_args().iter();
        values.extend(places.map(|&arg| place_at_exit(regs, arg, known)));
        let number = self.labels.find(target);
        let number = number.expect("a checked side is in the trace");
        let label = &mut self.labels.list[number];
        if !label.is_decided {
            label.contract = contract_in_place(&values[first..]);
            label.is_decided = true;
        }
        ExitTarget::Side(SideExit {
            label: number,
            first: first as u32,
        })
    }

    /// Where a side exit has its values, and where the label wants them.
    fn moves_to(&self, side: SideExit) -> impl Iterator<Item = (ValueLoc, Loc)> {
        let values = &self.work.exits.side_values[side.first as usize..];
        let contract = &self.labels.list[side.label].contract;
        let pairs = values.iter().copied().zip(contract.iter().copied());
        pairs.filter(|(_, to)| to.is_some())
    }

    /// Whether nothing has to be moved.
    pub(super) fn is_in_place(&self, side: SideExit) -> bool {
        self.moves_to(side)
            .all(|(from, to)| from == ValueLoc::At(to))
    }

    /// Moves the values and goes to the label.
    pub(super) fn go_to_side(&mut self, side: SideExit) {
        let mut moves = std::mem::take(&mut self.work.moves);
        self.moves_to(side)
            .for_each(|(from, to)| moves.add(from, to));
        let asm = &mut self.work.regs.asm;
        moves.emit(asm);
        asm.jump(self.labels.list[side.label].label);
        self.work.moves = moves;
    }
}
