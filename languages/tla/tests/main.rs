//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

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
