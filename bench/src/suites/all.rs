//! Everything. The records of all suites, in one list.
//! Invariant: every suite is here once, with the sizes that it has by itself, but for the tables of
//! the 2009 paper, whose largest n takes the slower peers minutes, and those of `tiers` and
//! `worst`, which repeat what others measure under other parameters: they are small here, and run
//! once.

use crate::measure::document::Document;
use crate::measure::record::Record;
use crate::settings::Settings;
use crate::suites::Suite;
use clap::Parser;
use std::process::Command;
use std::time::Instant;
use tempfile::TempDir;

/// The arguments of `all`.
#[derive(clap::Args)]
pub struct AllArgs {
    /// The command `tlc`; without this, the one next to this program, which is built if it is
    /// missing.
    #[arg(long)]
    tlc: Option<String>,
    /// The command `verdigris-lua`; without this, the one next to this program, which is built if
    /// it is missing or stale.
    #[arg(long)]
    lua: Option<String>,
    /// The command `verdigris-python`; without this, the one next to this program, which is built
    /// if it is missing or stale.
    #[arg(long)]
    python: Option<String>,
    /// Only these suites.
    #[arg(long, value_delimiter = ',', value_name = "SUITES")]
    only: Vec<String>,
}

impl AllArgs {
    /// The arguments of a suite, if it is not run with its defaults.
    fn words(&self, suite: &str) -> Vec<&str> {
        let lua = || self.lua.iter().flat_map(|lua| ["--lua", lua]);
        match suite {
            "tables" => vec!["--n", "10,10000000,100000000"],
            "lua" | "registers" | "specialise" => lua().collect(),
            "python" => (self.python.iter())
                .flat_map(|python| ["--python", python])
                .collect(),
            "tiers" | "worst" => lua().chain(["--small", "--runs", "1"]).collect(),
            "startup" => self.tlc.iter().flat_map(|tlc| ["--tlc", tlc]).collect(),
            _ => Vec::new(),
        }
    }
}

/// The command line of a suite.
#[derive(Parser)]
struct SuiteLine {
    #[command(subcommand)]
    suite: Suite,
}

const SUITES: [&str; 24] = [
    "tables",
    "tla",
    "methods",
    "stackvm",
    "library",
    "frames",
    "entries",
    "regions",
    "heap",
    "activations",
    "lua",
    "python",
    "registers",
    "programs",
    "specialise",
    "warmup",
    "tiers",
    "worst",
    "compile",
    "layered",
    "removed",
    "translate",
    "startup",
    "memory",
];

/// Suites that measure memory: each runs in a process of its own, for this one has had memory that
/// would be counted.
const APART: [&str; 2] = ["startup", "memory"];

/// Runs a suite in a process of its own.
fn apart(suite: &str, args: &[&str], settings: &Settings) -> Result<Vec<Record>, String> {
    let this = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    let folder =
        TempDir::new().map_err(|error| format!("no folder for temporary files: {error}"))?;
    let json = folder.path().join("records.json");
    let mut command = Command::new(this);
    command.arg(suite).args(args).arg("--json").arg(&json);
    if settings.quick {
        command.arg("--quick");
    }
    match command.status() {
        Ok(status) if status.success() => Ok(Document::read(&json)?.records),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs all suites, one after the other.
///
/// # Errors
/// If one fails, or there is no suite of a name that is asked for.
pub fn run(args: &AllArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    if let Some(unknown) = args
        .only
        .iter()
        .find(|name| !SUITES.contains(&name.as_str()))
    {
        let names = SUITES.join(", ");
        return Err(format!("there is no suite `{unknown}`: there are {names}"));
    }
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    let mut records = Vec::new();
    for name in SUITES.into_iter().filter(|name| wanted(name)) {
        println!("## {name}\n");
        let begin = Instant::now();
        let words = args.words(name);
        let new = if APART.contains(&name) {
            apart(name, &words, settings)
        } else {
            let line = SuiteLine::try_parse_from([&["bench", name], &words[..]].concat());
            let suite = line.map_err(|error| error.to_string())?.suite;
            suite.run(settings)
        };
        records.extend(new.map_err(|error| format!("{name}: {error}"))?);
        println!("\n{name} took {:.0} s\n", begin.elapsed().as_secs_f64());
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_suite_is_here_once() {
        let command = SuiteLine::command();
        let mut known: Vec<&str> = command
            .get_subcommands()
            .map(|suite| suite.get_name())
            .collect();
        let mut here = SUITES;
        known.sort_unstable();
        here.sort_unstable();
        assert_eq!(here.to_vec(), known);
    }
}
