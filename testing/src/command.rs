//! Commands of languages. In: a binary and its arguments. Out: the command to start, or what it
//! said. Invariants: it writes no log, and its parameters are its own; where the tests run under an
//! emulator, so does it.

use std::ffi::OsString;
use std::process::Command;

/// The emulator that runs binaries of this processor, if the system cannot: what the variable
/// `VERDIGRIS_RUNNER` names.
pub fn runner() -> Option<OsString> {
    std::env::var_os("VERDIGRIS_RUNNER")
}

/// The command for a binary, such as `env!("CARGO_BIN_EXE_name")`.
pub fn command(binary: &str) -> Command {
    let mut command = match runner() {
        Some(runner) => {
            let mut command = Command::new(runner);
            command.arg(binary);
            command
        }
        None => Command::new(binary),
    };
    command.env_remove("VERDIGRIS_LOG");
    command.env_remove("VERDIGRIS_JIT");
    command
}

/// Runs a binary: standard output and standard error, each without the white space at its end, and
/// the status (`None` if a signal ended it).
///
/// # Panics
/// If it cannot be started, or says what is not UTF-8.
pub fn said(binary: &str, args: &[&str]) -> (String, String, Option<i32>) {
    let output = command(binary).args(args).output();
    let output = output.unwrap_or_else(|error| panic!("{binary}: {error}"));
    let text = |bytes| {
        let text = String::from_utf8(bytes).expect("commands say UTF-8");
        text.trim_end().to_string()
    };
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}

/// Runs a binary whose standard output is a disk without room: standard error without the white
/// space at its end, and the status.
///
/// # Panics
/// As [`said`].
#[cfg(target_os = "linux")]
pub fn said_to_full(binary: &str, args: &[&str]) -> (String, Option<i32>) {
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let output = command(binary).args(args).stdout(full).output();
    let output = output.unwrap_or_else(|error| panic!("{binary}: {error}"));
    let text = String::from_utf8(output.stderr).expect("commands say UTF-8");
    (text.trim_end().to_string(), output.status.code())
}
