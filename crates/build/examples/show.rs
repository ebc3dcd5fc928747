//! Prints the flow graphs and the jitcode of an interpreter crate, given its root file, or the
//! diagnostics.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(root) = std::env::args().nth(1) else {
        eprintln!("usage: show ROOT, as in: show examples/counter/src/lib.rs");
        return ExitCode::FAILURE;
    };
    match verdigris_build::translate_crate(Path::new(&root)) {
        Ok(translation) => {
            print!("{}", verdigris_graph::print_program(&translation.graphs));
            println!();
            print!("{}", verdigris_jitcode::print_unit(&translation.unit));
            ExitCode::SUCCESS
        }
        Err(diagnostics) => {
            eprintln!("{diagnostics}");
            ExitCode::FAILURE
        }
    }
}
