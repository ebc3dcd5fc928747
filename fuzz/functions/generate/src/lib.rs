//! Random functions of the subset that traced code can contain, as Rust text. In: tapes, or a seed.
//! Out: the text of an interpreter that calls them in a loop. Invariant: every tape gives a
//! function that rustc compiles, the translator takes, and whose calls end; shorter and lower tapes
//! give smaller functions.
//!
//! [`maker::Maker`] is what is known while a function is written; what can be written is in tables
//! of rules: expressions of any type in `exprs`, those of scalars in `scalars`, statements in
//! `statements`, loops in `loops`. What needs declarations of its own is a module of functions that
//! are called as others are: `traits`, `names`, `overloads`, `written`. A new construct is a rule
//! there, with a name that it notes.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod conditions;
mod exprs;
mod items;
mod lookup;
mod loops;
pub mod maker;
mod names;
mod overloads;
mod patterns;
mod scalars;
mod statements;
mod traits;
pub mod types;
mod written;

pub use conditions::{conditions, directives};

use fuzz_tape::Tape;
use maker::Maker;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The text in front of the functions: the interpreter, and what functions use.
const HEADER: &str = include_str!("header.txt");

/// A function.
pub struct Function {
    /// The text of a module with a function `f`, and what it needs.
    pub text: String,
    /// The kinds of constructs in it.
    pub kinds: BTreeSet<&'static str>,
}

/// The function of a tape.
pub fn function(tape: &[u8]) -> Function {
    let mut maker = Maker::new(Tape::new(tape));
    let text = maker.module();
    Function {
        text,
        kinds: maker.kinds,
    }
}

/// The tapes of a seed.
pub fn tapes(seed: u64, count: u64) -> Vec<Vec<u8>> {
    // Most functions need more than one tape of the usual length has.
    let long = |n: u64| {
        let parts = (7 * n..7 * n + 7).map(|part| fuzz_tape::bytes("functions", seed, part));
        parts.flatten().collect()
    };
    (0..count).map(long).collect()
}

/// The separator of functions in a file of several.
pub const BETWEEN: &str = "// The next function.\n";

/// The text of an interpreter with these functions, which are in modules `f0`, `f1`. It defines
/// `Batch`, `drive` and `run` as the harness of the conformance suite expects them.
///
/// # Errors
/// If the text is no Rust, which would be a bug.
pub fn interpreter(functions: &[String]) -> Result<String, String> {
    let mut text = HEADER.to_string();
    let mut cases = String::new();
    for (n, function) in functions.iter().enumerate() {
        let _ = write!(text, "\npub mod f{n} {{\n{function}}}\n");
        let _ = writeln!(cases, "{n} => f{n}::f(a, b),");
    }
    let _ = write!(
        text,
        "\n/// Function number `case` of two numbers.\npub fn run(_area: i64, case: i64, a: i64, b: i64) -> i64 {{\n    \
         match case {{\n{cases}_ => panic!(\"there is no such function\"),\n}}\n}}\n\n\
         /// How many functions there are.\npub const COUNT: usize = {};\n",
        functions.len()
    );
    let file = syn::parse_file(&text).map_err(|error| format!("{error}\n{text}"))?;
    Ok(prettyplease::unparse(&file))
}

/// The texts of the functions of a seed.
pub fn texts(seed: u64, count: u64) -> Vec<String> {
    let tapes = tapes(seed, count);
    tapes.iter().map(|tape| function(tape).text).collect()
}

/// The text of the function of a tape, as a person reads it.
pub fn show(tape: &[u8]) -> String {
    let text = function(tape).text;
    syn::parse_file(&text).map_or(text, |file| prettyplease::unparse(&file))
}
