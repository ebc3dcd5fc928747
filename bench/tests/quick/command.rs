//! The command line. In: wrong and right calls. Out: what is said, and the status: 0, 1 if
//! something got slower, 2 if nothing could be done. Invariant under test: whatever is wrong is
//! said in a line.

use crate::{QUICK, bench};
use serde_json::{Value, json};
use std::fs;

fn said(args: &[&str]) -> (String, String, Option<i32>) {
    let output = bench(args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_string();
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.code(),
    )
}

#[test]
fn a_suite_alone_writes_the_same_kind_of_file() {
    let file = QUICK.folder.path().join("one.json");
    let name = file.to_str().expect("its name is UTF-8");
    let (_, _, status) = said(&["frames", "--quick", "--json", name]);
    assert_eq!(status, Some(0));
    let text = fs::read_to_string(&file).expect("it is written");
    let document: Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(document["records"][0]["suite"], "frames");
    // All other records are missing in it; that is said and is no failure.
    let (printed, _, status) = said(&["compare", &QUICK.json(), name]);
    assert_eq!(status, Some(0), "{printed}");
    assert!(
        printed.contains("missing: tables, factorial, 10, jit-warm"),
        "{printed}"
    );
}

#[test]
fn what_got_slower_fails() {
    let slower = |factor: f64| {
        let mut document = QUICK.document.clone();
        for record in document["records"].as_array_mut().expect("a list") {
            record["pace"] = json!([]);
            record["samples"] = (0..5)
                .map(|i| factor * (1.0 + 0.01 * f64::from(i)))
                .collect();
            for field in ["seconds", "q1", "q3", "min", "max"] {
                record[field] = json!(factor * 1.02);
            }
        }
        let file = QUICK.folder.path().join(format!("slower-{factor}.json"));
        fs::write(&file, document.to_string()).expect("it is written");
        file.to_str().expect("its name is UTF-8").to_string()
    };
    let (one, two) = (slower(1.0), slower(2.0));
    let (printed, _, status) = said(&["compare", &one, &two]);
    assert_eq!(status, Some(1), "{printed}");
    assert!(printed.contains("slower beyond noise"), "{printed}");
    let (printed, _, status) = said(&["compare", &two, &one]);
    assert_eq!(status, Some(0), "{printed}");
    let (_, _, status) = said(&["compare", &one, &two, "--threshold", "2.5"]);
    assert_eq!(status, Some(0));
}

#[test]
fn mistakes_are_said() {
    let wrong = QUICK.folder.path().join("wrong.json");
    fs::write(&wrong, "[1, 2, 3]").expect("it is written");
    let wrong = wrong.to_str().expect("its name is UTF-8");
    let right = QUICK.json();
    for (args, message) in [
        (
            vec!["compare", wrong, &right],
            "this is not what `bench -- all --json FILE` writes",
        ),
        (
            vec!["compare", &right, "no-such-file"],
            "bench: no-such-file: ",
        ),
        (vec!["compare", &right], "<NEW>"),
        (
            vec!["compare", &right, &right, "--threshold", "0.5"],
            "a factor is a number from 1 on",
        ),
        (
            vec!["compare", &right, &right, "--significance", "5"],
            "a likelihood is a number from 0 to 1",
        ),
        (vec!["page", wrong, "--out", "x.html"], "this is not what"),
        (
            vec!["page", &right, "--out", "no/such/folder/x.html"],
            "no/such/folder/x.html: ",
        ),
        (
            vec!["all", "--only", "tabels"],
            "there is no suite `tabels`: there are tables, ",
        ),
        (
            vec!["lua", "--only", "fib,fibb"],
            "there is no program `fibb`: there are binary_trees, ",
        ),
        (vec!["lua", "--quick", "--jit", "treshold=7"], "treshold"),
        (
            vec!["lua", "--quick", "--only", "fib", "--lua", "/bin/false"],
            "fib 12: interp: /bin/false ended with wait status 256",
        ),
        (
            vec!["python", "--only", "caos"],
            "there is no program `caos`: there are bayes, ",
        ),
        (
            vec!["python", "--quick", "--only", "go", "--python", "/bin/true"],
            "go 1: interp: 0 iterations",
        ),
        (
            vec!["registers", "--quick", "--lua", "/bin/true"],
            "locals_6 3333: interp: 0 iterations",
        ),
        (
            vec!["once", "tlc/nothing"],
            "there is no program `tlc/nothing`",
        ),
    ] {
        let (_, errors, status) = said(&args);
        assert_eq!(status, Some(2), "{args:?}: {errors}");
        assert!(errors.contains(message), "{args:?}: {errors}");
    }
}
