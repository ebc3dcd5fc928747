//! The tests of this package: modules of one program, which is linked once.

mod callees;
mod deep;
mod effects;
mod generics;
mod library;
mod modules;
mod probe;
mod programs;
mod ui;
