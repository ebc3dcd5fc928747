//! The tests of this package: modules of one program, which is linked once.

mod assembler;
mod cli;
mod common;
mod compiled;
mod depth;
mod levels;
mod limits;
mod paper;
mod programs;
mod stacks;
