//! Every program under every setting. In: `programs/*.lua` with `*.out`. Out: the same text each
//! time. Invariant under test: the JIT, its backends, its optimiser, the collector and
//! deoptimisation change nothing that a user of Lua can see, errors included.

mod common;

use common::guest;
use std::path::Path;
use verdigris_lua::machine::{Program, load};
use verdigris_testing::{SETTINGS, agree_under, for_each, programs, replayed};

fn all() -> Vec<(verdigris_testing::Program, Program)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let programs = programs(&folder, "lua", "--");
    assert!(programs.len() >= 16, "only {} programs", programs.len());
    let compiled = |program: verdigris_testing::Program| {
        let file = program.name.clone() + ".lua";
        let compiled = load(program.source.as_bytes(), &file);
        (program, compiled.unwrap_or_else(|error| panic!("{error}")))
    };
    programs.into_iter().map(compiled).collect()
}

#[test]
fn every_program_prints_what_its_file_says() {
    for_each(&all(), |(program, compiled)| {
        let settings = SETTINGS.iter().filter(|setting| !setting.slow);
        match agree_under(settings, guest(compiled, &program.args)) {
            Ok(outcome) => assert_eq!(said(&outcome), program.expected, "{}", program.name),
            Err(difference) => panic!("{}: {difference}", program.name),
        }
    });
}

fn said(outcome: &verdigris_testing::Outcome) -> String {
    match &outcome.error {
        Some(error) => format!("{}error: {error}\n", outcome.output),
        None => outcome.output.clone(),
    }
}

#[test]
fn the_heap_is_collected_at_every_allocation() {
    for_each(&all(), |(program, compiled)| {
        let settings = SETTINGS.iter().filter(|setting| setting.slow);
        if let Err(difference) = agree_under(settings, guest(compiled, &program.small_args)) {
            panic!("{}: {difference}", program.name);
        }
    });
}

#[test]
fn recordings_make_the_same_code() {
    for_each(&all(), |(program, compiled)| {
        replayed(&program.name, guest(compiled, &program.small_args));
    });
}
