//! Reports of programs that do not come to their end: `os.exit`, Ctrl-C, and questions while they
//! run. In: command lines and signals. Out: what the command says on standard error, and the file
//! that `VERDIGRIS_EXPLAIN` names. Nothing waits for a time: a signal is sent when the program has
//! said that it runs, and its answer is read as it comes.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

const OURS: &str = env!("CARGO_BIN_EXE_verdigris-lua");

/// A loop that says that it runs when it has turned a while.
const FOREVER: &str = "local turns = 0 while true do turns = turns + 1 \
                       if turns == 3000 then io.stdout:write('ready\\n') io.stdout:flush() end end";

fn lua(args: &[&str]) -> Command {
    let mut command = Command::new(OURS);
    command
        .args(args)
        .env_remove("LUA_INIT")
        .stdin(Stdio::null());
    command
}

/// Whether a line is statistics in JSON.
fn is_stats(line: &str) -> bool {
    line.starts_with("{\"backend\":") && line.trim_end().ends_with('}')
}

#[test]
fn an_exit_writes_what_was_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let (explained, profile) = (
        folder.path().join("explained"),
        folder.path().join("out.folded"),
    );
    let profile_name = profile.display().to_string();
    let text = "for i = 1, 3000 do local t = {i} end os.exit(3)";
    let mut command = lua(&["--stats=json", "--profile", &profile_name, "-e", text]);
    let output = command
        .env("VERDIGRIS_EXPLAIN", &explained)
        .output()
        .expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.lines().any(is_stats), "{errors}");
    assert!(errors.contains("out.folded"), "{errors}");
    let written = std::fs::read_to_string(&explained).expect("a file");
    let report = verdigris::explain::Report::from_json(written.trim_end()).expect("one report");
    assert!(report.is_on);
}

fn signal(child: &Child, name: &str) {
    let mut kill = Command::new("kill");
    let sent = kill.args([name, &child.id().to_string()]).status();
    assert!(sent.expect("there is `kill`").success());
}

#[test]
fn a_program_that_runs_answers_and_goes_on() {
    let mut command = lua(&["--stats=json", "--explain=notes", "-e", FOREVER]);
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().expect("it starts");
    let (mut out, mut errors) = (child.stdout.take(), child.stderr.take());
    let mut out = BufReader::new(out.as_mut().expect("a pipe"));
    let mut errors = BufReader::new(errors.as_mut().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    assert_eq!(line, "ready\n");
    // Twice: it has gone on.
    for _ in 0..2 {
        signal(&child, "-USR1");
        let mut lines = String::new();
        while !lines.lines().any(is_stats) {
            assert!(errors.read_line(&mut lines).expect("a line") > 0, "{lines}");
        }
    }
    signal(&child, "-INT");
    let mut rest = String::new();
    errors.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("interrupted!"), "{rest}");
    assert!(rest.lines().any(is_stats), "{rest}");
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}
