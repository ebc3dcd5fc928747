//! Edits of Rust text that leave most of it meaningful: of single tokens, of runs of them, and
//! items put in from other sources. In: a tape, sources. Out: a source in which something is wrong,
//! mostly. Invariant: every tape is an edit.

use fuzz_tape::Tape;
use std::ops::Range;

/// Paths and texts, the root first.
pub type Source = Vec<(String, String)>;

/// Tokens that mean something in many places.
const TOKENS: &[&str] = &[
    "&",
    "*",
    "!",
    "-",
    "+",
    "?",
    "_",
    "0",
    "1",
    "-1",
    "255",
    "1.5",
    "true",
    "b'x'",
    "i64::MAX",
    "usize",
    "i8",
    "u64",
    "f64",
    "bool",
    "Self",
    "self",
    "Some",
    "None",
    "Ok",
    "Err",
    "..",
    "..=",
    "|",
    "||",
    "&&",
    "==",
    "<",
    ">>",
    "=",
    "+=",
    "as",
    "return",
    "break",
    "continue",
    "loop",
    "mut",
    "ref",
    "if",
    "match",
    "()",
    "(0, 1)",
    "[0; 3]",
    ".0",
    ".get()",
    ".len()",
    ".unwrap()",
    ".clone()",
    "::<i64>",
    "<T>",
    "{ }",
    ";",
    ",",
    "dyn",
    "impl",
    "move",
    "|x| x",
    "'a:",
    "\"s\"",
    "Gc",
    "GcArray",
    "Option",
    "#[opaque]",
    "#[unroll_safe]",
    "#[gc]",
    "const",
    "static",
    "fn",
    "unsafe",
    "(",
    ")",
    "{",
    "}",
    ">",
    "::",
    "@",
    "let",
    "else",
    "x",
    "pc",
    "mod",
    "use",
    "super",
    "crate",
    "i64",
    ".kind()",
    "ä",
];

/// Words, and what is between them.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if word(c) && last.chars().all(word) => last.push(c),
            Some(last) if c.is_whitespace() && last.chars().all(char::is_whitespace) => {
                last.push(c)
            }
            _ => out.push(c.to_string()),
        }
    }
    out
}

/// A source of the corpus with one file broken.
pub fn broken(corpus: &[Source], tape: &mut Tape<'_>) -> Source {
    let mut source = corpus[tape.below(corpus.len())].clone();
    let file = tape.below(source.len());
    let mut list = tokens(&source[file].1);
    for _ in 0..1 + tape.weighted(&[6, 3, 1, 1]) {
        if tape.chance(1, 4) {
            let other = &corpus[tape.below(corpus.len())];
            let other = &other[tape.below(other.len())].1;
            graft(tape, &mut list, &tokens(other));
        } else if !list.is_empty() {
            edit(tape, &mut list);
        }
    }
    source[file].1 = list.concat();
    source
}

/// A place among the tokens that is a word or a sign.
fn place(tape: &mut Tape<'_>, list: &[String]) -> usize {
    let at = tape.below(list.len());
    let solid = |at: &usize| !list[*at].trim().is_empty();
    (at..list.len()).find(solid).unwrap_or(at)
}

/// One edit.
fn edit(tape: &mut Tape<'_>, list: &mut Vec<String>) {
    let at = place(tape, list);
    match tape.below(8) {
        0 => {
            list.remove(at);
        }
        // A word of the same file instead of this one: often a name of another type.
        1 | 2 => list[at] = list[place(tape, list)].clone(),
        3 => list.insert(at, format!(" {} ", tape.pick(TOKENS))),
        4 => list[at] = tape.pick(TOKENS).to_string(),
        5 => {
            let other = place(tape, list);
            list.swap(at, other);
        }
        6 => {
            let to = (at + 2 + tape.below(20)).min(list.len());
            list.drain(at..to);
        }
        _ => {
            let from = tape.below(list.len());
            let to = (from + 1 + tape.below(30)).min(list.len());
            let copied = list[from..to].to_vec();
            list.splice(at..at, copied);
        }
    }
}

/// Puts an item or a statement of another text in place of one, or in front of it.
fn graft(tape: &mut Tape<'_>, list: &mut Vec<String>, other: &[String]) {
    let Some(new) = piece(tape, other) else {
        return;
    };
    let Some(old) = piece(tape, list) else { return };
    let new = other[new].to_vec();
    match tape.chance(1, 2) {
        true => list.splice(old, new),
        false => list.splice(old.start..old.start, new),
    };
}

/// From behind a `;`, `{` or `}` to the next end of an item or statement.
fn piece(tape: &mut Tape<'_>, list: &[String]) -> Option<Range<usize>> {
    let ends = |token: &String| matches!(token.as_str(), ";" | "{" | "}");
    let from = tape.below(list.len().max(1));
    let start = from + 1 + list.get(from..)?.iter().position(ends)?;
    let mut depth = 0;
    for (n, token) in list.get(start..)?.iter().enumerate() {
        match token.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
        if depth == 0 && matches!(token.as_str(), ";" | "}") {
            return Some(start..start + n + 1);
        }
    }
    None
}
