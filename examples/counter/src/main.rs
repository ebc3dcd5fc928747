//! The command. In: a program text, a number, parameters of the JIT. Out: the sum on standard
//! output, or an error.

#![forbid(unsafe_code)]

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use verdigris::Options;

fn run(text: &str, number: i64, params: &str) -> Result<i64, Box<dyn Error>> {
    let vm = counter::machine(Options::parse(params)?.with_env()?)?;
    // Too little memory is an error here, not a panic.
    Ok(vm.try_enter(|| counter::sum(&vm, text, number))?)
}

/// The arguments of the command.
fn arguments() -> Result<Vec<String>, Box<dyn Error>> {
    let utf8 = |arg: OsString| {
        let text = arg.into_string();
        text.map_err(|arg| format!("the argument {arg:?} is not UTF-8").into())
    };
    std::env::args_os().skip(1).map(utf8).collect()
}

/// `counter PROGRAM NUMBER [JIT-PARAMETERS]`
fn main() -> ExitCode {
    let result = arguments().and_then(|args| match args.as_slice() {
        [text, number, params @ ..] if params.len() < 2 => match number.parse() {
            Ok(counter) => run(text, counter, params.first().map_or("", |p| p)),
            Err(error) => Err(format!("`{number}`: {error}").into()),
        },
        _ => Err("usage: counter PROGRAM NUMBER [PARAMETER=VALUE,..]".into()),
    });
    let written = result.and_then(|answer| {
        let written = writeln!(std::io::stdout(), "{answer}");
        written.map_err(|error| format!("cannot write the output: {error}").into())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("counter: {error}");
            ExitCode::FAILURE
        }
    }
}
