//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod callees;
mod cases;
mod colours;
mod languages;
mod limits;
mod specialised;
mod traces;
