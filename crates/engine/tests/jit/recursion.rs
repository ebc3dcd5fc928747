//! Calls of the portal by itself: which are inlined, which are calls, and that panics, limits and
//! failing guards in between leave everything as it was.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, MESSAGE, Op, execute, load, program_with_policies, run};
use expect_test::{Expect, expect};
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_engine::{KeptTrace, Options, Program, Vm};

/// 1 + 2 + .. + a, one call within the other.
const SUM: &[Op] = &[SkipNeg(2), Call(0), AddA, Ret];

/// A loop that calls a function without a loop.
const CALLS: &[Op] = &[Call(6), DecA, LoopA(0), Ret, AddA, Box, Ret];

/// A loop that calls one with a loop.
const LOOPS: &[Op] = &[Call(6), DecA, LoopA(0), Ret, AddA, DecA, LoopA(6), Ret];

fn vm(params: &str) -> Vm {
    vm_of(crate::guest::program(), params)
}

fn vm_of(program: Program, params: &str) -> Vm {
    let options = Options::parse(params).unwrap().keep_traces(true);
    Vm::new(program, options).unwrap()
}

/// Title, recorded operations, how many merge points they pass, and calls of the portal.
fn show(traces: &[KeptTrace]) -> String {
    let line = |trace: &KeptTrace| {
        let recorded = &trace.recorded;
        let (passed, called) = (
            recorded.count("merge_point"),
            recorded.count_calls("run_from"),
        );
        format!("{}: {passed} instructions, {called} calls\n", trace.title)
    };
    traces.iter().map(line).collect()
}

fn check(ops: &[Op], a: i64, params: &str, expected: Expect) {
    check_program(crate::guest::program(), ops, a, params, expected);
}

fn check_program(program: Program, ops: &[Op], a: i64, params: &str, expected: Expect) {
    let right = execute(&vm("off"), ops, a);
    for backend in BACKENDS.iter() {
        let vm = vm_of(program, &format!("backend={backend},{params}"));
        repeat(&vm, ops, a, right);
        expected.assert_eq(&show(&vm.traces()));
    }
}

/// Runs a program twenty times.
fn repeat(vm: &Vm, ops: &[Op], a: i64, right: i64) {
    vm.enter(|| {
        let guest = load(ops);
        for _ in 0..20 {
            assert_eq!(run(guest, 0, a), right);
        }
    });
}

