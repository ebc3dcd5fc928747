//! The numbers of traces.

use std::fmt;

/// The number of a trace, from 0 on. Never reused in a VM, also if the trace is given up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct TraceId(u32);

impl TraceId {
    pub(crate) fn from_u32(number: u32) -> TraceId {
        TraceId(number)
    }

    pub(crate) fn as_u32(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
