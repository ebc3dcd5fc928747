//! The pages of crates/front/errors: the first example of each has the mistake that the page is
//! about, and no other; the second one, the way out, is translated. In: the pages. Invariant: there
//! is a page for every code, with examples unless it says why there are none; how many say so is
//! counted.
//!
//! An example is a crate, or, if it does not import the prelude at its top, has a function
//! `example` that traced code calls.

use std::path::{Path, PathBuf};
use verdigris_build::translate_to_unit;
use verdigris_front::{DiagCode, Diagnostics};

/// The code that reaches the function `example`.
const PORTAL: &str = "use verdigris::{Tier, Virtualizable, concrete, is_constant, is_virtual, record_exact_class, we_are_jitted};
use verdigris::prelude::*;

#[portal]
fn run(x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        return example(x);
    }
}
";

/// The library's prelude.
const PRELUDE: &str = include_str!("../../library/src/library/prelude.rs");

/// Whether a text uses a name of the library's prelude.
fn uses_library(text: &str) -> bool {
    let names = PRELUDE.split_once('{').expect("one list of names").1;
    let mut names = names.split([',', '}', ';']).map(str::trim);
    names.any(|name| !name.is_empty() && text.contains(name))
}

/// How a page says that no source of a few lines in one file can show the mistake, and why.
const WITHOUT_EXAMPLE: &str = "\n*No example:* ";
/// How many pages say so.
const WITHOUT_EXAMPLE_COUNT: usize = 3;

fn page(code: DiagCode) -> PathBuf {
    let name = format!("{}.md", code.id());
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../front/errors")
        .join(name)
}

/// The codes that the translator finds in an example, with what it says.
fn mistakes(example: &str) -> (Vec<&'static str>, String) {
    let text = match example.starts_with("use verdigris::") {
        true => example.to_string(),
        false => {
            // To read the library takes most of the time.
            let library = match uses_library(example) {
                true => "use verdigris::library::prelude::*;\n",
                false => "",
            };
            format!("{library}{PORTAL}\n{example}")
        }
    };
    match translate_to_unit(&[("src/main.rs", &text)]) {
        Ok(translation) => codes(&translation.warnings),
        Err(diagnostics) => codes(&diagnostics),
    }
}

fn codes(diagnostics: &Diagnostics) -> (Vec<&'static str>, String) {
    let mut codes: Vec<_> = diagnostics.list.iter().map(|d| d.code.id()).collect();
    codes.dedup();
    (codes, diagnostics.to_string())
}

#[test]
fn examples_are_what_they_are_said_to_be() {
    let mut wrong = Vec::new();
    let (mut shown, mut without) = (0, Vec::new());
    for &code in DiagCode::ALL {
        let id = code.id();
        let Ok(text) = std::fs::read_to_string(page(code)) else {
            let message = code.message();
            wrong.push(format!(
                "{id} ({message}) has no page crates/front/errors/{id}.md"
            ));
            continue;
        };
        if !text.starts_with(&format!("# {id}: ")) || !text.contains("\n## The way out\n") {
            wrong.push(format!("{id}: no title, or no way out"));
        }
        let blocks: Vec<&str> = text.split("```").skip(1).step_by(2).collect();
        let examples: Vec<&str> = blocks
            .iter()
            .filter_map(|b| b.strip_prefix("rust\n"))
            .collect();
        match *examples {
            [] if text.contains(WITHOUT_EXAMPLE) => without.push(id),
            [broken, repaired] => {
                shown += 1;
                let (codes, text) = mistakes(broken);
                if codes != [id] {
                    wrong.push(format!("{id}: the example gives {codes:?}\n{text}"));
                }
                let (codes, text) = mistakes(repaired);
                if !codes.is_empty() {
                    wrong.push(format!("{id}: the way out gives {codes:?}\n{text}"));
                }
            }
            _ => wrong.push(format!("{id}: {} examples instead of 2", examples.len())),
        }
    }
    println!("{shown} codes with an example, {} without", without.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(without.len(), WITHOUT_EXAMPLE_COUNT, "{without:?}");
}
