//! The command. In: the name of a loop, how often it runs, parameters of the JIT. Out: the number that it gives on standard
//! output, or an error.

#![forbid(unsafe_code)]

use std::error::Error;
use std::process::ExitCode;
use verdigris::Options;

fn run(name: &str, turns: i64, params: &str) -> Result<i64, Box<dyn Error>> {
    let vm = collections::machine(Options::parse(params)?)?;
    let names = collections::LOOPS.join(", ");
    collections::turn(&vm, name, turns).ok_or_else(|| format!("the loops are {names}").into())
}

/// `collections LOOP NUMBER [JIT-PARAMETERS]`
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.as_slice() {
        [name, turns, params @ ..] if params.len() < 2 => match turns.parse() {
            Ok(turns) => run(name, turns, params.first().map_or("", |p| p)),
            Err(error) => Err(format!("`{turns}`: {error}").into()),
        },
        _ => Err("usage: collections LOOP NUMBER [PARAMETER=VALUE,..]".into()),
    };
    match result {
        Ok(number) => println!("{number}"),
        Err(error) => {
            eprintln!("collections: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
