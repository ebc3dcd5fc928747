//! Changes of tier. In: all programs, from a size that takes no time to their usual one. Out: how
//! much longer each takes with the JIT as it is by default than without one ([`never_slower`]),
//! what the levels of the paper's programs cost and gain ([`paper`]), how soon programs are fast
//! ([`warm`]), how they get there with each compiler alone ([`curves`]), and what threaded code
//! costs ([`costs`]). Invariant: the systems run interleaved, and say the same.
//!
//! Source: "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), which
//! compares its tiers by hand.

pub mod compared;
pub mod costs;
pub mod curves;
pub mod never_slower;
pub mod paper;
pub mod warm;

use crate::guests::lua::systems::Ours;
use crate::measure::record::Record;
use crate::settings::Settings;

/// The arguments of `tiers`.
#[derive(clap::Args)]
pub struct TiersArgs {
    /// How often each is run; the least counts where a run may be disturbed, the median elsewhere.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only the tables with these names: slower, paper, warm, curves, costs.
    #[arg(long, value_delimiter = ',', value_name = "TABLES", value_parser = ["slower", "paper", "warm", "curves", "costs"])]
    tables: Vec<String>,
    /// Of `slower` a hundredth and a tenth of the usual sizes alone, and of `warm` the programs in
    /// Lua with small sizes alone.
    #[arg(long)]
    small: bool,
    /// Only programs whose names contain this.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    #[command(flatten)]
    ours: Ours,
}

impl TiersArgs {
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
/// If a program fails, or says something else with another system.
pub fn run(args: &TiersArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    type Table = fn(&TiersArgs, &Settings) -> Result<Vec<Record>, String>;
    let tables: [(&str, Table); 5] = [
        ("slower", never_slower::run),
        ("paper", paper::run),
        ("warm", warm::run),
        ("curves", curves::run),
        ("costs", costs::run),
    ];
    for (name, table) in tables {
        if args.wants(name) {
            records.extend(table(args, settings)?);
        }
    }
    Ok(records)
}
