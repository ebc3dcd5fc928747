//! Loops that are longer than a trace: they are cut into segments, which jump to each other.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Op, execute, vm};

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

const CUT: &str = "compiler=tracing,threshold=5,trace_eagerness=3,trace_limit=4";

#[test]
fn compiled_code_is_not_left_between_segments() {
    for backend in BACKENDS {
        let vm = vm(&format!("backend={backend},{CUT}"));
        assert_eq!(
            execute(&vm, LONG, 1000),
            execute(&super::guest::vm("off"), LONG, 1000)
        );
        let stats = vm.stats();
        assert!(stats.traces > 2 && stats.aborts.is_empty(), "{stats:?}");
        assert!(
            stats.guard_failures.total < 20,
            "{:?}",
            stats.guard_failures
        );
    }
}

/// What follows a bridge is compiled once, and not for each of them.
#[test]
fn bridges_join_the_segment_behind_them() {
    let guards = |cut: &str| {
        let vm = vm(&format!(
            "compiler=tracing,threshold=5,trace_eagerness=3,{cut}"
        ));
        assert_eq!(
            execute(&vm, WAYS, 3000),
            execute(&super::guest::vm("off"), WAYS, 3000)
        );
        vm.stats().guards
    };
    let (whole, cut) = (guards("cut_traces=0"), guards("trace_limit=3"));
    assert!(cut <= whole, "{cut} guards instead of {whole}");
}

#[test]
fn without_segments_a_long_loop_is_given_up() {
    let vm = vm(&format!("{CUT},cut_traces=0,max_aborts=2"));
    execute(&vm, LONG, 1000);
    let stats = vm.stats();
    assert_eq!((stats.traces, stats.blocked), (0, 1));
}
