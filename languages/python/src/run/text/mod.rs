//! Values as text. In: values. Out: strings. Invariant: the texts are CPython's.

pub mod format;
pub mod show;
pub mod traceback;
