//! Reports on files of records: a page with charts, and the comparison of two files.

pub mod compare;
pub mod page;
