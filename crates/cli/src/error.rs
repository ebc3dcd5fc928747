//! `verdigris error`: the page about an error of the translator, or a list of all errors. A
//! mistyped code leads to a list of similar ones.

use crate::book::without_links;
use crate::out::write;
use std::fmt::Write;
use std::process::ExitCode;
use verdigris_front::DiagCode;

/// The arguments.
#[derive(clap::Args)]
pub struct ErrorArgs {
    /// The code of the error, as `VD0034`, `vd34` or `34`; without it, all codes are listed.
    code: Option<String>,
}

/// Shows the page, or the list.
///
/// # Errors
/// If there is no such code.
pub fn run(args: &ErrorArgs) -> Result<ExitCode, String> {
    let text = match &args.code {
        None => list(DiagCode::ALL.iter().copied()),
        Some(word) => match find(word) {
            Some(code) => without_links(code.page()),
            None => return Err(unknown(word)),
        },
    };
    write(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The code that a user means. Case, leading letters and zeros do not matter, nor does the
/// punctuation around it in a message.
fn find(word: &str) -> Option<DiagCode> {
    let number = digits(word)?.parse::<usize>().ok()?;
    DiagCode::ALL.get(number).copied()
}

/// The digits of a code.
fn digits(word: &str) -> Option<&str> {
    let around = |c: char| "[]`:".contains(c);
    let word = word.strip_prefix("error").unwrap_or(word);
    let word = word.trim_matches(around);
    let number = match word.get(..2) {
        Some(letters) if letters.eq_ignore_ascii_case("vd") => &word[2..],
        _ => word,
    };
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some(number)
}

fn unknown(word: &str) -> String {
    let near: Vec<DiagCode> = match digits(word) {
        Some(number) => {
            let id = format!("VD{number:0>4}");
            let mut near = DiagCode::ALL.to_vec();
            near.retain(|code| differ_in_one(code.id(), &id));
            near
        }
        None => about(word),
    };
    let last = DiagCode::ALL[DiagCode::ALL.len() - 1];
    let mut text = format!(
        "error: there is no error `{word}`: the codes are VD0000 to {}",
        last.id()
    );
    if is_rustcs(word) {
        let _ = write!(text, "; `rustc --explain {word}` explains it");
    } else if near.is_empty() {
        text += "; `verdigris error` lists them";
    } else {
        text += ", and these are near\n";
        text += list(near.into_iter()).trim_end();
    }
    text
}

/// Whether it is a code of rustc's.
fn is_rustcs(word: &str) -> bool {
    let digits = word.strip_prefix('E').unwrap_or_default();
    digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether two codes differ in one character, or two neighbours have changed places.
fn differ_in_one(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let other: Vec<usize> = (0..a.len()).filter(|&i| a[i] != b[i]).collect();
    match other[..] {
        [_] => true,
        [i, j] => j == i + 1 && a[i] == b[j] && a[j] == b[i],
        _ => false,
    }
}

/// The codes whose titles have the word.
fn about(word: &str) -> Vec<DiagCode> {
    let word = word.trim().to_lowercase();
    let has = |code: &DiagCode| title(*code).to_lowercase().contains(&word);
    match word.is_empty() {
        true => Vec::new(),
        false => DiagCode::ALL.iter().copied().filter(has).collect(),
    }
}

/// The title in the page's first line.
fn title(code: DiagCode) -> &'static str {
    let line = code.page().lines().next().unwrap_or_default();
    line.split_once(": ").map_or(line, |(_, title)| title)
}

fn list(codes: impl Iterator<Item = DiagCode>) -> String {
    let mut text = String::new();
    for code in codes {
        let _ = writeln!(text, "{}  {}", code.id(), title(code));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_found_as_people_write_them() {
        for word in [
            "VD0034",
            "vd0034",
            "34",
            "0034",
            "VD34",
            "[VD0034]",
            "error[VD0034]:",
        ] {
            assert_eq!(find(word), Some(DiagCode::Loop), "{word}");
        }
        for word in ["", "VD", "VD9999", "-34", "34x", "loop", "VÄ34", "é"] {
            assert_eq!(find(word), None, "{word}");
        }
        for &code in DiagCode::ALL {
            assert_eq!(find(code.id()), Some(code));
        }
    }

    #[test]
    fn pages_have_no_links() {
        for code in DiagCode::ALL {
            assert!(!without_links(code.page()).contains("]("), "{}", code.id());
        }
    }
}
