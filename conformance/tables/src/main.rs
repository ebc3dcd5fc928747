//! Writes the tables of the suite's areas. In: `conformance/src`. Out: the same files, each with a
//! table that names its functions. A package of its own, since the suite cannot be built while its
//! tables are wrong.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    match conformance_tables::write() {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("conformance-tables: {error}");
            ExitCode::FAILURE
        }
    }
}
