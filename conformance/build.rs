//! Translates the suite for the JIT.

fn main() {
    verdigris_build::translate("src/lib.rs");
}
