//! The command. In: a program text, a number, parameters of the JIT. Out: the sum on standard output, or an error.

#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;
use verdigris::Options;

fn run(text: &str, number: i64, params: &str) -> Result<i64, Box<dyn Error>> {
    let vm = counter::machine(Options::parse(params)?)?;
    Ok(counter::sum(&vm, text, number))
}

/// `counter PROGRAM NUMBER [JIT-PARAMETERS]`
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.as_slice() {
        [text, number, params @ ..] if params.len() < 2 => match number.parse() {
            Ok(counter) => run(text, counter, params.first().map_or("", |p| p)),
            Err(error) => Err(format!("`{number}`: {error}").into()),
        },
        _ => Err("usage: counter PROGRAM NUMBER [PARAMETER=VALUE,..]".into()),
    };
    match result {
        Ok(sum) => println!("{sum}"),
        Err(error) => {
            eprintln!("counter: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
