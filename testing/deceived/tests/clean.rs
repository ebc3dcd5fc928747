//! A promise that safe code has broken ends in a panic at worst. In: programs, and the turn in
//! which the promise is broken. Out: under every setting of the JIT what comes out with the promise
//! kept; with it broken, a number or one of the panics of native code.

use verdigris::Options;
use verdigris_deceived::{machine, result};
use verdigris_testing::{Outcome, Run, SETTINGS, Setting};

const TURNS: i64 = 60;
const VACANT: &str = "panicked: a slot of an array is read that has no value";

/// With each backend that there is.
fn settings() -> impl Iterator<Item = (String, String)> {
    let given = |s: &Setting| (s.name.to_owned(), s.jit.to_owned());
    let more = cfg!(feature = "cranelift").then(|| {
        (
            "Cranelift".to_owned(),
            "threshold=3,trace_eagerness=2,backend=cranelift".to_owned(),
        )
    });
    SETTINGS.iter().map(given).chain(more)
}

fn run(jit: &str, code: &str, bad_turn: i64) -> Outcome {
    let options = Options::parse(jit).expect("parameters");
    let vm = machine(options).expect("a VM");
    Run::on(&vm, || Ok::<_, String>(result(&vm, code, TURNS, bad_turn))).outcome
}

/// Runs a program with the promise kept, and broken in each of some turns. Answers how often the
/// vacant slot was found.
fn never_worse_than_a_panic(code: &str) -> usize {
    let kept = run("off", code, -1);
    assert!(kept.error.is_none(), "{kept}");
    let mut found = 0;
    for (name, jit) in settings() {
        assert_eq!(run(&jit, code, -1), kept, "{code}, {name}");
        for bad_turn in [1, 20, 40] {
            let outcome = run(&jit, code, bad_turn);
            match outcome.error.as_deref() {
                None => assert!(outcome.output.parse::<i64>().is_ok(), "{outcome}"),
                Some(VACANT) => found += 1,
                Some(error) => assert!(
                    error.starts_with("panicked: index out of bounds")
                        || error.starts_with("panicked: check_hints: "),
                    "{code}, {name}: {error}"
                ),
            }
        }
    }
    found
}

#[test]
fn an_item_of_a_list_that_an_elidable_function_clears() {
    assert!(never_worse_than_a_panic("n?.") > 0);
}

#[test]
fn an_item_that_is_taken_off_such_a_list() {
    assert!(never_worse_than_a_panic("p?.") > 0);
}

#[test]
fn a_value_with_variants_in_such_a_list() {
    assert!(never_worse_than_a_panic("i?.") > 0);
}

#[test]
fn a_tuple_in_such_a_list() {
    assert!(never_worse_than_a_panic("2?.") > 0);
}

#[test]
fn a_key_that_removes_itself_while_it_is_looked_for() {
    assert!(never_worse_than_a_panic("m?.") > 0);
}

/// The turns that follow look at what the lie has left, so that nothing of it may be torn.
fn never_torn(code: &str) {
    never_worse_than_a_panic(&format!("{code}?."));
}

#[test]
fn a_value_whose_variant_changes_in_an_elidable_function() {
    never_torn("v");
}

#[test]
fn a_value_whose_variant_changes_in_a_readonly_function() {
    never_torn("r");
}

#[test]
fn a_value_whose_variant_changes_in_a_function_that_is_said_to_write_nothing() {
    never_torn("o");
}

#[test]
fn a_value_whose_variant_changes_in_an_elidable_function_that_an_opaque_one_calls() {
    never_torn("t");
}

#[test]
fn a_quasi_immutable_value_whose_variant_changes() {
    never_torn("q");
}

#[test]
fn an_item_whose_variant_changes() {
    never_torn("a");
    never_torn("s");
}

#[test]
fn a_store_behind_a_change_of_the_variant() {
    never_torn("w");
    never_torn("W");
}
