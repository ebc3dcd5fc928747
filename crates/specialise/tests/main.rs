//! The tests of this package: modules of one program, which is linked once.

mod origins;
mod paper_2007;
mod paper_2009;
mod residual;
mod stencils;
mod support;
mod within;
