//! What becomes of a request to the optimiser.

/// The outcome of a job behind the optimiser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JobOutcome {
    /// Bytes of machine code, and its listing.
    Code(usize, String),
    /// Not compiled, because another version of the loop was recorded first or there was nothing to
    /// compile.
    Kept,
    /// Given up: the reason, and a sentence about it.
    Failed(String, String),
}