#[test]
fn a_call_in_a_loop_is_inlined() {
    check(
        CALLS,
        30,
        "threshold=10,trace_eagerness=1000",
        expect![[r#"
            trace 0: loop at (0, ref): 6 instructions, 0 calls
        "#]],
    );
}

#[test]
fn a_loop_in_a_callee_is_called() {
    check(
        LOOPS,
        30,
        "threshold=10,trace_eagerness=1000",
        expect![[r#"
            trace 0: loop at (6, ref): 3 instructions, 0 calls
            trace 1: loop at (0, ref): 6 instructions, 1 calls
        "#]],
    );
}

#[test]
fn recursion_is_inlined_to_a_limit_and_then_called() {
    check(
        SUM,
        100,
        "function_threshold=150,max_unroll_recursion=3,trace_eagerness=10000",
        expect![[r#"
            trace 0: entry at (0, ref): 16 instructions, 1 calls
        "#]],
    );
    check(
        SUM,
        100,
        "function_threshold=150,max_unroll_recursion=0,trace_eagerness=10000",
        expect![[r#"
            trace 0: entry at (0, ref): 4 instructions, 1 calls
        "#]],
    );
}

#[test]
fn what_makes_a_trace_too_long_is_called() {
    let ops = &[
        Call(6),
        DecA,
        LoopA(0),
        Ret,
        Box,
        Box,
        Box,
        Box,
        Box,
        Box,
        Box,
        Box,
        Ret,
    ];
    check(
        ops,
        100,
        "threshold=10,trace_eagerness=1000,trace_limit=60,enable_opts=all-heap_cache",
        expect![[r#"
            trace 0: entry at (6, ref): 9 instructions, 0 calls
            trace 1: loop at (0, ref): 3 instructions, 1 calls
        "#]],
    );
}

/// The interpreter enters compiled code once, and from there on compiled code calls compiled code.
#[test]
fn compiled_code_calls_compiled_code() {
    let vm = vm("function_threshold=50,max_unroll_recursion=0");
    let entries = vm.enter(|| {
        let guest = load(SUM);
        for _ in 0..20 {
            assert_eq!(run(guest, 0, 100), 5050);
        }
        let before = vm.stats().entries;
        assert_eq!(run(guest, 0, 1000), 500_500);
        vm.stats().entries - before
    });
    let most = match &vm.stats().backend[..] {
        "oracle" => 1001,
        _ => 1,
    };
    assert!(entries <= most, "{entries}");
}

/// A panic passes through compiled callers; what they have delayed is stored.
#[test]
fn a_panic_passes_through_compiled_calls() {
    // Each call adds to the total before it goes deeper.
    let ops = &[Total, SkipNeg(2), Call(0), Fail, Ret];
    let outcome = |vm: &Vm, a: i64| {
        vm.enter(|| {
            let guest = load(ops);
            let result = catch_unwind(AssertUnwindSafe(|| run(guest, 0, a)));
            let message = result.map_err(|payload| *payload.downcast::<&str>().unwrap());
            (message, guest.total.get())
        })
    };
    for backend in BACKENDS.iter() {
        for params in [
            "function_threshold=3,max_unroll_recursion=0",
            "function_threshold=3,max_unroll_recursion=2,trace_eagerness=1",
            "function_threshold=3,max_unroll_recursion=0,fail_guards=1",
        ] {
            let vm = vm(&format!("backend={backend},{params}"));
            for _ in 0..10 {
                assert_eq!(outcome(&vm, 4), (Ok(10), 10), "{params}");
                assert_eq!(outcome(&vm, 9), (Err(MESSAGE), 45), "{params}");
            }
        }
    }
}

/// Then calls are residual, and the log says why.
#[test]
fn a_portal_without_a_second_way_in_is_called() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let options = Options::parse("threshold=5,function_threshold=5")
        .unwrap()
        .keep_traces(true)
        .log(format!("trace:{}", path.display()));
    let vm = Vm::new(crate::guest::program_without_runner(), options).unwrap();
    repeat(&vm, CALLS, 30, 465);
    let calls: usize = vm
        .traces()
        .iter()
        .map(|t| t.recorded.count_calls("run"))
        .sum();
    assert!(calls > 0, "{}", show(&vm.traces()));
    let log = std::fs::read_to_string(path).unwrap();
    let note = "# trace: calls of the portal by itself are not inlined\nNative code cannot begin";
    assert!(log.starts_with(note), "{log}");
}

/// The interpreter's own word on what is inlined: see [`program_with_policies`].
#[test]
fn what_is_never_to_be_inlined_is_called() {
    let callee = [Call(6), DecA, LoopA(0), Ret, Square, Ret];
    let params = "threshold=10,trace_eagerness=1000";
    check(
        &callee,
        30,
        params,
        expect![[r#"
        trace 0: loop at (0, ref): 5 instructions, 0 calls
    "#]],
    );
    check_program(
        program_with_policies(),
        &callee,
        30,
        params,
        expect![[r#"
        trace 0: loop at (0, ref): 3 instructions, 1 calls
    "#]],
    );
}

#[test]
fn an_iteration_of_a_loop_is_unrolled_if_the_interpreter_says_so() {
    let params = "threshold=10,trace_eagerness=1000";
    check_program(
        program_with_policies(),
        LOOPS,
        30,
        params,
        expect![[r#"
        trace 0: loop at (6, ref): 3 instructions, 0 calls
        trace 1: loop at (0, ref): 9 instructions, 1 calls
    "#]],
    );
    // Its loop begins with what is said no to.
    let other = [Call(6), DecA, LoopA(0), Ret, AddA, DecA, LoopA(7), Ret];
    check_program(
        program_with_policies(),
        &other,
        30,
        params,
        expect![[r#"
        trace 0: loop at (7, ref): 2 instructions, 0 calls
        trace 1: loop at (0, ref): 6 instructions, 1 calls
    "#]],
    );
    // A loop that has two turns is left before it would be called.
    let short = [
        Call(6),
        DecA,
        LoopA(0),
        Ret,
        SetC(2),
        AddA,
        DecC,
        LoopC(8),
        Ret,
    ];
    check(
        &short,
        30,
        params,
        expect![[r#"
        trace 0: entry at (8, ref): 4 instructions, 0 calls
        trace 1: loop at (0, ref): 7 instructions, 1 calls
    "#]],
    );
    check_program(
        program_with_policies(),
        &short,
        30,
        params,
        expect![[r#"
        trace 0: entry at (8, ref): 4 instructions, 0 calls
        trace 1: loop at (0, ref): 11 instructions, 0 calls
    "#]],
    );
}

/// With every combination of what else decides, and failing guards in what was unrolled.
#[test]
fn policies_change_nothing_but_the_traces() {
    let programs: [&[Op]; 4] = [
        LOOPS,
        SUM,
        &[Call(6), DecA, LoopA(0), Ret, Square, Ret],
        &[
            Call(6),
            DecA,
            LoopA(0),
            Ret,
            SetC(2),
            AddA,
            DecC,
            LoopC(8),
            Ret,
        ],
    ];
    for ops in programs {
        let right = execute(&vm("off"), ops, 40);
        for backend in BACKENDS.iter() {
            for params in [
                "threshold=2,trace_eagerness=1",
                "threshold=2,function_threshold=2,trace_eagerness=2,max_unroll_recursion=1",
                "threshold=2,fail_guards=1",
                "threshold=2,function_threshold=3,stress=1",
            ] {
                let params = format!("backend={backend},{params}");
                repeat(&vm_of(program_with_policies(), &params), ops, 40, right);
            }
        }
    }
}

/// A function that decides can panic: that is the interpreter's panic.
#[test]
fn a_panic_in_a_policy_goes_to_who_entered_the_vm() {
    let ops = &[Call(6), DecA, LoopA(0), Ret, Promote, Ret];
    let vm = vm_of(program_with_policies(), "threshold=10");
    let outcome = vm.enter(|| {
        let guest = load(ops);
        catch_unwind(AssertUnwindSafe(|| run(guest, 0, 30)))
    });
    let message = *outcome.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(message, MESSAGE);
    // Its attempt to trace has ended.
    assert_eq!(execute(&vm, CALLS, 5), execute(&self::vm("off"), CALLS, 5));
}
