//! Recording: from a hot header, or from a guard that fails often, to compiled code.
//!
//! A run that is recorded is also executed, so recording returns where the guest program is.
//! Invariants: failed attempts are counted, and after `max_aborts` of them their origin is blocked;
//! an origin is traced once at a time.

use crate::code::guard_info::GuardInfo;
use crate::code::jit_cells::JitCellId;
use crate::code::roots::rooted;
use crate::code::trees::{Held, InUse};
use crate::compile::target::{Failed, OnStateMismatch, TraceOrigin, TraceTarget};
use crate::engine::Engine;
use crate::observe::event::{AbortInfo, Event};
use crate::run::enter::{Next, given_up};
use std::rc::Rc;
use verdigris_heap::{HeapExhausted, hash_greens, memory_is_low};
use verdigris_record::{Recorded, TraceEnd, TraceLimits, trace_bridge, trace_loop};
use verdigris_report::AbortReason;
use verdigris_report::LogStage;
use verdigris_trace::{GuardId, RecordedTrace, TargetId};

/// An attempt to compile something; ends when dropped, also when a panic passes through.
pub(crate) struct Attempt<'a> {
    engine: &'a Engine,
    origin: TraceOrigin,
    /// Keeps the code that it starts from.
    _held: Option<Held<Rc<InUse>>>,
}

