//! The tests of this package: modules of one program, which is linked once.

mod random;
mod support;
mod traces;
