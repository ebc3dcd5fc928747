//! Runs a language's command to see what its JIT does. Environment variables name a file that the
//! JIT writes, so the command's own options need not be known.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use verdigris_report::LogEntry;

/// A command that has ended.
pub struct ObservedCommand {
    /// Its name, for messages.
    pub name: String,
    pub status: ExitStatus,
    /// The text that it has written to the file; empty if there is none.
    pub written: String,
}

/// Runs a command. `tell` sets the variables that name the file. Its standard output goes to
/// standard error.
///
/// # Errors
/// If it cannot be run, with a message.
pub fn run(
    command: &[OsString],
    tell: impl FnOnce(&mut Command, &Path),
) -> Result<ObservedCommand, String> {
    let folder = tempfile::tempdir();
    let folder =
        folder.map_err(|e| format!("error: there is no place for what is written: {e}"))?;
    let path = folder.path().join("written");
    let (program, rest) = command.split_first().expect("clap demands one");
    let mut process = Command::new(program);
    // The program's output is not part of what is shown.
    process.args(rest).stdout(Stdio::from(std::io::stderr()));
    tell(&mut process, &path);
    survive_interrupts().map_err(|e| format!("error: cannot listen for signals: {e}"))?;
    let name = program.display().to_string();
    let status = process.status();
    let status = status.map_err(|e| format!("error: cannot run {name}: {e}"))?;
    // Guest programs may have names that are not UTF-8.
    let written = std::fs::read(&path).unwrap_or_default();
    Ok(ObservedCommand {
        name,
        status,
        written: String::from_utf8_lossy(&written).into_owned(),
    })
}

/// The value of `VERDIGRIS_LOG` for these stages, in JSON form, and this file.
pub fn log_to(stages: &str, file: &Path) -> OsString {
    let mut variable = OsString::from(format!("json:{stages}:"));
    variable.push(file);
    variable
}

/// Ctrl-C is for the command that runs: it ends, and then there is something to show.
#[cfg(unix)]
fn survive_interrupts() -> std::io::Result<()> {
    use signal_hook::consts::SIGINT;
    signal_hook::flag::register(SIGINT, std::sync::Arc::default())?;
    Ok(())
}

#[cfg(not(unix))]
fn survive_interrupts() -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    use std::os::unix::process::ExitStatusExt;
    status.signal().map(|signal| 128 + signal)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

impl ObservedCommand {
    /// The entries of the log that it has written.
    ///
    /// # Errors
    /// With a message, if it is the log of another version.
    pub fn log(&self) -> Result<Vec<LogEntry>, String> {
        LogEntry::read_log(&self.written).map_err(|error| {
            let name = &self.name;
            format!("error: {name} has written a log of another version of Verdigris: {error}")
        })
    }

    /// The message that there is no code to show. `hint` is the question to ask if the command
    /// succeeded.
    pub fn compiled_nothing(&self, hint: &str) -> String {
        let ObservedCommand { name, status, .. } = self;
        match status.success() {
            true => format!(
                "error: {name} has compiled nothing; is it a language made with this version of Verdigris, and did {hint}"
            ),
            false => format!("error: {name} has compiled nothing: {status}"),
        }
    }

    /// Reports a failure of the command, and returns its status: that of a command which a signal
    /// has ended is 128 and the signal's number, as shells have it.
    pub fn finish(&self) -> ExitCode {
        if !self.status.success() {
            eprintln!("{}: {}", self.name, self.status);
        }
        let ended = self.status.code().or_else(|| signal(self.status));
        // A status of a process has eight bits.
        ExitCode::from(ended.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
    }
}
