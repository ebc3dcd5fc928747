//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod bytes;
mod cli;
mod common;
mod compiled;
mod figures;
mod limits;
mod programs;
mod stacks;
mod tools;
