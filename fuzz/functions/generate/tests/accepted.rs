//! What is generated is Rust, of every kind, and of the subset. In: the tapes of seeds. Out:
//! nothing. Invariant under test: the text of every tape can be parsed, and the translator takes
//! it, but for a few whose types it cannot infer.

use std::collections::{BTreeMap, BTreeSet};
use verdigris_build::translate_to_unit_configured;
use verdigris_front::DiagCode;

/// Functions that are translated, each alone.
const FUNCTIONS: u64 = 50;

#[test]
fn the_translator_takes_most_functions() {
    let (seed, count) = (2, FUNCTIONS);
    let conditions = generate_functions::conditions();
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    for text in generate_functions::texts(seed, count) {
        let text = generate_functions::interpreter(&[text]).expect("it can be parsed");
        if let Err(diagnostics) =
            translate_to_unit_configured(&[("functions.rs", &text)], &conditions)
        {
            let own = diagnostics
                .list
                .iter()
                .any(|d| d.code == DiagCode::Internal);
            assert!(!own, "{diagnostics}\n{text}");
            let first = diagnostics
                .to_string()
                .lines()
                .take(9)
                .collect::<Vec<_>>()
                .join("\n");
            println!("{first}\n");
            *refused
                .entry(diagnostics.list[0].code.id().to_string())
                .or_default() += 1;
        }
    }
    println!("{refused:?} of {count} refused");
    assert!(refused.values().sum::<u64>() * 50 <= count, "{refused:?}");
}

/// The names in `note("..")` of a source file.
fn noted(text: &str) -> impl Iterator<Item = &str> {
    let calls = text.split("note(").skip(1);
    let arguments = calls.filter_map(|rest| rest.split(')').next());
    arguments.flat_map(|argument| argument.split('"').skip(1).step_by(2))
}

#[test]
fn every_construct_comes_in_a_batch() {
    let mut kinds: BTreeSet<&str> = BTreeSet::new();
    for tape in generate_functions::tapes(1, 60) {
        kinds.extend(generate_functions::function(&tape).kinds);
    }
    let sources = [
        include_str!("../src/exprs.rs"),
        include_str!("../src/items.rs"),
        include_str!("../src/loops.rs"),
        include_str!("../src/maker.rs"),
        include_str!("../src/names.rs"),
        include_str!("../src/overloads.rs"),
        include_str!("../src/patterns.rs"),
        include_str!("../src/scalars.rs"),
        include_str!("../src/statements.rs"),
        include_str!("../src/traits.rs"),
        include_str!("../src/written.rs"),
    ];
    let all: BTreeSet<&str> = sources.iter().flat_map(|text| noted(text)).collect();
    assert!(all.len() > 60, "{all:?}");
    let missing: Vec<_> = all.difference(&kinds).collect();
    assert!(missing.is_empty(), "{missing:?} do not come");
}

/// What stands between this opening bracket, at the start of the text, and the one that closes it.
fn in_brackets(text: &str) -> &str {
    let mut open = 0;
    let end = text.find(|c| {
        open += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        open == 0
    });
    &text[..end.expect("it is closed")]
}

#[test]
fn what_a_loop_is_left_with_does_not_go_on_with_it() {
    let mut loops = 0;
    for text in generate_functions::texts(7, 600) {
        for (at, _) in text.match_indices(": loop { ") {
            let (before, inside) = text.split_at(at);
            // A macro's loop has the label that is written at its call.
            let Some(label) = before.rfind('\'').map(|start| &before[start..]) else {
                continue;
            };
            let Some((_, value)) = inside.split_once(&format!("break {label} ")) else {
                continue;
            };
            loops += 1;
            let again = format!("continue {label};");
            assert!(!in_brackets(value).contains(&again), "{text}");
        }
    }
    assert!(loops > 100, "{loops}");
}

#[test]
fn the_smallest_function_is_small() {
    assert_eq!(
        generate_functions::show(&[]),
        "use super::*;\npub fn f(a: i64, mut b: i64) -> i64 {\n    let v1: i64 = 0i64;\n    \
         super::mix(super::mix(super::mix(0i64, (v1 as i64)), (b as i64)), (a as i64))\n}\n"
    );
}

#[test]
fn many_functions_can_be_parsed() {
    generate_functions::interpreter(&generate_functions::texts(3, 150)).expect("it is Rust");
    let short: Vec<String> = (0..150)
        .step_by(3)
        .map(|length| generate_functions::function(&vec![length as u8; length]).text)
        .collect();
    generate_functions::interpreter(&short).expect("it is Rust");
}
