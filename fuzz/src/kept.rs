//! Cases as text, to be kept. In: a case, or its text. Out: the other one. Invariant:
//! `parse(print(case)) == case`, and the text is still what it is about, such as a program that the
//! command of its language runs: what else there is to know stands in comments.

use std::fs;
use std::path::{Path, PathBuf};

/// A case: what was made up, with what it needs to be tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The start of a comment up to the end of the line.
    pub comment: String,
    /// The campaign that it is of.
    pub campaign: String,
    /// Facts besides the text, each on a line.
    pub fields: Vec<(String, String)>,
    /// The text itself.
    pub text: String,
}

/// The key of the first line.
const CAMPAIGN: &str = "fuzz";

impl Case {
    /// The value of a field.
    pub fn field(&self, key: &str) -> Option<&str> {
        let found = self.fields.iter().find(|(known, _)| known == key);
        found.map(|(_, value)| &value[..])
    }

    /// The text with what there is to know in front.
    pub fn print(&self) -> String {
        let mut text = format!("{} {CAMPAIGN}: {}\n", self.comment, self.campaign);
        for (key, value) in &self.fields {
            text += &format!("{} {key}: {value}\n", self.comment);
        }
        text + &self.text
    }

    /// Reads what [`Case::print`] wrote.
    ///
    /// # Errors
    /// If it does not begin as a case does.
    pub fn parse(text: &str) -> Result<Case, String> {
        let no_case = || format!("a case begins with a comment `{CAMPAIGN}: CAMPAIGN`");
        let first = text.lines().next().unwrap_or("");
        let (comment, rest) = first.split_once(' ').ok_or_else(no_case)?;
        let campaign = rest
            .strip_prefix(CAMPAIGN)
            .and_then(|r| r.strip_prefix(": "));
        let mut case = Case {
            comment: comment.to_string(),
            campaign: campaign.ok_or_else(no_case)?.to_string(),
            fields: Vec::new(),
            text: String::new(),
        };
        let mut lines = text.split_inclusive('\n').skip(1).peekable();
        while let Some(field) = lines.peek().and_then(|line| field(line, comment)) {
            case.fields.push(field);
            lines.next();
        }
        case.text = lines.collect();
        Ok(case)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no case.
    pub fn read(file: &Path) -> Result<Case, String> {
        let name = file.display();
        let text = fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
        Case::parse(&text).map_err(|error| format!("{name}: {error}"))
    }

    /// Writes a file in a folder, which is made if it is not there. Answers its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path, name: &str) -> Result<PathBuf, String> {
        let file = folder.join(name).with_extension("txt");
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, self.print()));
        match written {
            Ok(()) => Ok(file),
            Err(error) => Err(format!("{}: {error}", file.display())),
        }
    }
}

/// A line `; key: value`, where keys are one word.
fn field(line: &str, comment: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix(comment)?.strip_prefix(' ')?;
    let (key, value) = rest.trim_end_matches('\n').split_once(':')?;
    let word = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase());
    let value = value.strip_prefix(' ').unwrap_or(value);
    word.then(|| (key.to_string(), value.to_string()))
}

/// Bytes as text.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes from text; nothing if it is not what [`hex`] makes.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let byte = |at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len()).step_by(2).map(byte).collect()
}

/// The folder of the crate in which failures are left; git does not look at it.
pub fn failures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("failures")
}

/// The cases that are kept for good: those of all folders in `fuzz/cases`, in the order of their
/// names.
///
/// # Errors
/// If one cannot be read.
pub fn cases() -> Result<Vec<(PathBuf, Case)>, String> {
    let mut files = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "txt" => files.push(path),
                _ => {}
            }
        }
    }
    files.sort();
    let read = |file: PathBuf| Case::read(&file).map(|case| (file, case));
    files.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_can_be_parsed() {
        let case = Case {
            comment: ";".to_string(),
            campaign: "lang tlc".to_string(),
            fields: vec![
                ("jit".to_string(), "threshold=2,heap_limit=4m".to_string()),
                ("variant".to_string(), String::new()),
            ],
            text: "; a remark\nPUSH 1\nRETURN\n".to_string(),
        };
        let text = case.print();
        assert!(text.starts_with("; fuzz: lang tlc\n; jit: threshold=2"));
        assert_eq!(Case::parse(&text), Ok(case));
        for wrong in ["", "PUSH 1", "; jit: off\n"] {
            assert!(Case::parse(wrong).is_err(), "{wrong}");
        }
    }
}
