//! Why the guest program was interpreted: how often each place was passed for which reason, and the
//! seconds in native code behind each guard.
//!
//! Invariant: a stretch of native code that a guard led to belongs to that guard until compiled
//! code is entered, or a place turns out to have been passed many times meanwhile: such stretches
//! are shared out by passes.

use crate::observe::event::InterpretedFor;
use crate::policy::counters::Counters;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use verdigris_explain::InterpretedPlace;
use verdigris_heap::EntryKind;
use verdigris_report::{SourcePos, WhyInterpreted};
use verdigris_trace::GuardId;

/// The data so far.
#[derive(Default)]
pub(crate) struct Interpreted {
    /// By the hash of the greens.
    places: RefCell<FxHashMap<u64, Passed>>,
    /// Seconds by the guard behind which they were spent.
    behind: RefCell<FxHashMap<GuardId, f64>>,
    /// The guard that led to the native code that runs, and the seconds in native code until then.
    led_here: Cell<Option<(GuardId, f64)>>,
    /// The guards behind which compiled code was entered that runs, the outermost first.
    outer: RefCell<Vec<Option<GuardId>>>,
    /// Since when compiling waits, in seconds in native code.
    waits_since: Cell<Option<f64>>,
    waited: Cell<f64>,
}

/// The passes of a place.
struct Passed {
    place: SourcePos,
    /// By reason.
    passes: [u64; WhyInterpreted::ALL.len()],
    now: Option<InterpretedFor>,
}

impl Interpreted {
    /// A guard has failed.
    pub(super) fn failed(&self, guard: GuardId, interpreted: f64) {
        self.book(interpreted);
        self.led_here.set(Some((guard, interpreted)));
    }

    /// Compiled code is entered.
    pub(super) fn entered(&self, interpreted: f64) {
        let guard = self.book(interpreted);
        self.outer.borrow_mut().push(guard);
    }

    /// The code that was entered last is left.
    pub(super) fn left(&self, interpreted: f64) {
        let guard = self.outer.borrow_mut().pop().flatten();
        self.led_here.set(guard.map(|guard| (guard, interpreted)));
    }

    /// Books the seconds since a guard has led to the native code that runs.
    fn book(&self, interpreted: f64) -> Option<GuardId> {
        let (guard, since) = self.led_here.take()?;
        *self.behind.borrow_mut().entry(guard).or_insert(0.0) += interpreted - since;
        Some(guard)
    }

    /// A place was passed, as [`Event::Passed`](crate::observe::event::Event::Passed) says.
    pub(super) fn passed(
        &self,
        hash: u64,
        passed: u32,
        then: Option<InterpretedFor>,
        place: impl FnOnce() -> SourcePos,
    ) {
        let mut places = self.places.borrow_mut();
        let known = places.entry(hash).or_insert_with(|| Passed {
            place: place(),
            passes: [0; WhyInterpreted::ALL.len()],
            now: None,
        });
        let (why, passes) = match known.now {
            Some(now) => (now.why, now.passes),
            None => (WhyInterpreted::Cold, passed),
        };
        known.passes[why as usize] += u64::from(passes);
        known.now = then;
        if passes > 0 {
            self.led_here.set(None);
        }
    }

    /// Compiling has to wait, or goes on.
    pub(super) fn waits(&self, waits: bool, interpreted: f64) {
        let now = waits.then_some(interpreted);
        if let Some(since) = self.waits_since.replace(now) {
            self.waited.set(self.waited.get() + interpreted - since);
        }
    }

    /// Seconds in native code while compiling waited.
    pub(super) fn waited(&self, interpreted: f64) -> f64 {
        let since = self.waits_since.get().unwrap_or(interpreted);
        self.waited.get() + (interpreted - since).max(0.0)
    }

    /// Seconds in native code behind a guard.
    pub(super) fn behind(&self, guard: GuardId) -> f64 {
        self.behind.borrow().get(&guard).copied().unwrap_or(0.0)
    }

    /// The places with their passes, those with most first, and the passes of other places, which
    /// are not hot yet.
    pub(super) fn places(&self, counters: &Counters) -> (Vec<InterpretedPlace>, u64) {
        let mut all: Vec<InterpretedPlace> = Vec::new();
        let mut cold = counters.counted();
        for (&hash, known) in &*self.places.borrow() {
            let mut passes = known.passes;
            if let Some(now) = known.now {
                let so_far = so_far(counters, hash, now);
                passes[now.why as usize] += so_far;
                cold = cold.saturating_sub(so_far);
            }
            for why in WhyInterpreted::ALL {
                let passes = passes[why as usize];
                let is_it = |p: &&mut InterpretedPlace| p.why == why && p.place == known.place;
                match all.iter_mut().find(is_it) {
                    _ if passes == 0 => {}
                    Some(same) => same.passes += passes,
                    None => all.push(InterpretedPlace {
                        place: known.place.clone(),
                        why,
                        passes,
                    }),
                }
            }
        }
        all.sort_by(|a, b| {
            let order = b.passes.cmp(&a.passes);
            order.then_with(|| (a.why, &a.place).cmp(&(b.why, &b.place)))
        });
        (all, cold)
    }
}

/// The passes of a place since it began to be interpreted for its present reason.
fn so_far(counters: &Counters, hash: u64, now: InterpretedFor) -> u64 {
    let kinds = [EntryKind::BackEdge, EntryKind::Function].into_iter();
    let counting = kinds.filter(|kind| now.pass.is_none_or(|pass| pass == *kind));
    let passes = counting.map(|kind| {
        let of_loops = counters.threshold(now.pass.unwrap_or(EntryKind::BackEdge));
        let all = match now.why {
            WhyInterpreted::GivenUp => now.passes,
            // What is beyond the threshold holds for loops and functions.
            _ => now.passes.saturating_sub(of_loops) + counters.threshold(kind),
        };
        u64::from(all.saturating_sub(counters.left(kind, hash)))
    });
    passes.sum()
}
