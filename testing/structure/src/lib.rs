//! Reads the repository as text and as syntax: imports between files, names of public types,
//! comments. The tests of this package hold these against the house's rules; the command shows
//! them.

pub mod api;
pub mod circles;
pub mod comments;
pub mod modules;
pub mod names;
pub mod repository;
