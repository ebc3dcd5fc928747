//! The tests of this package: modules of one program, which is linked once.

mod clean;
mod text;
mod verify;
