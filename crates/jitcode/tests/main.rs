//! The tests of this package: modules of one program, which is linked once.

mod flips;
mod text;
mod verify;
