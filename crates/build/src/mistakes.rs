//! The file `verdigris.mistakes` in `OUT_DIR`, from which the macros report mistakes to rustc.
//!
//! Each mistake is reported once, at its token if an attribute covers it, else by `include_jit!`,
//! which always fails while the file exists.
//!
//! A line consists of fields between tabs. The first says which macro shows it: the path of a file,
//! and line and column of an attribute in it; or nothing, for `include_jit!`. Then come the first
//! and the last place of the mistake, and the text. Lines count from 1, columns from 0, in
//! characters.

use std::fmt::Write;
use std::path::Path;
use verdigris_front::tast::Span;
use verdigris_front::{DiagCode, Diagnostic, Diagnostics, attribute_spans};

/// The name of the file.
pub const FILE: &str = "verdigris.mistakes";

/// The stand-in for the glue while there are mistakes: `include_jit!` fails, and nothing else does
/// because of that.
pub const STUB: &str = "// Written by verdigris-build: the source has mistakes.

/// The interpreter as the JIT would see it.
pub fn program() -> ::verdigris::rt::Program {
    ::core::unreachable!()
}
";

/// Whether the translator itself has failed, which is nothing to show in the user's source.
pub fn is_internal(diagnostics: &Diagnostics) -> bool {
    diagnostics
        .list
        .iter()
        .any(|d| d.code == DiagCode::Internal)
}

/// How many mistakes there are.
pub fn summary(diagnostics: &Diagnostics) -> String {
    let count = match diagnostics.list.len() {
        1 => "1 mistake".to_string(),
        count => format!("{count} mistakes"),
    };
    format!("verdigris: {count}, the interpreter has no JIT")
}

/// The text of the file. `root` is the folder that the paths of the diagnostics start from.
pub fn text(diagnostics: &Diagnostics, root: &Path) -> String {
    let mut out = String::new();
    for diagnostic in &diagnostics.list {
        match diagnostic.span.and_then(|s| place(diagnostics, s, root)) {
            Some(place) => line(&mut out, &place, &beside(diagnostic, diagnostics)),
            None => line(&mut out, NOWHERE, &whole(diagnostic, diagnostics)),
        }
    }
    line(&mut out, NOWHERE, &summary(diagnostics));
    out
}

/// Fields of what no attribute shows.
const NOWHERE: &str = "\t0\t0\t0\t0\t0\t0";

fn line(out: &mut String, place: &str, text: &str) {
    let text = text
        .replace('\\', "\\\\")
        .replace('\n', "\\n")
        .replace('\t', "\\t");
    let _ = writeln!(out, "{place}\t{text}");
}

/// The fields of a mistake that an attribute attribute_spans.
fn place(diagnostics: &Diagnostics, span: Span, root: &Path) -> Option<String> {
    let file = &diagnostics.files[span.file];
    let path = std::fs::canonicalize(root.join(&file.path)).ok()?;
    let path = path.to_str().filter(|p| !p.contains(['\t', '\n']))?;
    let (lo, hi) = (span.lo as usize, span.hi as usize);
    let cover = attribute_spans(&file.text)
        .into_iter()
        .find(|c| c.item.contains(&lo))?;
    let (attribute_line, attribute_column) = cover.attribute;
    let (first_line, first) = line_and_column(&file.text, lo)?;
    let (last_line, last) = line_and_column(&file.text, hi)?;
    Some(format!(
        "{path}\t{attribute_line}\t{attribute_column}\t{first_line}\t{first}\t{last_line}\t{last}"
    ))
}

fn line_and_column(text: &str, at: usize) -> Option<(usize, usize)> {
    let before = text.get(..at)?;
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    // Rustc does not count the mark at the start of a file.
    let column = before[start..].chars().filter(|c| *c != '\u{feff}').count();
    Some((before.matches('\n').count() + 1, column))
}

/// The text of a mistake that is shown with its source: other places are named.
fn beside(diagnostic: &Diagnostic, diagnostics: &Diagnostics) -> String {
    let mut out = format!("{}: {}", diagnostic.code.id(), diagnostic.message);
    if let Some(label) = &diagnostic.label {
        let _ = write!(out, "\n{label}");
    }
    for (span, text) in &diagnostic.labels {
        let file = &diagnostics.files[span.file];
        let _ = write!(out, "\n{text}: {}", file.path);
        if let Some((line, column)) = line_and_column(&file.text, span.lo as usize) {
            let _ = write!(out, ":{line}:{}", column + 1);
        }
    }
    for note in &diagnostic.notes {
        let _ = write!(out, "\nnote: {note}");
    }
    if let Some(help) = &diagnostic.help {
        let _ = write!(out, "\nhelp: {help}");
    }
    if let Some((file, at, text)) = diagnostic.insertion(&diagnostics.files) {
        let file = &diagnostics.files[file];
        if let Some((line, _)) = line_and_column(&file.text, at) {
            let attribute = text.trim();
            let _ = write!(
                out,
                "\nit would stand here: {}:{line}: {attribute}",
                file.path
            );
        }
    }
    let _ = write!(out, "\nnote: {}", diagnostic.code.more());
    out
}

/// The text of a mistake that is shown elsewhere: with its source lines.
fn whole(diagnostic: &Diagnostic, diagnostics: &Diagnostics) -> String {
    let shown = diagnostic.render(&diagnostics.files, false);
    let head = format!("error[{}]", diagnostic.code.id());
    match shown.strip_prefix(&head) {
        Some(rest) => format!("{}{rest}", diagnostic.code.id()),
        None => shown,
    }
}
