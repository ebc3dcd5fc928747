//! The functions that the code of stencils calls.

use verdigris_ops::FnId;

/// The functions that the code of a stencil calls, and the stencil's number.
#[derive(Clone, Copy)]
pub struct StencilContext {
    /// The function that returns the address of the record for greens.
    pub record_of: FnId,
    /// The function that runs threaded code from a merge point to the end of its activation, given
    /// the greens, their record, and the reds.
    pub run: FnId,
    /// The number of the instruction, under which its taken arms are remembered.
    pub number: u32,
}
