//! Figures 4 to 7 of the 2022 paper, as far as its text says numbers. In: its programs in TLA, and
//! `fib`. Out: the first and a warm run on each level, how many times as fast as the interpreter,
//! with the bytes of code, the operations that the optimiser was given, and the seconds that
//! compiling took; the paper's numbers beside them; then what the paper compares. Invariant: all
//! levels of a program run interleaved and say the same, nothing limits how much may be compiled,
//! so that each level is measured alone, and all seconds are processor time.
//!
//! Source: "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), 2.3,
//! 3.2 to 3.4 and the abstract.

use super::TiersArgs;
use super::compared::Measure::{self, Code, Compiling, Operations, Stable, Startup};
use super::compared::{self, LOOPS, MEAN, mean, number, said};
use crate::guests::program::options;
use crate::measure::clock::cpu_seconds;
use crate::measure::interleave::{Contestant, Race, Run, rounds, timed};
use crate::measure::record::Record;
use crate::measure::statistics::median;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;
use std::cell::RefCell;
use tla::image::Image;
use tla::machine::{Machine, load, on_stack};
use verdigris::{Options, Stats};

/// The name of the suite in the records.
const SUITE: &str = "tiers-paper";

/// How deep calls may be: no program here needs more.
const DEPTH: i64 = 2000;

/// How many runs follow the first one, and the later half of them is warm. The number is fixed,
/// since what is compiled depends on it. In a quick run nothing has to be warm.
const LATER: usize = 12;
const QUICK: usize = 2;

/// A level, or a level for each of two functions, and what makes it.
struct Level {
    name: &'static str,
    /// The names of what is measured: of the first run, of the time for compiling, of the bytes of
    /// code, of the operations. The warm run has the name of the level.
    others: [&'static str; 4],
    /// Parameters of the JIT.
    params: &'static str,
}

macro_rules! level {
    ($name:literal, $params:literal) => {
        Level {
            name: $name,
            others: [
                concat!($name, " first"),
                concat!($name, " compiling"),
                concat!($name, " code bytes"),
                concat!($name, " operations"),
            ],
            params: $params,
        }
    };
}

const INTERP: Level = level!("interp", "off");
const BASELINE: Level = level!("baseline", "compiler=specialising");
const TRACING: Level = level!("tracing", "compiler=tracing");

macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(
            "../../../../languages/tla/programs/",
            $name,
            ".tla"
        ))
    };
}

/// A program, its size and one for quick runs, and its text on each level.
struct Program {
    name: &'static str,
    sizes: [i64; 2],
    levels: Vec<(Level, String)>,
}

/// The paper's programs, whose sizes it does not say, and one with calls and no loops. The first
/// functions of `callabit` only call one with a level.
fn programs() -> Vec<Program> {
    let one_level = |name, sizes, text: &str, baseline: &str| Program {
        name,
        sizes,
        levels: vec![
            (INTERP, text.to_string()),
            (BASELINE, baseline.to_string()),
            (TRACING, text.to_string()),
        ],
    };
    let fib = text!("fib");
    // Its calls name the tracing level, whatever the parameters are.
    let fib_on_baseline = fib.replace("CALL_JIT", "CALL");
    let variants = [
        (INTERP, text!("callabit_baseline_only")),
        (
            level!("baseline-interp", ""),
            text!("callabit_baseline_interp"),
        ),
        (level!("baseline-only", ""), text!("callabit_baseline_only")),
        (
            level!("baseline-tracing", ""),
            text!("callabit_baseline_tracing"),
        ),
        (
            level!("tracing-baseline", ""),
            text!("callabit_tracing_baseline"),
        ),
        (level!("tracing-only", ""), text!("callabit_tracing_only")),
    ];
    vec![
        one_level("loop", [1_000_000, 3000], text!("loop"), text!("loop")),
        one_level("loopabit", [1500, 60], text!("loopabit"), text!("loopabit")),
        one_level("fib", [27, 12], fib, &fib_on_baseline),
        Program {
            name: "callabit",
            sizes: [1500, 60],
            levels: variants.map(|(level, text)| (level, text.into())).into(),
        },
    ]
}

