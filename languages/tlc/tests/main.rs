//! The tests of this package: modules of one program, which is linked once.

mod bytes;
mod cli;
mod common;
mod compiled;
mod figures;
mod limits;
mod programs;
mod stacks;
mod tools;
