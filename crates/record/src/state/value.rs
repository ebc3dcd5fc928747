//! A traced value: a word, and the trace value that stands for it.

use verdigris_trace::Arg;

/// A value: its word in this execution, and what the trace knows of it.
#[derive(Clone, Copy)]
pub(crate) struct TracedValue {
    pub word: u64,
    pub val: Arg,
}

impl TracedValue {
    /// The null reference.
    pub const NULL: TracedValue = TracedValue {
        word: 0,
        val: Arg::NULL,
    };

    pub fn is_const(self) -> bool {
        matches!(self.val, Arg::Const(_))
    }
}
