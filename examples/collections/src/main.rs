//! The command. In: the name of a loop, how often it runs, parameters of the JIT. Out: the number
//! that it gives on standard output, or an error.

#![forbid(unsafe_code)]

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use verdigris::Options;

fn run(name: &str, turns: i64, params: &str) -> Result<i64, Box<dyn Error>> {
    let vm = collections::machine(Options::parse(params)?.with_env()?)?;
    let names = collections::LOOPS.join(", ");
    // Too little memory is an error here, not a panic.
    let result = vm.try_enter(|| collections::turn(&vm, name, turns))?;
    result.ok_or_else(|| format!("the loops are {names}").into())
}

/// The arguments of the command.
fn arguments() -> Result<Vec<String>, Box<dyn Error>> {
    let utf8 = |arg: OsString| {
        let text = arg.into_string();
        text.map_err(|arg| format!("the argument {arg:?} is not UTF-8").into())
    };
    std::env::args_os().skip(1).map(utf8).collect()
}

/// `collections LOOP NUMBER [JIT-PARAMETERS]`
fn main() -> ExitCode {
    let result = arguments().and_then(|args| match args.as_slice() {
        [name, turns, params @ ..] if params.len() < 2 => match turns.parse() {
            Ok(turns) => run(name, turns, params.first().map_or("", |p| p)),
            Err(error) => Err(format!("`{turns}`: {error}").into()),
        },
        _ => Err("usage: collections LOOP NUMBER [PARAMETER=VALUE,..]".into()),
    });
    let written = result.and_then(|answer| {
        let written = writeln!(std::io::stdout(), "{answer}");
        written.map_err(|error| format!("cannot write the output: {error}").into())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("collections: {error}");
            ExitCode::FAILURE
        }
    }
}
