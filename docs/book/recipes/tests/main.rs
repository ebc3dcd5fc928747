//! The tests of this package: modules of one program, which is linked once.

mod fuzz;
mod pictures;
mod sandbox;
mod traces;
