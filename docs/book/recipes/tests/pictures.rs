//! The traces in the chapters on how it works. In: guest programs of this repository. Out: files in
//! `../src/how/traces`, which those chapters include. Invariant under test: the book shows what the
//! system does.
//!
//! `UPDATE_EXPECT=1` writes the files anew.

use expect_test::expect_file;
use frames::{CONST, LOAD, LOOK, LOOP, STORE, SUB};
use std::path::Path;
use tlc::machine::{self, Machine, Outcome};
use verdigris::{KeptTrace, Options, Vm};

fn check(name: &str, text: &str) {
    assert!(text.lines().count() > 3, "{name}: {text:?}");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/how/traces");
    expect_file![file.join(name)].assert_eq(text);
}

fn repository(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn options(jit: &str) -> Options {
    let mut options = Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"));
    options.keep_traces = true;
    options
}

/// What was compiled for a program in TLC.
fn tlc(program: &str, arg: i64, jit: &str, expected: &str) -> Vec<KeptTrace> {
    let text = repository(&format!("languages/tlc/programs/{program}.tlc"));
    let image = machine::load(text.as_bytes(), program).expect("a program");
    let machine = Machine::new(options(jit), 100).expect("a machine");
    let Outcome { output, error } = machine.run(&image, &[arg], true);
    assert_eq!((output.trim(), error), (expected, None));
    machine.vm().traces()
}

/// The lines between two that contain these texts, the first one included.
fn between(text: &str, from: &str, to: &str) -> String {
    let lines = text.lines().skip_while(|line| !line.contains(from));
    let lines = lines.take_while(|line| !line.contains(to));
    lines.map(|line| line.to_string() + "\n").collect()
}

#[test]
fn the_factorial() {
    let traces = tlc("factorial", 20, "threshold=3", "2432902008176640000");
    let [trace] = traces.as_slice() else {
        panic!("{} traces", traces.len());
    };
    let recorded = &trace.recorded.text;
    // `MUL` and the `SWAP` behind it, of the instructions of one turn.
    check(
        "recorded.txt",
        &between(recorded, "merge_point(13,", "merge_point(15,"),
    );
    let body = trace.sections.last().expect("a body");
    check("body.txt", &body.text);
}

/// The figures of the boxed numbers, which a test of that crate compares with what is compiled.
#[test]
fn boxed_numbers() {
    let figures = repository("languages/boxes/tests/golden/figures.txt");
    for (file, heading) in [
        ("boxes_recorded.txt", "## Integers: recorded"),
        ("boxes_removed.txt", "## Integers: allocations removed"),
    ] {
        let part = figures.split(heading).nth(1).expect("the figure is there");
        let code = part.lines().skip_while(|line| !line.starts_with("    "));
        let code = code.take_while(|line| line.starts_with("    "));
        let text: String = code.map(|line| line[4..].to_string() + "\n").collect();
        check(file, &text);
    }
}

/// A loop that calls, in each turn, a function that may look at its frame.
#[test]
fn a_virtualizable_frame() {
    let ops = [LOOK, 0, LOAD, 0, SUB, 1, STORE, 0, LOOP, 0, CONST, 7];
    let ops = ops.into_iter().chain([frames::RETURN, 0]).collect();
    let vm = Vm::new(frames::program(), options("")).expect("a VM");
    let result = vm.enter(|| {
        let machine = frames::machine(&[(ops, 1)]);
        frames::with_observer(Box::new(|_, _| 0), || {
            frames::call(machine, machine.functions[0], 5000)
        })
    });
    assert_eq!(result, 7);
    let traces = vm.traces();
    let body = traces[0].sections.last().expect("a body");
    check("frame.txt", &body.text);
}

/// The first code of a place, and its first arm.
#[test]
fn partial_evaluation() {
    let jit =
        "compiler=specialising,threshold=2,trace_eagerness=1,arm_eagerness=1,compile_allowance=off";
    let traces = tlc("factorial", 20, jit, "2432902008176640000");
    let pieces = traces.iter().take(2).map(|trace| {
        let sections = trace.sections.iter().map(|s| s.text.as_str());
        format!("# {}\n{}\n", trace.title, sections.collect::<String>())
    });
    check("specialised.txt", &pieces.collect::<String>());
}
