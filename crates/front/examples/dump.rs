//! Prints the typed program of a crate, or what is wrong with it:
//! `cargo run -p verdigris-front --example dump src/main.rs`.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(root) = std::env::args().nth(1) else {
        eprintln!("usage: dump ROOT.rs");
        return ExitCode::FAILURE;
    };
    match verdigris_front::check_crate(Path::new(&root)) {
        Ok(program) => {
            print!("{}", verdigris_front::print(&program));
            ExitCode::SUCCESS
        }
        Err(diagnostics) => {
            eprintln!("{}", diagnostics.render(true));
            ExitCode::FAILURE
        }
    }
}
