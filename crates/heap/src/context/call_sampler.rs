//! Which calls of a function have their effects checked.

use std::collections::BTreeMap;
use verdigris_ops::FnInfo;

/// A place that a call has touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touched {
    /// The object, which was there before.
    pub object: u64,
    /// The word in its header.
    pub class: i32,
    /// Bytes from its start to the cell.
    pub offset: u32,
    /// Whether it was written; else it was read.
    pub written: bool,
}

/// The first calls of each function that are checked; after that fewer and fewer are.
const FIRST: u32 = 64;

/// How many calls of each function there were.
#[derive(Default)]
pub(crate) struct Calls(BTreeMap<*const FnInfo, u32>);

impl Calls {
    /// Counts a call; whether it is one of those that are looked at.
    pub(crate) fn count(&mut self, info: &FnInfo) -> bool {
        let calls = self.0.entry(info).or_insert(0);
        *calls = calls.saturating_add(1);
        *calls <= FIRST || calls.is_power_of_two()
    }
}
