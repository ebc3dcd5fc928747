//! The fixpoint over the functions of a program.

mod control;
pub(crate) mod demand;
pub(crate) mod flow;
mod folds;
pub(crate) mod solve;
pub(crate) mod spec;
mod steps;
pub(crate) mod views;
