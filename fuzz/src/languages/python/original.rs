//! What CPython 3.11 does. In: a program. Out: what it printed, and the traceback that it ended
//! with; nothing if it is not installed. Invariant: a missing command is said once, and is no
//! failure.

use crate::language::Program;
use std::fs;
use std::process::Command;
use std::sync::LazyLock;
use verdigris_testing::Outcome;

/// The name of the file in tracebacks.
pub const FILE: &str = "made_up.py";

/// The command that is looked for, and the version with which ours is compared.
const COMMAND: &str = "python3";
const VERSION: &str = "3.11";

/// A program that says where its interpreter is, and which one: the command may be a script that
/// looks for it each time.
const WHERE: &str = "import sys\nprint(sys.executable)\nprint('%d.%d' % sys.version_info[:2])";

/// The interpreter, if it is there.
static INTERPRETER: LazyLock<Option<String>> = LazyLock::new(|| {
    let found = Command::new(COMMAND).args(["-c", WHERE]).output().ok();
    let text = found.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let mut lines = text.iter().flat_map(|text| text.lines());
    match (lines.next(), lines.next()) {
        (Some(path), Some(VERSION)) if !path.is_empty() => Some(path.to_string()),
        _ => {
            eprintln!("{COMMAND} {VERSION} is not installed: Python is not compared with it");
            None
        }
    }
});

/// Runs a program.
pub fn run(program: &Program) -> Option<Outcome> {
    let interpreter = INTERPRETER.as_ref()?;
    let folder = tempfile::tempdir().ok()?;
    let file = folder.path().join(FILE);
    fs::write(&file, &program.text).ok()?;
    // Without the user's settings and packages it starts sooner.
    let done = Command::new(interpreter)
        .args(["-I", "-S", "-W", "ignore"])
        .arg(&file)
        .args(program.args.iter().map(i64::to_string))
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&done.stderr);
    let said = said.replace(&format!("{}/", folder.path().display()), "");
    let error = (!said.is_empty()).then(|| without_hints(&said));
    Some(Outcome {
        output: String::from_utf8_lossy(&done.stdout).into_owned(),
        error,
    })
}

/// A traceback without the lines that mark a part of the line before, and without the names that
/// may have been meant: ours has neither.
fn without_hints(text: &str) -> String {
    let is_marks =
        |line: &&str| line.contains('^') && line.trim_matches([' ', '~', '^']).is_empty();
    let kept = text.lines().filter(|line| !is_marks(line));
    let said = |line: &'_ str| match line.split_once(". Did you mean: '") {
        Some((said, _)) if !line.starts_with(' ') => format!("{said}\n"),
        _ => format!("{line}\n"),
    };
    kept.map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_guesses_are_left_out() {
        let text =
            "Traceback:\n    a ^ b\n    ~~^~~\n    x\n    ^\nNameError: a. Did you mean: 'b'?\n";
        let expected = "Traceback:\n    a ^ b\n    x\nNameError: a\n";
        assert_eq!(without_hints(text), expected);
    }
}
