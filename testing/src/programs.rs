//! Guest programs in a folder, with what they print. In: the folder. Out: the programs in the order
//! of their names. Invariant: every program says for which arguments its `.out` is right.
//!
//! A program begins with a comment `args: 20`, those arguments; a comment `stress: 6` gives smaller
//! ones for the settings that are slow (other comments are for other readers).

use std::fs;
use std::path::{Path, PathBuf};

/// A guest program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its number among those of the folder, in the order of their names.
    pub number: usize,
    /// The name of its file, without the extension.
    pub name: String,
    /// Its text.
    pub source: String,
    /// Arguments.
    pub args: Vec<i64>,
    /// Its output for them.
    pub expected: String,
    /// Arguments for slow settings.
    pub small_args: Vec<i64>,
}

/// The programs of a folder: the files with this extension, in which comments begin with `comment`.
///
/// # Panics
/// If one cannot be read, does not say its arguments, or has no `.out` beside it; and if there are
/// none.
pub fn programs(folder: &Path, extension: &str, comment: &str) -> Vec<Program> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let files = entries.map(|entry| entry.expect("it can be listed").path());
    let mut files: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|e| e == extension))
        .collect();
    files.sort();
    let numbered = files.iter().enumerate();
    let programs: Vec<Program> = numbered
        .map(|(n, file)| program(n, file, comment))
        .collect();
    assert!(!programs.is_empty(), "{} is empty", folder.display());
    programs
}

fn program(number: usize, file: &Path, comment: &str) -> Program {
    let read = |path: &Path| {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let source = read(file);
    let arguments = |mark| arguments(&source, &format!("{comment} {mark}:"));
    let args = arguments("args")
        .unwrap_or_else(|| panic!("{} does not say its arguments", file.display()));
    let name = file.file_stem().expect("it has an extension");
    Program {
        number,
        name: name.to_string_lossy().into_owned(),
        small_args: arguments("stress").unwrap_or_else(|| args.clone()),
        args,
        expected: read(&file.with_extension("out")),
        source,
    }
}

fn arguments(source: &str, mark: &str) -> Option<Vec<i64>> {
    let line = source.lines().find_map(|line| line.strip_prefix(mark))?;
    let number = |word: &str| word.parse().expect("arguments are integers");
    Some(line.split_whitespace().map(number).collect())
}
