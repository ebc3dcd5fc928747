//! `check_hints=1`: hints that are not true are found out while compiled code runs, and named with
//! their places; those that are true are left alone.

use expect_test::{Expect, expect};
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
    ("crate::__vd_fn_animal", __vd_fn_animal),
    ("crate::__vd_fn_peep", __vd_fn_peep),
    ("crate::__vd_fn_count", __vd_fn_count),
    ("crate::__vd_fn_note", __vd_fn_note),
    ("crate::__vd_fn_true_to_its_word", __vd_fn_true_to_its_word),
];

const CLASSES: &[Glue<&'static ClassDescr>] = &[
    ("crate::__vd_class_Settings", __vd_class_Settings),
    ("crate::__vd_class_Receipt", __vd_class_Receipt),
    ("crate::__vd_class_Cat", __vd_class_Cat),
    ("crate::__vd_class_Dog", __vd_class_Dog),
    (
        "::verdigris::rt::array_class::<u8, ()>",
        array_class::<u8, ()>,
    ),
    (
        "::verdigris::rt::array_class::<::verdigris::Cell<i64>, ()>",
        array_class::<Cell<i64>, ()>,
    ),
];

const TEXTS: &[(&str, &str)] = &[
    ("crate::__vd_text_Settings", __vd_text_Settings),
    ("crate::__vd_text_Receipt", __vd_text_Receipt),
    ("crate::__vd_text_Cat", __vd_text_Cat),
    ("crate::__vd_text_Dog", __vd_text_Dog),
    ("crate::__vd_text_AnimalKind", __vd_text_AnimalKind),
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
    let find = |(path, text): (String, String)| {
        let found = TEXTS.iter().find(|t| t.0 == path);
        (found.unwrap_or_else(|| panic!("{path}")).1, &*text.leak())
    };
    let types: Vec<(&str, &str)> = made.types.into_iter().map(find).collect();
    let places = made.places.into_iter();
    let places: Vec<(&str, &str)> = places
        .map(|(name, place)| (&*name.leak(), &*place.leak()))
        .collect();
    verdigris::rt::ProgramParts {
        portal: &__vd_portal_run,
        unit: made.unit.to_bytes().leak(),
        graphs: "",
        red_dispatch: "",
        classes: classes.leak(),
        fns: fns.leak(),
        types: types.leak(),
        places: places.leak(),
        advice: &[],
    }
    .program()
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
                written: GcArray::new(4, 0),
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
        let used = format!("in `run` (src/lib.rs:{}), at offset ", line(used));
        let (_, offset) = message
            .split_once(&used)
            .expect("the place, in both languages");
        assert!(offset.parse::<usize>().is_ok(), "{jit}: {message}");
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
fn a_wrong_class_is_caught() {
    let line = line("record_exact_class::<Cat>");
    for jit in &CHECKED[..2] {
        let message = outcome(jit, &[CAT], 200).expect_err("a lie");
        let want = format!(
            "check_hints: `record_exact_class` says that an object is a `Cat`; it was 1 and is 0, in `run` (src/lib.rs:{line}), at offset 1"
        );
        assert_eq!(message, want);
    }
    // The interpreter asks too, whatever continues it.
    for jit in CHECKED.iter().chain(&["off", "threshold=150"]) {
        let message = outcome(jit, &[CAT], 200).expect_err("a lie");
        assert!(message.contains("a `Cat`"), "{jit}: {message}");
    }
}

/// Declared effects are checked where cells note each access, and where the heap is not collected
/// all the time.
#[cfg(debug_assertions)]
#[test]
fn a_function_that_touches_more_than_it_is_said_to_is_caught() {
    let check = |op: u8, expected: Expect| {
        let messages = CHECKED[..4]
            .iter()
            .map(|jit| outcome(jit, &[op], 200).expect_err(jit));
        let mut messages: Vec<String> = messages.collect();
        messages.dedup();
        expected.assert_eq(&messages.join("\n"));
        assert!(outcome("threshold=10", &[op], 200).is_ok());
    };
    // ANCHOR: touched
    check(
        PEEP,
        expect![
            "check_hints: `peep` (src/lib.rs:149) read the field `Settings.count` (src/lib.rs:11), which is not among what it is believed to read: name it in `#[opaque(reads(..))]`"
        ],
    );
    check(
        COUNT,
        expect![
            "check_hints: `count` (src/lib.rs:155) wrote the field `Settings.count` (src/lib.rs:11), which is not among what it is believed to write: name it in `#[opaque(writes(..))]`"
        ],
    );
    // ANCHOR_END: touched
    check(
        NOTE,
        expect![
            "check_hints: `note` (src/lib.rs:161) wrote an item of a `GcArray<Cell<i64>>`, which is not among what it is believed to write: name it in `#[opaque(writes(..))]`"
        ],
    );
}

#[test]
fn what_is_true_is_left_alone() {
    let code = [TRUE, HONEST, COPIED, SCALE, SET, FLAG, ITEM];
    let right = outcome("off", &code, 500).expect("a result");
    for jit in CHECKED {
        assert_eq!(outcome(jit, &code, 500), Ok(right), "{jit}");
    }
}

#[test]
fn nothing_is_checked_unless_it_is_asked_for() {
    assert!(outcome("threshold=10", &[TICKET], 200).is_ok());
    assert!(outcome("threshold=10", &[MEDDLE, SCALE], 200).is_ok());
    // The dog is taken for a cat that has lived five times.
    assert_eq!(outcome("threshold=10", &[CAT], 200), Ok(199 * 7 + 5));
}
