//! Everything. In: nothing but the settings. Out: the records of all suites, in one list.
//! Invariant: every suite is here once, with the sizes that it has by itself, but for the tables of
//! the 2009 paper, whose largest n takes the slower peers minutes, and those of `tiers`, which
//! repeat what others measure under other parameters: they are small here, and run once.

use crate::Settings;
use crate::document::Document;
use crate::record::Record;
use crate::{
    activations, compile, entries, frames, heap, library, lua, methods, regions, removed,
    specialise, speedups, stackvm, tables, tiers, tla, translate, warmup,
};
use clap::Parser;
use std::process::Command;
use std::time::Instant;
use tempfile::TempDir;

/// What `all` takes.
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
    /// Only these suites.
    #[arg(long, value_delimiter = ',', value_name = "SUITES")]
    only: Vec<String>,
}

impl AllArgs {
    /// What the suites of Lua take of it.
    fn lua(&self) -> Vec<&str> {
        self.lua.iter().flat_map(|lua| ["--lua", lua]).collect()
    }
}

/// The arguments of a suite without any, that is with its defaults.
#[derive(Parser)]
struct Defaults<A: clap::Args> {
    #[command(flatten)]
    args: A,
}

fn given<A: clap::Args>(words: &[&str]) -> Result<A, String> {
    let words = [&["bench"], words].concat();
    let parsed = Defaults::<A>::try_parse_from(words);
    parsed
        .map(|defaults| defaults.args)
        .map_err(|error| error.to_string())
}

type Suite = (
    &'static str,
    fn(&AllArgs, &Settings) -> Result<Vec<Record>, String>,
);

const SUITES: [Suite; 21] = [
    ("tables", |_, settings| {
        tables::run(&given(&["--n", "10,10000000,100000000"])?, settings)
    }),
    ("tla", |_, settings| tla::run(&given(&[])?, settings)),
    ("methods", |_, settings| {
        methods::run(&given(&[])?, settings)
    }),
    ("stackvm", |_, settings| {
        stackvm::run(&given(&[])?, settings)
    }),
    ("library", |_, settings| {
        library::run(&given(&[])?, settings)
    }),
    ("frames", |_, settings| frames::run(&given(&[])?, settings)),
    ("entries", |_, settings| {
        entries::run(&given(&[])?, settings)
    }),
    ("regions", |_, settings| {
        regions::run(&given(&[])?, settings)
    }),
    ("heap", |_, settings| heap::run(&given(&[])?, settings)),
    ("activations", |_, settings| {
        activations::run(&given(&[])?, settings)
    }),
    ("lua", |all, settings| {
        lua::run(&given(&all.lua())?, settings)
    }),
    ("registers", |all, settings| {
        lua::registers::run(&given(&all.lua())?, settings)
    }),
    ("programs", |_, settings| {
        speedups::run(&given(&[])?, settings)
    }),
    ("specialise", |all, settings| {
        specialise::run(&given(&all.lua())?, settings)
    }),
    ("warmup", |_, settings| warmup::run(&given(&[])?, settings)),
    ("tiers", |all, settings| {
        let words = [&all.lua()[..], &["--small", "--runs", "1"]].concat();
        tiers::run(&given(&words)?, settings)
    }),
    ("compile", |_, settings| {
        compile::run(&given(&[])?, settings)
    }),
    ("removed", |_, settings| {
        removed::run(&given(&[])?, settings)
    }),
    ("translate", |_, settings| {
        translate::run(&given(&[])?, settings)
    }),
    ("startup", |all, settings| {
        let tlc: Vec<&str> = all.tlc.iter().flat_map(|tlc| ["--tlc", tlc]).collect();
        apart("startup", &tlc, settings)
    }),
    ("memory", |_, settings| apart("memory", &[], settings)),
];

/// Runs a suite in a process of its own, for this one has had memory that would be counted.
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
    let is_suite = |name: &&String| SUITES.iter().any(|suite| suite.0 == name.as_str());
    if let Some(unknown) = args.only.iter().find(|name| !is_suite(name)) {
        let names = SUITES.map(|suite| suite.0).join(", ");
        return Err(format!("there is no suite `{unknown}`: there are {names}"));
    }
    let wanted = |name: &str| args.only.is_empty() || args.only.iter().any(|only| only == name);
    let mut records = Vec::new();
    for (name, suite) in SUITES.iter().filter(|suite| wanted(suite.0)) {
        println!("## {name}\n");
        let begin = Instant::now();
        let new = suite(args, settings).map_err(|error| format!("{name}: {error}"))?;
        records.extend(new);
        println!("\n{name} took {:.0} s\n", begin.elapsed().as_secs_f64());
    }
    Ok(records)
}
