//! What is compiled. In: programs with a hot loop. Out: the operations of the loop's body.
//! Invariant under test: of the interpreter nothing is left in it.
//!
//! These tests tell you when a change of the interpreter makes compiled code worse. If it is meant
//! to be what it is now, `UPDATE_EXPECT=1 cargo test --test compiled` writes the new text.

mod common;

use common::{REPEATABLE, hot_loop, operations, run};
use expect_test::expect;

const SUM: &str = "i = 0 sum = 0 while i < 20000 { sum = sum + i i = i + 1 } print sum";

#[test]
fn a_loop_is_compiled_to_its_arithmetic() {
    expect!["int_ge guard_false int_add int_add jump"].assert_eq(&operations(&hot_loop(SUM)));
}

#[test]
fn a_loop_keeps_its_variables_in_machine_registers() {
    let body = hot_loop(SUM);
    assert_eq!((body.reads(), body.writes()), (0, 0), "{}", body.text);
    assert_eq!(body.count_all("call"), 0, "{}", body.text);
    assert_eq!(body.count_all("new"), 0, "{}", body.text);
}

#[test]
fn a_loop_within_a_loop_is_compiled_too() {
    let text = "i = 0 sum = 0 while i < 2000 { j = 0 while j < 20 { sum = sum + j j = j + 1 } i = i + 1 } print sum";
    let run = run(text, REPEATABLE);
    assert_eq!(run.output, "380000\n");
    // The inner loop, and the way from its exit through the outer one back into it.
    assert!(
        run.stats.loops >= 1 && run.stats.bridges >= 1,
        "{:?}",
        run.stats
    );
    assert!(run.stats.aborts.is_empty(), "{:?}", run.stats.aborts);
}

#[test]
fn nothing_is_compiled_without_the_jit() {
    assert_eq!(run(SUM, "off").stats.traces, 0);
}
