//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod by_hand;
mod hints;
mod lies;
mod native;
