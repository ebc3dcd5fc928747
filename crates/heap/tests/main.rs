//! The tests of this package: modules of one program, which is linked once.

mod collect;
mod exec;
mod generations;
mod generic;
mod handles;
mod misuse;
mod modules;
mod objects;
mod values;
mod weak_tables;
