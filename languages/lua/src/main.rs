//! The command `verdigris-lua`. In: a command line. Out: what the program prints on standard
//! output, messages on standard error, and the exit status: 0; 1 if a program, a file, or an option
//! of Lua is faulty; 2 if an option of the JIT is. Invariant: what programs do is the library's.

#![forbid(unsafe_code)]

mod command;

use command::arguments::{self, Arguments};
use command::order;
use language_support::cli;
use language_support::interrupts::Interrupts;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use verdigris::ReservingAllocator;
use verdigris_lua::host;
use verdigris_lua::machine::{Machine, default_depth, on_stack};

/// Where the system refuses memory, that is an error of the program that runs.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator::new();

fn main() -> ExitCode {
    cli::silence_stops();
    let all = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let arguments = match arguments::read(&all.collect::<Vec<String>>()) {
        Ok(arguments) => arguments,
        Err(status) => return status,
    };
    let depth = arguments.machine.max_depth.unwrap_or_else(default_depth);
    let result = on_stack(depth, || run(arguments, depth)).and_then(|result| result);
    cli::exit(result.map_err(|message| format!("verdigris-lua: {message}")))
}

fn run(arguments: Arguments, depth: i64) -> Result<(), String> {
    let Arguments { machine, plan } = arguments;
    let (options, reports) = machine.jit.begin()?;
    // Only people press Ctrl-C, and loops that look for it are slower. Who wants reports gets them
    // in any case.
    let is_asked = reports.are_asked();
    let by_people = plan.is_interactive || options.jit.interruptible() || io::stdin().is_terminal();
    let machine = Machine::new(options, depth)?;
    let interrupts = match by_people || is_asked {
        true => Interrupts::listen(machine.vm().interrupt_handle(), is_asked)
            .map_err(|error| format!("cannot listen for signals: {error}"))?,
        false => Interrupts::default(),
    };
    reports.answer(machine.vm());
    let at_exit = reports.clone();
    host::at_exit(move |vm| {
        // The program ends with its own status; a message has been shown.
        if let Err(message) = at_exit.write(vm) {
            eprintln!("verdigris-lua: {message}");
        }
        vm.finish();
    });
    let result = machine.session(&plan.setup(), |session| {
        order::run(session, &plan, &interrupts)
    });
    let written = reports.write(machine.vm());
    result.and_then(|result| result).and(written)
}
