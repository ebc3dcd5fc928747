//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

mod floats;
mod identity;
mod lists;
mod maps;
mod quiet;
mod texts;
mod walks;
