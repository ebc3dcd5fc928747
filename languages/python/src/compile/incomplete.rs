//! Whether a text that is typed goes on in the next line. In: the lines so far. Out: a decision.
//! Invariant: as in the dialogue of CPython: brackets and strings of three quotes go on until they
//! are closed, lines behind a backslash, and compound statements until a line is empty.

/// The words that compound statements begin with.
const COMPOUND: [&str; 9] = [
    "if", "while", "for", "try", "with", "def", "class", "async", "match",
];

/// Whether more lines belong to a text, which ends with the end of a line.
pub fn is_incomplete(text: &str) -> bool {
    let end = scan(text.as_bytes());
    if end.is_open {
        return true;
    }
    let lines = || text.lines().map(str::trim);
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let Some(first) = lines().find(is_code) else {
        return false;
    };
    is_compound(first) && lines().next_back().is_some_and(|last| !last.is_empty())
}

/// Whether a line begins a compound statement.
fn is_compound(line: &str) -> bool {
    if line.starts_with('@') {
        return true;
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let word = &line[..line.find(|c| !is_part(c)).unwrap_or(line.len())];
    // That one is a name elsewhere.
    COMPOUND.contains(&word) && (word != "match" || line.ends_with(':'))
}

/// What is known at the end of a text.
struct End {
    /// Whether a bracket or a string is open, or the last line goes on behind a backslash.
    is_open: bool,
}

fn scan(text: &[u8]) -> End {
    let mut at = 0;
    let mut depth = 0i64;
    let mut continues = false;
    while at < text.len() {
        continues = false;
        match text[at] {
            b'#' => {
                at += line_length(&text[at..]);
                continue;
            }
            quote @ (b'"' | b'\'') => match string(&text[at..], quote) {
                Some(length) => {
                    at += length;
                    continue;
                }
                None => return End { is_open: true },
            },
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'\\' if text[at + 1..] == *b"\n" => continues = true,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
        if continues {
            break;
        }
    }
    End {
        is_open: depth > 0 || continues,
    }
}

/// How many bytes are before the end of the line.
fn line_length(text: &[u8]) -> usize {
    let end = text.iter().position(|&byte| byte == b'\n');
    end.unwrap_or(text.len())
}

/// The length of the string that a text begins with; `None` if it goes on in the next line. One
/// that is not closed in its line ends there: it is a mistake.
fn string(text: &[u8], quote: u8) -> Option<usize> {
    let mark: &[u8] = &[quote; 3];
    let is_long = text.starts_with(mark);
    let mut at = if is_long { 3 } else { 1 };
    while at < text.len() {
        match text[at] {
            b'\\' if !is_long && text[at + 1..] == *b"\n" => return None,
            b'\\' => at += 1,
            b'\n' if !is_long => return Some(at),
            byte if byte == quote && !is_long => return Some(at + 1),
            _ if is_long && text[at..].starts_with(mark) => return Some(at + 3),
            _ => {}
        }
        at += 1;
    }
    match is_long {
        true => None,
        false => Some(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::is_incomplete;

    #[test]
    fn what_is_open_goes_on() {
        for text in [
            "(1,\n",
            "x = [\n",
            "'''a\n",
            "f\"\"\"{x}\n",
            "1 + \\\n",
            "'a\\\n",
            "if x:\n",
            "if x: y\n",
            "if x:\n    y\n",
            "@f\n",
            "async def f():\n",
            "match x:\n",
            "# comment\nwhile x:\n",
            "for x in y:\n  f('''\n\n",
        ] {
            assert!(is_incomplete(text), "{text:?}");
        }
    }

    #[test]
    fn what_is_closed_does_not() {
        for text in [
            "1\n",
            "x = (1,\n2)\n",
            "'''a\nb'''\n",
            "'a\n",
            "'\\''\n",
            "# (\n",
            "')' + \"(\"\n",
            "if x:\n    y\n\n",
            "iffy = 1\n",
            "match = 1\n",
            ")\n",
            "\n",
        ] {
            assert!(!is_incomplete(text), "{text:?}");
        }
    }
}
