//! The tests of this package: modules of one program, which is linked once.

mod build_script;
mod errors;
mod flips;
mod linear;
mod lower;
mod translate;
