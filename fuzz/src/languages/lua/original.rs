//! What `lua5.4` does. In: a program. Out: what it printed, and its error; nothing if it is not
//! installed. Invariant: a missing command is said once, and is no failure.

use crate::language::Program;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Once;
use verdigris_testing::Outcome;

/// The name of the file in messages: what `lua5.4` calls standard input.
pub const FILE: &str = "stdin";

/// Its name.
const COMMAND: &str = "lua5.4";

/// A driver that runs a program: as the command would, but that `__close` is called with the error
/// and not with the calls that it came through.
const DRIVER: &str = "local ok, e = pcall(assert(load(TEXT, '=FILE')), ...)
if not ok then
  local plain = type(e) == 'string' or type(e) == 'number'
  io.stderr:write(plain and e or '(error object is a ' .. type(e) .. ' value)')
end";

/// Messages whose line is wrong in Lua 5.4.4, which does not know the place of a division by zero.
const MISPLACED: [&str; 2] = ["attempt to divide by zero", "attempt to perform 'n%"];

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
        let text = format!("[=====[\n{}]=====]", program.text);
        let text = DRIVER.replace("FILE", FILE).replace("TEXT", &text);
        input.write_all(text.as_bytes()).ok()?;
    }
    let done = child.wait_with_output().ok()?;
    let said = String::from_utf8_lossy(&done.stderr);
    let error = (!said.is_empty()).then(|| said.into_owned());
    Some(Outcome {
        output: String::from_utf8_lossy(&done.stdout).into_owned(),
        error,
    })
}

/// The outcome of a program, without the lines that the original gets wrong.
pub fn comparable(outcome: &Outcome) -> Outcome {
    Outcome {
        output: without_lines(&outcome.output),
        error: outcome.error.as_deref().map(without_lines),
    }
}

/// A text without the lines of messages that are misplaced.
fn without_lines(text: &str) -> String {
    let place = format!("{FILE}:");
    let mut parts = text.split(&place);
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        let message = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_misplaced = |start: &str| {
            let message = message.strip_prefix(": ");
            message.is_some_and(|message| message.starts_with(start))
        };
        out += &place;
        out += match MISPLACED.iter().any(|start| is_misplaced(start)) {
            true => message,
            false => part,
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_misplaced_messages_lose_their_line() {
        let text =
            "stdin:4: attempt to divide by zero\nstdin:5: no stdin:66: attempt to perform 'n%%0'";
        let expected =
            "stdin:: attempt to divide by zero\nstdin:5: no stdin:: attempt to perform 'n%%0'";
        assert_eq!(without_lines(text), expected);
        assert_eq!(without_lines("stdin:7"), "stdin:7");
    }
}
