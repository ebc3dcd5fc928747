//! The compiled code. In: the loop of `f`, run until it is hot. Out: the operations of its body.
//! Invariant under test: no box is left in it, and nothing is given up; `figures.rs` has the
//! paper's counts.

use boxes::machine::Machine;
use boxes::number::Number;
use expect_test::expect;
use verdigris::Options;
use verdigris_testing::{Run, compiled};

fn guest(numbers: &[Number]) -> impl Fn(Options) -> Run {
    move |options| {
        let machine = Machine::new(options).expect("a VM");
        let results: Result<Vec<String>, String> = numbers
            .iter()
            .map(|&y| machine.run(y).map(|result| result.to_string()))
            .collect();
        Run {
            outcome: results.map(|results| results.join(" ")).into(),
            stats: machine.vm().stats(),
            traces: machine.vm().traces(),
        }
    }
}

#[test]
fn a_loop_over_numbers_has_no_boxes() {
    let [integer, float] = [Number::Integer(20_000), Number::Float(20_000.5)];
    let summary = |numbers: &[Number]| compiled(guest(numbers), "").summary();
    expect![[r#"
        loops 1, bridges 0, aborts 0
        int_add int_add int_add int_gt guard_true jump L1
    "#]]
    .assert_eq(&summary(&[integer]));
    expect![[r#"
        loops 1, bridges 0, aborts 0
        float_add float_add float_add float_gt guard_true jump L1
    "#]]
    .assert_eq(&summary(&[float]));
    // Where the other type leaves the first loop there is a bridge in the end.
    let both = [integer, float].repeat(300);
    expect![[r#"
        loops 2, bridges 4, aborts 0
        int_add int_add int_add int_gt guard_true jump L1
        float_add float_add float_add float_gt guard_true jump L3
    "#]]
    .assert_eq(&summary(&both));
}
