//! The languages, a file each. [`crate::registry`] names them.

pub mod frames;
pub mod globals;
pub mod lua;
pub mod objmodel;
pub mod python;
pub mod stackvm;
mod text;
pub mod tla;
pub mod tlc;
