//! What the log's stage `events` remembers, so that what happens often is told seldom.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use verdigris_trace::GuardId;

/// What the stage remembers.
#[derive(Default)]
pub(crate) struct EventCounts {
    /// How often each guard has led out of compiled code, and the line about it.
    pub(super) left: RefCell<FxHashMap<GuardId, (u64, String)>>,
    /// How often each place has waited, by the hash of its greens.
    pub(super) waited: RefCell<FxHashMap<u64, u64>>,
    /// The interpreter's line where the attempt stands that is about to be given up.
    pub(super) ended: RefCell<Option<String>>,
}
