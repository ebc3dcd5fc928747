//! The cost of the JIT where it gains nothing. In: every program of every language, with a
//! thousandth, a hundredth and a tenth of its usual size, with that size, and ten times in a row.
//! Out: the seconds of interpreter and JIT from a new VM on, and by how much the JIT exceeds what
//! can be noticed: a twentieth more than the interpreter, and three milliseconds. Invariant: none
//! is left out but programs that end in an error, and sizes that take the interpreter too long.

use super::TiersArgs;
use crate::guests::lua;
use crate::guests::lua::programs::DRIVER;
use crate::guests::program::{Once, Program};
use crate::guests::registry;
use crate::measure::child;
use crate::measure::clock::cpu_seconds;
use crate::measure::interleave::{Contestant, Race, Run, least, rounds, single};
use crate::measure::record::Record;
use crate::measure::text::{align, row, seconds};
use crate::settings::Settings;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the suite in the records.
const SUITE: &str = "tiers-slower";

/// The shares of the usual size, and how often the program runs.
const SIZES: [(i64, u32); 5] = [(1000, 1), (100, 1), (10, 1), (1, 1), (1, 10)];

/// Sizes that take the interpreter longer are left out.
const LONG: f64 = 1.0;

/// Unnoticed: this factor of the interpreter's time, and this many seconds more.
const UNNOTICED: (f64, f64) = (1.05, 0.003);

/// How many lines are printed: the worst.
pub const LINES: usize = 20;

/// The systems, and the parameters of the JIT that make them.
const SYSTEMS: [(&str, &str); 2] = [("interp", "off"), ("jit-cold", "")];

/// Measures and prints the table.
///
/// # Errors
/// If a program cannot be read, or the JIT says something else than the interpreter.
pub fn run(args: &TiersArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut programs = registry::all()?;
    programs.retain(|program| program.name.contains(&args.only));
    let command = args.ours.command(settings.quick)?;
    let mut of_lua = lua::programs::all()?;
    of_lua.retain(|program| format!("lua/{}", program.name).contains(&args.only));
    if settings.quick {
        programs.truncate(2);
        of_lua.truncate(1);
    }
    let mut races = Vec::new();
    for program in &programs {
        for (args_of, times) in sizes(&program.args, args.small) {
            if is_short(run_in(program, "off", &args_of, times)) {
                let name = name(&program.name, times);
                let n = args_of.first().copied().unwrap_or_default();
                races.push(Race::new(
                    &name,
                    n,
                    contestants(program, args_of, times, &args.ours.jit),
                ));
            }
        }
    }
    for program in &of_lua {
        let usual = program.size(settings.quick);
        for (n, times) in sizes(&[usual], args.small) {
            let process = Process {
                command: command.clone(),
                program: program.name.clone(),
                n: n[0],
                times,
            };
            if is_short(process.run("off")) {
                let name = name(&format!("lua/{}", program.name), times);
                races.push(Race::new(&name, n[0], process.contestants(&args.ours.jit)));
            }
        }
    }
    let records = rounds(SUITE, args.runs(settings), races)?;
    print!("{}", table(&records));
    Ok(records)
}

fn name(program: &str, times: u32) -> String {
    match times {
        1 => program.to_string(),
        times => format!("{program}, {times} times"),
    }
}

/// The arguments to measure a program with, and how often it runs with them. Several arguments are
/// no sizes. If the small ones are wanted, those that take no time say nothing, and the usual ones
/// too much.
fn sizes(usual: &[i64], small: bool) -> Vec<(Vec<i64>, u32)> {
    let mut sizes: Vec<(Vec<i64>, u32)> = Vec::new();
    let is_wanted = |(share, _): &(i64, u32)| !small || [100, 10].contains(share);
    for (share, times) in SIZES.into_iter().filter(is_wanted) {
        let args = match usual {
            [n] => vec![n / share],
            _ => usual.to_vec(),
        };
        let is_none = share > 1 && (usual.len() != 1 || args[0] == 0);
        if !is_none {
            sizes.push((args, times));
        }
    }
    sizes
}

/// Whether a run of the interpreter ended well and soon.
fn is_short(run: Result<Run, String>) -> bool {
    run.is_ok_and(|run| run.seconds < LONG)
}

fn contestants<'a>(
    program: &'a Program,
    args: Vec<i64>,
    times: u32,
    given: &'a str,
) -> Vec<Contestant<'a>> {
    let contestant = |(system, params): (&'static str, &'static str)| {
        let args = args.clone();
        single(system, move || {
            run_in(program, &format!("{params},{given}"), &args, times)
        })
    };
    SYSTEMS.map(contestant).into()
}

/// A fresh VM, and the program in it.
fn run_in(program: &Program, params: &str, args: &[i64], times: u32) -> Result<Run, String> {
    let mut result = Ok(String::new());
    let mut use_it = |once: Once<'_>| {
        for _ in 0..times {
            result = once();
        }
    };
    let begin = cpu_seconds();
    (program.session)(params, args, &mut use_it)?;
    let seconds = cpu_seconds() - begin;
    Ok(Run {
        seconds,
        result: Some(result?),
        max_rss: None,
    })
}

