//! The tests of this package: modules of one program, which is linked once.

mod colours;
mod support;
mod ui;
