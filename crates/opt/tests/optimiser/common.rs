//! Shared by the optimiser's tests: reading, optimising, checking.

use expect_test::Expect;
use verdigris_ops::Descrs;
use verdigris_opt::{Optimiser, Passes};
use verdigris_trace::{OptimisedTrace, parse, print, verify};
use verdigris_traces::{DESCRS, NoObjects};

/// Optimises a recorded trace.
pub fn optimised(passes: Passes, text: &str) -> (Descrs, OptimisedTrace) {
    optimised_with("", passes, text)
}

/// Optimises a recorded trace that knows these functions too.
fn optimised_with(functions: &str, passes: Passes, text: &str) -> (Descrs, OptimisedTrace) {
    let descrs = format!("{DESCRS}\n{functions}");
    let descrs = verdigris_trace::parse_descrs(&descrs).expect("the descriptors parse");
    let text = &text.replace("jump(", "close(");
    let trace = parse(&descrs, text).unwrap_or_else(|e| panic!("{e:?}"));
    verify(&descrs, &trace).unwrap_or_else(|e| panic!("recorded: {e:?}"));
    let mut optimiser = Optimiser::new(passes);
    let done = optimiser.optimise_loop(&trace, None, &descrs, &mut NoObjects);
    let done = done.expect("the trace is consistent");
    verify(&descrs, &done.trace)
        .unwrap_or_else(|e| panic!("optimised: {e:?}\n{}", print(&descrs, &done.trace)));
    (descrs, done.trace)
}

/// Checks the optimised form of a recorded trace.
pub fn check(passes: Passes, text: &str, expected: Expect) {
    let (descrs, trace) = optimised(passes, text);
    expected.assert_eq(&print(&descrs, &trace));
}

/// Checks what all passes together make of a recorded trace.
pub fn straight(text: &str, expected: Expect) {
    check(Passes::all(), text, expected);
}

/// Only the operations behind the label: what is left of a trace, without resume data.
pub fn check_left(text: &str, expected: Expect) {
    check_left_with("", text, expected);
}

/// As [`check_left`], with more functions.
pub fn check_left_with(functions: &str, text: &str, expected: Expect) {
    let (descrs, trace) = optimised_with(functions, Passes::all(), text);
    let text = print(&descrs, &trace);
    let lines = text.lines().skip(2).filter(|l| !l.starts_with("  "));
    expected.assert_eq(&lines.fold(String::new(), |all, l| all + l + "\n"));
}
