//! The tests of this package, in one program: to link one for each file would take longer than to
//! run them.

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
