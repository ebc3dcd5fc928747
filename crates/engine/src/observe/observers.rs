//! The observers of one VM: each consumes the stream of events, or is off.
//!
//! Invariants: observers change nothing of the engine; one that is off costs a test for each event;
//! where a place of the guest program is, the author's function is asked only if an observer that
//! is on reports it.

use crate::code::trees::TreeId;
use crate::observe::event::Event;
use crate::observe::event_counts::EventCounts;
use crate::observe::explain::state::Explained;
use crate::observe::hooks::SharedHooks;
use crate::observe::log::Log;
use crate::observe::places::Places;
use crate::observe::profile::state::Profiled;
use crate::observe::trace_text::KeptTrace;
use crate::policy::phase_clock::PhaseClock;
use crate::program::LinkedProgram;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verdigris_heap::Context;
use verdigris_inspect::Inspector;
use verdigris_replay::Recorder;
use verdigris_report::LogStage;
use verdigris_report::Stats;

/// The observers of one VM.
pub(crate) struct Observers {
    pub(crate) ctx: *mut Context,
    pub(crate) program: Rc<LinkedProgram>,
    /// The counts that every VM has.
    pub(crate) statistics: RefCell<Stats>,
    pub(crate) log: Log,
    /// What the log's stage `events` remembers, if it is on.
    pub(crate) event_counts: Option<EventCounts>,
    /// The texts of compiled traces.
    pub(crate) kept: Option<RefCell<Vec<KeptTrace>>>,
    /// Statistics by place of the guest program.
    pub(crate) places: Option<RefCell<Places>>,
    pub(crate) explained: Option<Explained>,
    pub(crate) profiled: Option<Profiled>,
    /// Writes a recording for a replay.
    pub(crate) recorder: Option<Recorder>,
    /// Tells profilers and debuggers about machine code.
    pub(crate) inspector: Option<RefCell<Inspector>>,
    pub(crate) hooks: Option<SharedHooks>,
    /// Whether a hook is running.
    pub(crate) in_hook: Cell<bool>,
    /// Whether the author's function `location` is running.
    pub(crate) is_asking: Cell<bool>,
    /// Whether `check_hints` reports places.
    pub(crate) checks_hints: bool,
}

impl Observers {
    /// Statistics and a log; all other observers are off.
    pub(crate) fn new(
        ctx: *mut Context,
        program: Rc<LinkedProgram>,
        log: Log,
        checks_hints: bool,
    ) -> Observers {
        Observers {
            ctx,
            program,
            statistics: RefCell::default(),
            event_counts: log.wants(LogStage::Events).then(EventCounts::default),
            log,
            kept: None,
            places: None,
            explained: None,
            profiled: None,
            recorder: None,
            inspector: None,
            hooks: None,
            in_hook: Cell::new(false),
            is_asking: Cell::new(false),
            checks_hints,
        }
    }

    /// From now on, the text of every compiled trace is kept.
    pub(crate) fn keep_traces(&mut self) {
        self.kept = Some(RefCell::default());
    }

    /// From now on, there are statistics by place.
    pub(crate) fn keep_places(&mut self) {
        self.places = Some(RefCell::default());
    }

    /// From now on, the run is explained.
    pub(crate) fn keep_explanations(&mut self) {
        self.keep_places();
        self.explained = Some(Explained::default());
    }

    /// The traces kept so far.
    pub(crate) fn kept_traces(&self) -> Vec<KeptTrace> {
        let kept = self.kept.as_ref();
        kept.map_or(Vec::new(), |kept| kept.borrow().clone())
    }

    /// Whether an observer wants [`Event::Entered`], [`Event::Left`] and [`Event::GuardFailed`],
    /// which come so often that they are not told otherwise.
    #[inline]
    pub(crate) fn watches_runs(&self) -> bool {
        self.explained.is_some()
            || self.places.is_some()
            || self.event_counts.is_some()
            || self.log.wants(LogStage::Deopt)
    }

    /// Whether an observer wants [`Event::Passed`].
    #[inline]
    pub(crate) fn watches_passes(&self) -> bool {
        self.explained.is_some() || self.event_counts.is_some() || self.profiled.is_some()
    }

    /// Tells all observers of an event.
    pub(crate) fn emit(&self, event: Event<'_>) {
        self.count_event(&event);
        self.record_event(&event);
        self.log_event(&event);
        self.tell_event(&event);
        self.mark_event(&event);
        self.inspect_event(&event);
        self.keep_event(&event);
        self.place_event(&event);
        self.explain_event(&event);
        self.hook_event(&event);
    }

    fn keep_event(&self, event: &Event<'_>) {
        if let (Some(kept), Event::Compiled(trace, _)) = (&self.kept, event) {
            let descrs = &self.program.unit.descrs;
            let optimised = &trace.optimised.trace;
            let text = KeptTrace::new(trace.title, descrs, trace.recorded, optimised);
            kept.borrow_mut().push(text);
        }
    }
}

/// The time in which native code runs the code of a tree; ends when dropped, also when a panic
/// passes through.
pub(crate) struct EnteredCode<'a> {
    observers: &'a Observers,
    clock: &'a PhaseClock,
}

impl<'a> EnteredCode<'a> {
    /// Not inlined, so that the event is not part of the frames of activations.
    #[cold]
    #[inline(never)]
    pub(crate) fn tell(
        observers: &'a Observers,
        clock: &'a PhaseClock,
        tree: TreeId,
    ) -> EnteredCode<'a> {
        let interpreted = clock.interpreted();
        observers.emit(Event::Entered { tree, interpreted });
        EnteredCode { observers, clock }
    }
}

impl Drop for EnteredCode<'_> {
    #[cold]
    #[inline(never)]
    fn drop(&mut self) {
        let interpreted = self.clock.interpreted();
        self.observers.emit(Event::Left { interpreted });
    }
}
