//! Making traces: from a hot header, or from a guard that fails often. In: the state there. Out:
//! where the guest program is when the trace has been recorded, which is also when it has been
//! executed; compiled code behind it if all went well. Invariants: an attempt that leads to nothing
//! is counted, and after `max_aborts` of them its site is left alone; a site is traced once at a
//! time.

use crate::code::guard_info::GuardSite;
use crate::code::jit_cells::CellId;
use crate::code::roots::{Pins, rooted};
use crate::code::trees::{Held, InUse};
use crate::compile::attempt::{Failed, INVALIDATED, Misfit, Place, Site};
use crate::engine::Engine;
use crate::observe::hooks::AbortedEvent;
use crate::observe::log::Stage;
use crate::run::enter::Next;
use std::rc::Rc;
use verdigris_heap::{HeapExhausted, hash_greens};
use verdigris_record::{Recorded, TraceEnd, TraceLimits, trace_bridge, trace_loop};
use verdigris_trace::{GuardId, RecordedTrace, TargetId};

/// A trace under way; ends when dropped, also when a panic passes through.
pub(crate) struct Attempt<'a> {
    engine: &'a Engine,
    site: Site,
    /// The code that there is already.
    _held: Option<Held<Rc<InUse>>>,
}

impl<'a> Attempt<'a> {
    pub(crate) fn start(engine: &'a Engine, site: Site) -> Attempt<'a> {
        engine.depth.set(engine.depth.get() + 1);
        let attempt = Attempt {
            engine,
            site,
            _held: engine.hold_site(site),
        };
        attempt.mark(true);
        attempt
    }

    fn mark(&self, tracing: bool) {
        match self.site {
            Site::Header(cell, _) => self.engine.cells.borrow_mut()[cell].tracing = tracing,
            Site::Guard(guard) => self.engine.guards.borrow_mut()[guard].tracing = tracing,
        }
    }
}

impl Drop for Attempt<'_> {
    fn drop(&mut self) {
        self.mark(false);
        self.engine.depth.set(self.engine.depth.get() - 1);
    }
}

impl Engine {
    /// Whether a trace may start now.
    pub(crate) fn may_trace(&self) -> bool {
        self.depth.get() < self.params.max_trace_depth && self.optimiser.try_borrow_mut().is_ok()
    }

    /// Keeps the code that a trace starts from until the result is dropped.
    fn hold_site(&self, site: Site) -> Option<Held<Rc<InUse>>> {
        let trees = self.trees.borrow();
        let in_use = match site {
            Site::Header(cell, _) => self.cells.borrow()[cell].code()?.in_use.clone(),
            Site::Guard(guard) => trees.in_use(self.guards.borrow()[guard].home.tree),
        };
        Some(trees.hold(in_use))
    }

