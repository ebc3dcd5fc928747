//! `check_hints=1`: hints that are not true are found out while compiled code runs, and named with their places; those that are true
//! are left alone.

use machine::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris::rt::{ClassDescr, FnDescr, array_class};
use verdigris::{Cell, Gc, GcArray, Options, Program, Quasi, Vm};
use verdigris_build::translate_to_unit;

#[path = "hints/machine.rs"]
mod machine;

/// What the glue calls, by its path.
type Glue<T> = (&'static str, fn() -> T);

const FNS: &[Glue<FnDescr>] = &[
    ("crate::__vd_fn_ticket", __vd_fn_ticket),
    ("crate::__vd_fn_honest", __vd_fn_honest),
    ("crate::__vd_fn_forged", __vd_fn_forged),
    ("crate::__vd_fn_copied", __vd_fn_copied),
    ("crate::__vd_fn_target", __vd_fn_target),
    ("crate::__vd_fn_look", __vd_fn_look),
    ("crate::__vd_fn_meddle", __vd_fn_meddle),
    ("crate::__vd_fn_set", __vd_fn_set),
];

const CLASSES: &[Glue<&'static ClassDescr>] = &[
    ("crate::__vd_class_Settings", __vd_class_Settings),
    ("crate::__vd_class_Receipt", __vd_class_Receipt),
    (
        "::verdigris::rt::array_class::<u8, ()>",
        array_class::<u8, ()>,
    ),
];

/// What stands in for the file that `include_jit!` includes.
fn program() -> Program {
    let text = include_str!("hints/machine.rs");
    let made = translate_to_unit(&[("src/lib.rs", text)]).unwrap_or_else(|e| panic!("{e}"));
    let find = |path: &String| {
        FNS.iter()
            .find(|f| f.0 == path)
            .unwrap_or_else(|| panic!("{path}"))
            .1
    };
    let fns: Vec<_> = made.fn_glue.iter().map(find).collect();
    let find = |path: &String| {
        let found = CLASSES.iter().find(|c| c.0 == path);
        found.unwrap_or_else(|| panic!("{path}")).1
    };
    let classes: Vec<_> = made.class_glue.iter().map(find).collect();
    let places = made.places.into_iter();
    let places: Vec<(&str, &str)> = places
        .map(|(name, place)| (&*name.leak(), &*place.leak()))
        .collect();
    Program {
        unit: made.unit.to_bytes().leak(),
        graphs: "",
        classes: classes.leak(),
        fns: fns.leak(),
        places: places.leak(),
    }
}

/// Runs a program for some turns: its result, or the message of a panic.
fn outcome(jit: &str, code: &[u8], turns: i64) -> Result<i64, String> {
    let options = Options::parse(jit).expect("parameters");
    let vm = Vm::new(program(), options).expect("a VM");
    let result = catch_unwind(AssertUnwindSafe(|| {
        vm.enter(|| {
            let code: Vec<u8> = [&[0][..], code, &[LOOP, STOP]].concat();
            let settings = Gc::new(Settings {
                code: GcArray::from_slice(&code),
                scale: 2,
                flag: Quasi::new(3),
                count: Cell::new(0),
            });
            run(settings, turns)
        })
    }));
    result.map_err(|payload| match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(_) => "another panic".to_owned(),
    })
}

const CHECKED: &[&str] = &[
    "check_hints=1,threshold=10",
    "check_hints=1,threshold=10,backend=oracle",
    "check_hints=1,threshold=10,enable_opts=none",
    "check_hints=1,threshold=10,fail_guards=1",
    "check_hints=1,threshold=2,stress=1",
];

/// The line of the machine's source that contains this.
fn line(text: &str) -> usize {
    let mut lines = include_str!("hints/machine.rs").lines();
    1 + lines
        .position(|l| l.contains(text))
        .expect("a line of the machine")
}

