//! The command `verdigris-python`. In: a command line. Out: what the program prints on standard
//! output, messages on standard error, and the exit status: the program's; 1 if the program or a
//! file is faulty; 2 if the command line is. Invariant: what programs do is the library's.

#![forbid(unsafe_code)]

mod command;

use command::arguments::{self, Own};
use command::plan::{self, Plan};
use language_support::cli;
use language_support::interrupts::Interrupts;
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use verdigris::ReservingAllocator;
use verdigris_python::bytecode::dis;
use verdigris_python::bytecode::source::Source;
use verdigris_python::heap::world::MAX_DEPTH;
use verdigris_python::machine::{Machine, on_stack};
use verdigris_python::stdlib;

/// Where the system refuses memory, that is an error of the program that runs.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator::new();

fn main() -> ExitCode {
    cli::silence_stops();
    let all = std::env::args_os().map(|arg| arg.to_string_lossy().into_owned());
    let (own, plan) = match arguments::read(&all.collect::<Vec<String>>()) {
        Ok(read) => read,
        Err(status) => return status,
    };
    match on_stack(MAX_DEPTH, || run(own, &plan)).and_then(|result| result) {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(own: Own, plan: &Plan) -> Result<u8, String> {
    let of_command = |message| format!("verdigris-python: {message}\n");
    if own.dis {
        let Some(program) = plan.compiled()? else {
            return Err(of_command("there is no program to be shown".to_string()));
        };
        let source = Source::new(&program.text);
        let text = dis::disassemble(&program.code, &source);
        return cli::print(&text).map(|()| 0).map_err(of_command);
    }
    let (options, reports) = own.jit.begin().map_err(of_command)?;
    // Only people press Ctrl-C, and loops that look for it are slower. Who wants reports gets them
    // in any case.
    let is_asked = reports.are_asked();
    let by_people = plan.talks() || options.jit.interruptible() || io::stdin().is_terminal();
    let machine = Machine::new(options).map_err(of_command)?;
    let interrupts = match by_people || is_asked {
        true => Interrupts::listen(machine.vm().interrupt_handle(), is_asked)
            .map_err(|error| of_command(format!("cannot listen for signals: {error}")))?,
        false => Interrupts::default(),
    };
    reports.answer(machine.vm());
    let wanted = (own.stdlib).or_else(|| std::env::var("VERDIGRIS_PYTHON_STDLIB").ok());
    let stdlib = stdlib::chosen(wanted.as_deref()).map_err(of_command)?;
    let status = machine.session(&plan.setup(stdlib), |session| {
        plan::run(session, plan, &interrupts)
    });
    let written = reports.write(machine.vm()).map_err(of_command);
    status.and_then(|status| written.map(|()| status))
}
