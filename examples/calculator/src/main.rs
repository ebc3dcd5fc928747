//! The command. In: a program text, a number, parameters of the JIT. Out: the value that the
//! program leaves on standard output, or an error.

#![forbid(unsafe_code)]

use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use verdigris::Options;

fn run(text: &str, input: i64, params: &str) -> Result<String, Box<dyn Error>> {
    let vm = calculator::machine(Options::parse(params)?.with_env()?)?;
    // Too little memory is an error here, not a panic.
    vm.try_enter(|| calculator::answer(&vm, text, input))?
}

/// The arguments of the command.
fn arguments() -> Result<Vec<String>, Box<dyn Error>> {
    let utf8 = |arg: OsString| {
        let text = arg.into_string();
        text.map_err(|arg| format!("the argument {arg:?} is not UTF-8").into())
    };
    std::env::args_os().skip(1).map(utf8).collect()
}

/// `calculator PROGRAM NUMBER [JIT-PARAMETERS]`
fn main() -> ExitCode {
    let result = arguments().and_then(|args| match args.as_slice() {
        [text, number, params @ ..] if params.len() < 2 => match number.parse() {
            Ok(input) => run(text, input, params.first().map_or("", |p| p)),
            Err(error) => Err(format!("`{number}`: {error}").into()),
        },
        _ => Err("usage: calculator PROGRAM NUMBER [PARAMETER=VALUE,..]".into()),
    });
    let written = result.and_then(|answer| {
        let written = writeln!(std::io::stdout(), "{answer}");
        written.map_err(|error| format!("cannot write the output: {error}").into())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("calculator: {error}");
            ExitCode::FAILURE
        }
    }
}
