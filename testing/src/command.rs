//! Commands of languages. In: a binary and its arguments. Out: what it said. Invariant: it writes no log.

use std::process::Command;

/// Runs a binary, such as `env!("CARGO_BIN_EXE_name")`: standard output and standard error, each without the white space
/// at its end, and the status (`None` if a signal ended it).
///
/// # Panics
/// If it cannot be started, or says what is not UTF-8.
pub fn said(binary: &str, args: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(binary);
    let output = command.args(args).env_remove("VERDIGRIS_LOG").output();
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
