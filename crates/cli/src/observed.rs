//! Running a language's command to see what its JIT does. In: a command, and environment variables.
//! Out: the command's status, and what it has written to a file that one of the variables named.
//! Invariant: the command runs as it is; what it is told, it is told by environment variables, so
//! its options need not be known.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};

/// A command that has ended.
pub struct Observed {
    /// Its name, for messages.
    pub name: String,
    pub status: ExitStatus,
    /// What it has written to the file; nothing if there is none.
    pub written: String,
}

/// Runs a command, which `tell` tells to write to the file. What it prints goes to standard error.
///
/// # Errors
/// If it cannot be run, with a message.
pub fn run(
    command: &[OsString],
    tell: impl FnOnce(&mut Command, &Path),
) -> Result<Observed, String> {
    let folder = tempfile::tempdir();
    let folder =
        folder.map_err(|e| format!("error: there is no place for what is written: {e}"))?;
    let path = folder.path().join("written");
    let (program, rest) = command.split_first().expect("clap demands one");
    let mut process = Command::new(program);
    // What the program prints does not belong into what is shown.
    process.args(rest).stdout(Stdio::from(std::io::stderr()));
    tell(&mut process, &path);
    let name = program.display().to_string();
    let status = process.status();
    let status = status.map_err(|e| format!("error: cannot run {name}: {e}"))?;
    // Guest programs may have names that are no text.
    let written = std::fs::read(&path).unwrap_or_default();
    Ok(Observed {
        name,
        status,
        written: String::from_utf8_lossy(&written).into_owned(),
    })
}

/// The value of `VERDIGRIS_LOG` for these stages and this file.
pub fn log_to(stages: &str, file: &Path) -> OsString {
    let mut variable = OsString::from(format!("{stages}:"));
    variable.push(file);
    variable
}

impl Observed {
    /// The complaint that there is no code to show. `hint` says what else it may be, if the command
    /// ended well.
    pub fn compiled_nothing(&self, hint: &str) -> String {
        let Observed { name, status, .. } = self;
        match status.success() {
            true => format!(
                "error: {name} has compiled nothing; is it a language made with this version of Verdigris, and did {hint}"
            ),
            false => format!("error: {name} has compiled nothing: {status}"),
        }
    }

    /// Says if the command has failed, and answers the status for it.
    pub fn finish(&self) -> ExitCode {
        if !self.status.success() {
            eprintln!("{}: {}", self.name, self.status);
        }
        ExitCode::from(u8::from(!self.status.success()))
    }
}
