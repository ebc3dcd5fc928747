//! The tests of this package: modules of one program, which is linked once.

mod cli;
mod common;
mod dialogue;
mod programs;
mod stdlib;