    /// A cell for greens that have none.
    pub(crate) fn add_cell(&self, greens: &[u64]) -> CellId {
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.ctx) };
        self.linked
            .objects(greens)
            .for_each(|object| pins.add(object));
        let mut cells = self.cells.borrow_mut();
        let cell = cells.add(greens, Some(pins));
        cells[cell].used = self.trees.borrow().generation();
        cell
    }

    /// Traces from a hot header.
    pub(crate) fn trace_header(&self, hash: u64, cell: CellId, state: &[u64]) -> Next {
        let site = Site::Header(cell, hash);
        let attempt = Attempt::start(self, site);
        let (greens, reds) = (self.greens(state), self.reds(state));
        let unit = &self.linked.unit;
        let recorded = {
            let _phase = self.begin_tracing();
            // SAFETY: the context is current; native code passes a state of the merge point.
            unsafe { trace_loop(self.ctx, unit, greens, reds, self, self.limits()) }
        };
        self.conclude(attempt, recorded)
    }

    /// Traces from a guard that has failed, given the values that compiled code handed over.
    pub(crate) fn trace_guard(&self, guard: GuardId, site: &GuardSite, exit: &[u64]) -> Next {
        let attempt = Attempt::start(self, Site::Guard(guard));
        let unit = &self.linked.unit;
        let recorded = {
            let _phase = self.begin_tracing();
            let (resume, types) = (&site.resume, &site.types);
            let limits = TraceLimits {
                has_made_objects: site.facts.has_made_objects(),
                ..self.limits()
            };
            // SAFETY: the context is current; the words are what compiled code left for this guard.
            unsafe { trace_bridge(self.ctx, unit, resume, types, exit, self, limits) }
        };
        self.conclude(attempt, recorded)
    }

    fn limits(&self) -> TraceLimits {
        TraceLimits {
            trace_limit: self.params.trace_limit,
            check_hints: self.params.check_hints,
            heap_cache: self.optimiser.borrow().passes().heap_cache,
            interruptible: self.interruptible.get(),
            keep_origins: self.log.wants(Stage::Origins),
            keep_activations: self.profiled.is_some(),
            ..TraceLimits::default()
        }
    }

    /// Compiles what was recorded, and says where the guest program is.
    fn conclude(&self, attempt: Attempt<'_>, recorded: Recorded) -> Next {
        // What the trace and its end mention stays alive until the engine keeps it, or needs it no
        // more.
        let Recorded {
            trace,
            end,
            pins: _pins,
        } = recorded;
        let site = attempt.site;
        match end {
            TraceEnd::Loop { state, .. } => {
                self.keep(&attempt, &trace, Place::Loop, &state, Misfit::Accept);
                Next::Header(state)
            }
            TraceEnd::JumpTo { state, .. } => {
                match self.keep(&attempt, &trace, Place::of(site), &state, Misfit::Report) {
                    None => Next::Header(state),
                    Some(target) => self.retrace(&attempt, &trace, target, &state),
                }
            }
            TraceEnd::Finish(words) => {
                self.keep(&attempt, &trace, Place::of(site), &words, Misfit::Accept);
                Next::Return(words)
            }
            TraceEnd::Panicked(payload) => {
                self.give_up(site, "panicked", "a call in it panicked", &trace);
                drop(attempt);
                std::panic::resume_unwind(payload)
            }
            TraceEnd::Aborted {
                reason,
                frames,
                culprit,
            } => {
                if let Some(greens) = culprit {
                    self.leave_alone(&greens);
                }
                self.explain_abort(&frames);
                self.give_up(site, reason.name(), &reason.to_string(), &trace);
                drop(attempt);
                match site {
                    Site::Header(..) => self.blackhole(frames),
                    Site::Guard(_) => self.give_to_interpreter(frames),
                }
            }
            TraceEnd::Exhausted => {
                self.give_up(site, "exhausted", "the heap limit was reached", &trace);
                drop(attempt);
                HeapExhausted::raise()
            }
            TraceEnd::Lost => {
                drop(attempt);
                self.raise_lost()
            }
        }
    }

    /// Compiles a trace that led to `state`. Answers the loop that should have another version
    /// first.
    fn keep(
        &self,
        attempt: &Attempt<'_>,
        trace: &RecordedTrace,
        place: Place,
        state: &[u64],
        misfit: Misfit,
    ) -> Option<TargetId> {
        let compile = |state: &[u64]| self.compile(place, trace, state, misfit);
        // SAFETY: the context is current.
        let result = unsafe { rooted(self.ctx, state, compile) };
        result.unwrap_or_else(|Failed { reason, detail }| {
            self.give_up(attempt.site, reason, &detail, trace);
            None
        })
    }

    /// Whether the loop with these greens, whose first entry is `target`, may have another version.
    /// Each is left at guards of its own, where bridges grow again: a loop that is left in many
    /// places would pay for all of them as often as it has versions.
    pub(crate) fn may_retrace(&self, greens: &[u64], target: TargetId) -> bool {
        let (cells, trees) = (self.cells.borrow(), self.trees.borrow());
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

    /// Records another version of a loop from the state that a trace has led to, then compiles that
    /// trace, which can jump to the new version. Whatever the recording leads to, the trace is
    /// compiled.
    fn retrace(
        &self,
        attempt: &Attempt<'_>,
        trace: &RecordedTrace,
        target: TargetId,
        state: &[u64],
    ) -> Next {
        let (greens, reds) = (self.greens(state), self.reds(state));
        let cell = self.cells.borrow().find(greens);
        let cell = cell.expect("a loop that can be jumped to has a cell");
        self.cells.borrow_mut()[cell].retraces += 1;
        let again = Attempt::start(self, Site::Header(cell, hash_greens(greens)));
        let recorded = {
            let _phase = self.begin_tracing();
            // SAFETY: the context is current; the trace has led to this state of the merge point.
            unsafe {
                trace_loop(
                    self.ctx,
                    &self.linked.unit,
                    greens,
                    reds,
                    self,
                    self.limits(),
                )
            }
        };
        let place = Place::of(attempt.site);
        match recorded.end {
            TraceEnd::Loop { state: after, cut } if !cut => {
                self.keep(
                    &again,
                    &recorded.trace,
                    Place::Version(target),
                    &after,
                    Misfit::Accept,
                );
                // SAFETY: the context is current.
                unsafe {
                    rooted(self.ctx, after.as_slice(), |_| {
                        self.keep(attempt, trace, place, state, Misfit::Accept)
                    })
                };
                Next::Header(after)
            }
            end => {
                // What the recording leads to may free what the trace mentions, so the trace comes
                // first.
                self.keep(attempt, trace, place, state, Misfit::Accept);
                self.conclude(again, Recorded { end, ..recorded })
            }
        }
    }

    /// Counts an attempt that led to nothing.
    pub(crate) fn give_up(&self, site: Site, reason: &str, detail: &str, trace: &RecordedTrace) {
        self.meter.abort(reason);
        let mut blocked = match site {
            _ if reason == INVALIDATED && self.postpone(site) => false,
            Site::Header(cell, hash) => self.give_up_header(cell, hash),
            Site::Guard(guard) => self.give_up_guard(guard),
        };
        if let (true, Site::Header(cell, hash)) = (blocked, site)
            && self.can_settle(cell)
        {
            self.specialise_from_now_on(cell, hash);
            blocked = false;
        }
        if blocked {
            self.meter.note(|s| s.blocked += 1);
        }
        let place = match site {
            Site::Header(cell, _) => format!("header {}", self.show_cell(cell)),
            Site::Guard(guard) => format!("guard {}", self.show_guard(guard)),
        };
        self.log.piece(Stage::Trace, || {
            let rest = if blocked { "; not tried again" } else { "" };
            let text = self.text_with_places(trace);
            (format!("given up at {place}: {detail}{rest}"), text)
        });
        if self.places.is_some() {
            let location = match site {
                Site::Header(cell, _) => self.cell_location(cell),
                Site::Guard(guard) => self.guard_location(guard),
            };
            self.note_given_up(&place, location, [reason, detail], blocked);
            self.explain_given_up(site, [&place, reason], trace, blocked);
        }
        let event = AbortedEvent {
            place: &place,
            reason,
            detail,
            blocked,
        };
        self.tell(|hooks| hooks.on_abort(&event));
    }

    fn give_up_header(&self, cell: CellId, hash: u64) -> bool {
        let cell = &mut self.cells.borrow_mut()[cell];
        cell.aborts += 1;
        cell.blocked = cell.aborts >= self.params.max_aborts;
        match cell.blocked {
            true => self.counters.silence(hash),
            false => self.counters.rearm(hash),
        }
        cell.blocked
    }

    fn give_up_guard(&self, guard: GuardId) -> bool {
        let guard = &mut self.guards.borrow_mut()[guard];
        guard.aborts += 1;
        guard.failures = 0;
        guard.values.clear();
        guard.blocked = guard.aborts >= self.params.max_aborts;
        guard.blocked
    }
}
