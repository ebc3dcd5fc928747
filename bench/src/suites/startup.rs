//! Start-up. In: an empty program for every system. Out: processor time from start to exit and the
//! largest resident set. Invariant: each run is a process of its own; the runs of the systems are
//! interleaved.

use crate::measure::built::{self, Rebuild};
use crate::measure::child;
use crate::measure::interleave::{Contestant, Run, race, single};
use crate::measure::record::Record;
use crate::measure::text::{align, row};
use crate::settings::Settings;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// The arguments of `startup`.
#[derive(clap::Args)]
pub struct StartupArgs {
    /// How often each is run; the median counts.
    #[arg(long, default_value_t = 21, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The command `tlc`; without this, the one next to this program, which is built if it is
    /// missing.
    #[arg(long)]
    tlc: Option<PathBuf>,
}

/// A command that runs an empty program.
struct Empty {
    system: &'static str,
    command: Vec<String>,
}

/// Measures and prints start-up time and memory.
///
/// # Errors
/// If `tlc` is not there and cannot be built, or fails.
pub fn run(args: &StartupArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let tlc = match &args.tlc {
        Some(path) => path.clone(),
        None => built::command("tlc", Rebuild::IfMissing)?,
    };
    let folder =
        TempDir::new().map_err(|error| format!("no folder for temporary files: {error}"))?;
    let systems = commands(&tlc, folder.path())?;
    let runs = if settings.quick { 1 } else { args.runs };
    let contestants = systems.iter().map(Empty::contestant).collect();
    let records = race("startup", "empty", 0, runs, contestants)?;
    print!("{}", table(&records));
    Ok(records)
}

impl Empty {
    fn contestant(&self) -> Contestant<'_> {
        single(self.system, || measure(self))
    }
}

/// The whole life of a process.
fn measure(empty: &Empty) -> Result<Run, String> {
    let mut command = Command::new(&empty.command[0]);
    child::finish(command.args(&empty.command[1..])).map(Run::from)
}

fn table(records: &[Record]) -> String {
    let mut rows = vec![row(["empty program", "CPU ms", "min", "max", "RSS MB"])];
    for record in records {
        let ms = |seconds: f64| format!("{:.2}", seconds * 1e3);
        let rss = record.max_rss.map_or("-".to_string(), |bytes| {
            format!("{:.1}", bytes as f64 / 1e6)
        });
        let times = [record.seconds, record.min, record.max].map(ms);
        rows.push(
            std::iter::once(record.system.clone())
                .chain(times)
                .chain([rss])
                .collect(),
        );
    }
    align(&rows)
}

/// The systems that are installed, TLC with and without its JIT first.
fn commands(tlc: &Path, folder: &Path) -> Result<Vec<Empty>, String> {
    let program = folder.join("empty.tlc");
    let c_source = folder.join("empty.c");
    let c_binary = folder.join("empty-c");
    let write = |path: &Path, text: &str| {
        fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write(&program, "RETURN\n")?;
    write(&c_source, "int main(void) { return 0; }\n")?;
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|word| word.to_string())
            .collect::<Vec<String>>()
    };
    let (tlc, program) = (tlc.display().to_string(), program.display().to_string());
    let mut list = vec![
        Empty {
            system: "jit-cold",
            command: words(&[&tlc, "run", &program]),
        },
        Empty {
            system: "interp",
            command: words(&[&tlc, "run", &program, "--jit", "off"]),
        },
    ];
    let (c_source, c_binary) = (
        c_source.display().to_string(),
        c_binary.display().to_string(),
    );
    let compile = Empty {
        system: "c",
        command: words(&["gcc", "-O2", "-o", &c_binary, &c_source]),
    };
    if measure(&compile).is_ok() {
        list.push(Empty {
            system: "c",
            command: words(&[&c_binary]),
        });
    }
    for (system, command) in [
        ("luajit", &["luajit", "-e", ""] as &[&str]),
        ("lua", &["lua5.4", "-e", ""]),
        ("pypy", &["pypy3", "-c", ""]),
        ("node", &["node", "-e", ""]),
    ] {
        let empty = Empty {
            system,
            command: words(command),
        };
        if measure(&empty).is_ok() {
            list.push(empty);
        }
    }
    Ok(list)
}
