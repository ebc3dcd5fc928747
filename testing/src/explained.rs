//! Why a guest program is slow, as a test can expect it. In: options, and a VM's report. Out: the
//! first screen of the text, without what is different each time. Invariant: the order of the
//! findings depends on the program alone, for time is counted by a clock that goes on whenever it
//! is asked.

use std::cell::Cell;
use verdigris::Options;
use verdigris::explain::{Render, Report};

/// Lines of a screen.
const LINES: usize = 24;

thread_local! {
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn clock() -> f64 {
    ASKED.set(ASKED.get() + 1);
    ASKED.get() as f64 * 1e-9
}

/// Options with these parameters of the JIT that ask for a report.
///
/// # Panics
/// If there are no such parameters.
#[track_caller]
pub fn explaining(jit: &str) -> Options {
    let options = Options::parse(jit).unwrap_or_else(|error| panic!("{jit}: {error}"));
    options.explain(true).clock(clock as fn() -> f64)
}

/// The first screen of a report, in which every file is this text. Times and sizes are left out.
///
/// # Panics
/// If there is no report.
#[track_caller]
pub fn first_screen(report: Option<Report>, source: &str) -> String {
    let report = report.expect("the options ask for a report");
    let render = Render {
        most: 12,
        source: &|_| Some(source.to_owned()),
        ..Render::with_files()
    };
    let text = render.text(&report);
    let lines = text.lines().take(LINES).map(masked);
    lines.fold(String::new(), |text, line| text + &line + "\n")
}

/// A line without its times, sizes and shares.
fn masked(line: &str) -> String {
    let units = ["s", "ms", "us", "%", "B", "kB", "MB", "GB"];
    let is_unit = |word: &str| units.contains(&word.trim_end_matches([',', ';', ':']));
    let is_number = |word: &str| {
        let is_part = |c: char| c.is_ascii_digit() || c == '.';
        !word.is_empty() && word.chars().all(is_part)
    };
    let words: Vec<&str> = line.split(' ').collect();
    let mut out: Vec<&str> = Vec::new();
    for (n, word) in words.iter().enumerate() {
        let before = n.checked_sub(1).map_or("", |n| words[n]);
        if is_number(word) && words.get(n + 1).is_some_and(|next| is_unit(next)) {
            out.push("_");
        } else if is_number(before) && is_unit(word) && *word != "%" {
            let ends = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
            if !ends.is_empty() {
                out.push(ends);
            }
        } else {
            out.push(word);
        }
    }
    out.join(" ")
        .replace("_ ,", "_,")
        .replace("_ ;", "_;")
        .replace("_ :", "_:")
}
