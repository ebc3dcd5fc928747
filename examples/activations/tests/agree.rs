//! Where frames are changes nothing but the costs. In: the programs, on all five interpreters. Out:
//! the same results under every setting, and what is left in the loops of two of them.

use activations::{LAYOUTS, Layout, Native, PROGRAMS, Program, on_stack};
use expect_test::{Expect, expect};
use verdigris::Options;
use verdigris_testing::{Run, SETTINGS, agree_under, agreed, compiled};

/// How many calls can be within each other in these tests.
const DEPTH: usize = 40;

fn guest(layout: &Layout, program: &Program, native: Native, arg: i64) -> impl Fn(Options) -> Run {
    let text = program.text(DEPTH as i32 - 3);
    move |options| {
        let vm = layout.machine(options).expect("a VM");
        Run::on(&vm, || layout.run(&vm, &text, DEPTH, native, arg))
    }
}

fn program(name: &str) -> &'static Program {
    let found = PROGRAMS.iter().find(|program| program.name == name);
    found.unwrap_or_else(|| panic!("no program `{name}`"))
}

/// A native function that adds one, and looks at nothing.
fn next(_: &dyn Fn(usize) -> Option<i64>, value: i64) -> i64 {
    value + 1
}

#[test]
fn all_agree_under_all_settings() {
    let mut results = String::new();
    for (number, program) in PROGRAMS.iter().enumerate() {
        let arg = if program.name == "fib" { 10 } else { 20 };
        // Each setting with one of the layouts, which is another one for the next program.
        let mut turn = number;
        let outcomes = LAYOUTS.each_ref().map(|layout| {
            turn += 1;
            let settings = SETTINGS.iter().skip(turn % LAYOUTS.len());
            let settings = settings.step_by(LAYOUTS.len());
            let outcome = on_stack(|| agree_under(settings, guest(layout, program, next, arg)));
            outcome.unwrap_or_else(|e| panic!("{e}")).to_string()
        });
        for (layout, outcome) in LAYOUTS.iter().zip(&outcomes) {
            assert_eq!(outcome, &outcomes[0], "{}, {}", program.name, layout.name);
        }
        results += &format!("{}: {}\n", program.name, outcomes[0]);
    }
    expect![[r#"
        loop: 190
        call: 190
        fib: 55
        deep: 760
        native: 210
        wide: 190
        floats: 60.0
        endless: error: Depth
    "#]]
    .assert_eq(&results);
}

/// The code that each alternative compiles for a program.
fn summaries(name: &str, native: Native, arg: i64, expected: Expect) {
    let text = LAYOUTS.each_ref().map(|layout| {
        let run = on_stack(|| compiled(guest(layout, program(name), native, arg), ""));
        format!("{}: {}", layout.name, run.digest())
    });
    expected.assert_eq(&text.concat());
}

#[test]
fn what_is_left_of_a_call() {
    summaries(
        "call",
        next,
        20_000,
        expect![[r#"
            recursive: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
            reusing: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
            heap: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
            virtualizable: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
            shared stack: loops 1, other traces 0, bridges 0, aborts 0: operations 38, guards 5, calls 0, new 0, reads 8, writes 14
        "#]],
    );
    summaries(
        "wide",
        next,
        20_000,
        expect![[r#"
            recursive: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
            reusing: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
            heap: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
            virtualizable: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
            shared stack: loops 1, other traces 0, bridges 0, aborts 0: operations 42, guards 5, calls 0, new 0, reads 8, writes 18
        "#]],
    );
}

#[test]
fn what_is_left_around_a_native_call() {
    summaries(
        "native",
        next,
        20_000,
        expect![[r#"
            recursive: loops 1, other traces 0, bridges 0, aborts 0: operations 32, guards 6, calls 1, new 0, reads 8, writes 6
            reusing: loops 1, other traces 0, bridges 0, aborts 0: operations 32, guards 6, calls 1, new 0, reads 8, writes 6
            heap: loops 1, other traces 0, bridges 0, aborts 0: operations 32, guards 6, calls 1, new 0, reads 8, writes 6
            virtualizable: loops 1, other traces 0, bridges 0, aborts 0: operations 7, guards 2, calls 1, new 0, reads 0, writes 0
            shared stack: loops 1, other traces 0, bridges 0, aborts 0: operations 34, guards 7, calls 1, new 0, reads 10, writes 4
        "#]],
    );
}

#[test]
fn what_is_left_of_recursion() {
    summaries(
        "fib",
        next,
        22,
        expect![[r#"
            recursive: loops 0, other traces 1, bridges 6, aborts 0: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
            reusing: loops 0, other traces 1, bridges 6, aborts 0: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
            heap: loops 2, other traces 0, bridges 5, aborts 0: operations 84, guards 18, calls 0, new 2, reads 23, writes 20
            virtualizable: loops 0, other traces 3, bridges 18, aborts 1: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
            shared stack: loops 0, other traces 1, bridges 6, aborts 0: operations 0, guards 0, calls 0, new 0, reads 0, writes 0
        "#]],
    );
}

/// A native function that looks at the sum so far.
fn sum(look: &dyn Fn(usize) -> Option<i64>, value: i64) -> i64 {
    look(2).map_or(-value, |sum| sum % 1000 + value)
}

#[test]
fn who_looks_sees_the_truth() {
    let results = LAYOUTS.each_ref().map(|layout| {
        let outcome = on_stack(|| agreed(guest(layout, program("native"), sum, 300)));
        format!("{}: {outcome}\n", layout.name)
    });
    expect![[r#"
        recursive: -44850
        reusing: -44850
        heap: -44850
        virtualizable: 191075
        shared stack: -44850
    "#]]
    .assert_eq(&results.concat());
}
