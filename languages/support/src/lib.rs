//! The part that the languages share around their interpreters: the command line, lines that are
//! typed, the VM, threads with large stacks, and floats as text.
//!
//! The templates of `verdigris new` have a small copy of [`cli`] instead: a crate that is published
//! would make every embedder depend on clap, and their owners are meant to change the text.

#![forbid(unsafe_code)]

pub mod cli;
pub mod decimal;
#[cfg(feature = "editor")]
pub mod editor;
pub mod interrupts;
pub mod machine;
pub mod stack;
