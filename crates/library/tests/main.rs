//! The tests of this package: modules of one program, which is linked once.

mod floats;
mod identity;
mod lists;
mod maps;
mod quiet;
mod texts;
mod walks;
