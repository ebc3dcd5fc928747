//! The coloured source as text: in colours for a terminal, or with a line of marks under each line:
//! `g` for green, `r` for red, `b` for both.

use super::{ColourReport, FileReport, Paint, Shade};
use std::fmt::Write;
use std::ops::Range;

/// How colours are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// As marks under each line.
    Marks,
    /// As colours of a terminal.
    Terminal,
}

impl ColourReport {
    /// The text.
    pub fn text(&self, style: Style) -> String {
        let mut out = String::new();
        for (n, file) in self.files.iter().enumerate() {
            if n > 0 {
                out.push('\n');
            }
            let _ = writeln!(out, "{}", file.path);
            let mut last = None;
            for (number, range) in shown_lines(file) {
                if last.is_some_and(|last| last + 1 != number) {
                    out.push_str("  ...\n");
                }
                last = Some(number);
                line(&mut out, file, number, range, style);
            }
        }
        out
    }
}

/// The lines of functions that are reached: their numbers, from 1, and where they are in the text.
pub fn shown_lines(file: &FileReport) -> Vec<(usize, Range<usize>)> {
    let mut out = Vec::new();
    let mut start = 0;
    for (n, text) in file.text.split('\n').enumerate() {
        let end = start + text.len();
        let shown = |f: &verdigris_front::tast::Span| {
            f.lo as usize <= end && start < (f.hi as usize).max(f.lo as usize + 1)
        };
        if file.functions.iter().any(shown) {
            out.push((n + 1, start..end));
        }
        start = end + 1;
    }
    out
}

/// The pieces of a line: their ranges and what they are, in order, with nothing left out.
pub fn pieces(file: &FileReport, range: Range<usize>) -> Vec<(Range<usize>, Option<&Paint>)> {
    let first = file
        .paints
        .partition_point(|p| p.span.hi as usize <= range.start);
    let mut out = Vec::new();
    let mut at = range.start;
    for paint in &file.paints[first..] {
        let lo = (paint.span.lo as usize).max(range.start);
        let hi = (paint.span.hi as usize).min(range.end);
        if lo >= range.end {
            break;
        }
        if at < lo {
            out.push((at..lo, None));
        }
        out.push((lo..hi, Some(paint)));
        at = hi;
    }
    if at < range.end {
        out.push((at..range.end, None));
    }
    out
}

fn line(out: &mut String, file: &FileReport, number: usize, range: Range<usize>, style: Style) {
    let text = |range: Range<usize>| file.text.get(range).unwrap_or("");
    let shown = text(range.clone());
    if shown.trim().is_empty() {
        let _ = writeln!(out, "{number:5} |");
        return;
    }
    match style {
        Style::Marks => {
            let _ = writeln!(out, "{number:5} | {}", shown.trim_end());
            let mut marks = String::new();
            for (range, paint) in pieces(file, range) {
                for c in text(range).chars() {
                    marks.push(match paint {
                        Some(paint) if !c.is_whitespace() => letter(paint.shade),
                        _ if c == '\t' => '\t',
                        _ => ' ',
                    });
                }
            }
            if !marks.trim().is_empty() {
                let _ = writeln!(out, "      | {}", marks.trim_end());
            }
        }
        Style::Terminal => {
            let _ = write!(out, "{number:5} | ");
            for (range, paint) in pieces(file, range) {
                let text = text(range);
                let _ = match paint {
                    Some(paint) => write!(out, "\x1b[{}m{text}\x1b[0m", code(paint.shade)),
                    None => write!(out, "{text}"),
                };
            }
            out.push('\n');
        }
    }
}

/// The mark of a colour.
fn letter(shade: Shade) -> char {
    match shade {
        Shade::Green => 'g',
        Shade::Red => 'r',
        Shade::Both => 'b',
    }
}

/// How a terminal is told a colour.
fn code(shade: Shade) -> &'static str {
    match shade {
        Shade::Green => "32",
        Shade::Red => "31",
        Shade::Both => "33;4",
    }
}
