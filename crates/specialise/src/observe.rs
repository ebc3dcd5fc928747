//! Counts which results were constant during specialisation, for tests that compare them with the
//! colours. Without the feature `observe` this compiles to nothing.

use verdigris_jitcode::{CodeId, Pc};

/// A result of an instruction: the jitcode, the instruction, and the number of the result.
pub type ObservedResult = (CodeId, Pc, usize);

/// How often a result was constant or residual.
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

    /// Does some work; returns its result and what the specialiser has observed in this thread.
    pub fn observed<R>(work: impl FnOnce() -> R) -> (R, BTreeMap<ObservedResult, ObservedCounts>) {
        SEEN.set(Some(BTreeMap::new()));
        let result = work();
        (result, SEEN.take().unwrap_or_default())
    }

    /// Whether this thread observes.
    pub(crate) fn is_on() -> bool {
        SEEN.with_borrow(Option::is_some)
    }

    /// Counts one result.
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

/// Never.
#[cfg(not(feature = "observe"))]
pub(crate) const fn is_on() -> bool {
    false
}

#[cfg(not(feature = "observe"))]
pub(crate) fn note(_: ObservedResult, _: bool) {}
