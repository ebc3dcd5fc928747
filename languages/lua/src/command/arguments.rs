//! The command line. In: arguments. Out: what is to be done, in the order of the arguments.
//! Invariant: options with one letter are read as `lua5.4` reads them; those with a name are the
//! JIT's, which clap reads, up to the first argument that is no option.

use super::order::{Plan, Script, Step};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser};
use language_support::cli::JitArgs;
use std::process::ExitCode;

/// How the command is to be called.
const USAGE: &str = "verdigris-lua [OPTIONS] [SCRIPT [ARGUMENTS]]";

/// The options with one letter, as the reference has them.
const LETTERS: &str = "\
Options of Lua:
  -e stat    Executes the string 'stat'
  -i         Enters the interactive mode after executing the script
  -l mod     Requires the library 'mod' into the global 'mod'
  -l g=mod   Requires the library 'mod' into the global 'g'
  -v         Shows version information
  -E         Ignores environment variables
  -W         Turns warnings on
  --         Stops handling options
  -          Stops handling options and executes standard input";

/// Lua 5.4 with a JIT.
#[derive(Parser)]
#[command(version, override_usage = USAGE, after_help = LETTERS)]
pub struct Own {
    #[command(flatten)]
    pub machine: MachineArgs,
}

/// The options that are not Lua's.
#[derive(Args)]
pub struct MachineArgs {
    #[command(flatten)]
    pub jit: JitArgs,
    /// How many calls can be within each other [default: 150000, fewer under `ulimit -v`]
    #[arg(long, value_name = "CALLS", value_parser = clap::value_parser!(i64).range(1..))]
    pub max_depth: Option<i64>,
}

/// What the command line says.
pub struct Arguments {
    /// How the machine is to be.
    pub machine: MachineArgs,
    /// What it is to do.
    pub plan: Plan,
}

/// Reads a command line.
///
/// # Errors
/// The status to end with: that of help, or of an option that is faulty; a message has been shown.
pub fn read(all: &[String]) -> Result<Arguments, ExitCode> {
    let mut own = vec![all.first().cloned().unwrap_or_default()];
    let mut plan = Plan::default();
    let mut rest = all.iter().enumerate().skip(1);
    let mut script = None;
    while let Some((at, arg)) = rest.next() {
        let attached = arg.get(2..).filter(|value| !value.is_empty());
        match arg.as_bytes() {
            [b'-'] => {
                script = Some((at, Script::Stdin));
                break;
            }
            b"--" => {
                script = rest
                    .next()
                    .map(|(at, file)| (at, Script::File(file.clone())));
                break;
            }
            b"-h" | b"-V" => own.push(arg.clone()),
            [b'-', b'-', name @ ..] => {
                own.push(arg.clone());
                if takes_next(name)
                    && let Some((_, value)) = rest.next()
                {
                    own.push(value.clone());
                }
            }
            b"-E" => plan.ignores_environment = true,
            b"-W" => plan.steps.push(Step::Warnings),
            b"-i" => (plan.is_interactive, plan.shows_version) = (true, true),
            b"-v" => plan.shows_version = true,
            [b'-', letter @ (b'e' | b'l'), ..] => {
                let next = || rest.next().map(|(_, value)| value.as_str());
                let value = attached.or_else(next).filter(|value| {
                    // What begins with a dash is another option, unless it is attached.
                    attached.is_some() || !value.starts_with('-')
                });
                let Some(value) = value.map(str::to_string) else {
                    return Err(faulty(&format!("'{}' needs argument", &arg[..2])));
                };
                plan.steps.push(match letter {
                    b'e' => Step::Text(value),
                    _ => Step::Module(value),
                });
            }
            [b'-', ..] => return Err(faulty(&format!("unrecognized option '{arg}'"))),
            _ => {
                script = Some((at, Script::File(arg.clone())));
                break;
            }
        }
    }
    let zero = script.as_ref().map_or(0, |(at, _)| *at);
    let entries = all.iter().enumerate();
    plan.arg = entries
        .map(|(at, arg)| (at as i64 - zero as i64, arg.clone()))
        .collect();
    plan.script = script.map(|(_, script)| script);
    let matches = Own::command().try_get_matches_from(own);
    match matches.and_then(|matches| Own::from_arg_matches(&matches)) {
        Ok(own) => Ok(Arguments {
            machine: own.machine,
            plan,
        }),
        Err(error) if error.kind() == ErrorKind::UnknownArgument => {
            let name = error.get(clap::error::ContextKind::InvalidArg);
            let name = name.map(ToString::to_string).unwrap_or_default();
            Err(faulty(&format!("unrecognized option '{name}'")))
        }
        Err(error) => {
            error.print().ok();
            Err(ExitCode::from(error.exit_code() as u8))
        }
    }
}

/// Whether the value of an option with this name is the next argument.
fn takes_next(name: &[u8]) -> bool {
    let command = Own::command();
    let known = command.get_arguments();
    let mut named = known.filter(|option| option.get_long().map(str::as_bytes) == Some(name));
    named.any(|option| option.get_action().takes_values() && !option.is_require_equals_set())
}

/// Says what is wrong with the command line, as `lua5.4` does.
fn faulty(message: &str) -> ExitCode {
    eprintln!("verdigris-lua: {message}\nusage: {USAGE}\n{LETTERS}");
    ExitCode::FAILURE
}
