//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

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
