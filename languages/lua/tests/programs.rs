//! Every program under its share of the settings. In: `programs/*.lua` with `*.out`. Out: the same
//! text each time. Invariant under test: the JIT, its backends, its optimiser, the collector and
//! deoptimisation change nothing that a user of Lua can see, errors included.

use crate::common::guest;
use std::path::Path;
use verdigris_lua::machine::{Program, load};
use verdigris_testing::{
    SETTINGS, agree_under, fast_settings, for_each, programs, replayed, slow_settings,
};

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
        let settings = fast_settings(program.number);
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

/// In such a program loops look at the collector, and clear what expressions have left in
/// registers.
#[test]
fn a_weak_table_changes_nothing() {
    for_each(&all(), |(program, _)| {
        // On the same line, so that messages name the same ones.
        let text = format!("setmetatable({{}}, {{__mode = 'k'}}) {}", program.source);
        let file = program.name.clone() + ".lua";
        let compiled = load(text.as_bytes(), &file).unwrap_or_else(|error| panic!("{error}"));
        let settings = fast_settings(program.number).into_iter().take(2);
        match agree_under(settings, guest(&compiled, &program.args)) {
            Ok(outcome) => assert_eq!(said(&outcome), program.expected, "{}", program.name),
            Err(difference) => panic!("{}: {difference}", program.name),
        }
    });
}

#[test]
fn the_heap_is_collected_at_every_allocation() {
    for_each(&all(), |(program, compiled)| {
        let settings = slow_settings(program.number);
        if let Err(difference) = agree_under(settings, guest(compiled, &program.small_args)) {
            panic!("{}: {difference}", program.name);
        }
    });
}

/// Tables are dictionaries where there are too many shapes; making these takes too long for all
/// settings.
#[test]
fn more_sets_of_names_than_shapes_change_nothing() {
    let text = "local names = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'}
        local sum = 0
        for n = 0, 4000 do
          local t = {}
          for bit = 1, #names do if n >> (bit - 1) & 1 == 1 then t[names[bit]] = bit end end
          t.last = 1 t.a = 2
          sum = sum + t.a + t.last + (t.l or 0) + (t[names[n % 12 + 1]] or 0)
          for k, v in pairs(t) do sum = sum + #k * v t[k] = nil end
          assert(next(t) == nil)
        end
        print(sum)";
    let compiled = load(text.as_bytes(), "names.lua").unwrap_or_else(|error| panic!("{error}"));
    let names = ["defaults", "later", "specialised"];
    let settings: Vec<_> = SETTINGS
        .iter()
        .filter(|s| names.contains(&s.name))
        .collect();
    assert_eq!(settings.len(), names.len());
    match agree_under(settings, guest(&compiled, &[])) {
        Ok(outcome) => assert_eq!(said(&outcome), "223839\n"),
        Err(difference) => panic!("{difference}"),
    }
}

#[test]
fn recordings_make_the_same_code() {
    for_each(&all(), |(program, compiled)| {
        replayed(
            program.number,
            &program.name,
            guest(compiled, &program.small_args),
        );
    });
}
