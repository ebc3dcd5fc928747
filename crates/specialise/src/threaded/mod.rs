//! The threaded tier: code for one instruction of the guest program (a stencil), shared by all
//! positions that have it. The differences between positions are words of a record.

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
