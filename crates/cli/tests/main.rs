//! The tests of this package: modules of one program, which is linked once.

mod conditions;
mod effects;
mod error;
mod explain;
mod new;
mod replay;
mod shell;
mod specialise;
mod started;
mod tlc;
mod view;
