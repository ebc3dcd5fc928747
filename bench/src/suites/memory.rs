//! Memory. In: programs that make garbage, keep objects, or compute; one of them in other systems
//! as well. Out: the largest resident set and the processor time of a process that runs one of them
//! and nothing else, interpreted and with the JIT. Invariant: each run is a process of its own,
//! ours this program with the subcommand `once`; nothing is run in this process, see [`child`].

use crate::guests::program::Once;
use crate::guests::registry;
use crate::measure::child;
use crate::measure::interleave::{Contestant, Run, race, single};
use crate::measure::record::Record;
use crate::measure::text::{align, row};
use crate::peers::{Peer, Peers};
use crate::settings::Settings;
use std::process::Command;

/// The arguments of `memory`.
#[derive(clap::Args)]
pub struct MemoryArgs {
    /// How often each is run; the largest resident set counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// The arguments of `once`.
#[derive(clap::Args)]
pub struct OnceArgs {
    /// The program, as `tlc/factorial`.
    program: String,
    /// Its arguments.
    #[arg(allow_negative_numbers = true)]
    args: Vec<i64>,
    /// Parameters of the JIT.
    #[arg(long, default_value = "")]
    jit: String,
}

/// Measures and prints the table.
///
/// # Errors
/// If a process fails.
pub fn run(args: &MemoryArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let this = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    let (runs, count) = match settings.quick {
        true => (1, 2),
        false => (args.runs, usize::MAX),
    };
    let peers = Peers::find()?;
    let mut records = Vec::new();
    for (name, n) in registry::memory().into_iter().take(count) {
        let name = &name;
        let n = if settings.quick { n / 100 } else { n };
        let this = &this;
        let contestant = |(system, jit): (&'static str, &'static str)| -> Contestant<'_> {
            single(system, move || {
                let mut command = Command::new(this);
                command.args(["once", name.as_str(), &n.to_string(), "--jit", jit]);
                child::finish(&mut command).map(Run::from)
            })
        };
        let mut contestants: Vec<Contestant> =
            [("interp", "off"), ("jit-cold", "")].map(contestant).into();
        if name == "tlc/accumulator" {
            let whole = |peer: &'_ Peer| peer.finish("accumulator", n).map(Run::from);
            for peer in &peers.list {
                contestants.push(single(peer.system, move || whole(peer)));
            }
        }
        records.extend(race("memory", name, n, runs, contestants)?);
    }
    print!("{}", table(&records));
    Ok(records)
}

fn table(records: &[Record]) -> String {
    let mut rows = vec![row(["program", "n", "system", "CPU ms", "RSS MB"])];
    rows.extend(records.iter().map(|record| {
        let rss = record.max_rss.unwrap_or(0) as f64;
        vec![
            record.benchmark.clone(),
            record.n.to_string(),
            record.system.clone(),
            format!("{:.1}", record.seconds * 1e3),
            format!("{:.1}", rss / 1e6),
        ]
    }));
    align(&rows)
}

/// Runs a program once.
///
/// # Errors
/// If there is no such program, or it fails.
pub fn once(args: &OnceArgs) -> Result<(), String> {
    let program = registry::find(&args.program)?;
    let given = match args.args.is_empty() {
        true => &program.args,
        false => &args.args,
    };
    let mut result = Ok(String::new());
    (program.session)(&args.jit, given, &mut |run: Once<'_>| result = run())?;
    result.map(drop)
}
