//! Python programs as guests. In: texts. Out: functions from options to runs, and what CPython
//! makes of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use verdigris::Options;
use verdigris_python::clock::Clock;
use verdigris_python::machine::{DEFAULT_DEPTH, Machine, Program, compile, on_stack};
use verdigris_python::setup::Setup;
use verdigris_python::stdlib::StdlibChoice;
use verdigris_testing::{Outcome, Run};

/// A program with what it prints.
pub struct Case {
    /// The file.
    pub path: PathBuf,
    /// What it prints, and behind that the traceback that it ends with.
    pub expected: String,
}

/// The programs in a folder that have an `.out` beside them.
pub fn cases(folder: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|end| end == "py"))
        .collect();
    paths.sort();
    let found = paths.into_iter().filter_map(|path| {
        let expected = fs::read_to_string(path.with_extension("out")).ok()?;
        Some(Case { path, expected })
    });
    found.collect()
}

/// What tracebacks call a file, wherever the repository is.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().expect("it is a file");
    name.to_string_lossy().into_owned()
}

/// The program of a file.
pub fn program(path: &Path) -> Program {
    let bytes = fs::read(path).expect("it can be read");
    compile(&bytes, &name_of(path)).unwrap_or_else(|error| panic!("{error}"))
}

/// A folder for what a program of the tests writes: its `sys.argv[1]`. Runs may be beside each
/// other, so each has its own. The programs that are measured take a number there.
fn written(folder: &Path) -> Option<TempDir> {
    let wanted = folder.ends_with("tests/programs");
    wanted.then(|| tempfile::tempdir().expect("there is room for files"))
}

/// A program that runs on a stack of its own.
pub fn guest(program: &Program, folder: &str) -> impl Fn(Options) -> Run {
    guest_with(program, folder, &StdlibChoice::Off)
}

/// The same with modules of CPython.
pub fn guest_with(
    program: &Program,
    folder: &str,
    stdlib: &StdlibChoice,
) -> impl Fn(Options) -> Run {
    let written = written(Path::new(folder));
    let first = written.as_ref().map(|dir| dir.path().display().to_string());
    let setup = Setup {
        arguments: [Some(program.file.clone()), first]
            .into_iter()
            .flatten()
            .collect(),
        folder: folder.to_string(),
        stdlib: stdlib.clone(),
        limit: DEFAULT_DEPTH,
        clock: Clock::Virtual,
    };
    move |options| {
        let _kept = &written;
        let run = || {
            let machine = Machine::new(options).unwrap_or_else(|error| panic!("{error}"));
            let outcome = machine.run(program, &setup, true);
            Run {
                outcome: Outcome {
                    output: outcome.output,
                    error: outcome.error,
                },
                stats: machine.vm().stats(),
                traces: machine.vm().traces(),
            }
        };
        on_stack(DEFAULT_DEPTH, run).expect("a stack")
    }
}

/// All that a program has said.
pub fn said(outcome: &Outcome) -> String {
    format!(
        "{}{}",
        outcome.output,
        outcome.error.as_deref().unwrap_or("")
    )
}

/// What CPython 3.11 prints, without the lines of carets; `None` if it is not installed.
pub fn cpython(path: &Path) -> Option<String> {
    let version = Command::new("python3").arg("--version").output().ok()?;
    if !version.stdout.starts_with(b"Python 3.11") {
        return None;
    }
    let mut command = Command::new("python3");
    let written = path.parent().and_then(written);
    command.arg("-W").arg("ignore").arg(name_of(path));
    command.args(written.as_ref().map(TempDir::path));
    // What it keeps of imported modules does not belong into the repository.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.current_dir(path.parent().expect("it is in a folder"));
    let output = command.output().ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let folder = path
        .parent()
        .expect("it is in a folder")
        .display()
        .to_string();
    let errors = text(&output.stderr).replace(&format!("{folder}/"), "");
    let is_caret = |line: &&str| {
        let marks = line.trim_matches(|c| " ~^".contains(c));
        marks.is_empty() && line.contains('^')
    };
    let errors: String = (errors.lines())
        .filter(|line| !is_caret(line))
        .map(|line| format!("{line}\n"))
        .collect();
    Some(text(&output.stdout) + &errors)
}
