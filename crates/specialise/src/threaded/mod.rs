//! The threaded tier: code for an instruction of the guest program, shared by all places that have
//! it.

mod context;
mod decode;
mod holes;
mod join_paths;
mod joins;
mod path_holes;
mod stencil;

pub use context::StencilContext;
pub use decode::{Choice, DecodeInput, DecodeTest, Decoded, Decoder, GREENS, Green};
pub(crate) use holes::{Holes, Sourced};
pub(crate) use joins::Joins;
pub use stencil::{Stencil, entrance, learn, stencil, without_code};
