//! What is compiled: in: programs whose loops are hot. Out: the traces that the VM kept, and its statistics. Invariant under
//! test: the loops of the papers' programs hold no allocation, no access to the heap and no call, and control stays in them.

use std::path::Path;
use tlc::machine::{MAX_DEPTH, Machine, load};
use verdigris::{KeptTrace, Options, Stats, TraceText};

/// Runs a program of the folder `programs`; what it printed, what was compiled, what the VM did.
fn run(name: &str, n: i64, jit: &str) -> (String, Vec<KeptTrace>, Stats) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("programs/{name}.tlc"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let image = load(&bytes, name).unwrap_or_else(|error| panic!("{error}"));
    let mut options = Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"));
    options.keep_traces = true;
    let machine = Machine::new(options, MAX_DEPTH).unwrap_or_else(|error| panic!("{error}"));
    let text = machine.run(&image, &[n], true).to_string();
    (text, machine.traces(), machine.stats())
}

/// The loop's body: the second section of the only trace that the interpreter can enter.
fn body(name: &str) -> TraceText {
    let (_, traces, stats) = run(name, 100_000, "");
    assert_eq!((stats.traces, stats.loops), (1, 1), "{name}: {stats:?}");
    assert!(stats.aborts.is_empty(), "{name}: {stats:?}");
    let [_entry, body] = &traces[0].sections[..] else {
        panic!("{name}: a peeled loop has two sections")
    };
    body.clone()
}

#[test]
fn loop_bodies_work_in_registers() {
    for name in ["factorial", "fibonacci", "accumulator"] {
        let body = body(name);
        let text = &body.text;
        assert_eq!(body.count_all("new"), 0, "{name}\n{text}");
        assert_eq!((body.reads(), body.writes()), (0, 0), "{name}\n{text}");
        assert_eq!(body.count("call"), 0, "{name}\n{text}");
        assert_eq!(body.count("guard_class"), 0, "{name}\n{text}");
        assert_eq!(body.count_all("guard_"), 1, "{name}\n{text}");
        // Two pieces of arithmetic, a comparison, the guard on it, the jump.
        assert_eq!(body.total(), 5, "{name}\n{text}");
    }
}

#[test]
fn a_loop_whose_values_change_their_class_gets_another_version() {
    let (text, traces, stats) = run("phases", 20_000, "");
    assert_eq!(text, "19996\n");
    assert_eq!((stats.loops, stats.bridges), (2, 1), "{stats:?}");
    for trace in traces.iter().filter(|t| t.sections.len() == 2) {
        let body = &trace.sections[1];
        assert_eq!(body.count_all("new"), 0, "{}\n{}", trace.title, body.text);
    }
    let (text, _, stats) = run("phases", 20_000, "retrace_limit=0");
    assert_eq!(text, "19996\n");
    assert_eq!((stats.loops, stats.bridges), (1, 1), "{stats:?}");
}

#[test]
fn loops_are_compiled_and_run() {
    for name in [
        "factorial",
        "fibonacci",
        "accumulator",
        "nested_loops",
        "lists",
        "objects",
    ] {
        let (_, _, stats) = run(name, 100, "threshold=7");
        assert!(stats.loops >= 1, "{name}: no loop was compiled: {stats:?}");
        assert!(
            stats.entries >= 1,
            "{name}: no compiled code was entered: {stats:?}"
        );
    }
}

#[test]
fn the_accumulator_stays_in_compiled_code() {
    let (text, _, stats) = run("accumulator", 1_000_000, "");
    assert_eq!(text, "499999500000\n");
    assert!(stats.loops >= 1, "{stats:?}");
    assert!(stats.guard_failures.interpreter <= 20, "{stats:?}");
}
