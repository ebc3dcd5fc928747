//! Threaded code: places that run as a chain of one stencil per instruction. The rest of the engine
//! knows [`tier::ThreadedTier`], and hands [`calls`] to compiled code.

pub(crate) mod calls;
pub(crate) mod places;
mod stencils;
pub(crate) mod tier;
