//! Regular expressions in Python's syntax. In: a pattern, flags, bytes to match. Out: a program,
//! and where it matches. Invariant: nothing here knows of the heap or of values; neither pattern
//! nor text makes the native stack deep, and what memory a match takes is asked for fallibly.
//!
//! A pattern goes through [`parse`] to a [`tree`], through [`mod@compile`] to a [`program`], which
//! [`search`] runs from place to place on the [`machine`].
//!
//! Source: the Python Language Reference 3.11, module `re`. The machine is the backtracking one of
//! Pike and Spencer with a stack of its own, and choices dropped where the next byte decides.

pub mod case;
pub mod compile;
pub mod escape;
pub mod factor;
pub mod failure;
pub mod finish;
pub mod first;
pub mod flags;
pub mod group;
pub mod inline;
pub mod machine;
pub mod parse;
pub mod pattern;
pub mod program;
pub mod reader;
pub mod scratch;
pub mod search;
pub mod set;
pub mod single;
pub mod template;
pub mod tree;
pub mod width;

#[cfg(test)]
mod tests;

use failure::Failure;
use pattern::Pattern;
use program::Program;

/// The program of a pattern.
///
/// # Errors
/// What is wrong with the pattern.
pub fn compile(pattern: &Pattern) -> Result<Program, Failure> {
    let tree = parse::parse(pattern)?;
    compile::program(&tree)
}
