//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod colours;
mod support;
mod ui;
