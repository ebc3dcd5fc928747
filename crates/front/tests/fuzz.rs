//! Broken sources: whatever is done to a program, the front end answers with a program or with diagnostics.

use proptest::prelude::*;
use std::path::Path;
use verdigris_front::{Code, check_source, print};

/// What reaches all functions of the suite.
const CASES_PORTAL: &str = "
#[portal]
fn portal(n: i64, a: i64, b: i64) -> i64 {
    loop {
        merge_point!(greens = [n], reds = [a, b]);
        return run(n, a, b);
    }
}
";

/// The sources of the other tests.
fn corpus() -> Vec<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(dir.join("ui")).expect("tests/ui can be read") {
        let path = entry.expect("tests/ui can be read").path();
        if path.extension().is_some_and(|e| e == "rs") {
            texts.push(std::fs::read_to_string(path).expect("the case can be read"));
        }
    }
    texts.sort();
    let cases = dir.join("../../../conformance/src/values.rs");
    let cases = std::fs::read_to_string(cases).expect("the suite can be read");
    texts.push(format!("{cases}{CASES_PORTAL}"));
    // Raw strings in the other test files hold whole interpreters.
    let programs = std::fs::read_to_string(dir.join("programs.rs")).expect("the test can be read");
    texts.extend(
        programs
            .split("r#\"")
            .skip(1)
            .filter_map(|t| t.split("\"#").next())
            .map(str::to_owned),
    );
    texts
}

/// Words, and what is between them.
fn pieces(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if word(c) && last.chars().all(word) => last.push(c),
            _ => out.push(c.to_string()),
        }
    }
    out
}

#[derive(Clone, Debug)]
enum Edit {
    Remove(usize, usize),
    Copy(usize, usize, usize),
    Swap(usize, usize),
    Insert(usize, &'static str),
}

fn edit() -> impl Strategy<Value = Edit> {
    let words = prop::sample::select(vec![
        "&",
        "*",
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "::",
        "Self",
        "self",
        "match",
        "loop",
        "Some",
        "None",
        "Ok",
        "Err",
        "?",
        "@",
        "_",
        ".0",
        "Gc",
        "0",
        "-1",
        "1.5",
        "'a:",
        "break",
        "return",
        "let",
        "else",
        "=",
        "..",
        "|",
        "x",
        "pc",
        "!",
        "#[opaque]",
        "#[gc]",
        "mod",
        "use",
        "super",
        "crate",
        "as",
        "_",
        "i64",
        "if",
        "?",
        ".get()",
        ".kind()",
        "\"s\"",
        "ä",
        "fn",
        "impl",
    ]);
    prop_oneof![
        (any::<usize>(), 1..6usize).prop_map(|(at, n)| Edit::Remove(at, n)),
        (any::<usize>(), any::<usize>(), 1..30usize)
            .prop_map(|(from, to, n)| Edit::Copy(from, to, n)),
        (any::<usize>(), any::<usize>()).prop_map(|(a, b)| Edit::Swap(a, b)),
        (any::<usize>(), words).prop_map(|(at, word)| Edit::Insert(at, word)),
    ]
}

fn apply(list: &mut Vec<String>, edit: &Edit) {
    let len = list.len().max(1);
    match *edit {
        Edit::Remove(at, n) => {
            let at = at % len;
            list.drain(at.min(list.len())..(at + n).min(list.len()));
        }
        Edit::Copy(from, to, n) => {
            let from = from % len;
            let copied = list[from.min(list.len())..(from + n).min(list.len())].to_vec();
            let to = (to % len).min(list.len());
            list.splice(to..to, copied);
        }
        Edit::Swap(a, b) if !list.is_empty() => list.swap(a % len, b % len),
        Edit::Swap(..) => {}
        Edit::Insert(at, word) => list.insert((at % len).min(list.len()), format!(" {word} ")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]
    #[test]
    fn no_source_makes_the_front_end_fail(pick in any::<usize>(), edits in prop::collection::vec(edit(), 1..8)) {
        let corpus = corpus();
        let mut list = pieces(&corpus[pick % corpus.len()]);
        for edit in &edits {
            apply(&mut list, edit);
        }
        let text = list.concat();
        match check_source(&[("main.rs", &text)]) {
            Ok(program) => prop_assert!(print(&program).contains("portal ")),
            Err(diagnostics) => {
                prop_assert!(!diagnostics.is_empty());
                prop_assert!(diagnostics.list.iter().all(|d| d.code != Code::Internal), "{}", text);
                prop_assert!(diagnostics.to_string().contains("error[VD"));
            }
        }
    }
}

/// The deepest code that is not refused must not exhaust the stack.
#[test]
fn deep_code_is_checked_or_refused() {
    let wrap = |body: &str| {
        format!(
            "use verdigris::prelude::*;\n#[portal]\nfn run(x: i64) -> i64 {{\n    loop {{\n        \
             merge_point!(greens = [], reds = [x]);\n        return {body};\n    }}\n}}\n"
        )
    };
    let nested = |open: &str, inner: &str, close: &str, n: usize| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let mut refused = 0;
    for n in [10, 150, 1000, 1900, 20_000] {
        let bodies = [
            format!("x{}", " + 1".repeat(n)),
            nested("-", "x", "", n),
            nested("(", "x", ")", n),
            nested("if x > 0 { ", "x", " } else { 0 }", n),
            format!("{}x", "if x > 0 { 1 } else ".repeat(n)) + " { 2 }",
            nested("loop { break ", "x", " }", n),
            format!("x{}", " as i64".repeat(n)),
            format!("x{}", ".abs()".repeat(n)),
            format!("{{ let y = x; {} y }}", "if y > 0 { return y; } ".repeat(n)),
            format!(
                "match x {{ {} _ => 0 }}",
                "1 => 2, 3 | 4 => { 5 } ".repeat(n)
            ),
        ];
        for body in bodies {
            if let Err(diagnostics) = check_source(&[("main.rs", &wrap(&body))]) {
                assert!(diagnostics.list.iter().all(|d| d.code != Code::Internal));
                refused += usize::from(diagnostics.list.iter().any(|d| d.code == Code::TooDeep));
            }
        }
    }
    assert!(refused > 10);
}
