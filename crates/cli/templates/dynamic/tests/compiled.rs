//! What is compiled. In: programs with a hot loop. Out: the operations of the loop's body.
//! Invariants under test: of the interpreter, tags, frames, and closures nothing is left in it.
//!
//! These tests tell you when a change of the interpreter makes compiled code worse. If it is meant
//! to be what it is now, `UPDATE_EXPECT=1 cargo test --test compiled` writes the new text.

mod common;

use common::{REPEATABLE, hot_loop, operations, run};
use expect_test::expect;

const SUM: &str = "let i = 0 let sum = 0 while i < 20000 { sum = sum + i i = i + 1 } print sum";

#[test]
fn a_loop_of_integers_is_its_arithmetic() {
    expect!["int_lt guard_true int_add int_add jump"].assert_eq(&operations(&hot_loop(SUM)));
}

#[test]
fn a_loop_of_floats_is_its_arithmetic() {
    let text = "let i = 0 let x = 0.5 while i < 20000 { x = x * 0.5 + 1.5 i = i + 1 } print x";
    expect!["int_lt guard_true float_mul float_add int_add jump"]
        .assert_eq(&operations(&hot_loop(text)));
}

#[test]
fn a_call_leaves_no_frame() {
    let text = "fn add(a, b) { let c = a + b return c }
        let i = 0 let sum = 0 while i < 20000 { sum = add(sum, i) i = i + 1 } print sum";
    expect!["int_lt guard_true int_add int_add word_from_int jump"]
        .assert_eq(&operations(&hot_loop(text)));
}

#[test]
fn a_closure_that_a_loop_makes_and_calls_is_not_made() {
    let text = "let i = 0 let sum = 0
        while i < 20000 { let by = i let add = fn(x) { return x + by } sum = add(sum) i = i + 1 }
        print sum";
    let body = hot_loop(text);
    assert_eq!(body.count_all("new"), 0, "{}", body.text);
    assert_eq!(body.count_all("call"), 0, "{}", body.text);
    assert_eq!((body.reads(), body.writes()), (0, 0), "{}", body.text);
}

#[test]
fn a_variable_of_a_closure_is_a_place_in_memory_and_no_more() {
    let text = "fn counter() { let n = 0 return fn() { n = n + 1 return n } }
        let next = counter() let i = 0 while i < 20000 { next() i = i + 1 } print next()";
    let body = hot_loop(text);
    assert_eq!(body.count_all("new"), 0, "{}", body.text);
    assert_eq!(body.count_all("call"), 0, "{}", body.text);
}

#[test]
fn recursion_is_compiled() {
    let text = "fn fib(n) { if n < 2 { return n } return fib(n - 1) + fib(n - 2) } print fib(18)";
    let run = run(text, REPEATABLE);
    assert_eq!(run.output, "2584\n");
    assert!(run.stats.traces >= 1, "{:?}", run.stats);
    assert!(run.stats.aborts.is_empty(), "{:?}", run.stats.aborts);
}

#[test]
fn nothing_is_compiled_without_the_jit() {
    assert_eq!(run(SUM, "off").stats.traces, 0);
}
