//! Loops that are longer than a trace: they are cut into segments, which jump to each other.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Op, execute, vm};
use expect_test::expect;
use verdigris_engine::{AbortReason, Stats};

/// Counts `a` down, in more instructions than a trace may have.
const LONG: &[Op] = &[
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    DecA,
    LoopA(0),
    Ret,
];

/// The same, in each turn another way through it.
const WAYS: &[Op] = &[
    Promote,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    DecA,
    LoopA(0),
    Ret,
];

/// A loop that calls a function of many instructions.
const CALLS: &[Op] = &[
    Call(6),
    DecA,
    LoopA(0),
    Ret,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    AddA,
    Ret,
];

const CUT: &str = "compiler=tracing,threshold=5,trace_eagerness=3,trace_limit=4";

/// What the JIT has done for a program, which gives what it gives in the interpreter.
fn stats(ops: &[Op], turns: i64, params: &str) -> Stats {
    let vm = vm(params);
    assert_eq!(
        execute(&vm, ops, turns),
        execute(&super::guest::vm("off"), ops, turns)
    );
    vm.stats()
}

#[test]
fn compiled_code_is_not_left_between_segments() {
    for backend in BACKENDS.iter() {
        let stats = stats(LONG, 1000, &format!("backend={backend},{CUT}"));
        assert!(stats.traces > 2 && stats.aborts.is_empty(), "{stats:?}");
        let failures = stats.guard_failures;
        assert!(failures.total < 20, "{failures:?}");
    }
}

/// What follows a bridge is compiled once, and not for each of them.
#[test]
fn bridges_join_the_segment_behind_them() {
    let guards = |cut: &str| {
        let params = format!("compiler=tracing,threshold=5,trace_eagerness=3,{cut}");
        stats(WAYS, 3000, &params).guards
    };
    expect!["14 whole, 9 cut"].assert_eq(&format!(
        "{} whole, {} cut",
        guards("cut_traces=0"),
        guards("trace_limit=3")
    ));
}

/// Without the call the trace fits, or is cut.
#[test]
fn a_call_that_makes_a_trace_too_long_is_called() {
    let stats = stats(CALLS, 1000, "compiler=tracing,threshold=5,trace_limit=8");
    assert_eq!(
        stats.aborts[&AbortReason::TraceTooLong],
        1,
        "{:?}",
        stats.aborts
    );
    assert!(stats.loops >= 1, "{stats:?}");
}

#[test]
fn without_segments_a_long_loop_is_given_up() {
    let stats = stats(LONG, 1000, &format!("{CUT},cut_traces=0,max_aborts=2"));
    assert_eq!((stats.traces, stats.blocked), (0, 1));
}
