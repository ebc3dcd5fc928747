//! The functions that the code of stencils calls.

use verdigris_ops::FnId;

/// What code of stencils is made with.
#[derive(Clone, Copy)]
pub struct StencilContext {
    /// The function that answers the address of the record for greens.
    pub record_of: FnId,
    /// The function that runs threaded code from a merge point on to the end of its activation. It
    /// takes the greens, their record, and the reds.
    pub run: FnId,
    /// A number for the instruction, by which the arms are known that were taken in it.
    pub number: u32,
}
