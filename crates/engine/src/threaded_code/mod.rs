//! Threaded code: places that run as a chain of one stencil per instruction.

pub(crate) mod places;
pub(crate) mod stencils;
pub(crate) mod tier;
