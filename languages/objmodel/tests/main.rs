//! The tests of this package: modules of one program, which is linked once.

mod changes;
mod cli;
mod common;
mod compiled;
mod figures;
mod language;
mod limits;
mod programs;
mod stacks;
mod text;
