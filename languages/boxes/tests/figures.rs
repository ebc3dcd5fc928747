//! The paper's figures. In: the loop of `f`, compiled. Out: its traces, pinned by the order of
//! their operations, by their counts, and by their full text. Invariant under test: what the paper
//! counts, the JIT counts.
//!
//! Source: "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), figures 2 and 4.

use boxes::figures::{Loop, print};
use boxes::number::Number;
use expect_test::expect_file;
use verdigris::TraceText;
use verdigris_testing::operations;

/// An operation that the paper's system lacks: a full heap ends the program there.
const NOT_IN_THE_PAPER: &str = "guard_not_exhausted";

/// The names of the operations of a trace in their order, without that one.
fn names(trace: &TraceText) -> Vec<&str> {
    let names = operations(trace).into_iter();
    names
        .map(|name| name.split(' ').next().unwrap_or(name))
        .filter(|&name| name != NOT_IN_THE_PAPER)
        .collect()
}

/// `new`, `guard_class`, reads, writes.
fn boxes(trace: &TraceText) -> [usize; 4] {
    [
        trace.count_all("new"),
        trace.count("guard_class"),
        trace.reads(),
        trace.writes(),
    ]
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn integers() -> Loop {
    Loop::compile(Number::Integer(10)).expect("the loop is compiled")
}

fn floats() -> Loop {
    Loop::compile(Number::Float(10.5)).expect("the loop is compiled")
}

#[test]
fn integers_as_recorded_are_figure_2() {
    let trace = integers().recorded;
    // The paper calls the end of a trace `jump`, whether it goes back to its own start or not.
    let figure_2 = "
        guard_class getfield_i guard_class getfield_i int_add new setfield_i
        new setfield_i
        guard_class getfield_i guard_class getfield_i int_add new setfield_i
        new setfield_i
        guard_class getfield_i guard_class getfield_i int_add new setfield_i
        guard_class getfield_i int_gt
        guard_true
        close
    ";
    assert_eq!(names(&trace), words(figure_2));
    assert_eq!(boxes(&trace), [5, 7, 7, 5]);
    assert_eq!([trace.count("int_add"), trace.count("int_gt")], [3, 1]);
    assert_eq!(trace.total() - trace.count(NOT_IN_THE_PAPER), 30);
}

#[test]
fn integers_after_allocation_removal_are_figure_4() {
    let trace = integers().without_allocations;
    let figure_4 = "
        guard_class getfield_i guard_class getfield_i int_add
        int_add
        guard_class getfield_i int_add
        int_gt
        guard_true
        new setfield_i new setfield_i
        jump
    ";
    assert_eq!(names(&trace), words(figure_4));
    assert_eq!(boxes(&trace), [2, 3, 3, 2]);
    assert_eq!([trace.count("int_add"), trace.count("int_gt")], [3, 1]);
    assert_eq!(trace.total() - trace.count(NOT_IN_THE_PAPER), 16);
}

#[test]
fn integers_after_everything_are_a_loop_of_integers() {
    let Loop { entry, body, .. } = integers();
    assert_eq!(boxes(&entry), [0, 2, 2, 0]);
    assert_eq!(boxes(&body), [0, 0, 0, 0]);
    assert!(body.count("int_add") <= 3, "{}", body.text);
    assert_eq!([body.count("int_gt"), body.count_all("guard_")], [1, 1]);
    let rest = body.total() - body.count("int_add");
    assert_eq!(
        rest, 3,
        "a comparison, a guard and the jump:\n{}",
        body.text
    );
}

#[test]
fn floats_have_the_same_counts() {
    let floats = floats();
    assert_eq!(boxes(&floats.recorded), [5, 7, 7, 5]);
    assert_eq!(boxes(&floats.without_allocations), [2, 3, 3, 2]);
    assert_eq!(boxes(&floats.entry), [0, 2, 2, 0]);
    assert_eq!(boxes(&floats.body), [0, 0, 0, 0]);
    for trace in [&floats.recorded, &floats.without_allocations, &floats.body] {
        assert_eq!([trace.count("float_add"), trace.count("float_gt")], [3, 1]);
        assert_eq!(trace.count("int_add"), 0);
    }
    // The two constants are integers: each is converted once per iteration, until folding converts
    // them for good.
    assert_eq!(floats.recorded.count("int_to_float"), 2);
    assert_eq!(floats.without_allocations.count("int_to_float"), 2);
    assert_eq!(floats.body.total(), 6, "{}", floats.body.text);
}

#[test]
fn the_full_texts() {
    let text = print().expect("the loops are compiled");
    expect_file!["golden/figures.txt"].assert_eq(&text);
}

#[test]
fn a_loop_that_is_not_compiled_is_an_error() {
    for y in [Number::Integer(1), Number::Float(-1.0)] {
        let error = Loop::compile(y).err().expect("there is no loop");
        assert!(error.contains("has not compiled its loop"), "{error}");
    }
}
