//! What `lua5.4` does. In: a program. Out: what it printed, and its error; nothing if it is not installed. Invariant: a missing command is
//! said once, and is no failure.

use crate::language::Program;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Once;
use verdigris_testing::Outcome;

/// Its name.
const COMMAND: &str = "lua5.4";

static MISSING: Once = Once::new();

/// Runs a program.
pub fn run(program: &Program) -> Option<Outcome> {
    let started = Command::new(COMMAND)
        .arg("-")
        .args(program.args.iter().map(i64::to_string))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        MISSING.call_once(|| eprintln!("{COMMAND} is not installed: Lua is not compared with it"));
        return None;
    };
    // The pipe is closed when its end is dropped; a program is read to its end before it runs.
    if let Some(mut input) = child.stdin.take() {
        input.write_all(program.text.as_bytes()).ok()?;
    }
    let done = child.wait_with_output().ok()?;
    let said = String::from_utf8_lossy(&done.stderr);
    let prefix = format!("{COMMAND}: ");
    // Behind the message are the calls that it came through.
    let message = said.split("\nstack traceback:\n").next();
    let message = message.map(|text| text.trim_end_matches('\n'));
    let error = message.filter(|text| !text.is_empty());
    let error = error.map(|text| text.strip_prefix(&prefix).unwrap_or(text).to_string());
    Some(Outcome {
        output: String::from_utf8_lossy(&done.stdout).into_owned(),
        error,
    })
}
