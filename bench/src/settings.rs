//! The options that all suites take.

use std::path::PathBuf;

/// The options of all subcommands.
#[derive(clap::Args)]
pub struct Settings {
    /// Writes the records to this file.
    #[arg(long, global = true, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Small sizes, one run: to see that everything works.
    #[arg(long, global = true)]
    pub quick: bool,
}
