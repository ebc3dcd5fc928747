//! The cost of threaded code. In: generated loops in TLC and Lua, whose straight bodies are longer
//! and longer. Out: for each guest instruction the microseconds until it has code, those of the
//! ones by which a loop is longer than the one before, which need no stencils of their own, and the
//! bytes of its record; stencils with their code. Invariant: the figures are the VM's own
//! statistics of one run in a fresh VM.

use super::TiersArgs;
use crate::measure::pace::paced;
use crate::measure::record::Record;
use crate::measure::statistics::median;
use crate::measure::text::{align, row};
use crate::settings::Settings;
use crate::suites::specialise::compilers::with;
use crate::suites::specialise::generate::{Language, straight};
use crate::suites::specialise::subject::Subject;
use serde::Deserialize;
use std::path::Path;
use tempfile::TempDir;

/// All of it runs as threaded code, as soon as it has been passed.
const PARAMS: &str = "compiler=threaded,threshold=2,compile_allowance=off";

/// Turns of the loop: by the last of them everything has code.
const TURNS: i64 = 10;

/// A loop that gets longer: its name, its language and how many parts there are.
type Kind = (&'static str, Language, &'static [usize]);

const KINDS: [Kind; 2] = [
    ("tlc straight", Language::Tlc, &[25, 100, 400, 1600]),
    (
        "lua straight",
        Language::Lua,
        &[100, 400, 1600, 6400, 25600],
    ),
];

/// The statistics.
#[derive(Clone, Deserialize)]
struct Figures {
    machine_code_bytes: u64,
    seconds: Seconds,
    tiers: Tiers,
}

#[derive(Clone, Copy, Deserialize)]
struct Seconds {
    optimising: f64,
    compiling: f64,
}

#[derive(Clone, Copy, Deserialize)]
struct Tiers {
    stencils: u64,
    threads: u64,
    thread_bytes: u64,
}

/// A loop of one length, and what was found out about it.
struct Measured {
    name: &'static str,
    parts: usize,
    subject: Subject,
    runs: Vec<Figures>,
    paces: Vec<f64>,
}

/// Measures and prints the table.
///
/// # Errors
/// If a program fails.
pub fn run(args: &TiersArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let lua = args.ours.command(settings.quick)?;
    let folder = TempDir::new().map_err(|error| format!("no temporary folder: {error}"))?;
    let params = with(PARAMS, &args.ours.jit);
    let mut all = Vec::new();
    for (name, language, lengths) in KINDS.iter().filter(|kind| kind.0.contains(&args.only)) {
        let lengths = if settings.quick {
            &lengths[..2]
        } else {
            lengths
        };
        for &parts in lengths {
            let file = format!("{}-{parts}", name.replace(' ', "-"));
            let text = straight(*language, parts);
            all.push(Measured {
                name,
                parts,
                subject: Subject::new(*language, &file, &text, TURNS, folder.path())?,
                runs: Vec::new(),
                paces: Vec::new(),
            });
        }
    }
    for _ in 0..args.runs(settings) {
        for measured in &mut all {
            let (figures, pace) = paced(|| measured.run(&params, &lua, folder.path()))?;
            measured.runs.push(figures);
            measured.paces.push(pace);
        }
    }
    print!("{}", table(&all));
    Ok(all.iter().flat_map(Measured::records).collect())
}

impl Measured {
    /// The statistics of a run.
    fn run(&self, params: &str, lua: &Path, folder: &Path) -> Result<Figures, String> {
        let stats = self.subject.stats(TURNS, params, lua, folder)?;
        serde_json::from_str(&stats).map_err(|error| format!("{}: statistics: {error}", self.name))
    }

    /// Guest instructions that run as threaded code.
    fn places(&self) -> u64 {
        self.runs[0].tiers.threads
    }

    /// Seconds of all that is done until they have their code, run by run.
    fn seconds(&self) -> Vec<f64> {
        let seconds = self.runs.iter().map(|run| run.seconds);
        seconds.map(|s| s.optimising + s.compiling).collect()
    }

    fn records(&self) -> Vec<Record> {
        let n = self.parts as i64;
        let each: Vec<f64> = self.seconds();
        let each: Vec<f64> = each.iter().map(|s| s / self.places() as f64).collect();
        let counted =
            |system: &str, count| Record::counted("tiers-costs", self.name, n, system, count);
        let run = &self.runs[0];
        vec![
            Record::new("tiers-costs", self.name, n, "threaded", &each)
                .with_count(self.places())
                .with_pace(&self.paces),
            counted("stencils", run.tiers.stencils),
            counted("record bytes", run.tiers.thread_bytes),
            counted("code bytes", run.machine_code_bytes),
        ]
    }
}

/// A line for each loop.
fn table(all: &[Measured]) -> String {
    let mut rows = vec![row([
        "loop",
        "places",
        "stencils",
        "us/place",
        "us/further place",
        "record bytes/place",
        "code bytes",
    ])];
    let mut before: Option<&Measured> = None;
    for this in all {
        let (run, places) = (&this.runs[0], this.places() as f64);
        let further = before.filter(|before| before.name == this.name).map(|b| {
            let seconds = median(&this.seconds()) - median(&b.seconds());
            format!("{:.2}", seconds * 1e6 / (places - b.places() as f64))
        });
        rows.push(vec![
            this.name.to_string(),
            this.places().to_string(),
            run.tiers.stencils.to_string(),
            format!("{:.2}", median(&this.seconds()) * 1e6 / places),
            further.unwrap_or("-".to_string()),
            format!("{:.0}", run.tiers.thread_bytes as f64 / places),
            run.machine_code_bytes.to_string(),
        ]);
        before = Some(this);
    }
    format!(
        "what threaded code costs, with {PARAMS}\n{}\n",
        align(&rows)
    )
}
