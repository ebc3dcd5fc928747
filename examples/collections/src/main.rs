//! The command. In: the name of a loop, how often it runs, parameters of the JIT. Out: the number
//! that it gives on standard output, or an error.

#![forbid(unsafe_code)]

use language_support::cli::example;
use std::process::ExitCode;

fn main() -> ExitCode {
    example("collections", "LOOP", |text, input, options| {
        let vm = collections::machine(options)?;
        // Too little memory is an error here, not a panic.
        let result = vm.try_enter(|| collections::turn(&vm, text, input))?;
        let names = collections::LOOPS.join(", ");
        let result = result.ok_or_else(|| format!("the loops are {names}"))?;
        Ok(result.to_string())
    })
}
