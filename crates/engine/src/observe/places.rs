//! Statistics by place of the guest program. They outlive the code that they are about. The JIT's
//! time since the last piece of code or attempt counts for the next one.

use crate::code::trees::InUse;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use verdigris_report::{AbortReason, AbortStats, CodeStats};
use verdigris_trace::GuardId;

/// The pieces of code of a VM, and what was given up.
#[derive(Default)]
pub(crate) struct Places {
    /// In the order in which they were made, with the count of entries, if native code enters them.
    code: Vec<(CodeStats, Option<Rc<InUse>>)>,
    /// The index of a trace among them.
    by_trace: FxHashMap<u32, usize>,
    aborts: Vec<AbortStats>,
    by_abort: FxHashMap<(String, AbortReason), usize>,
    /// The failures of guards.
    by_guard: BTreeMap<GuardId, u64>,
    /// The JIT's seconds so far.
    spent: f64,
}

impl Places {
    /// Adds a piece of code. `spent` are the JIT's seconds in all.
    pub(crate) fn made(&mut self, code: CodeStats, in_use: Option<Rc<InUse>>, spent: f64) {
        let seconds = self.take(spent);
        self.by_trace.insert(code.trace, self.code.len());
        self.code.push((CodeStats { seconds, ..code }, in_use));
    }

    /// Counts an attempt that was given up.
    pub(crate) fn given_up(&mut self, abort: AbortStats, spent: f64) {
        let seconds = self.take(spent);
        let key = (abort.place.clone(), abort.reason);
        let next = self.aborts.len();
        let at = *self.by_abort.entry(key).or_insert(next);
        if at == next {
            self.aborts.push(abort.clone());
        }
        let figures = &mut self.aborts[at];
        figures.times += 1;
        figures.seconds += seconds;
        figures.blocked |= abort.blocked;
        figures.detail = abort.detail;
    }

    /// Counts a failure of a guard that led out of compiled code.
    pub(crate) fn failed(&mut self, trace: u32, guard: GuardId) {
        *self.by_guard.entry(guard).or_insert(0) += 1;
        if let Some(&at) = self.by_trace.get(&trace) {
            self.code[at].0.guard_failures += 1;
        }
    }

    /// The failures of each guard.
    pub(crate) fn failures(&self) -> &BTreeMap<GuardId, u64> {
        &self.by_guard
    }

    /// The statistics so far.
    pub(crate) fn figures(&self) -> (Vec<CodeStats>, Vec<AbortStats>) {
        let code = self.code.iter().map(|(code, in_use)| CodeStats {
            entries: in_use
                .as_ref()
                .map(|in_use| in_use.profitability.all_entries()),
            ..code.clone()
        });
        (code.collect(), self.aborts.clone())
    }

    fn take(&mut self, spent: f64) -> f64 {
        let before = std::mem::replace(&mut self.spent, spent);
        (spent - before).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_spent_counts_once() {
        let mut places = Places::default();
        let code = |trace| CodeStats {
            trace,
            ..CodeStats::default()
        };
        let abort = |blocked| AbortStats {
            place: "header (0)".to_string(),
            reason: AbortReason::TraceTooLong,
            blocked,
            ..AbortStats::default()
        };
        places.made(code(4), None, 1.0);
        places.given_up(abort(false), 3.0);
        places.given_up(abort(true), 3.5);
        places.made(code(7), None, 4.0);
        places.failed(7, GuardId::from_u32(3));
        places.failed(5, GuardId::from_u32(1));
        let (code, aborts) = places.figures();
        let spent: Vec<f64> = code.iter().map(|code| code.seconds).collect();
        assert_eq!(spent, [1.0, 0.5]);
        assert_eq!([code[0].guard_failures, code[1].guard_failures], [0, 1]);
        let [abort] = &aborts[..] else {
            panic!("one place, one reason: {aborts:?}");
        };
        assert_eq!((abort.times, abort.seconds, abort.blocked), (2, 2.5, true));
    }
}
