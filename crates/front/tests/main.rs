//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod callees;
mod deep;
mod effects;
mod generics;
mod library;
mod modules;
mod probe;
mod programs;
mod ui;
