//! The tests of this package: modules of one program, which is linked once.

mod agree;
mod cli;
mod compiled;
mod figures;
