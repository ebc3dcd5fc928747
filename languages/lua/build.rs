//! Translates the interpreter into a JIT. In: the crate's sources. Out: what `include_jit!`
//! includes. Invariant: none of its own; errors are the translator's.

use verdigris_build::{Cfg, translate_configured};

fn main() {
    // The library for Rust programs is no part of the interpreter, which comes to it by
    // `native::embedded` alone, and takes that to do anything. So it is not read: what its methods
    // are called, and its `Drop`s and `Display`s, would count for every function of the
    // interpreter.
    println!("cargo::rustc-check-cfg=cfg(embedding)");
    println!("cargo::rustc-cfg=embedding");
    translate_configured("src/lib.rs", &[("embedding", Cfg::Unset)]);
}
