//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

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
