//! The command `verdigris-python`. In: a command line. Out: what the program prints on standard
//! output, messages on standard error, and the exit status: the program's; 1 if the program or a
//! file is faulty; 2 if the command line is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::Parser;
use language_support::cli::{self, JitArgs};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use verdigris::ReservingAllocator;
use verdigris_python::bytecode::dis;
use verdigris_python::bytecode::source::Source;
use verdigris_python::heap::world::MAX_DEPTH;
use verdigris_python::machine::{DEFAULT_DEPTH, Machine, compile, on_stack};
use verdigris_python::setup::Setup;

/// Where the system refuses memory, that is an error of the program that runs.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator::new();

/// Python 3 with a JIT.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// The program.
    file: PathBuf,
    /// `sys.argv[1:]`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
    /// Prints the bytecode instead of running it.
    #[arg(long)]
    dis: bool,
    #[command(flatten)]
    jit: JitArgs,
}

fn main() -> ExitCode {
    cli::silence_stops();
    let cli = Cli::parse();
    match on_stack(MAX_DEPTH, || run(cli)).and_then(|result| result) {
        Ok(status) => ExitCode::from(status),
        Err(message) => {
            eprint!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<u8, String> {
    let of_command = |message| format!("verdigris-python: {message}\n");
    let (bytes, given) = cli::read(&cli.file).map_err(of_command)?;
    // As CPython shows it.
    let name =
        std::path::absolute(&cli.file).map_or(given.clone(), |file| file.display().to_string());
    let program = compile(&bytes, &name)?;
    if cli.dis {
        let source = Source::new(&program.text);
        let text = dis::disassemble(&program.code, &source);
        return cli::print(&text).map(|()| 0).map_err(of_command);
    }
    let (options, reports) = cli.jit.begin().map_err(of_command)?;
    let machine = Machine::new(options).map_err(of_command)?;
    reports.watch(machine.vm()).map_err(of_command)?;
    let outcome = machine.run(&program, &setup(&cli.file, given, cli.args), false);
    if let Some(error) = &outcome.error {
        eprint!("{error}");
    }
    reports.write(machine.vm()).map_err(of_command)?;
    Ok(outcome.status)
}

fn setup(file: &Path, given: String, args: Vec<String>) -> Setup {
    let mut arguments = vec![given];
    arguments.extend(args);
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    let folder = file.parent().map(|folder| folder.display().to_string());
    Setup {
        arguments,
        folder: folder.unwrap_or_default(),
        limit: DEFAULT_DEPTH,
    }
}
