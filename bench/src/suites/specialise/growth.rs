//! The cost of the second compiler. In: generated loops in TLC and Lua, whose bodies are longer and
//! longer: straight, and with more and more places where two ways meet. Out: for each guest
//! instruction the microseconds of specialising and optimising and of the backend, bytes of machine
//! code, and labels; how much longer the first takes for twice the length; and how often a limit
//! cut the code. Invariant: the figures are the VM's own statistics of one run in a fresh VM, long
//! enough for the code behind exits that are taken often.

use super::SpecialiseArgs;
use super::compilers::with;
use super::generate::{Language, joins, straight};
use super::subject::Subject;
use crate::measure::pace::paced;
use crate::measure::record::Record;
use crate::measure::statistics::median;
use crate::measure::text::{align, row};
use crate::settings::Settings;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;

/// A loop that gets longer.
struct Kind {
    name: &'static str,
    language: Language,
    text: fn(Language, usize) -> String,
    /// How many parts there are.
    lengths: &'static [usize],
    /// The guest instructions of a part.
    part: usize,
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "tlc straight",
        language: Language::Tlc,
        text: straight,
        lengths: &[25, 50, 100, 200, 400, 800],
        part: 4,
    },
    Kind {
        name: "tlc joins",
        language: Language::Tlc,
        text: joins,
        lengths: JOINS,
        part: 15,
    },
    Kind {
        name: "lua straight",
        language: Language::Lua,
        text: straight,
        lengths: &[100, 200, 400, 800, 1600, 3200],
        part: 1,
    },
    Kind {
        name: "lua joins",
        language: Language::Lua,
        text: joins,
        lengths: JOINS,
        part: 5,
    },
];

/// How many places there are where two ways meet.
const JOINS: &[usize] = &[5, 10, 20, 40, 80];

/// The VM's parameters: loops get hot soon.
const PARAMS: &str = "compiler=specialising,threshold=20";

/// This many turns are enough for loops, and for the code behind their exits, which is made one
/// after the other; and how many show that it works.
const TURNS: i64 = 5000;
const QUICK_TURNS: i64 = 200;

/// The statistics.
#[derive(Clone, Deserialize)]
struct Figures {
    traces: u64,
    bridges: u64,
    machine_code_bytes: u64,
    specialised: Specialised,
    seconds: Seconds,
}

#[derive(Clone, Deserialize)]
struct Specialised {
    operations: u64,
    labels: u64,
    left: BTreeMap<String, u64>,
}

#[derive(Clone, Copy, Deserialize)]
struct Seconds {
    optimising: f64,
    compiling: f64,
}

/// A loop of one length, and what was found out about it.
struct Measured {
    kind: &'static Kind,
    parts: usize,
    turns: i64,
    subject: Subject,
    runs: Vec<Figures>,
    paces: Vec<f64>,
}

/// Measures and prints the table.
///
/// # Errors
/// If a program fails.
pub fn run(args: &SpecialiseArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let lua = args.ours.command(settings.quick)?;
    let folder = TempDir::new().map_err(|error| format!("no temporary folder: {error}"))?;
    let params = with(PARAMS, &args.ours.jit);
    let mut all = Vec::new();
    for kind in KINDS.iter().filter(|kind| kind.name.contains(&args.only)) {
        let (lengths, turns) = match settings.quick {
            true => (&kind.lengths[..2], QUICK_TURNS),
            false => (kind.lengths, TURNS),
        };
        for &parts in lengths {
            all.push(Measured::new(kind, parts, turns, folder.path())?);
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
    fn new(
        kind: &'static Kind,
        parts: usize,
        turns: i64,
        folder: &Path,
    ) -> Result<Measured, String> {
        let text = (kind.text)(kind.language, parts);
        let name = format!("{}-{parts}", kind.name.replace(' ', "-"));
        let subject = Subject::new(kind.language, &name, &text, turns, folder)?;
        Ok(Measured {
            kind,
            parts,
            turns,
            subject,
            runs: Vec::new(),
            paces: Vec::new(),
        })
    }

    /// The statistics of a run.
    fn run(&self, params: &str, lua: &Path, folder: &Path) -> Result<Figures, String> {
        let stats = self.subject.stats(self.turns, params, lua, folder)?;
        serde_json::from_str(&stats)
            .map_err(|error| format!("{}: statistics: {error}", self.kind.name))
    }

    fn instructions(&self) -> usize {
        self.parts * self.kind.part
    }

    /// Seconds for each guest instruction.
    fn per_instruction(&self, seconds: fn(Seconds) -> f64) -> Vec<f64> {
        let runs = self.runs.iter();
        runs.map(|run| seconds(run.seconds) / self.instructions() as f64)
            .collect()
    }

    fn records(&self) -> Vec<Record> {
        let n = self.parts as i64;
        let timed = |system: &str, seconds| {
            let record = Record::new(
                "growth",
                self.kind.name,
                n,
                system,
                &self.per_instruction(seconds),
            );
            record
                .with_count(self.instructions() as u64)
                .with_pace(&self.paces)
        };
        let counted =
            |system: &str, count| Record::counted("growth", self.kind.name, n, system, count);
        let run = &self.runs[0];
        vec![
            timed("optimising", |s| s.optimising),
            timed("backend", |s| s.compiling),
            counted("code bytes", run.machine_code_bytes),
            counted("operations", run.specialised.operations),
            counted("labels", run.specialised.labels),
        ]
    }
}

/// A line for each loop.
fn table(all: &[Measured]) -> String {
    let mut rows = vec![row([
        "loop",
        "parts",
        "instructions",
        "pieces",
        "labels",
        "operations/insn",
        "opt us/insn",
        "backend us/insn",
        "bytes/insn",
        "opt, of the half",
        "cut by limits",
    ])];
    let mut half: Option<&Measured> = None;
    for this in all {
        let run = &this.runs[0];
        let per = |count: u64| count as f64 / this.instructions() as f64;
        let optimising = |of: &Measured| median(&of.per_instruction(|s| s.optimising));
        let half_of_this = half.filter(|half| half.kind.name == this.kind.name);
        let growth = half_of_this.map(|half| {
            let length = this.instructions() as f64 / half.instructions() as f64;
            optimising(this) / optimising(half) * length
        });
        let limit = run.specialised.left.get("limit").copied().unwrap_or(0);
        rows.push(vec![
            this.kind.name.to_string(),
            this.parts.to_string(),
            this.instructions().to_string(),
            (run.traces + run.bridges).to_string(),
            run.specialised.labels.to_string(),
            format!("{:.1}", per(run.specialised.operations)),
            format!("{:.2}", optimising(this) * 1e6),
            format!(
                "{:.2}",
                median(&this.per_instruction(|s| s.compiling)) * 1e6
            ),
            format!("{:.0}", per(run.machine_code_bytes)),
            growth.map_or("-".to_string(), |growth| format!("{growth:.2}")),
            limit.to_string(),
        ]);
        half = Some(this);
    }
    format!(
        "what compiling costs, with compiler=specialising\n{}\n",
        align(&rows)
    )
}
