//! The second compiler. In: the programs of the benchmarks, programs on which tracing alone does
//! badly, and generated ones that get longer. Out: seconds of the interpreter and with each
//! compiler ([`programs`]), the same from a new VM to its end where tracing does badly ([`ways`]),
//! and what compiling costs for each guest instruction ([`growth`]). Invariant: the interpreter and
//! the compilers run interleaved, and say the same.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007) and "Automatic
//! Generation of JIT Compilers for Dynamic Languages in .NET" (2009), whose programs are in the
//! suite `tables`.

pub mod compilers;
pub mod generate;
mod growth;
mod programs;
pub mod subject;
mod ways;

use crate::guests::lua::systems::Ours;
use crate::measure::record::Record;
use crate::settings::Settings;
use std::path::PathBuf;

/// The arguments of `specialise`.
#[derive(clap::Args)]
pub struct SpecialiseArgs {
    /// How often each is run; the median counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only the tables with these names: programs, ways, growth.
    #[arg(long, value_delimiter = ',', value_name = "TABLES", value_parser = ["programs", "ways", "growth"])]
    tables: Vec<String>,
    /// Only programs whose names contain this.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Measures nothing: writes the programs of the table `ways` to this folder.
    #[arg(long, value_name = "FOLDER")]
    texts: Option<PathBuf>,
    #[command(flatten)]
    ours: Ours,
}

impl SpecialiseArgs {
    fn wants(&self, table: &str) -> bool {
        self.tables.is_empty() || self.tables.iter().any(|wanted| wanted == table)
    }

    fn runs(&self, settings: &Settings) -> u32 {
        if settings.quick { 1 } else { self.runs }
    }
}

/// Measures and prints the tables.
///
/// # Errors
/// If a program fails, or says something else with another compiler.
pub fn run(args: &SpecialiseArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    if let Some(folder) = &args.texts {
        return ways::write(folder).map(|()| Vec::new());
    }
    let mut records = Vec::new();
    type Table = fn(&SpecialiseArgs, &Settings) -> Result<Vec<Record>, String>;
    let tables: [(&str, Table); 3] = [
        ("programs", programs::run),
        ("ways", ways::run),
        ("growth", growth::run),
    ];
    for (name, table) in tables {
        if args.wants(name) {
            records.extend(table(args, settings)?);
        }
    }
    Ok(records)
}
