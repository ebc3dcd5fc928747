//! Every program under its share of the settings, and in CPython. In: `tests/programs/*.py` and
//! `programs/*.py` with `*.out`. Out: the same text each time. Invariant under test: the JIT, its
//! backends, its optimiser, the collector and deoptimisation change nothing that a user of Python
//! can see, tracebacks included, and what that is, CPython 3.11 says.

use crate::common::{Case, cases, cpython, guest, name_of, program, said};
use std::path::Path;
use verdigris_testing::{
    SETTINGS, Setting, agree_under, all_settings, fast_settings, for_each, slow_settings,
};

fn all() -> Vec<Case> {
    let mut all = cases("tests/programs");
    all.extend(cases("programs"));
    all.extend(cases("programs/unseen"));
    assert!(all.len() >= 14, "only {} programs", all.len());
    all
}

fn folder(path: &Path) -> String {
    path.parent()
        .expect("it is in a folder")
        .display()
        .to_string()
}

/// The settings that every program is run under.
fn always() -> impl Iterator<Item = &'static Setting> {
    let names = ["interpreted", "defaults", "eager"];
    SETTINGS
        .iter()
        .filter(move |setting| names.contains(&setting.name))
}

#[test]
fn every_program_prints_what_its_file_says() {
    let numbered: Vec<(usize, Case)> = all().into_iter().enumerate().collect();
    for_each(&numbered, |(number, case)| {
        // Code of these programs is large, and compiling it takes most of the time.
        let few = if all_settings() { usize::MAX } else { 2 };
        let settings = always().chain(fast_settings(*number).into_iter().take(few));
        let compiled = program(&case.path);
        let name = name_of(&case.path);
        match agree_under(settings, guest(&compiled, &folder(&case.path))) {
            Ok(outcome) => assert_eq!(said(&outcome), case.expected, "{name}"),
            Err(difference) => panic!("{name}: {difference}"),
        }
    });
}

#[test]
fn the_heap_is_collected_at_every_allocation() {
    // Large programs, and modules that are read each time, take too long for that.
    const SMALL: [&str; 6] = [
        "arithmetic",
        "dicts",
        "files",
        "generators",
        "lists",
        "strings",
    ];
    let mut small = cases("tests/programs");
    small.retain(|case| {
        let name = name_of(&case.path);
        all_settings() || SMALL.iter().any(|small| name == format!("{small}.py"))
    });
    let numbered: Vec<(usize, Case)> = small.into_iter().enumerate().collect();
    for_each(&numbered, |(number, case)| {
        let compiled = program(&case.path);
        let few = if all_settings() { usize::MAX } else { 1 };
        let settings = slow_settings(*number).into_iter().take(few);
        if let Err(difference) = agree_under(settings, guest(&compiled, &folder(&case.path))) {
            panic!("{}: {difference}", name_of(&case.path));
        }
    });
}

#[test]
fn cpython_prints_the_same() {
    for case in all() {
        if let Some(printed) = cpython(&case.path) {
            assert_eq!(printed, case.expected, "{}", name_of(&case.path));
        }
    }
}
