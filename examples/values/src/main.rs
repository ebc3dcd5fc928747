//! The command. In: a program text, a number, parameters of the JIT. Out: the value that the
//! program leaves on standard output, or an error.

#![forbid(unsafe_code)]

use language_support::cli::example;
use std::process::ExitCode;

fn main() -> ExitCode {
    example("values", "PROGRAM", |text, input, options| {
        let vm = values::machine(options)?;
        // Too little memory is an error here, not a panic.
        vm.try_enter(|| values::answer(&vm, text, input))?
    })
}
