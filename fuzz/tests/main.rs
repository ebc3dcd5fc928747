//! The tests of this package: modules of one program, which is linked once.

mod callees;
mod cases;
mod colours;
mod languages;
mod limits;
mod specialised;
mod traces;
