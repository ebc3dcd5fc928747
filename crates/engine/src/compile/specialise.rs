//! Making code by partial evaluation: of a hot place of the guest program, and of what follows an
//! exit. In: greens, or a guard with the values that compiled code handed over. Out: code that the
//! interpreter enters with the reds, or a bridge. Invariants: nothing of the guest program is run,
//! but for elidable functions of constants; an attempt that leads to nothing is counted, as one of
//! the tracer's is.

use crate::code::assumed::Watching;
use crate::code::guard_info::GuardSite;
use crate::code::jit_cells::CellId;
use crate::code::roots::{Pins, rooted};
use crate::compile::attempt::{Failed, Place, Site};
use crate::compile::install::Drafted;
use crate::compile::optimiser_host::OptimiserHost;
use crate::compile::record::Attempt;
use crate::engine::Engine;
use crate::observe::log::Stage;
use crate::observe::optimiser_input;
use crate::observe::stats::Maker;
use crate::policy::meter::Phase;
use crate::run::enter::Next;
use verdigris_opt::{Host, Optimiser};
use verdigris_replay::{Given, nothing_to_specialise};
use verdigris_specialise::{
    FailedGuard, LeaveReason, SpecialiseLimits, Specialised, specialise, specialise_from,
};
use verdigris_trace::{GuardId, Opcode, RecordedTrace};

impl Engine {
    /// Specialises the interpreter for a hot header, and goes on in the code.
    #[inline(never)]
    pub(crate) fn specialise_header(&self, hash: u64, cell: CellId, state: &[u64]) -> Next {
        let site = Site::Header(cell, hash);
        let attempt = Attempt::start(self, site);
        let (unit, greens) = (&self.linked.unit, self.greens(state));
        // SAFETY: the context is current; native code passes a state of the merge point.
        unsafe {
            rooted(self.ctx, state, |state| {
                self.specialise_at(site, state, (&[], 0), |optimiser, host, limits| {
                    let history = &mut self.history.borrow_mut();
                    Ok(specialise(unit, greens, history, optimiser, host, limits))
                });
            });
        }
        drop(attempt);
        Next::Header(state.to_vec())
    }

    /// Specialises the interpreter for what follows an exit that is taken often. This time the
    /// interpreter goes on there.
    ///
    /// What it has on the native stack must not be part of the frames of every activation that is
    /// left at a guard.
    #[inline(never)]
    pub(crate) fn specialise_guard(&self, guard: GuardId, site: &GuardSite, exit: &[u64]) {
        let _attempt = Attempt::start(self, Site::Guard(guard));
        let left = FailedGuard {
            resume: &site.resume,
            facts: &site.facts,
            types: &site.types,
            words: exit,
            compared: site.promotion.map_or(0, |promotion| promotion.bridges),
        };
        let unit = &self.linked.unit;
        let words = (exit, left.compared);
        self.specialise_at(Site::Guard(guard), &[], words, |optimiser, host, limits| {
            let history = &mut self.history.borrow_mut();
            specialise_from(unit, &left, history, optimiser, host, limits)
        });
    }

    /// Compiles what `write` writes, and counts the attempt if nothing comes of it.
    fn specialise_at(
        &self,
        site: Site,
        state: &[u64],
        left: (&[u64], u32),
        write: impl FnOnce(
            &mut Optimiser,
            &mut dyn Host,
            SpecialiseLimits,
        ) -> Result<Specialised, LeaveReason>,
    ) {
        if let Err(Failed { reason, detail }) =
            self.specialised(Place::of(site), state, left, write)
        {
            self.give_up(site, reason, &detail, &RecordedTrace::default());
        }
    }

    fn specialised(
        &self,
        place: Place,
        state: &[u64],
        left: (&[u64], u32),
        write: impl FnOnce(
            &mut Optimiser,
            &mut dyn Host,
            SpecialiseLimits,
        ) -> Result<Specialised, LeaveReason>,
    ) -> Result<(), Failed> {
        let piece = self.next_piece();
        let title = self.title(place, piece, state);
        // SAFETY: the context outlives the engine.
        let (mut pins, watching) = unsafe { (Pins::new(self.ctx), Watching::new(self.ctx, piece)) };
        let (written, given) = {
            let _phase = self.meter.enter(Phase::Optimising);
            let optimiser = self.optimiser.try_borrow_mut();
            let mut optimiser = optimiser.map_err(|_| Failed::busy())?;
            if self.log.wants(Stage::Given) {
                optimiser.keep_inputs();
            }
            let mut host = OptimiserHost {
                engine: self,
                ctx: self.ctx,
                linked: &self.linked,
                pins: &mut pins,
                watching: self.may_assume(place, state).then_some(&watching),
                keeps: self.may_keep(place, state),
            };
            let limits = SpecialiseLimits {
                interruptible: self.interruptible.get(),
                lazy: self.params.lazy_arms.lazy(),
                ..SpecialiseLimits::default()
            };
            let given = |labels| Given {
                greens: if state.is_empty() {
                    &[]
                } else {
                    self.greens(state)
                },
                left,
                limits: Some(&limits),
                ..Given::new(place.kind_of_written(), piece, &title, labels)
            };
            let write = |optimiser: &mut Optimiser, host: &mut dyn Host| {
                let written = write(optimiser, host, limits);
                written.map_err(|why| Failed {
                    reason: "nothing to specialise",
                    detail: nothing_to_specialise(&why),
                })
            };
            let mut written = self.recorded(&mut optimiser, &mut host, given, write);
            match &mut written {
                Ok(written) => self.record_made(&optimiser, &mut written.optimised.trace),
                Err(failed) => self.record_failed(failed),
            }
            (written, optimiser.take_inputs())
        };
        let Specialised {
            optimised,
            left,
            operations,
            ..
        } = written?;
        self.log.piece(Stage::Trace, || {
            let left = left.iter().map(|(why, count)| format!("{why}: {count}"));
            let left: Vec<String> = left.collect();
            let header = format!("{title}, specialised, {operations} operations");
            (
                header,
                format!("exits to the interpreter: {}", left.join(", ")),
            )
        });
        self.log.piece(Stage::Given, || {
            let header = format!("{title}, {operations} operations");
            let with_places = |text, trace: &_| self.add_places(text, trace);
            let text = optimiser_input::text(&self.linked, &given, &optimised.trace, with_places);
            (header, text)
        });
        let drafted = Drafted {
            place,
            maker: Maker::Specialiser,
            piece,
            pins,
            watching,
            given,
        };
        let labels = optimised.trace.ops().iter();
        let labels = labels.filter(|op| op.opcode() == Opcode::Label).count();
        self.put_to_use(drafted, &title, &RecordedTrace::default(), optimised, state)?;
        self.meter.specialised(operations, labels, &left);
        Ok(())
    }
}
