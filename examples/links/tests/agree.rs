//! Words that share a stack mean the same whatever the JIT does, and where they are inlined nothing
//! is left of it. In: programs. Out: what they answer under every setting, and the operations of
//! hot loops.

use expect_test::{Expect, expect};
use verdigris::Options;
use verdigris_testing::{Run, agreed, compiled};

/// The sum of the squares of the numbers from `from` down.
fn squares(from: i64) -> String {
    format!(": square dup * ; 0 {from} begin swap over square + swap 1 - dup again drop")
}

fn guest(text: &str) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = links::machine(options).expect("a VM");
        Run::on(&vm, || links::answer(&vm, text))
    }
}

#[test]
fn programs_agree() {
    for (text, expected) in [
        (&*squares(100), "338350"),
        (
            ": fib dup 2 < if exit then dup 1 - fib swap 2 - fib + ; 12 fib",
            "144",
        ),
        // A stack that grows in a loop, and shrinks in another.
        (
            "0 60 begin dup 1 - dup again 60 begin swap drop 1 - dup again drop",
            "60",
        ),
    ] {
        assert_eq!(agreed(guest(text)).to_string(), expected, "{text}");
    }
}

#[test]
fn faults_agree() {
    for (text, expected) in [
        ("50 begin 1 - dup again + +", "the stack is empty"),
        (": deep deep ; deep", "too many calls within each other"),
        ("1 then", "`then` without `if`"),
        ("begin 1", "something has no end"),
        ("1 what", "`what` means nothing here"),
    ] {
        let outcome = agreed(guest(text));
        assert_eq!(outcome.error.as_deref(), Some(expected), "{text}");
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&compiled(guest(text), "").summary());
}

#[test]
fn operands_are_in_machine_registers() {
    check(
        &squares(20_000),
        expect![[r#"
        loops 1, bridges 0, aborts 0
        int_mul int_add int_add int_ne guard_true jump L1
    "#]],
    );
}
