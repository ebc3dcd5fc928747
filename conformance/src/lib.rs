//! The conformance suite: small functions, each of which uses one construct of traced code, and an interpreter that
//! calls them in a loop. In: the number of a function and pairs of integers. Out: one integer for each pair.
//!
//! Every file beside this one is an *area* with functions `pub fn name(a: i64, b: i64) -> i64` and whatever they need; they
//! may use everything that docs/subset.md lists. To add a function, write it and run `cargo run -p conformance-tables`, which
//! writes the tables at the end of the files. `cargo test -p conformance` then compares what rustc's code gives
//! with the typed trees, the flow graphs, the jitcode, and with the JIT in several modes, panics included.
//!
//! What is compared is the release build: this package is compiled without overflow checks and debug assertions.

#![forbid(unsafe_code)]
// The functions are written as a user might write them, not as a lint would have it.
#![allow(
    clippy::style,
    clippy::complexity,
    clippy::perf,
    clippy::suspicious,
    clippy::correctness
)]

pub mod harness;

use verdigris::prelude::*;

verdigris::include_jit!();

/// Pairs of numbers, and what a function gives for them.
#[gc]
pub struct Batch {
    /// The first numbers of the pairs.
    pub first: GcArray<i64>,
    /// The second ones.
    pub second: GcArray<i64>,
    /// What has come out so far.
    pub results: GcArray<Cell<i64>>,
    /// How many pairs are done.
    pub done: Cell<usize>,
}

/// Runs a function on all pairs of a batch that are not done. It is inlined into the trace of the loop.
#[portal]
pub fn drive(batch: Gc<Batch>, area: i64, case: i64) {
    let mut at = batch.done.get();
    loop {
        merge_point!(greens = [area, case], reds = [batch, at]);
        if at >= batch.results.len() {
            return;
        }
        let result = run(area, case, batch.first[at], batch.second[at]);
        batch.results[at].set(result);
        at += 1;
        batch.done.set(at);
        can_enter_jit!();
    }
}

/// The suite as the JIT sees it.
pub fn jit_program() -> verdigris::Program {
    jit::program()
}

// What follows is written by `cargo run -p conformance-tables`.

pub mod calls;
pub mod heap;
pub mod objects;
pub mod values;
pub mod widths;

/// The areas, in the order of their numbers, with their functions.
#[rustfmt::skip]
pub const AREAS: &[(&str, &[&str])] = &[
    ("calls", calls::CASES),
    ("heap", heap::CASES),
    ("objects", objects::CASES),
    ("values", values::CASES),
    ("widths", widths::CASES),
];

/// Function number `case` of area number `area`, of two numbers.
#[rustfmt::skip]
pub fn run(area: i64, case: i64, a: i64, b: i64) -> i64 {
    match area {
        0 => calls::run(case, a, b),
        1 => heap::run(case, a, b),
        2 => objects::run(case, a, b),
        3 => values::run(case, a, b),
        4 => widths::run(case, a, b),
        _ => panic!("there is no such area"),
    }
}
