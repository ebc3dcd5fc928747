//! What the command does, in order. In: a plan, a session. Out: the exit status. Invariant: the
//! order is that of `python3`: the program, then a dialogue, if one is asked for or nothing else is
//! there.

use super::dialogue;
use language_support::interrupts::Interrupts;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use verdigris_python::clock::Clock;
use verdigris_python::machine::{DEFAULT_DEPTH, Program as Compiled, compile};
use verdigris_python::output;
use verdigris_python::session::{Ended, Session};
use verdigris_python::setup::Setup;
use verdigris_python::stdlib::StdlibChoice;

/// What is run.
pub enum Program {
    /// A file.
    File(PathBuf),
    /// A text.
    Text(String),
    /// A module.
    Module(String),
    /// Standard input.
    Stdin,
}

/// What the command line asks for.
#[derive(Default)]
pub struct Plan {
    /// The program.
    pub program: Option<Program>,
    /// The arguments behind it.
    pub arguments: Vec<String>,
    /// Whether a dialogue follows.
    pub is_interactive: bool,
    /// Whether the version is not shown before that.
    pub is_quiet: bool,
}

/// The version, as `-V` shows it.
pub fn version() -> String {
    format!("Python 3.11.0 (Verdigris {})", env!("CARGO_PKG_VERSION"))
}

impl Plan {
    /// Whether all that happens is a dialogue.
    pub fn only_talks(&self) -> bool {
        self.program.is_none() && (self.is_interactive || io::stdin().is_terminal())
    }

    /// Whether there is a dialogue.
    pub fn talks(&self) -> bool {
        self.is_interactive || self.only_talks()
    }

    /// What the world begins with.
    pub fn setup(&self, stdlib: StdlibChoice) -> Setup {
        let first = match &self.program {
            Some(Program::File(file)) => file.display().to_string(),
            Some(Program::Text(_)) => "-c".to_string(),
            Some(Program::Module(_)) => "-m".to_string(),
            Some(Program::Stdin) => "-".to_string(),
            None => String::new(),
        };
        let folder = match &self.program {
            Some(Program::File(file)) => absolute(file).parent().map(Path::to_path_buf),
            _ => std::env::current_dir().ok(),
        };
        Setup {
            arguments: [vec![first], self.arguments.clone()].concat(),
            folder: folder.unwrap_or_default().display().to_string(),
            stdlib,
            limit: DEFAULT_DEPTH,
            clock: Clock::System,
        }
    }

    /// The program, compiled; `None` if there is none, or it is a module.
    ///
    /// # Errors
    /// That it cannot be read, or what is wrong with it.
    pub fn compiled(&self) -> Result<Option<Compiled>, String> {
        let of_command = |message| format!("verdigris-python: {message}\n");
        let stdin = || {
            let mut bytes = Vec::new();
            let read = io::stdin().read_to_end(&mut bytes);
            read.map_err(|error| of_command(format!("standard input: {error}")))?;
            compile(&bytes, "<stdin>").map(Some)
        };
        match &self.program {
            Some(Program::File(file)) => {
                let (bytes, _) = language_support::cli::read(file).map_err(of_command)?;
                compile(&bytes, &absolute(file).display().to_string()).map(Some)
            }
            Some(Program::Text(text)) => {
                compile(format!("{text}\n").as_bytes(), "<string>").map(Some)
            }
            Some(Program::Stdin) => stdin(),
            None if !self.talks() => stdin(),
            Some(Program::Module(_)) | None => Ok(None),
        }
    }
}

/// A path as CPython shows it.
fn absolute(file: &Path) -> PathBuf {
    std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf())
}

/// Runs a plan. The exit status.
pub fn run(session: &Session, plan: &Plan, interrupts: &Interrupts) -> u8 {
    interrupts.arm();
    let ended = match plan.compiled() {
        Err(message) => {
            output::flush().ok();
            eprint!("{message}");
            Ended::failed()
        }
        Ok(Some(program)) => session.run(&program.code, &program.text, &program.file),
        Ok(None) => match &plan.program {
            Some(Program::Module(name)) => session.run_module(name),
            _ => Ended::well(),
        },
    };
    ended.show();
    if !plan.talks() || ended.leaves() && !plan.is_interactive {
        return ended.status;
    }
    if !plan.is_quiet && plan.only_talks() {
        eprintln!("{} on {}", version(), std::env::consts::OS);
    }
    dialogue::run(session, interrupts)
}
