//! Interpreters of which the translator has read something else than rustc has compiled. In:
//! `tests/ui/NAME.rs`, compiled as a module here and translated when the test runs. Out: the error
//! of `Vm::new`, in `tests/ui/NAME.stderr`. Invariant: no such VM is made, so compiled code never
//! calls a function with words of other types.
//!
//! `UPDATE_EXPECT=1 cargo test -p verdigris-jit lies::` writes the texts.

use verdigris::rt::{ProgramParts, array_class, with_heap};
use verdigris::{Cell, Gc, GcArray, HeapOptions, Options, Program, Vm};
use verdigris_build::translate_to_unit;

#[path = "ui/lying_signature.rs"]
mod lying_signature;
#[path = "ui/lying_variants.rs"]
mod lying_variants;

/// What stands in for the file that `include_jit!` includes: the jitcode with the functions that
/// rustc has compiled.
fn program(text: &str) -> Program {
    let translated = translate_to_unit(&[("src/lib.rs", text)]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(translated.fn_glue, ["crate::__vd_fn_scaled"]);
    assert_eq!(translated.class_glue.len(), 1, "arrays of code");
    ProgramParts {
        portal: &lying_signature::__vd_portal_run,
        unit: translated.unit.to_bytes().leak(),
        graphs: "",
        red_dispatch: "",
        classes: &[array_class::<u8, ()>],
        fns: &[lying_signature::__vd_fn_scaled],
        types: &[],
        places: &[],
        advice: &[],
    }
    .program()
}

#[test]
fn a_signature_that_rustc_sees_otherwise_makes_no_vm() {
    let text = include_str!("ui/lying_signature.rs");
    let other = text.replace("type Word = f64;", "type Word = i64;");
    assert_ne!(other, text);
    refused(program(&other), "lying_signature");
}

fn refused(program: Program, name: &str) {
    let error = Vm::new(program, Options::default()).err();
    let message = format!("{}\n", error.expect("no VM is made"));
    let expected = format!("{}/tests/ui/{name}.stderr", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&expected, &message).expect("the text can be written");
    }
    let text = std::fs::read_to_string(&expected).expect("the text can be read");
    assert_eq!(message, text, "UPDATE_EXPECT=1 accepts this");
}

/// The interpreter that rustc has compiled is right in itself.
#[test]
fn without_a_jit_it_runs() {
    let result = with_heap(HeapOptions::default(), || {
        lying_signature::run(GcArray::from_slice(b"***."), 1)
    });
    assert_eq!(result, 27);
}

/// The interpreter with values, translated from this text.
fn program_of_variants(text: &str) -> Program {
    use lying_variants::{__vd_class_Machine, __vd_portal_run, __vd_text_Count, __vd_text_Machine};
    let translated = translate_to_unit(&[("src/lib.rs", text)]).unwrap_or_else(|e| panic!("{e}"));
    let [(count, of_count), (machine, of_machine)] =
        translated.types.try_into().expect("two types");
    assert_eq!(count, "crate::__vd_text_Count");
    assert_eq!(machine, "crate::__vd_text_Machine");
    assert_eq!(
        translated.class_glue,
        [
            "crate::__vd_class_Machine",
            "::verdigris::rt::array_class::<u8, ()>",
            "::verdigris::rt::array_class::<::verdigris::Cell<i64>, ()>",
        ]
    );
    ProgramParts {
        portal: &__vd_portal_run,
        unit: translated.unit.to_bytes().leak(),
        graphs: "",
        red_dispatch: "",
        classes: &[
            __vd_class_Machine,
            array_class::<u8, ()>,
            array_class::<Cell<i64>, ()>,
        ],
        fns: &[],
        types: vec![
            (__vd_text_Count, &*of_count.leak()),
            (__vd_text_Machine, &*of_machine.leak()),
        ]
        .leak(),
        places: &[],
        advice: &[],
    }
    .program()
}

#[test]
fn variants_in_another_order_make_no_vm() {
    let text = include_str!("ui/lying_variants.rs");
    let (short, long) = ("    Short(i64),\n", "    Long(GcArray<Cell<i64>>),\n");
    let swapped = text.replace(&format!("{short}{long}"), &format!("{long}{short}"));
    assert_ne!(swapped, text);
    refused(program_of_variants(&swapped), "lying_variants");
}

/// A keyword as a name is the same to both, too.
#[test]
fn the_same_declarations_make_one() {
    let text = include_str!("ui/lying_variants.rs");
    let options = Options::parse("threshold=1").expect("parameters");
    let vm = Vm::new(program_of_variants(text), options).unwrap_or_else(|e| panic!("{e}"));
    let result = vm.enter(|| {
        let digits = GcArray::new(1, 3);
        lying_variants::run(Gc::new(lying_variants::Machine {
            code: GcArray::from_slice(b"++++."),
            r#type: Cell::new(lying_variants::Count::Long(digits)),
        }))
    });
    assert_eq!(result, 7);
}
