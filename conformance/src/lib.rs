//! The conformance suite: small functions, each of which uses one construct of traced code, and an
//! interpreter that calls them in a loop. In: the number of a function and pairs of integers. Out:
//! one integer for each pair.
//!
//! Every file beside this one is an *area* with functions `pub fn name(a: i64, b: i64) -> i64` and
//! whatever they need; they may use everything that docs/book/src/reference/subset.md lists. To add
//! a function, write it and run `cargo run -p conformance-tables`, which writes the tables at the
//! end of the files. `cargo test -p conformance` then compares what rustc's code gives with the
//! typed trees, the flow graphs, the jitcode, and with the JIT in several modes, panics included.
//!
//! What is compared is the release build: this package is compiled without overflow checks and
//! debug assertions.

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

/// Runs a function on all pairs of a batch that are not done. It is inlined into the trace of the
/// loop.
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

pub mod arrays;
pub mod calls;
pub mod closure_args;
pub mod closures;
pub mod compare;
pub mod compare_parts;
pub mod compound;
pub mod configured;
pub mod const_generics;
pub mod control;
pub mod generics;
pub mod heap;
pub mod hints;
pub mod hygiene;
pub mod idioms;
pub mod items;
pub mod library_builder;
pub mod library_identity;
pub mod library_keys;
pub mod library_list;
pub mod library_map;
pub mod library_text;
pub mod library_weak;
pub mod macros;
pub mod messages;
pub mod objects;
pub mod operators;
pub mod options;
pub mod patterns;
pub mod pointers;
pub mod probing;
pub mod quasi;
pub mod references;
pub mod refs;
pub mod scalar_char;
pub mod scalar_f64;
pub mod scalar_i16;
pub mod scalar_i32;
pub mod scalar_i64;
pub mod scalar_i8;
pub mod scalar_isize;
pub mod scalar_u16;
pub mod scalar_u32;
pub mod scalar_u64;
pub mod scalar_u8;
pub mod scalar_usize;
pub mod signatures;
pub mod stored;
pub mod traits;
pub mod values;
pub mod widths;

/// The areas, in the order of their numbers, with their functions.
#[rustfmt::skip]
pub const AREAS: &[(&str, &[&str])] = &[
    ("arrays", arrays::CASES),
    ("calls", calls::CASES),
    ("closure_args", closure_args::CASES),
    ("closures", closures::CASES),
    ("compare", compare::CASES),
    ("compare_parts", compare_parts::CASES),
    ("compound", compound::CASES),
    ("configured", configured::CASES),
    ("const_generics", const_generics::CASES),
    ("control", control::CASES),
    ("generics", generics::CASES),
    ("heap", heap::CASES),
    ("hints", hints::CASES),
    ("hygiene", hygiene::CASES),
    ("idioms", idioms::CASES),
    ("items", items::CASES),
    ("library_builder", library_builder::CASES),
    ("library_identity", library_identity::CASES),
    ("library_keys", library_keys::CASES),
    ("library_list", library_list::CASES),
    ("library_map", library_map::CASES),
    ("library_text", library_text::CASES),
    ("library_weak", library_weak::CASES),
    ("macros", macros::CASES),
    ("messages", messages::CASES),
    ("objects", objects::CASES),
    ("operators", operators::CASES),
    ("options", options::CASES),
    ("patterns", patterns::CASES),
    ("pointers", pointers::CASES),
    ("probing", probing::CASES),
    ("quasi", quasi::CASES),
    ("references", references::CASES),
    ("refs", refs::CASES),
    ("scalar_char", scalar_char::CASES),
    ("scalar_f64", scalar_f64::CASES),
    ("scalar_i16", scalar_i16::CASES),
    ("scalar_i32", scalar_i32::CASES),
    ("scalar_i64", scalar_i64::CASES),
    ("scalar_i8", scalar_i8::CASES),
    ("scalar_isize", scalar_isize::CASES),
    ("scalar_u16", scalar_u16::CASES),
    ("scalar_u32", scalar_u32::CASES),
    ("scalar_u64", scalar_u64::CASES),
    ("scalar_u8", scalar_u8::CASES),
    ("scalar_usize", scalar_usize::CASES),
    ("signatures", signatures::CASES),
    ("stored", stored::CASES),
    ("traits", traits::CASES),
    ("values", values::CASES),
    ("widths", widths::CASES),
];

/// Function number `case` of area number `area`, of two numbers.
#[rustfmt::skip]
pub fn run(area: i64, case: i64, a: i64, b: i64) -> i64 {
    match area {
        0 => arrays::run(case, a, b),
        1 => calls::run(case, a, b),
        2 => closure_args::run(case, a, b),
        3 => closures::run(case, a, b),
        4 => compare::run(case, a, b),
        5 => compare_parts::run(case, a, b),
        6 => compound::run(case, a, b),
        7 => configured::run(case, a, b),
        8 => const_generics::run(case, a, b),
        9 => control::run(case, a, b),
        10 => generics::run(case, a, b),
        11 => heap::run(case, a, b),
        12 => hints::run(case, a, b),
        13 => hygiene::run(case, a, b),
        14 => idioms::run(case, a, b),
        15 => items::run(case, a, b),
        16 => library_builder::run(case, a, b),
        17 => library_identity::run(case, a, b),
        18 => library_keys::run(case, a, b),
        19 => library_list::run(case, a, b),
        20 => library_map::run(case, a, b),
        21 => library_text::run(case, a, b),
        22 => library_weak::run(case, a, b),
        23 => macros::run(case, a, b),
        24 => messages::run(case, a, b),
        25 => objects::run(case, a, b),
        26 => operators::run(case, a, b),
        27 => options::run(case, a, b),
        28 => patterns::run(case, a, b),
        29 => pointers::run(case, a, b),
        30 => probing::run(case, a, b),
        31 => quasi::run(case, a, b),
        32 => references::run(case, a, b),
        33 => refs::run(case, a, b),
        34 => scalar_char::run(case, a, b),
        35 => scalar_f64::run(case, a, b),
        36 => scalar_i16::run(case, a, b),
        37 => scalar_i32::run(case, a, b),
        38 => scalar_i64::run(case, a, b),
        39 => scalar_i8::run(case, a, b),
        40 => scalar_isize::run(case, a, b),
        41 => scalar_u16::run(case, a, b),
        42 => scalar_u32::run(case, a, b),
        43 => scalar_u64::run(case, a, b),
        44 => scalar_u8::run(case, a, b),
        45 => scalar_usize::run(case, a, b),
        46 => signatures::run(case, a, b),
        47 => stored::run(case, a, b),
        48 => traits::run(case, a, b),
        49 => values::run(case, a, b),
        50 => widths::run(case, a, b),
        _ => panic!("there is no such area"),
    }
}
