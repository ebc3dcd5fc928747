//! Making code by partial evaluation, of a hot place of the guest program. In: the greens there. Out: code that the interpreter enters with the reds.
//! Invariants: nothing of the guest program is run, but for elidable functions of constants; an attempt that leads to nothing is counted,
//! as one of the tracer's is.

use crate::compile::Drafted;
use crate::enter::Next;
use crate::host::OptimiserHost;
use crate::log::Stage;
use crate::state::Engine;
use crate::state::assumed::Watching;
use crate::state::attempt::{Failed, Place, Site};
use crate::state::cells::CellId;
use crate::state::roots::{Pins, rooted};
use crate::stats::Phase;
use crate::tracing::Attempt;
use verdigris_specialise::{Limits, Specialised, specialise};
use verdigris_trace::RecordedTrace;

impl Engine {
    /// Specialises the interpreter for a hot header, and goes on in the code.
    pub(crate) fn specialise_header(&self, hash: u64, cell: CellId, state: &[u64]) -> Next {
        let site = Site::Header(cell, hash);
        let _attempt = Attempt::start(self, site);
        let place = Place::Header(cell, hash);
        // SAFETY: the context is current; native code passes a state of the merge point.
        let result = unsafe { rooted(self.ctx, state, |state| self.specialise(place, state)) };
        if let Err(Failed { reason, detail }) = result {
            self.give_up(site, reason, &detail, &RecordedTrace::default());
        }
        Next::Header(state.to_vec())
    }

    fn specialise(&self, place: Place, state: &[u64]) -> Result<(), Failed> {
        let piece = self.next_piece();
        let title = self.title(place, piece, state);
        // SAFETY: the context outlives the engine.
        let (mut pins, watching) = unsafe { (Pins::new(self.ctx), Watching::new(self.ctx, piece)) };
        let specialised = {
            let _phase = self.meter.enter(Phase::Optimising);
            let mut optimiser = self
                .optimiser
                .try_borrow_mut()
                .map_err(|_| Failed::busy())?;
            let mut host = OptimiserHost {
                ctx: self.ctx,
                linked: &self.linked,
                pins: &mut pins,
                watching: self.may_assume(place, state).then_some(&watching),
                keeps: self.may_keep(place, state),
            };
            let limits = Limits {
                interruptible: self.interruptible.get(),
                ..Limits::default()
            };
            let greens = self.greens(state);
            specialise(&self.linked.unit, greens, &mut optimiser, &mut host, limits)
        };
        let Specialised {
            optimised,
            left,
            operations,
        } = specialised;
        self.log.piece(Stage::Trace, || {
            let left = left.iter().map(|(why, count)| format!("{why}: {count}"));
            let left: Vec<String> = left.collect();
            let header = format!("{title}, specialised, {operations} operations");
            (
                header,
                format!("exits to the interpreter: {}", left.join(", ")),
            )
        });
        let drafted = Drafted {
            place,
            piece,
            pins,
            watching,
        };
        self.put_to_use(drafted, &title, &RecordedTrace::default(), optimised, state)
    }
}
