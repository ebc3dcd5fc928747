//! Positions in the guest program, which the author's function of `#[portal(location = ..)]` tells
//! for the greens of a merge point. The function is called only if something is reported, and
//! changes nothing but the report: while it runs, the portal interprets.

use crate::code::guard_info::GuardPlaces;
use crate::code::roots::Pins;
use crate::observe::observers::Observers;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_heap::{Context, Location, detector};
use verdigris_jitcode::CodeId;
use verdigris_report::SourcePos;
use verdigris_trace::{Arg, GuardId, Opcode, OptimisedTrace};

/// The time in which the author's function runs; ends when dropped.
struct Asking<'a>(&'a Cell<bool>);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

impl Observers {
    /// Whether an observer reports positions.
    pub(crate) fn reports_places(&self) -> bool {
        self.program.has_locations()
            && (self.log.wants_any()
                || self.inspector.is_some()
                || self.hooks.is_some()
                || self.kept.is_some()
                || self.checks_hints
                || self.places.is_some())
    }

    /// The location of these greens, if the language tells and an observer reports it. The objects
    /// among the greens live.
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

    /// The position with these greens, under the same conditions.
    pub(crate) fn source_pos(&self, greens: &[u64]) -> Option<SourcePos> {
        self.location(greens).as_ref().map(source_pos)
    }

    /// Whether the author's function runs, so that the JIT does not.
    #[inline]
    pub(crate) fn is_asking(&self) -> bool {
        self.is_asking.get()
    }

    /// The place with these greens in words: `fib.lua:12 in fib (43, 4, ref)`; only the greens if
    /// its location is not known.
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

    /// A place of the interpreter: `src/interp.rs:52 in interp::step`.
    pub(crate) fn interpreter_line(&self, code: u32, pc: u32) -> String {
        let code = &self.program.unit.codes[CodeId::from_u32(code)];
        // What the translator has added has no line.
        let until = code.lines.len().min(pc as usize + 1);
        let lines = code.lines[..until].iter().rev();
        let line = lines.copied().find(|line| *line > 0).unwrap_or(0);
        format!("{}:{line} in {}", code.file, code.name)
    }

    /// The places of the guards of a trace that starts at these greens; empty if no observer
    /// reports positions.
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
}

/// The words of constants; none if something else is among them.
pub(crate) fn words(args: impl Iterator<Item = Arg>) -> Option<Box<[u64]>> {
    let words = args.map(|arg| arg.as_const().map(|c| c.word()));
    words.collect()
}

/// A location for reports.
pub(crate) fn source_pos(location: &Location) -> SourcePos {
    SourcePos {
        text: location.to_string(),
        file: location.file.clone(),
        line: location.line,
        column: location.column,
        offset: location.offset,
        function: location.function.clone(),
    }
}