/// Measures and prints the tables.
///
/// # Errors
/// If a program fails, or says something else on another level.
pub fn run(args: &TiersArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut subjects = Vec::new();
    for program in programs() {
        if format!("tla/{}", program.name).contains(&args.only) {
            let [usual, quick] = program.sizes;
            let n = if settings.quick { quick } else { usual };
            let levels = program.levels.into_iter();
            let subject = |(level, text): (Level, String)| {
                let jit = format!("{},compile_allowance=off,{}", level.params, args.ours.jit);
                Ok(Subject {
                    image: load(&text, program.name)?,
                    n,
                    options: options(&jit)?.clock(cpu_seconds as fn() -> f64),
                    later: if settings.quick { QUICK } else { LATER },
                    level,
                    made: RefCell::default(),
                })
            };
            let levels: Result<Vec<Subject>, String> = levels.map(subject).collect();
            subjects.push((program.name, n, levels?));
        }
    }
    let races = subjects.iter().map(|(name, n, levels)| {
        Race::new(name, *n, levels.iter().map(Subject::contestant).collect())
    });
    let races = races.collect();
    let timed = rounds(SUITE, args.runs(settings), races)?;
    let mut records = Vec::new();
    let groups = timed.chunk_by(|a, b| a.benchmark == b.benchmark);
    for (group, (name, n, levels)) in groups.zip(&subjects) {
        records.extend_from_slice(group);
        let counted = levels.iter().flat_map(|level| level.counted(name, *n));
        records.extend(counted);
    }
    print!("{}", levels(&records));
    print!("{}", compared::table(&records));
    Ok(records)
}

/// A program on a level.
struct Subject {
    image: Image,
    n: i64,
    options: Options,
    later: usize,
    level: Level,
    /// The statistics of the last round's VM.
    made: RefCell<Stats>,
}

impl Subject {
    fn contestant(&self) -> Contestant<'_> {
        Box::new(|| {
            let (image, n, later) = (&self.image, self.n, self.later);
            let options = &self.options;
            let (runs, stats) = on_stack(DEPTH, || in_new_vm(image, n, options, later))??;
            let spent = stats.seconds;
            let run = |seconds| Run {
                seconds,
                ..runs[0].clone()
            };
            let later: Vec<f64> = runs[1..].iter().map(|run| run.seconds).collect();
            let [first, compiling, ..] = self.level.others;
            *self.made.borrow_mut() = stats;
            let mut all = vec![
                (first, runs[0].clone()),
                (self.level.name, run(median(&later[later.len() / 2..]))),
            ];
            if self.level.name != INTERP.name {
                let seconds = spent.tracing + spent.optimising + spent.compiling;
                all.push((compiling, run(seconds)));
            }
            Ok(all)
        })
    }

    /// Records of what the VM made.
    fn counted(&self, program: &str, n: i64) -> Vec<Record> {
        if self.level.name == INTERP.name {
            return Vec::new();
        }
        let made = self.made.borrow();
        let [.., code, operations] = self.level.others;
        let counts = [
            (code, made.machine_code_bytes),
            (
                operations,
                made.recorded.total() + made.specialised.operations,
            ),
        ];
        let record = |(system, count)| Record::counted(SUITE, program, n, system, count);
        counts.map(record).into()
    }
}

/// All runs in one VM, and what it did.
fn in_new_vm(
    image: &Image,
    n: i64,
    options: &Options,
    later: usize,
) -> Result<(Vec<Run>, Stats), String> {
    let machine = Machine::new(options.clone(), DEPTH)?;
    let runs = machine.enter(image, |program| {
        let run = |_| timed(|| program.run_to_int(&[n]));
        (0..=later).map(run).collect::<Result<Vec<Run>, _>>()
    })??;
    Ok((runs, machine.vm().stats()))
}

