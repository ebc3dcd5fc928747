//! What the tool starts in tests: this test program, which then runs a program of TLC, since cargo
//! builds no commands of other packages for a test. In: a command line of the tool, a program. Out:
//! the command line with what is to be started.

use std::path::{Path, PathBuf};
use std::process::Command;
use tlc::machine::{MAX_DEPTH, Machine, load};
use verdigris::Options;

/// The variable that says what is run, in lines: parameters, file, name, argument.
const STARTED: &str = "TLC_STARTED";

/// A program of TLC, as a command would run it.
pub struct Program<'a> {
    /// What the language thinks best, which counts less than what the tool says.
    pub best: &'a str,
    /// The file, relative to the folder of TLC.
    pub file: &'a str,
    /// What the tool calls it.
    pub name: &'a str,
    /// Its argument.
    pub argument: i64,
}

/// The folder of TLC.
pub fn tlc() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../languages/tlc")
}

/// Lets the tool start a program.
pub fn start<'a>(tool: &'a mut Command, program: &Program<'_>) -> &'a mut Command {
    let Program {
        best,
        file,
        name,
        argument,
    } = program;
    let test = std::env::current_exe().expect("a test has a file");
    tool.arg("--").arg(test);
    tool.args(["--exact", "started::command", "--nocapture"]);
    tool.env(STARTED, format!("{best}\n{file}\n{name}\n{argument}"))
}

/// What is started. As a test of its own it has nothing to do.
#[test]
fn command() {
    let Ok(text) = std::env::var(STARTED) else {
        return;
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let [best, file, name, argument] = lines[..] else {
        panic!("not four lines: {text}");
    };
    let text = std::fs::read(tlc().join(file)).expect("a program");
    let image = load(&text, name).expect("a right program");
    let options = Options::parse(best).and_then(Options::with_env);
    let machine = Machine::new(options.expect("right parameters"), MAX_DEPTH).expect("a machine");
    let outcome = machine.run(&image, &[argument.parse().expect("an integer")], false);
    assert_eq!(outcome.error, None);
}
