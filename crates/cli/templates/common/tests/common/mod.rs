//! What tests share. In: the text of a program. Out: what it did, and what was compiled for its
//! loop. Invariant: the text of a trace is read here and nowhere else.

#![allow(dead_code, reason = "each test uses a part")]

use mylang::Run;

use verdigris::{Options, TraceText};

/// Settings of the JIT under which programs must do the same: without it; as users have it; with
/// everything compiled as soon as it can be; in compiled code that is left at every guard; with a
/// check of all that the interpreter's hints promise; with a collection at every allocation.
pub const SETTINGS: [&str; 6] = [
    "off",
    "",
    "threshold=1,function_threshold=1,trace_eagerness=1",
    "threshold=2,function_threshold=2,trace_eagerness=2,fail_guards=1",
    "threshold=2,function_threshold=2,trace_eagerness=2,check_hints=1",
    "threshold=2,function_threshold=2,trace_eagerness=2,stress=1",
];

/// Runs a program with these parameters of the JIT.
pub fn run(text: &str, jit: &str) -> Run {
    let mut options = Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"));
    options.keep_traces = true;
    mylang::run("", text, options, true)
}

/// What a program prints, and its error behind it.
pub fn said(run: &Run) -> String {
    match &run.error {
        None => run.output.clone(),
        Some(error) => format!("{}error: {error}\n", run.output),
    }
}

/// What a program says under every setting, which must be the same.
#[track_caller]
pub fn agreed(text: &str) -> String {
    let [expected, others @ ..] = SETTINGS.map(|jit| (jit, said(&run(text, jit))));
    for (jit, found) in others {
        assert_eq!(found, expected.1, "--jit {jit}:\n{text}");
    }
    expected.1
}

/// Parameters with which what is compiled depends on the program alone, not on how long compiling
/// takes on this machine.
pub const REPEATABLE: &str = "compile_allowance=off";

/// Runs a program that has one hot loop, and gives the body of the code that was compiled for it.
#[track_caller]
pub fn hot_loop(text: &str) -> TraceText {
    let run = run(text, REPEATABLE);
    assert_eq!(run.error, None);
    assert_eq!(run.stats.loops, 1, "{:?}", run.stats);
    // A loop has two sections: its first iteration, with the checks that need not be made again,
    // and its body.
    let mut loops = run.traces.into_iter().filter(|t| t.sections.len() == 2);
    let mut found = loops.next().expect("the loop was kept");
    found.sections.pop().expect("it has two")
}

/// The names of the operations of a trace.
pub fn operations(trace: &TraceText) -> String {
    let lines = trace.text.lines().skip(1);
    let names = lines
        // What belongs to a guard is indented; labels and merge points do nothing.
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
        .map(|line| {
            line.split_once(" = ")
                .map_or(line, |(_, operation)| operation)
        })
        .filter_map(|operation| operation.split(['(', ' ']).next())
        .filter(|name| !matches!(*name, "label" | "merge_point"));
    names.collect::<Vec<_>>().join(" ")
}
