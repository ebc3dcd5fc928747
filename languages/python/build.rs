//! Translates the interpreter into a JIT. In: the crate's sources. Out: what `include_jit!`
//! includes. Invariant: none of its own; errors are the translator's.

fn main() {
    verdigris_build::translate("src/lib.rs");
}
