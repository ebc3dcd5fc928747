//! The command. In: a program text, a number, parameters of the JIT. Out: the sum on standard
//! output, or an error.

#![forbid(unsafe_code)]

use language_support::cli::example;
use std::process::ExitCode;

fn main() -> ExitCode {
    example("counter", "PROGRAM", |text, input, options| {
        let vm = counter::machine(options)?;
        // Too little memory is an error here, not a panic.
        Ok(vm.try_enter(|| counter::sum(&vm, text, input))?.to_string())
    })
}
