//! What was constant while code was made, for tests that compare it with what the translator says.
//! In: each value that an instruction gives on a way. Out: how often it was a constant, and how
//! often it was left to the code. Invariant: without the feature `observe` nothing is noted, and
//! the compiler removes the questions.

use verdigris_jitcode::{CodeId, Pc};

/// A result of an instruction: the jitcode, the instruction, and the number of the result.
pub type ObservedResult = (CodeId, Pc, usize);

/// How often it was what.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ObservedCounts {
    /// A constant.
    pub constant: u64,
    /// A value that the code computes.
    pub residual: u64,
}

#[cfg(feature = "observe")]
mod on {
    use super::{ObservedCounts, ObservedResult};
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    thread_local! {
        static SEEN: RefCell<Option<BTreeMap<ObservedResult, ObservedCounts>>> = const { RefCell::new(None) };
    }

    /// Does some work; answers with its result what the specialiser has seen in this thread
    /// meanwhile.
    pub fn observed<R>(work: impl FnOnce() -> R) -> (R, BTreeMap<ObservedResult, ObservedCounts>) {
        SEEN.set(Some(BTreeMap::new()));
        let result = work();
        (result, SEEN.take().unwrap_or_default())
    }

    /// Whether somebody wants to know.
    pub(crate) fn is_on() -> bool {
        SEEN.with_borrow(Option::is_some)
    }

    /// Notes what a result was this time.
    pub(crate) fn note(given: ObservedResult, is_constant: bool) {
        SEEN.with_borrow_mut(|seen| {
            let Some(seen) = seen else { return };
            let seen = seen.entry(given).or_default();
            match is_constant {
                true => seen.constant += 1,
                false => seen.residual += 1,
            }
        });
    }
}

#[cfg(feature = "observe")]
pub use on::observed;
#[cfg(feature = "observe")]
pub(crate) use on::{is_on, note};

/// Whether somebody wants to know: never.
#[cfg(not(feature = "observe"))]
pub(crate) const fn is_on() -> bool {
    false
}

#[cfg(not(feature = "observe"))]
pub(crate) fn note(_: ObservedResult, _: bool) {}
