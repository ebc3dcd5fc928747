//! Guards that lead to a label of the same trace. In: such a guard, and where its fail arguments
//! are. Out: a branch to the label, by way of moves if there are any. Invariant: the guard that
//! goes to a label first makes its contract, and goes there without a move of what is in a register
//! or slot.

use crate::guards::Goes;
use crate::lower::Lower;
use crate::slots::Slots;
use crate::unit::KnownIfFails;
use crate::values::{Loc, Place};
use verdigris_trace::{OptimisedOp, TargetId};

/// A way to a label of the same trace.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    /// Which of [`Lower::locals`] it is.
    pub(crate) local: usize,
    /// Where what it passes begins in `Work::sides`; there is a place for each parameter.
    first: u32,
}

impl Lower<'_> {
    /// Notes where a guard has what it passes to a label of the same trace. If it is the first that
    /// goes there, the label takes it where it is.
    pub(crate) fn note_side(
        &mut self,
        guard: OptimisedOp<'_>,
        target: TargetId,
        known: &[KnownIfFails],
    ) -> Goes {
        let first = self.work.sides.len();
        for &arg in guard.fail_args() {
            let place = self.place_at_exit(arg, known);
            self.work.sides.push(place);
        }
        let local = self.local(target).expect("a checked side is in the trace");
        let (side, places) = (&mut self.locals[local], &self.work.sides[first..]);
        if !side.is_decided {
            (side.contract, side.is_decided) = (taken_where_they_are(places), true);
        }
        let first = first as u32;
        Goes::Side(Side { local, first })
    }

    /// Where a side's values are, and where the label wants them.
    fn moves_to(&self, side: Side) -> impl Iterator<Item = (Place, Loc)> {
        let places = &self.work.sides[side.first as usize..];
        let contract = &self.locals[side.local].contract;
        let pairs = places.iter().copied().zip(contract.iter().copied());
        pairs.filter(|(_, to)| to.is_some())
    }

    /// Whether nothing has to be moved.
    pub(crate) fn is_right_there(&self, side: Side) -> bool {
        self.moves_to(side).all(|(from, to)| from == Place::At(to))
    }

    /// Moves what the label wants elsewhere, and goes there.
    pub(crate) fn go_to_side(&mut self, side: Side) {
        let mut moves = std::mem::take(&mut self.work.moves);
        self.moves_to(side)
            .for_each(|(from, to)| moves.add(from, to));
        let asm = &mut self.work.file.asm;
        moves.emit(asm);
        asm.jump(self.locals[side.local].label);
        self.work.moves = moves;
    }
}

/// A contract for values that are at these places: what is somewhere stays there, and what is not,
/// or is two parameters, gets a slot.
fn taken_where_they_are(places: &[Place]) -> Vec<Loc> {
    let (mut registers, mut slots) = (0u32, Slots::default());
    let mut claim = |place: &Place| match *place {
        Place::At(loc) if loc.is_slot() && !slots.is_used(loc) => {
            slots.claim(loc);
            loc
        }
        Place::At(loc) if !loc.is_slot() && registers & 1 << loc.0 == 0 => {
            registers |= 1 << loc.0;
            loc
        }
        Place::At(_) | Place::Const(_) => Loc::NONE,
    };
    let mut contract: Vec<Loc> = places.iter().map(&mut claim).collect();
    for loc in contract.iter_mut().filter(|loc| !loc.is_some()) {
        *loc = slots.take();
    }
    contract
}
