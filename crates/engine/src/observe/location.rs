//! Where in the guest program compiled code belongs, for people. In: the greens of a merge point,
//! what the function says of them that `#[portal(location = ..)]` names. Out: text for titles, and
//! comments at merge points. Invariants: nobody is asked unless something is reported; what the
//! function does or fails to do changes nothing but the report: while it runs, the portal
//! interprets.

use crate::code::guard_info::GuardPlaces;
use crate::code::roots::Pins;
use crate::observe::observers::Observers;
use std::cell::Cell;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_heap::{Context, Location, detector};
use verdigris_trace::{Arg, GuardId, Opcode, OptimisedTrace, Trace, TraceForm};

/// The time in which the author's function runs; ends when dropped.
struct Asking<'a>(&'a Cell<bool>);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Observers {
    /// Whether somebody may want to know where code belongs.
    pub(crate) fn reports_places(&self) -> bool {
        self.program.has_locations()
            && (self.log.wants_any()
                || self.inspector.is_some()
                || self.hooks.is_some()
                || self.kept.is_some()
                || self.checks_hints
                || self.places.is_some())
    }

    /// Where the place with these greens is in the guest program, if the author of the language
    /// says it, and something is reported at all. The objects among the greens live.
    pub(crate) fn location(&self, greens: &[u64]) -> Option<Location> {
        let is_wanted = self.reports_places() || self.profiled.is_some();
        if !is_wanted || self.is_asking.get() || !std::ptr::eq(Context::current(), self.ctx) {
            return None;
        }
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.ctx) };
        let objects = self.program.objects(greens);
        objects.for_each(|object| pins.add(object));
        self.is_asking.set(true);
        let _asking = Asking(&self.is_asking);
        let _guests = detector::guests();
        // SAFETY: the caller has them from a merge point, and their objects are pinned.
        let ask = || unsafe { self.program.ask_location(greens) };
        let location = catch_unwind(AssertUnwindSafe(ask)).ok()?;
        location.filter(|location| !location.is_empty())
    }

    /// Whether the author's function is at work, so that the JIT is not.
    #[inline]
    pub(crate) fn is_asking(&self) -> bool {
        self.is_asking.get()
    }

    /// The place with these greens in words: `fib.lua:12 in fib (43, 4, ref)`; only the greens if
    /// nobody knows where that is.
    pub(crate) fn show_place(&self, greens: &[u64]) -> String {
        let shown = self.program.show_greens(greens);
        match self.location(greens) {
            Some(location) => format!("{location} {shown}"),
            None => shown,
        }
    }

    /// The guard in words, with the greens of the merge point in front of it: `g3`, or
    /// `g3 at fib.lua:12 in fib` if its location is known.
    pub(crate) fn show_guard(&self, guard: GuardId, greens: Option<&[u64]>) -> String {
        match greens.and_then(|greens| self.location(greens)) {
            Some(location) => format!("{guard} at {location}"),
            None => guard.to_string(),
        }
    }

    /// Where the guards of a trace are that is going to be compiled, whose first place is the one
    /// with these greens; nothing if nobody will ask.
    pub(crate) fn guard_places(
        &self,
        trace: &OptimisedTrace,
        first: Option<&[u64]>,
    ) -> GuardPlaces {
        if !self.reports_places() {
            return GuardPlaces::default();
        }
        let mut places: Vec<(GuardId, Box<[u64]>)> = Vec::new();
        let mut at: Option<Box<[u64]>> = first.map(Into::into);
        for op in trace.ops().iter() {
            if op.opcode() == Opcode::MergePoint {
                at = words(op.args().iter());
            } else if let Some(guard) = op.guard()
                && let Some(greens) = at.take()
            {
                places.push((guard, greens));
            }
        }
        places.into()
    }

    /// The text of a trace. Behind each merge point there is a comment that says where that is, if
    /// that is known.
    pub(crate) fn text_with_places<F: TraceForm>(&self, trace: &Trace<F>) -> String {
        let text = verdigris_trace::print(&self.program.unit.descrs, trace);
        self.add_places(text, trace)
    }

    /// Adds comments with places to the text of a trace.
    pub(crate) fn add_places<F: TraceForm>(&self, text: String, trace: &Trace<F>) -> String {
        if !self.reports_places() {
            return text;
        }
        let points = trace.ops().iter();
        let mut points = points.filter(|op| op.opcode() == Opcode::MergePoint);
        let mut with = String::with_capacity(text.len());
        for line in text.lines() {
            with.push_str(line);
            if line.starts_with(Opcode::MergePoint.name())
                && let Some(point) = points.next()
                && let Some(greens) = words(point.args().iter())
                && let Some(location) = self.location(&greens)
            {
                // Writing to a string never fails.
                let _ = write!(with, " // {location}");
            }
            with.push('\n');
        }
        with
    }
}

/// The words of constants; none if something else is among them.
pub(crate) fn words(args: impl Iterator<Item = Arg>) -> Option<Box<[u64]>> {
    let words = args.map(|arg| arg.as_const().map(|c| c.word()));
    words.collect()
}