/// A process that runs a program in Lua.
#[derive(Clone)]
struct Process {
    command: PathBuf,
    program: String,
    n: i64,
    times: u32,
}

impl Process {
    fn contestants<'a>(&self, given: &'a str) -> Vec<Contestant<'a>> {
        let contestant = |(system, params): (&'static str, &'static str)| {
            let process = self.clone();
            single(system, move || process.run(&format!("{params},{given}")))
        };
        SYSTEMS.map(contestant).into()
    }

    /// The whole life of the process.
    fn run(&self, params: &str) -> Result<Run, String> {
        let mut command = Command::new(&self.command);
        let words = [self.n.to_string(), self.times.to_string()];
        command
            .args(["--jit", params, DRIVER, &self.program])
            .args(words);
        let finished = child::finish(command.current_dir::<&Path>(&lua::programs::folder()))?;
        let results = finished
            .stdout
            .lines()
            .filter_map(|line| line.split_once('\t'));
        let results: Vec<&str> = results.map(|(_, result)| result).collect();
        let result = Some(results.join("\n"));
        Ok(Run {
            result,
            ..Run::from(finished)
        })
    }
}

/// By how many seconds the JIT exceeds what goes unnoticed, without the seconds that go
/// notices.
fn excess(records: &[Record]) -> Option<f64> {
    let [interp, jit] = SYSTEMS.map(|(system, _)| least(records, system));
    Some(jit? - UNNOTICED.0 * interp?)
}

/// A program with a size, with the seconds by which the JIT exceeds what goes unnoticed, those
/// first that do so most.
pub fn worst(records: &[Record]) -> Vec<(f64, &[Record])> {
    let groups = records.chunk_by(|a, b| (&a.benchmark, a.n) == (&b.benchmark, b.n));
    let mut groups: Vec<(f64, &[Record])> = groups
        .filter_map(|group| Some((excess(group)?, group)))
        .collect();
    groups.sort_by(|a, b| b.0.total_cmp(&a.0));
    groups
}

/// The lines of the worst programs.
pub fn rows(records: &[Record]) -> Vec<Vec<String>> {
    let mut rows = vec![row([
        "program",
        "n",
        "interp",
        "jit",
        "jit/interp",
        "beyond, ms",
    ])];
    for (excess, group) in worst(records).into_iter().take(LINES) {
        let [interp, jit] = SYSTEMS.map(|(system, _)| least(group, system).unwrap_or(f64::NAN));
        rows.push(vec![
            group[0].benchmark.clone(),
            group[0].n.to_string(),
            seconds(interp),
            seconds(jit),
            format!("{:.2}", jit / interp),
            format!("{:.2}", excess * 1e3),
        ]);
    }
    rows
}

/// How many of how many programs and sizes exceed what goes unnoticed.
pub fn beyond(records: &[Record]) -> String {
    let all = worst(records);
    let beyond = all.iter().filter(|(excess, _)| *excess > UNNOTICED.1);
    format!(
        "{} of {} take more than {} ms beyond that",
        beyond.count(),
        all.len(),
        UNNOTICED.1 * 1e3
    )
}

/// The worst programs, and how many exceed what goes unnoticed.
fn table(records: &[Record]) -> String {
    format!(
        "never slower: least seconds from a new VM on, and how many milliseconds the JIT takes beyond {} times the interpreter's; the worst\n{}\n{}\n",
        UNNOTICED.0,
        align(&rows(records)),
        beyond(records)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_sizes_are_measured_too() {
        let args = |usual: &[i64]| {
            sizes(usual, false)
                .into_iter()
                .map(|(args, times)| (args[0], times))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            args(&[5000]),
            [(5, 1), (50, 1), (500, 1), (5000, 1), (5000, 10)]
        );
        assert_eq!(args(&[20]), [(2, 1), (20, 1), (20, 10)]);
        assert_eq!(args(&[20, 3]), [(20, 1), (20, 10)]);
        assert_eq!(sizes(&[], false).len(), 2);
        let small = sizes(&[5000], true);
        assert_eq!(small, [(vec![50], 1), (vec![500], 1)]);
        assert!(sizes(&[], true).is_empty());
    }

    #[test]
    fn what_exceeds_is_counted() {
        let record = |benchmark: &str, system: &str, seconds: f64| {
            Record::new(SUITE, benchmark, 1, system, &[seconds])
        };
        let records = [
            record("a", "interp", 0.1),
            record("a", "jit-cold", 0.1),
            record("b", "interp", 0.1),
            record("b", "jit-cold", 0.11),
        ];
        let text = table(&records);
        assert!(
            text.ends_with("1 of 2 take more than 3 ms beyond that\n"),
            "{text}"
        );
        assert!(
            text.lines()
                .nth(2)
                .is_some_and(|line| line.starts_with('b')),
            "{text}"
        );
    }
}
