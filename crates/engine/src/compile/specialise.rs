//! The second compiler: partial evaluation of the interpreter, from a hot header or an exit.
//!
//! Invariants: nothing of the guest program runs but elidable functions of constants; failed
//! attempts are counted as the tracer's are.

use crate::code::guard_info::GuardInfo;
use crate::code::jit_cells::JitCellId;
use crate::code::roots::rooted;
use crate::compile::optimiser_host::OptimiserHost;
use crate::compile::record::Attempt;
use crate::compile::target::{Failed, TraceOrigin, TraceTarget};
use crate::engine::Engine;
use crate::observe::event::{Event, SpecialisedSections};
use crate::policy::phase_clock::Phase;
use crate::run::enter::Next;
use verdigris_report::CompilerKind;
use verdigris_report::{AbortReason, LogStage};
use verdigris_specialise::{FailedGuard, OptRequest, SpecialiseLimits, Specialised};
use verdigris_trace::{GuardId, RecordedTrace};

impl Engine {
    /// Specialises the interpreter for a hot header, and continues in the code.
    #[inline(never)]
    pub(crate) fn specialise_header(&self, hash: u64, cell: JitCellId, state: &[u64]) -> Next {
        let origin = TraceOrigin::Header(cell, hash);
        let attempt = Attempt::start(self, origin);
        // SAFETY: the context is current; native code passes a state of the merge point.
        unsafe {
            rooted(self.ctx, state, |state| {
                let greens = self.greens(state);
                let limits = self.specialise_limits();
                let request = OptRequest::Specialise { greens, limits };
                self.specialise_at(origin, state, &request);
            });
        }
        drop(attempt);
        Next::Header(state.to_vec())
    }

    /// Specialises the interpreter for the code behind an exit that is taken often. This time, the
    /// interpreter continues there. If `generalise` is set, the promotion there is left out.
    ///
    /// Not inlined, so that its native frame is not part of every activation that leaves at a
    /// guard.
    #[inline(never)]
    pub(crate) fn specialise_guard(
        &self,
        guard: GuardId,
        info: &GuardInfo,
        exit: &[u64],
        generalise: bool,
    ) {
        let _attempt = Attempt::start(self, TraceOrigin::Guard(guard));
        let left = FailedGuard {
            resume: &info.resume,
            facts: &info.facts,
            types: &info.types,
            words: exit,
            compared: info.promotion.map_or(0, |promotion| promotion.bridges),
            generalise,
        };
        let request = OptRequest::SpecialiseFrom {
            guard,
            left,
            limits: self.specialise_limits(),
        };
        self.specialise_at(TraceOrigin::Guard(guard), &[], &request);
    }

    fn specialise_limits(&self) -> SpecialiseLimits {
        SpecialiseLimits {
            interruptible: self.run.interruptible.get(),
            lazy: self.params.lazy_arms.lazy(),
            ..SpecialiseLimits::default()
        }
    }

    /// Compiles the answer to a request, and counts a failed attempt.
    fn specialise_at(&self, origin: TraceOrigin, state: &[u64], request: &OptRequest<'_>) {
        if let Err(failed) = self.specialised(TraceTarget::of(origin), state, request) {
            self.give_up(origin, &failed, &RecordedTrace::default());
        }
    }

    fn specialised(
        &self,
        target: TraceTarget,
        state: &[u64],
        request: &OptRequest<'_>,
    ) -> Result<(), Failed> {
        let assumes = self.may_assume(target, state);
        let mut job = self.begin_job(target, CompilerKind::Specialiser, state);
        let (answer, sections) = {
            let _phase = self.clock.enter(Phase::Optimising);
            let optimiser = self.pipeline.optimiser.try_borrow_mut();
            let mut optimiser = optimiser.map_err(|_| AbortReason::Busy)?;
            if self.observers.log.wants(LogStage::Given) {
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
            let name = (job.trace, &*job.title);
            let answer = self.perform(request, name, &mut optimiser, &mut host);
            (answer, optimiser.take_inputs())
        };
        let Specialised {
            optimised,
            left: exits,
            operations,
            ..
        } = answer?.into_specialised();
        let specialised = SpecialisedSections {
            operations,
            exits,
            sections,
        };
        let greens = self.first_greens(target, state);
        self.observers.emit(Event::Specialised {
            start: &self.start_of(&job, greens.as_deref()),
            specialised: &specialised,
            trace: &optimised.trace,
        });
        job.specialised = Some(specialised);
        self.install_trace(job, &RecordedTrace::default(), optimised, state)
    }
}