impl<'a> Attempt<'a> {
    pub(crate) fn start(engine: &'a Engine, origin: TraceOrigin) -> Attempt<'a> {
        engine.pipeline.depth.set(engine.pipeline.depth.get() + 1);
        let attempt = Attempt {
            engine,
            origin,
            _held: engine.code.hold_origin(origin),
        };
        attempt.mark(true);
        attempt
    }

    fn mark(&self, tracing: bool) {
        match self.origin {
            TraceOrigin::Header(cell, _) => {
                self.engine.code.cells.borrow_mut()[cell].tracing = tracing
            }
            TraceOrigin::Guard(guard) => {
                self.engine.code.guards.borrow_mut()[guard].tracing = tracing
            }
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.mark(false);
        self.engine
            .pipeline
            .depth
            .set(self.engine.pipeline.depth.get() - 1);
    }
}

impl Engine {
    /// Whether an attempt may start now. Not while the system refuses memory: what compiling needs
    /// cannot be refused.
    pub(crate) fn may_trace(&self) -> bool {
        self.pipeline.depth.get() < self.params.max_trace_depth
            && !self.pipeline.is_optimising()
            && !memory_is_low()
    }

    /// Traces from a hot header.
    pub(crate) fn trace_header(&self, hash: u64, cell: JitCellId, state: &[u64]) -> Next {
        let attempt = Attempt::start(self, TraceOrigin::Header(cell, hash));
        let (greens, reds) = (self.greens(state), self.reds(state));
        let unit = &self.program.unit;
        let recorded = {
            let _phase = self.begin_tracing();
            // SAFETY: the context is current; native code passes a state of the merge point.
            unsafe { trace_loop(self.ctx, unit, greens, reds, self, self.limits()) }
        };
        self.finish_recording(attempt, recorded)
    }

    /// Traces on from where a trace was cut, if that may be compiled.
    pub(crate) fn trace_segment(&self, state: Vec<u64>) -> Next {
        // The author's `tier` function may collect.
        // SAFETY: the context is current.
        let next = unsafe { rooted(self.ctx, state.as_slice(), |state| self.segment_at(state)) };
        next.unwrap_or(Next::Header(state))
    }

    fn segment_at(&self, state: &[u64]) -> Option<Next> {
        let greens = self.greens(state);
        let tier = self.tier(greens);
        let may_compile = self.may_be_traced(tier) && self.may_trace() && self.may_compile();
        if !may_compile || !self.has_room_at_header(greens) {
            return None;
        }
        let is_open = {
            let cells = self.code.cells.borrow();
            cells.find(greens).is_none_or(|id| {
                let cell = &cells[id];
                // Where there was no room for it before, it has to become hot.
                let had_room = cell.evictions == 0;
                had_room && !cell.blocked && !cell.tracing && cell.code_to_jump_to().is_none()
            })
        };
        let may_begin = is_open && self.make_room_for_trace();
        // To make room may have forgotten the place.
        let id = self.code.cell_for(greens);
        self.code.cells.borrow_mut()[id].is_segment = true;
        self.code.has_segments.set(true);
        may_begin.then(|| self.trace_header(hash_greens(greens), id, state))
    }

    /// Traces from a guard that has failed, given the values in the exit buffer.
    ///
    /// If `generalise` is set, the promotion there is left out.
    pub(crate) fn trace_guard(
        &self,
        guard: GuardId,
        info: &GuardInfo,
        exit: &[u64],
        generalise: bool,
    ) -> Next {
        let attempt = Attempt::start(self, TraceOrigin::Guard(guard));
        let unit = &self.program.unit;
        let recorded = {
            let _phase = self.begin_tracing();
            let (resume, types) = (&info.resume, &info.types);
            let limits = TraceLimits {
                has_made_objects: info.facts.has_made_objects(),
                generalise,
                promote: !self.has_many_bridges(info.tree),
                inline: self.bridges_inline(info.tree),
                ..self.limits()
            };
            // SAFETY: the context is current; the words are what compiled code left for this guard.
            unsafe { trace_bridge(self.ctx, unit, resume, types, exit, self, limits) }
        };
        self.finish_recording(attempt, recorded)
    }

    fn limits(&self) -> TraceLimits {
        TraceLimits {
            trace_limit: self.params.trace_limit,
            cut_traces: self.params.cut_traces,
            check_hints: self.params.check_hints,
            heap_cache: self.pipeline.optimiser.borrow().passes().heap_cache,
            interruptible: self.run.interruptible.get(),
            keep_origins: self.observers.log.wants(LogStage::Origins),
            keep_activations: self.observers.profiled.is_some(),
            ..TraceLimits::default()
        }
    }

    /// Compiles a recorded run. Returns where the guest program is.
    fn finish_recording(&self, attempt: Attempt<'_>, recorded: Recorded) -> Next {
        // The objects that the trace and its end mention stay alive until the code keeps them.
        let Recorded {
            trace,
            end,
            pins: _pins,
        } = recorded;
        let origin = attempt.origin;
        match end {
            TraceEnd::Loop { state, .. } => {
                self.compile_attempt(
                    &attempt,
                    &trace,
                    TraceTarget::Loop,
                    &state,
                    OnStateMismatch::UseEntry,
                );
                Next::Header(state)
            }
            TraceEnd::JumpTo { state, .. } => {
                match self.compile_attempt(
                    &attempt,
                    &trace,
                    TraceTarget::of(origin),
                    &state,
                    OnStateMismatch::Retrace,
                ) {
                    None => Next::Header(state),
                    Some(target) => self.retrace(&attempt, &trace, target, &state),
                }
            }
            TraceEnd::Finish(words) => {
                self.compile_attempt(
                    &attempt,
                    &trace,
                    TraceTarget::of(origin),
                    &words,
                    OnStateMismatch::UseEntry,
                );
                Next::Return(words)
            }
            TraceEnd::Cut { state } => {
                self.compile_attempt(
                    &attempt,
                    &trace,
                    TraceTarget::of(origin),
                    &state,
                    OnStateMismatch::UseEntry,
                );
                Next::Segment(state)
            }
            TraceEnd::Panicked(payload) => {
                self.give_up(origin, &AbortReason::Panicked.into(), &trace);
                drop(attempt);
                std::panic::resume_unwind(payload)
            }
            TraceEnd::Aborted {
                reason,
                frames,
                culprit,
            } => {
                if let Some(greens) = culprit {
                    self.code.never_inline(&greens);
                }
                self.observers
                    .emit(Event::RecordingAborted { frames: &frames });
                self.give_up(origin, &reason.into(), &trace);
                drop(attempt);
                match origin {
                    TraceOrigin::Header(..) => self.blackhole(frames),
                    TraceOrigin::Guard(_) => self.give_to_interpreter(frames),
                }
            }
            TraceEnd::Exhausted => {
                self.give_up(origin, &AbortReason::Exhausted.into(), &trace);
                drop(attempt);
                HeapExhausted::raise()
            }
            TraceEnd::Lost => {
                drop(attempt);
                self.raise_lost()
            }
        }
    }

    /// Compiles a trace that has led to `state`. Returns the loop that should have another version
    /// first.
    fn compile_attempt(
        &self,
        attempt: &Attempt<'_>,
        trace: &RecordedTrace,
        target: TraceTarget,
        state: &[u64],
        on_mismatch: OnStateMismatch,
    ) -> Option<TargetId> {
        let compile = |state: &[u64]| self.compile_recorded(target, trace, state, on_mismatch);
        // SAFETY: the context is current.
        let result = unsafe { rooted(self.ctx, state, compile) };
        result.unwrap_or_else(|failed| {
            self.give_up(attempt.origin, &failed, trace);
            None
        })
    }

    /// Whether the loop with these greens, whose first entry is `target`, may have another version.
    /// Each version has its own guards, where bridges grow again: a loop that is left in many
    /// places would pay for all of them once per version.
    pub(crate) fn may_retrace(&self, greens: &[u64], target: TargetId) -> bool {
        let (cells, trees) = (self.code.cells.borrow(), self.code.trees.borrow());
        let cell = cells.find(greens).map(|cell| &cells[cell]);
        let tier = cell.and_then(|cell| cell.tier);
        if !self.may_be_traced(tier.unwrap_or_default()) {
            return false;
        }
        let retraces = cell.map(|cell| cell.retraces);
        let tree = trees.of_target(target).and_then(|id| trees.get(id));
        let (Some(retraces), Some(tree)) = (retraces, tree) else {
            return false;
        };
        let most = u64::from(self.params.max_retrace_guards) * (1 + u64::from(retraces));
        let has_room = self.may_compile() && self.has_room();
        retraces < self.params.retrace_limit && tree.guards.len() as u64 <= most && has_room
    }

    /// Records another version of a loop, from the state that a trace has led to; then compiles
    /// that trace, which can jump to the new version. It is compiled whatever the recording leads
    /// to.
    fn retrace(
        &self,
        attempt: &Attempt<'_>,
        trace: &RecordedTrace,
        target: TargetId,
        state: &[u64],
    ) -> Next {
        let (greens, reds) = (self.greens(state), self.reds(state));
        let cell = self.code.cells.borrow().find(greens);
        let cell = cell.expect("a loop that can be jumped to has a cell");
        self.code.cells.borrow_mut()[cell].retraces += 1;
        let again = Attempt::start(self, TraceOrigin::Header(cell, hash_greens(greens)));
        let recorded = {
            let _phase = self.begin_tracing();
            // SAFETY: the context is current; the trace has led to this state of the merge point.
            unsafe {
                trace_loop(
                    self.ctx,
                    &self.program.unit,
                    greens,
                    reds,
                    self,
                    self.limits(),
                )
            }
        };
        let own = TraceTarget::of(attempt.origin);
        match recorded.end {
            TraceEnd::Loop { state: after, cut } if !cut => {
                self.compile_attempt(
                    &again,
                    &recorded.trace,
                    TraceTarget::Version(target),
                    &after,
                    OnStateMismatch::UseEntry,
                );
                // SAFETY: the context is current.
                unsafe {
                    rooted(self.ctx, after.as_slice(), |_| {
                        self.compile_attempt(attempt, trace, own, state, OnStateMismatch::UseEntry)
                    })
                };
                Next::Header(after)
            }
            end => {
                // What the recording leads to may free objects of the trace, so the trace comes
                // first.
                self.compile_attempt(attempt, trace, own, state, OnStateMismatch::UseEntry);
                self.finish_recording(again, Recorded { end, ..recorded })
            }
        }
    }

    /// Counts an attempt that led to nothing.
    pub(crate) fn give_up(&self, origin: TraceOrigin, failed: &Failed, trace: &RecordedTrace) {
        let mut blocked = match origin {
            _ if failed.reason == AbortReason::Invalidated && self.postpone(origin) => false,
            TraceOrigin::Header(cell, hash) => self.give_up_header(cell, hash),
            TraceOrigin::Guard(guard) => self.give_up_guard(guard),
        };
        if let (true, TraceOrigin::Header(cell, hash)) = (blocked, origin)
            && self.can_switch_compiler(cell)
        {
            self.specialise_from_now_on(cell, hash);
            blocked = false;
        }
        self.observers.emit(Event::Aborted(&AbortInfo {
            origin,
            greens: self.code.greens_of_origin(origin).as_deref(),
            failed,
            trace,
            blocked,
            spent: self.clock.spent(),
        }));
        if let (true, TraceOrigin::Header(cell, hash)) = (blocked, origin) {
            self.tell_passed(hash, &self.code.greens_of(cell), 0, given_up());
        }
    }

    fn give_up_header(&self, cell: JitCellId, hash: u64) -> bool {
        let cell = &mut self.code.cells.borrow_mut()[cell];
        cell.aborts += 1;
        cell.blocked = cell.aborts >= self.params.max_aborts;
        match cell.blocked {
            true => self.code.counters.silence(hash),
            false => self.code.counters.rearm(hash),
        }
        cell.blocked
    }

    fn give_up_guard(&self, guard: GuardId) -> bool {
        let guard = &mut self.code.guards.borrow_mut()[guard];
        guard.aborts += 1;
        guard.failures = 0;
        guard.values.clear();
        guard.blocked = guard.aborts >= self.params.max_aborts;
        guard.blocked
    }
}
