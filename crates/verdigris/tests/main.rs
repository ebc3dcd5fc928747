//! The tests of this package: modules of one program, which is linked once.

mod by_hand;
mod hints;
mod lies;
mod native;
