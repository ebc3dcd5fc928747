//! Random functions call what rustc calls.

use fuzz::front::callees::{Place, compare, mistaken};
use generate_functions::{BETWEEN, texts};
use std::path::{Path, PathBuf};

/// Seed and number of the functions.
const SEED: u64 = 1;
const COUNT: u64 = 60;

#[test]
fn random_functions_call_what_rustc_calls() {
    let temporary = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut functions = texts(SEED, COUNT);
    // The module of this one is `f32`, which is a type elsewhere.
    functions[32] =
        "use super::*; fn twice(a: i64) -> i64 { a ^ 2 } pub fn f(a: i64, b: i64) -> i64 { twice(a) ^ b }".to_owned();
    let file = temporary.join("random-functions.txt");
    std::fs::write(&file, functions.join(BETWEEN)).expect("there is room for a file");
    let place = Place {
        workspace: &Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        profile: "dev",
        target: temporary.parent(),
        file: &file,
    };
    let report = compare(&functions, &place).expect("both take the functions");
    println!("{report}");
    assert_eq!(mistaken(&report).into_values().collect::<Vec<_>>(), [""; 0]);
    assert!(report.functions as u64 > COUNT, "{report}");
    assert!(
        report.callees > 10 * report.differences.len() && report.callees > 1000,
        "{report}"
    );
}
