//! The command line. In: arguments. Out: what is to be done. Invariant: options with one letter are
//! read as `python3` reads them, several behind one dash too; those with a name are the JIT's,
//! which clap reads, up to what is run: all behind that is the program's.

use super::plan::{Plan, Program};
use clap::{CommandFactory, FromArgMatches, Parser};
use language_support::cli::JitArgs;
use std::path::PathBuf;
use std::process::ExitCode;

/// How the command is to be called.
const USAGE: &str = "verdigris-python [OPTIONS] [-c TEXT | -m MODULE | FILE | -] [ARGUMENTS]";

/// The options with one letter, as the reference has them.
const LETTERS: &str = "\
Options of Python:
  -c text    Runs the text; ends the list of options
  -m module  Runs a module of the library or of this folder; ends the list of options
  -i         Begins a dialogue behind the program, also if it fails
  -q         Shows no version before a dialogue
  -E         Ignores variables of the environment whose names begin with PYTHON
  -V         Shows the version
  -h         Shows this help
  -          Runs standard input";

/// The status of a command line that is faulty.
const FAULTY: u8 = 2;

/// Python 3 with a JIT.
#[derive(Parser)]
#[command(
    version,
    disable_version_flag = true,
    override_usage = USAGE,
    after_help = LETTERS
)]
pub struct Own {
    /// A folder of modules of CPython 3.11 that are preferred to those of the library: `auto` asks
    /// `python3` for its own. Without it, modules that are nowhere else are looked for in such a
    /// folder, if there is one; `off` leaves that out. The variable `VERDIGRIS_PYTHON_STDLIB` says
    /// the same where the option is not given.
    #[arg(long, value_name = "DIR")]
    pub stdlib: Option<String>,
    /// Prints the bytecode instead of running it.
    #[arg(long)]
    pub dis: bool,
    #[command(flatten)]
    pub jit: JitArgs,
}

/// Reads a command line.
///
/// # Errors
/// The status to end with: that of help, or of an option that is faulty; a message has been shown.
pub fn read(all: &[String]) -> Result<(Own, Plan), ExitCode> {
    let mut own = vec![all.first().cloned().unwrap_or_default()];
    let mut plan = Plan::default();
    let mut rest = all.iter().skip(1).cloned();
    while let Some(arg) = rest.next() {
        if arg.starts_with("--") && arg.len() > 2 {
            if arg == "--version" {
                return Err(version());
            }
            let takes_next = takes_next(&arg[2..]);
            own.push(arg);
            if takes_next {
                own.extend(rest.next());
            }
            continue;
        }
        if arg == "--" {
            plan.program = rest.next().map(|file| Program::File(PathBuf::from(file)));
            break;
        }
        let Some(letters) = arg.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
            plan.program = Some(match arg.as_str() {
                "-" => Program::Stdin,
                _ => Program::File(PathBuf::from(arg)),
            });
            break;
        };
        if let Some(program) = letters_of(letters, &mut rest, &mut own, &mut plan)? {
            plan.program = Some(program);
            break;
        }
    }
    plan.arguments = rest.collect();
    let matches = Own::command().try_get_matches_from(own);
    match matches.and_then(|matches| Own::from_arg_matches(&matches)) {
        Ok(own) => Ok((own, plan)),
        Err(error) => {
            error.print().ok();
            Err(ExitCode::from(error.exit_code() as u8))
        }
    }
}

/// Reads letters behind a dash. What is run, if one of them says it.
fn letters_of(
    letters: &str,
    rest: &mut impl Iterator<Item = String>,
    own: &mut Vec<String>,
    plan: &mut Plan,
) -> Result<Option<Program>, ExitCode> {
    for (at, letter) in letters.char_indices() {
        match letter {
            'i' => plan.is_interactive = true,
            'q' => plan.is_quiet = true,
            // None of those variables means anything here.
            'E' => {}
            'V' => return Err(version()),
            'h' => own.push("--help".to_string()),
            'c' | 'm' => {
                let attached = letters[at + 1..].to_string();
                let value = match attached.is_empty() {
                    true => rest.next(),
                    false => Some(attached),
                };
                let Some(value) = value else {
                    return Err(faulty(&format!(
                        "Argument expected for the -{letter} option"
                    )));
                };
                return Ok(Some(match letter {
                    'c' => Program::Text(value),
                    _ => Program::Module(value),
                }));
            }
            _ => return Err(faulty(&format!("Unknown option: -{letter}"))),
        }
    }
    Ok(None)
}

/// Whether the value of an option with this name is the next argument.
fn takes_next(name: &str) -> bool {
    let command = Own::command();
    let mut known = command.get_arguments();
    let named = known.find(|option| option.get_long() == Some(name));
    named
        .is_some_and(|option| option.get_action().takes_values() && !option.is_require_equals_set())
}

/// Shows the version.
fn version() -> ExitCode {
    println!("{}", super::plan::version());
    ExitCode::SUCCESS
}

/// Says what is wrong with the command line, as `python3` does.
fn faulty(message: &str) -> ExitCode {
    eprintln!("{message}\nusage: {USAGE}\nTry `verdigris-python -h' for more information.");
    ExitCode::from(FAULTY)
}
