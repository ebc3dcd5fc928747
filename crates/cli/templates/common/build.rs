//! Translates the interpreter into its JIT. In: the sources of the crate, from `src/lib.rs` on.
//! Out: what `include_jit!` includes.

fn main() {
    // What the translator cannot read is an error here, with the place in the interpreter and the
    // way out.
    verdigris_build::translate("src/lib.rs");
}
