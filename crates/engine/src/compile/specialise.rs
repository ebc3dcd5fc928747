//! The second compiler: partial evaluation of the interpreter, from a hot header or an exit.
//!
//! Invariants: nothing of the guest program runs but elidable functions of constants; failed
//! attempts are counted as the tracer's are.

use crate::code::compiler_kind::CompilerKind;
use crate::code::guard_info::GuardInfo;
use crate::code::jit_cells::JitCellId;
use crate::code::roots::rooted;
use crate::compile::optimiser_host::OptimiserHost;
use crate::compile::record::Attempt;
use crate::compile::target::{Failed, TraceOrigin, TraceTarget};
use crate::engine::Engine;
use crate::observe::event::{Event, SpecialisedSections};
use crate::observe::log::Stage;
use crate::policy::phase_clock::Phase;
use crate::run::enter::Next;
use verdigris_opt::{Host, Optimiser};
use verdigris_replay::{Given, nothing_to_specialise};
use verdigris_specialise::{
    FailedGuard, LeaveReason, SpecialiseLimits, Specialised, specialise, specialise_from,
};
use verdigris_trace::{GuardId, RecordedTrace};

impl Engine {
    /// Specialises the interpreter for a hot header, and continues in the code.
    #[inline(never)]
    pub(crate) fn specialise_header(&self, hash: u64, cell: JitCellId, state: &[u64]) -> Next {
        let origin = TraceOrigin::Header(cell, hash);
        let attempt = Attempt::start(self, origin);
        let (unit, greens) = (&self.program.unit, self.greens(state));
        // SAFETY: the context is current; native code passes a state of the merge point.
        unsafe {
            rooted(self.ctx, state, |state| {
                self.specialise_at(origin, state, (&[], 0), |optimiser, host, limits| {
                    let history = &mut self.pipeline.history.borrow_mut();
                    Ok(specialise(unit, greens, history, optimiser, host, limits))
                });
            });
        }
        drop(attempt);
        Next::Header(state.to_vec())
    }

    /// Specialises the interpreter for the code behind an exit that is taken often. This time, the
    /// interpreter continues there.
    ///
    /// Not inlined, so that its native frame is not part of every activation that leaves at a
    /// guard.
    #[inline(never)]
    pub(crate) fn specialise_guard(&self, guard: GuardId, info: &GuardInfo, exit: &[u64]) {
        let _attempt = Attempt::start(self, TraceOrigin::Guard(guard));
        let left = FailedGuard {
            resume: &info.resume,
            facts: &info.facts,
            types: &info.types,
            words: exit,
            compared: info.promotion.map_or(0, |promotion| promotion.bridges),
        };
        let unit = &self.program.unit;
        let words = (exit, left.compared);
        self.specialise_at(
            TraceOrigin::Guard(guard),
            &[],
            words,
            |optimiser, host, limits| {
                let history = &mut self.pipeline.history.borrow_mut();
                specialise_from(unit, &left, history, optimiser, host, limits)
            },
        );
    }

    /// Compiles the trace that `write` produces, and counts a failed attempt.
    fn specialise_at(
        &self,
        origin: TraceOrigin,
        state: &[u64],
        left: (&[u64], u32),
        write: impl FnOnce(
            &mut Optimiser,
            &mut dyn Host,
            SpecialiseLimits,
        ) -> Result<Specialised, LeaveReason>,
    ) {
        if let Err(Failed { reason, detail }) =
            self.specialised(TraceTarget::of(origin), state, left, write)
        {
            self.give_up(origin, reason, &detail, &RecordedTrace::default());
        }
    }

    fn specialised(
        &self,
        target: TraceTarget,
        state: &[u64],
        left: (&[u64], u32),
        write: impl FnOnce(
            &mut Optimiser,
            &mut dyn Host,
            SpecialiseLimits,
        ) -> Result<Specialised, LeaveReason>,
    ) -> Result<(), Failed> {
        let assumes = self.may_assume(target, state);
        let mut job = self.begin_job(target, CompilerKind::Specialiser, state);
        let (written, sections) = {
            let _phase = self.clock.enter(Phase::Optimising);
            let optimiser = self.pipeline.optimiser.try_borrow_mut();
            let mut optimiser = optimiser.map_err(|_| Failed::busy())?;
            if self.observers.log.wants(Stage::Given) {
                optimiser.keep_inputs();
            }
            let mut host = OptimiserHost {
                engine: self,
                ctx: self.ctx,
                program: &self.program,
                pins: &mut job.pins,
                watching: assumes.then_some(&job.watching),
                keeps: self.may_keep(target, state),
            };
            let limits = SpecialiseLimits {
                interruptible: self.run.interruptible.get(),
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
                ..Given::new(
                    target.kind_of_written(),
                    job.trace.as_u32(),
                    &job.title,
                    labels,
                )
            };
            let write = |optimiser: &mut Optimiser, host: &mut dyn Host| {
                let written = write(optimiser, host, limits);
                written.map_err(|why| Failed {
                    reason: "nothing to specialise",
                    detail: nothing_to_specialise(&why),
                })
            };
            let mut written = (self.observers).recorded(&mut optimiser, &mut host, given, write);
            match &mut written {
                Ok(written) => self.number_guards(&mut written.optimised, &optimiser),
                Err(failed) => self.observers.emit(Event::Failed(failed)),
            }
            (written, optimiser.take_inputs())
        };
        let Specialised {
            optimised,
            left: exits,
            operations,
            ..
        } = written?;
        let specialised = SpecialisedSections {
            operations,
            exits,
            sections,
        };
        self.observers.emit(Event::Specialised {
            title: &job.title,
            specialised: &specialised,
            trace: &optimised.trace,
        });
        job.specialised = Some(specialised);
        self.install_trace(job, &RecordedTrace::default(), optimised, state)
    }
}
