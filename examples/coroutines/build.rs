//! Translates the interpreter for the JIT.

fn main() {
    verdigris_build::translate("src/lib.rs");
}
