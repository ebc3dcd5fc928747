//! Random functions call what rustc calls: those of the batch that the tests run.

use fuzz::front::callees::{compare_texts, mistaken};
use std::path::{Path, PathBuf};
use verdigris_callees::built::Built;

const PACKAGE: &str = "random-functions";

#[test]
fn random_functions_call_what_rustc_calls() {
    let temporary = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let built = Built::tests(&workspace, temporary.parent().unwrap_or(&temporary));
    let built = built.unwrap_or_else(|error| panic!("{error}"));
    let out = built.out(PACKAGE).expect("its build script makes them up");
    let text = std::fs::read_to_string(out.join("functions.rs")).expect("they are written");
    let mir = built.mir(PACKAGE, &temporary.join("random-functions.mir"));
    let mir = mir.unwrap_or_else(|error| panic!("{error}"));
    let report = compare_texts(&text, &mir).expect("both take the functions");
    println!("{report}");
    assert_eq!(mistaken(&report).into_values().collect::<Vec<_>>(), [""; 0]);
    let functions = text.matches("\npub mod f").count();
    assert!(functions > 60 && report.functions > functions, "{report}");
    assert!(
        report.callees > 10 * report.differences.len() && report.callees > 1000,
        "{report}"
    );
}
