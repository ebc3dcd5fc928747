//! Programs mean the same whatever the JIT does, and lists and maps that do not escape leave no
//! trace. In: programs. Out: what they answer under every setting, and the operations of hot loops.

use expect_test::expect;
use verdigris::Options;
use verdigris_testing::{Run, agreed, compiled, said};

/// The sum of the numbers below the input.
const SUM: &str = "i=0;s=0;[s=si+;i=i1+;]ni-;!s;@0;";
/// The same with `f(i) = i * (i + 1)`.
const APPLY: &str = "i=0;s=0;[t~i;s=st+;i=i1+;]ni-;!s;@pq*;";

fn calculator(program: &str, input: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = calculator::machine(options).expect("a VM");
        Run::on(&vm, || calculator::answer(&vm, program, input))
    }
}

fn check(program: &str, input: i64, expected: &str) {
    let outcome = agreed(calculator(program, input));
    assert_eq!(outcome.to_string(), expected, "{program} {input}");
}

#[test]
fn programs_agree() {
    check(SUM, 3, "3");
    check(SUM, 300, "44850");
    check(APPLY, 200, "2666600");
    // Two paths, one of which makes new variables late.
    check(
        "i=0;[a=i2*;i=i1+;j=i7<;x=aj*b+;b=bx+;]ni-;!bx+;@0;",
        40,
        "2937757630464",
    );
    // A stack that grows while it is virtual.
    check(
        "i=0;[s=111111111111iiiiis++++++++++++++++;i=i1+;]ni-;!s;@0;",
        60,
        "9510",
    );
    // More variables than a small map has, so that the index is used.
    check(
        "a=1;b=2;c=3;d=4;e=5;g=6;h=7;i=0;j=9;k=8;[s=si+k+;i=i1+;]ni-;!sj+;@0;",
        100,
        "5759",
    );
}

/// The compiled code of a program whose loop is hot.
fn hot(program: &str) -> String {
    compiled(calculator(program, 20_000), "").summary()
}

#[test]
fn stacks_and_variables_leave_no_trace() {
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_add int_sub int_gt guard_true jump L1
    "#]]
    .assert_eq(&hot(SUM));
    // The variables of `f` are in a map of their own, which is never made.
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_mul int_add int_sub int_gt guard_true jump L1
    "#]]
    .assert_eq(&hot(APPLY));
}

#[test]
fn the_command() {
    let calculator = |args: &[&str]| said(env!("CARGO_BIN_EXE_calculator"), args);
    for params in ["off", "", "threshold=2,fail_guards=1"] {
        let answer = ("44850".to_string(), String::new(), Some(0));
        assert_eq!(calculator(&[SUM, "300", params]), answer);
    }
    let (_, error, status) = calculator(&["i", "1"]);
    assert_eq!(
        (error.as_str(), status),
        ("calculator: there is no `@EXPR;`", Some(1))
    );
}
