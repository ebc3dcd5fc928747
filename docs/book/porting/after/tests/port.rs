//! The port of the book. In: programs, and the steps on the way. Invariants under
//! test: both interpreters say the same, whatever the JIT does; the translator says of each step
//! what the book shows; and the loops are what it shows.
//!
//! `UPDATE_EXPECT=1` writes the texts anew.

use book_porting_after::machine;
use book_porting_before::Native;
use expect_test::expect_file;
use std::collections::HashMap;
use std::path::Path;
use verdigris::Options;
use verdigris_build::translate_to_unit;
use verdigris_testing::{Run, agreed, compiled, listing};

fn natives() -> HashMap<String, Native> {
    let factor = 3;
    let native: Native = Box::new(move |x| x * factor);
    HashMap::from([("triple".to_string(), native)])
}

fn before(text: &str, n: i64) -> String {
    match book_porting_before::answer(text, n, natives()) {
        Ok(value) => value,
        Err(error) => format!("error: {error}"),
    }
}

fn after(text: &str, n: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = machine(options).expect("a VM");
        Run::on(&vm, || book_porting_after::answer(&vm, text, n, natives()))
    }
}

const SUM: &str = include_str!("../programs/sum.txt");
const CELLS: &str = include_str!("../programs/cells.txt");

#[test]
fn both_say_the_same() {
    let programs = [
        SUM,
        CELLS,
        "get n\ncall triple\nstop",
        "get n\ncell\ncell\nstop",
        // What goes wrong goes wrong in the same way.
        "stop",
        "get x\nstop",
        "push 1\ncell\npush 1\nadd\nstop",
        "push 1\nload\nstop",
        "push 1\ncall nobody\nstop",
        "push x",
        "jump nowhere",
    ];
    for text in programs {
        for n in [0, 1, 200] {
            assert_eq!(
                agreed(after(text, n)).to_string(),
                before(text, n),
                "{text}"
            );
        }
    }
}

#[test]
fn the_loops_are_as_the_book_shows_them() {
    for (name, text) in [("sum", SUM), ("cells", CELLS)] {
        let run = compiled(after(text, 3000), "");
        assert_eq!(run.outcome.to_string(), before(text, 3000));
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("traces/{name}.txt"));
        expect_file![file].assert_eq(&listing(run.body()));
    }
}

#[test]
fn the_steps_have_the_mistakes_that_the_book_shows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("steps");
    let mut steps = 0;
    for entry in std::fs::read_dir(folder).expect("there are steps") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("the step can be read");
        let name = path.file_name().and_then(|name| name.to_str());
        let said = match translate_to_unit(&[(name.expect("a name"), &text)]) {
            Ok(translation) => format!("{}\n", translation.warnings),
            Err(mistakes) => format!("{mistakes}\n"),
        };
        assert_ne!(said.trim(), "", "{}: no mistake", path.display());
        expect_file![path.with_extension("stderr")].assert_eq(&said);
        steps += 1;
    }
    assert!(steps >= 4, "only {steps} steps");
}
