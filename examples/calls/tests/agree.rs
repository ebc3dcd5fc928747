//! What is inlined is the interpreter's own decision, and changes no answer. In: programs of
//! functions that call each other. Out: what they answer under every setting, and how many of the
//! guest's instructions and calls their traces have.

use expect_test::{Expect, expect};
use verdigris::Options;
use verdigris_testing::{Run, agreed, compiled};

fn guest(texts: &[&str], n: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = calls::machine(options).expect("a VM");
        Run::on(&vm, || Ok::<_, String>(calls::sum(&vm, texts, n)))
    }
}

/// The traces of a program that is called with 1000.
fn check(texts: &[&str], expected: Expect) {
    let run = compiled(guest(texts, 1000), "threshold=50,trace_eagerness=1000000");
    let line = |trace: &verdigris::KeptTrace| {
        let recorded = &trace.recorded;
        let (passed, called) = (
            recorded.count("merge_point"),
            recorded.count_calls("__vd_from_run"),
        );
        format!("{}: {passed} instructions, {called} calls\n", trace.title)
    };
    expected.assert_eq(&run.traces.iter().map(line).collect::<String>());
}

#[test]
fn answers() {
    for (texts, n, expected) in [
        (&["B-?", "+3"][..], 1000, "503500"),
        (&["B-?", "!+3"], 1000, "503500"),
        (&["B-?", "+-?"], 40, "11480"),
        (&["B-?", "~+-?"], 40, "11480"),
        (&["B-?", "~C-?", "!D1", "+-"], 40, "12300"),
        (&["+-C?", "", "~B+"], 500, "250000"),
    ] {
        let outcome = agreed(guest(texts, n));
        assert_eq!(outcome.to_string(), expected, "{texts:?}");
    }
}

#[test]
fn a_rare_function_is_called() {
    check(
        &["B-?", "+3"],
        expect![[r#"
            trace 0: loop at offset 0 in A (0, 0, ref): 6 instructions, 0 calls
        "#]],
    );
    check(
        &["B-?", "!+3"],
        expect![[r#"
            trace 0: loop at offset 0 in A (0, 0, ref): 3 instructions, 1 calls
        "#]],
    );
}

#[test]
fn an_iteration_of_a_short_loop_is_unrolled() {
    check(
        &["B-?", "+-?"],
        expect![[r#"
            trace 0: loop at offset 0 in B (0, 1, ref): 3 instructions, 0 calls
            trace 1: loop at offset 0 in A (0, 0, ref): 6 instructions, 1 calls
        "#]],
    );
    check(
        &["B-?", "~+-?"],
        expect![[r#"
            trace 0: loop at offset 0 in B (0, 1, ref): 4 instructions, 0 calls
            trace 1: loop at offset 0 in A (0, 0, ref): 11 instructions, 1 calls
        "#]],
    );
}

#[test]
fn programs_compile_to_as_little_as_before() {
    let programs: [(&[&str], i64); 4] = [
        (&["B-?", "+3"], 20_000),
        (&["B-?", "!+3"], 20_000),
        (&["B-?", "+-?"], 300),
        (&["B-?", "~+-?"], 300),
    ];
    let digests = programs.map(|(texts, n)| {
        let run = compiled(guest(texts, n), "");
        format!("{}: {}", texts.join(" "), run.digest())
    });
    expect![[r#"
        B-? +3: loops 1, other traces 0, bridges 0, aborts 0: operations 6, guards 1, calls 0, new 0, reads 0, writes 0
        B-? !+3: loops 1, other traces 1, bridges 0, aborts 0: operations 7, guards 2, calls 1, new 0, reads 0, writes 0
        B-? +-?: loops 1, other traces 0, bridges 1, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        B-? ~+-?: loops 1, other traces 0, bridges 1, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
    "#]].assert_eq(&digests.concat());
}
