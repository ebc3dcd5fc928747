//! The command. In: a program text, a number, parameters of the JIT. Out: the value that the program leaves on standard
//! output, or an error.

#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;
use verdigris::Options;

fn run(text: &str, input: i64, params: &str) -> Result<String, Box<dyn Error>> {
    calculator::answer(&calculator::machine(Options::parse(params)?)?, text, input)
}

/// `calculator PROGRAM NUMBER [JIT-PARAMETERS]`
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.as_slice() {
        [text, number, params @ ..] if params.len() < 2 => match number.parse() {
            Ok(input) => run(text, input, params.first().map_or("", |p| p)),
            Err(error) => Err(format!("`{number}`: {error}").into()),
        },
        _ => Err("usage: calculator PROGRAM NUMBER [PARAMETER=VALUE,..]".into()),
    };
    match result {
        Ok(answer) => println!("{answer}"),
        Err(error) => {
            eprintln!("calculator: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