/// Checks that a lie is found out, with its place and the place where it was relied on.
fn caught(code: &[u8], what: &str, declared: &str, used: &str) {
    for jit in CHECKED {
        let message = outcome(jit, code, 200).expect_err(jit);
        let declared = format!("{what} (src/lib.rs:{})", line(declared));
        assert!(
            message.starts_with(&format!("check_hints: {declared}")),
            "{jit}: {message}"
        );
        let used = format!("in `run` (src/lib.rs:{})", line(used));
        assert!(message.ends_with(&used), "{jit}: {message}");
    }
}

#[test]
fn an_elidable_function_that_counts_is_caught() {
    caught(&[TICKET], "`ticket`", "pub fn ticket", "TICKET =>");
    let message = outcome(CHECKED[0], &[TICKET], 200).expect_err("a lie");
    let shown = message.split(';').nth(1).expect("the values");
    assert!(
        shown.starts_with(" it was ") && shown.contains(" and is "),
        "{message}"
    );
}

#[test]
fn an_elidable_function_may_make_objects_that_are_alike() {
    caught(&[FORGED], "`forged`", "pub fn forged", "FORGED =>");
    for jit in CHECKED {
        assert_eq!(outcome(jit, &[COPIED], 200), Ok(1400), "{jit}");
    }
}

#[test]
fn a_green_that_rests_on_a_lie_is_caught() {
    caught(&[JUMP, FLAG], "`target`", "pub fn target", "JUMP =>");
    let message = outcome(CHECKED[0], &[JUMP, FLAG], 200).expect_err("a lie");
    assert!(message.contains("it was 2 and is 3"), "{message}");
}

#[test]
fn a_shared_call_is_made_twice() {
    for jit in &CHECKED[..2] {
        let message = outcome(jit, &[TICKETS], 200).expect_err("a lie");
        assert!(
            message.contains("`ticket`") && message.contains("#[elidable]"),
            "{message}"
        );
    }
}

#[test]
fn a_read_only_function_that_counts_is_caught() {
    for jit in &CHECKED[..2] {
        let message = outcome(jit, &[LOOK], 200).expect_err("a lie");
        assert!(
            message.contains("`look`") && message.contains("#[readonly]"),
            "{message}"
        );
    }
}

#[test]
fn a_plain_field_that_changes_is_caught() {
    caught(
        &[MEDDLE, SCALE],
        "the field `Settings.scale`",
        "pub scale",
        "SCALE =>",
    );
    let message = outcome(CHECKED[0], &[MEDDLE, SCALE], 200).expect_err("a lie");
    assert!(message.contains("it was 2 and is 9"), "{message}");
}

#[test]
fn a_quasi_immutable_field_that_changes_without_its_hook_is_caught() {
    for jit in &CHECKED[..2] {
        let message = outcome(jit, &[MEDDLE, FLAG], 200).expect_err("a lie");
        assert!(message.contains("the field `Settings.flag`"), "{message}");
        assert!(message.contains("it was 3 and is 8"), "{message}");
    }
}

#[test]
fn an_item_that_changes_is_caught() {
    for jit in CHECKED {
        let message = outcome(jit, &[MEDDLE, ITEM], 200).expect_err("a lie");
        assert!(message.contains("an item of a `GcArray<u8>`"), "{message}");
        assert!(message.contains("it was 0 and is 77"), "{message}");
    }
}

#[test]
fn what_is_true_is_left_alone() {
    let code = [HONEST, COPIED, SCALE, SET, FLAG, ITEM];
    let right = outcome("off", &code, 500).expect("a result");
    for jit in CHECKED {
        assert_eq!(outcome(jit, &code, 500), Ok(right), "{jit}");
    }
}

#[test]
fn nothing_is_checked_unless_it_is_asked_for() {
    assert!(outcome("threshold=10", &[TICKET], 200).is_ok());
    assert!(outcome("threshold=10", &[MEDDLE, SCALE], 200).is_ok());
}
