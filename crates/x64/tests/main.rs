//! The tests of this package: modules of one program, which is linked once.

mod code;
mod spills;
