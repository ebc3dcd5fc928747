//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod origins;
mod paper_2007;
mod paper_2009;
mod residual;
mod stencils;
mod support;
mod within;
