//! Values that are made of others mean the same whatever the JIT does. In: programs for the stack
//! machine. Out: what they answer under every setting. Invariant: the body of a hot loop whose
//! types are stable holds only arithmetic on payloads.

use expect_test::expect;
use verdigris::Options;
use verdigris_testing::{Run, agreed, compiled, said};

/// Adds the numbers below the input.
const SUM: &str = "i0s0i0s1[g0g1+s0g1i1+s1g1I<]g0a.";

fn values(program: &str, input: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = values::machine(options).expect("a VM");
        Run::on(&vm, || values::answer(&vm, program, input))
    }
}

fn check(program: &str, input: i64, expected: &str) {
    let outcome = agreed(values(program, input));
    assert_eq!(outcome.to_string(), expected, "{program} {input}");
}

#[test]
fn sums() {
    check(SUM, 3, "3");
    check(SUM, 300, "44850");
    check("f0s0i0s1[g0g1f1*+s0g1i1+s1g1I<]g0a.", 200, "9950.0");
}

#[test]
fn types_that_change_in_the_loop() {
    // An integer, from the second turn on a float.
    check("i1s0i0s1[g0f3+s0g1i1+s1g1I<]g0a.", 100, "151.0");
    // Nil, a boolean, and the number of the turn in turns.
    check("i0s1[g1i2/i2*g1=s2g2pg2ag1i1+s1g1I<]A.", 60, "false");
    // The accumulator is a pair in one turn, what it was made of in the next.
    check("nai0s1[Ag1cag1i1+s1g1I<]A12.", 1, "trap 1");
    check(
        "ni0s1s0[g0g1cs0g1i1+s1g1I<]g0a.",
        6,
        "((((.. . 2) . 3) . 4) . 5)",
    );
}

#[test]
fn pairs_are_allocated_and_changed() {
    check("i0s1i0ncs0[g0g0s2g21g1+mpg1i1+s1g1I<]g01a.", 90, "4005");
    check("i0s1[g1f1*g1cs0g1i1+s1g1I<]g0a.", 70, "(34.5 . 69)");
}

#[test]
fn traps() {
    check("i0s1[i9i8g1-/pg1i1+s1g1I<]g1a.", 50, "trap 2");
    check("i0s1[ng1+pg1i1+s1g1I<]g1a.", 50, "trap 1");
    check("i0s1[g1i1+s1g1i9<]?", 50, "trap 1063");
}

/// The compiled code of a program whose loop is hot.
fn hot(program: &str) -> String {
    compiled(values(program, 20_000), "").summary()
}

#[test]
fn the_body_of_a_hot_loop_is_payload_arithmetic() {
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_add int_lt guard_true jump L1
    "#]]
    .assert_eq(&hot(SUM));
    expect![[r#"
        loops 1, bridges 0, aborts 0
        float_add int_add int_lt guard_true jump L1
    "#]]
    .assert_eq(&hot("f0s0i0s1[g0f1+s0g1i1+s1g1I<]g0a."));
    // The pair of each turn is the sum and the number of the turn: it is never made.
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_add int_lt guard_true jump L1
    "#]]
    .assert_eq(&hot("i0ncai0s1[A1g1+g1cag1i1+s1g1I<]A."));
}

#[test]
fn the_command() {
    let values = |args: &[&str]| said(env!("CARGO_BIN_EXE_values"), args);
    let answer = |text: &str| (text.to_string(), String::new(), Some(0));
    for params in ["off", "", "threshold=2,fail_guards=1"] {
        assert_eq!(values(&[SUM, "300", params]), answer("44850"));
        assert_eq!(values(&["i1i0/.", "1", params]), answer("trap 2"));
    }
    let (_, error, status) = values(&[SUM]);
    assert_eq!((&error[..14], status), ("values: usage:", Some(1)));
}
