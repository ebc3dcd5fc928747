//! Translates the interpreter into its JIT.

// ANCHOR: all
fn main() {
    verdigris_build::translate("src/lib.rs");
}
// ANCHOR_END: all
