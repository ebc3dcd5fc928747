//! The tests of this package: modules of one program, which is linked once.

mod cli;
mod command;
mod common;
mod compiled;
mod coroutines;
mod embed;
mod exhaustion;
mod explain;
mod manual;
mod profile;
mod programs;
mod reference;
mod refused;
mod reports;
mod stacks;
