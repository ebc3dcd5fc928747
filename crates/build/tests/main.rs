//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod build_script;
mod errors;
mod flips;
mod linear;
mod lower;
mod translate;