/// The levels of a program whose records these are: a warm run has the name of its level, and all
/// else has that in front.
pub fn levels_of(group: &[Record]) -> impl Iterator<Item = &str> {
    let is_level = |r: &&Record| r.is_timed() && !r.system.contains(' ');
    group.iter().filter(is_level).map(|r| r.system.as_str())
}

/// A line for each level of each program, and for the means that the paper says.
pub fn rows(records: &[Record]) -> Vec<Vec<String>> {
    let mut rows = vec![row([
        "program",
        "n",
        "level",
        "startup",
        "x",
        "paper",
        "stable",
        "x",
        "paper",
        "code bytes",
        "operations",
        "compile ms",
    ])];
    for group in records.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let name = group[0].benchmark.as_str();
        for level in levels_of(group) {
            let of = |measure: Measure| measure.of(records, name, level);
            let count = |measure| of(measure).map_or("-".to_string(), |count| count.to_string());
            let mut cells = vec![name.to_string(), group[0].n.to_string(), level.to_string()];
            for (at, measure) in [Startup, Stable].into_iter().enumerate() {
                cells.push(of(measure).map_or("-".to_string(), seconds));
                cells.push(ratio(measure.of(records, name, "interp"), of(measure)));
                cells.push(number(said(name, level, at)));
            }
            cells.extend([Code, Operations].map(count));
            cells.push(of(Compiling).map_or("-".to_string(), |s| format!("{:.3}", s * 1e3)));
            rows.push(cells);
        }
    }
    for level in ["baseline", "tracing"] {
        let mut cells = row([MEAN, "", level]);
        for (at, measure) in [Startup, Stable].into_iter().enumerate() {
            let quotients = LOOPS.map(|name| (measure, name, ["interp", level]));
            cells.extend([
                String::new(),
                number(mean(records, &quotients)),
                number(said(MEAN, level, at)),
            ]);
        }
        rows.push(cells);
    }
    rows
}

/// The lines with what they are about.
fn levels(records: &[Record]) -> String {
    format!(
        "levels: least seconds of the first run in a VM and of a warm one, how many times as fast as the interpreter (x), and what was compiled\n{}\n",
        align(&rows(records))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_string).collect()
    }

    #[test]
    fn levels_are_measured_by_the_interpreter() {
        let record = |benchmark: &str, system: &str, seconds: f64| {
            Record::new(SUITE, benchmark, 9, system, &[seconds])
        };
        let records = [
            record("loop", "interp first", 0.9),
            record("loop", "interp", 0.8),
            record("loop", "baseline first", 0.3),
            record("loop", "baseline", 0.2),
            record("loop", "baseline compiling", 0.004),
            Record::counted(SUITE, "loop", 9, "baseline code bytes", 321),
            record("loopabit", "interp", 0.9),
            record("loopabit", "baseline", 0.1),
        ];
        let text = levels(&records);
        let lines: Vec<&str> = text.lines().collect();
        let of_baseline = "loop 9 baseline 0.300 3.00 - 0.200 4.00 - 321 - 4.000";
        assert_eq!(words(lines[3]), words(of_baseline));
        let of_mean = "loop, loopabit baseline - 1.90 6.00 1.70";
        assert_eq!(words(lines[6]), words(of_mean), "{text}");
    }

    /// Only measured systems are compared.
    #[test]
    fn comparisons_name_programs_and_levels() {
        let programs = programs();
        for (words, quotients, _) in compared::COMPARED {
            for (_, name, levels) in *quotients {
                let program = programs.iter().find(|program| program.name == *name);
                let program = program.expect(words);
                for level in levels {
                    let is_there = |known: &(Level, String)| known.0.name == *level;
                    assert!(program.levels.iter().any(is_there), "{words}: {level}");
                }
            }
        }
    }
}
