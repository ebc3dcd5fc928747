//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod conditions;
mod effects;
mod error;
mod explain;
mod new;
mod replay;
mod shell;
mod specialise;
mod tlc;
mod view;
