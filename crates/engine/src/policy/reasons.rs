//! Reasons for changing the tier of a place, and for freeing code.

use std::fmt;

/// A change of tier, or the reason for one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TierChange {
    /// Entries have not paid. Seconds in compiled code, and to find the interpreter's state.
    LeftTooSoon { inside: f64, leaving: f64 },
    /// The same of threaded code.
    ThreadedLeftTooSoon,
    /// There are this many bridges, for which guards have failed so often, and another is wanted.
    TooManyBridges { bridges: u32, failures: u64 },
    /// The specialiser makes the code from now on.
    Specialised,
    /// A promotion has seen many values: code for any value follows.
    Generalised,
}

impl TierChange {
    /// The measured times, if there are any: they differ from run to run.
    pub(crate) fn times(&self) -> Option<String> {
        let TierChange::LeftTooSoon { inside, leaving } = self else {
            return None;
        };
        Some(format!(
            "of the last entries {:.1} us were in compiled code, and {:.1} us went to find the interpreter's state",
            inside * 1e6,
            leaving * 1e6
        ))
    }
}

impl fmt::Display for TierChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TierChange::LeftTooSoon { .. } => f.write_str("left too soon"),
            TierChange::ThreadedLeftTooSoon => f.write_str("threaded code is left too soon"),
            TierChange::TooManyBridges { bridges, failures } => write!(
                f,
                "it has {bridges} bridges after {failures} failures, and wants one more"
            ),
            TierChange::Specialised => {
                f.write_str("from now on by partial evaluation, since tracing does not suit it")
            }
            TierChange::Generalised => {
                f.write_str("a promotion has seen many values, so what follows is compiled for any")
            }
        }
    }
}

/// Why code is freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FreeReason {
    Unused,
    OverBudget,
    NotInterruptible,
    HeapExhausted,
}

impl fmt::Display for FreeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FreeReason::Unused => "unused",
            FreeReason::OverBudget => "no room",
            FreeReason::NotInterruptible => "cannot be interrupted",
            FreeReason::HeapExhausted => "keeps objects alive for which there is no room",
        })
    }
}
