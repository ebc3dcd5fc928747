//! The batch of the default seed: every function means the same with the JIT, and its compiled code
//! has run.

use random_functions::agree::{Expected, MODES, Report, run};
use random_functions::{COUNT, text};
use std::panic;

/// Pairs without a pattern.
const RANDOM: usize = 10;

#[test]
fn functions_do_not_depend_on_the_jit() {
    // Panics of the functions are what they return.
    panic::set_hook(Box::new(|_| {}));
    let mut report = Report::default();
    for case in 0..COUNT {
        let expected = Expected::of(case, RANDOM).expect("there is a VM");
        for jit in MODES {
            run(&expected, jit, &mut report).expect("the parameters are right");
        }
    }
    let _ = panic::take_hook();
    println!("{COUNT} functions, {report}");
    for difference in report.differences.iter().take(20) {
        println!("{difference}");
    }
    if let Some(difference) = report.differences.first() {
        panic!("{difference}\n{}", text(difference.case));
    }
    assert_eq!(report.not_compiled, [], "compiled");
    assert!(report.bridges > COUNT as u64, "{report}");
    assert!(
        report.panics > 0 && report.panics * 2 < report.runs,
        "{report}"
    );
}
