//! A batch of random functions, made up when this crate is built (`build.rs`), and an interpreter
//! that calls them in a loop. In: the number of a function and pairs of integers. Out: one integer
//! for each pair, or a panic. Invariant: what rustc's code gives is right; the JIT gives the same,
//! whatever its parameters.
//!
//! `VERDIGRIS_FUNCTIONS_SEED=7 cargo run --release -p random-functions` runs the batch of
//! another seed. The package is compiled without overflow checks and debug assertions, as traced
//! code means it.

#![forbid(unsafe_code)]
// The functions are generated: warnings about them are useless.
#![allow(warnings, arithmetic_overflow, unconditional_panic, clippy::all)]

pub mod agree;
#[path = "../../../conformance/src/harness.rs"]
pub mod harness;

verdigris::include_jit!();

include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// The functions as the JIT sees them.
pub fn jit_program() -> verdigris::Program {
    jit::program()
}

/// The text of all functions.
const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// The text of a function and of what it needs.
pub fn text(case: usize) -> &'static str {
    let start = TEXT.find(&format!("pub mod f{case} {{")).unwrap_or(0);
    let text = &TEXT[start..];
    text.find("\n}\n").map_or(text, |end| &text[..end + 3])
}
