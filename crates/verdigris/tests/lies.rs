//! Interpreters of which the translator has read something else than rustc has compiled. In: `tests/ui/NAME.rs`, compiled as a
//! module here and translated when the test runs. Out: the error of `Vm::new`, in `tests/ui/NAME.stderr`. Invariant: no
//! such VM is made, so compiled code never calls a function with words of other types.
//!
//! `BLESS=1 cargo test -p verdigris --test lies` writes the texts.

use std::path::Path;
use verdigris::rt::{array_class, with_heap};
use verdigris::{GcArray, HeapOptions, Options, Program, Vm};
use verdigris_build::translate_to_unit;

#[path = "ui/lying_signature.rs"]
mod lying_signature;

/// What stands in for the file that `include_jit!` includes: the jitcode with the functions that rustc has compiled.
fn program(text: &str) -> Program {
    let translated = translate_to_unit(&[("src/lib.rs", text)]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(translated.fn_glue, ["crate::__vd_fn_scaled"]);
    assert_eq!(translated.class_glue.len(), 1, "arrays of code");
    Program {
        unit: translated.unit.to_bytes().leak(),
        graphs: "",
        classes: &[array_class::<u8, ()>],
        fns: &[lying_signature::__vd_fn_scaled],
        places: &[],
    }
}

#[test]
fn a_signature_that_rustc_sees_otherwise_makes_no_vm() {
    let text = include_str!("ui/lying_signature.rs");
    let error = Vm::new(program(text), Options::default()).err();
    let message = format!("{}\n", error.expect("no VM is made"));
    let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/lying_signature.stderr");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&expected, &message).expect("the text can be written");
    }
    let text = std::fs::read_to_string(&expected).expect("the text can be read");
    assert_eq!(message, text, "BLESS=1 accepts this");
}

/// The interpreter that rustc has compiled is right in itself.
#[test]
fn without_a_jit_it_runs() {
    let result = with_heap(HeapOptions::default(), || {
        lying_signature::run(GcArray::from_slice(b"***."), 1)
    });
    assert_eq!(result, 27);
}
