//! The calls in the batch of the default seed mean to the translator what they mean to rustc.

use std::path::{Path, PathBuf};
use verdigris_callees::rustc::{self, Package};
use verdigris_callees::{compare, mir, modules};

/// The batch as it was translated.
const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/functions.rs"));

#[test]
fn calls_mean_what_they_mean_to_rustc() {
    let ours = verdigris_front::callees_of_source(&[("functions.rs", TEXT)]);
    let ours = ours.unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let temporary = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let package = Package {
        workspace: &Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
        name: "random-functions",
        profile: "dev",
        target: temporary.parent(),
        environment: &[],
    };
    let theirs = rustc::mir_of_package(&package, &temporary.join("random-functions.mir"));
    let theirs = mir::read(&theirs.expect("it is built"), &modules(&ours)).expect("it is read");
    let report = compare(&ours, &theirs);
    println!("{report}");
    for difference in &report.differences {
        println!("{difference}");
    }
    assert_eq!(report.differences, []);
    assert!(report.functions > 200 && report.callees > 1000, "{report}");
}
