//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod random;
mod support;
mod traces;
