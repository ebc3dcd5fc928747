//! Deep code. In: sources with much nesting. Out: a program or a diagnostic; never the end of the
//! stack.

use std::thread;
use verdigris_front::{DiagCode, check_source};

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
        let is_refused = |body: String| {
            let Err(diagnostics) = check_source(&[("main.rs", &wrap(&body))]) else {
                return false;
            };
            assert!(
                diagnostics
                    .list
                    .iter()
                    .all(|d| d.code != DiagCode::Internal)
            );
            diagnostics.list.iter().any(|d| d.code == DiagCode::TooDeep)
        };
        thread::scope(|scope| {
            // The last two are long, not deep: they are checked, whatever their length.
            let deep = bodies.len() - if n > 2000 { 2 } else { 0 };
            let bodies = bodies.into_iter().take(deep);
            let checks: Vec<_> =
                (bodies.map(|body| scope.spawn(move || is_refused(body)))).collect();
            for check in checks {
                refused += usize::from(check.join().expect("it is checked or refused"));
            }
        });
    }
    assert!(refused > 10);
}
