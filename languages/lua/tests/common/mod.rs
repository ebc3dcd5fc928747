//! Lua programs as guests. In: texts with arguments. Out: functions from options to runs.

use verdigris::Options;
use verdigris_lua::machine::{Machine, Program, load, on_stack};
use verdigris_testing::{Outcome, Run};

/// How deep calls may be in tests.
pub const DEPTH: i64 = 300;

/// A program that runs on a stack of its own.
pub fn guest(program: &Program, args: &[i64]) -> impl Fn(Options) -> Run {
    move |options| {
        let args: Vec<String> = args.iter().map(i64::to_string).collect();
        let run = || {
            let machine = Machine::new(options, DEPTH).unwrap_or_else(|e| panic!("{e}"));
            let outcome = machine.run(program, &args, true);
            Run {
                outcome: Outcome {
                    output: outcome.output,
                    error: outcome.error,
                },
                stats: machine.vm().stats(),
                traces: machine.vm().traces(),
            }
        };
        on_stack(DEPTH, run).expect("a stack")
    }
}

/// The program of a text.
pub fn program(text: &str) -> Program {
    load(text.as_bytes(), "test.lua").unwrap_or_else(|error| panic!("{error}"))
}

/// The output of a text without the JIT, and its error behind it.
pub fn output(text: &str) -> String {
    match load(text.as_bytes(), "test.lua") {
        Ok(program) => {
            let run = guest(&program, &[])(Options::parse("off").expect("it is an option"));
            match run.outcome.error {
                Some(error) => format!("{}error: {error}\n", run.outcome.output),
                None => run.outcome.output,
            }
        }
        Err(error) => format!("error: {error}\n"),
    }
}
