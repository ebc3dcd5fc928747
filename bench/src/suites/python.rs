//! Programs in Python. In: the programs of `languages/python`. Out: seconds of an iteration of
//! each: of the interpreter alone, the first and a later one with the JIT, and of CPython and PyPy
//! if they are installed; ratios, their geometric means and the worst of each; how much code the
//! JIT made. All seconds are processor time; the least of interleaved runs gives the ratios.
//! Invariant: every system runs the same files in a process of its own, and all print the same.

use crate::guests::python::programs::{self, Program};
use crate::guests::python::systems::{Ours, Systems};
use crate::measure::interleave::{Race, rounds};
use crate::measure::record::Record;
use crate::settings::Settings;
use crate::suites::columns::{Columns, no_program};

/// The arguments of `python`.
#[derive(clap::Args)]
pub struct PythonArgs {
    /// How often each is run.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only these programs, and those of these groups.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    only: Vec<String>,
    #[command(flatten)]
    ours: Ours,
}

/// The columns of the table.
const COLUMNS: Columns = Columns {
    times: &[
        ("interp", "interp"),
        ("first", "jit-cold"),
        ("warm", "jit-warm"),
        ("cpython", "cpython"),
        ("pypy first", "pypy-cold"),
        ("pypy", "pypy"),
    ],
    ratios: &[
        ("interp/cpython", "interp", "cpython"),
        ("first/cpython", "jit-cold", "cpython"),
        ("warm/cpython", "jit-warm", "cpython"),
        ("interp/pypy", "interp", "pypy"),
        ("first/pypy first", "jit-cold", "pypy-cold"),
        ("warm/pypy", "jit-warm", "pypy"),
    ],
    group: programs::group,
};

/// The programs of a quick run.
const QUICK: [&str; 7] = [
    "chaos",
    "exceptions",
    "graph",
    "pidigits",
    "strings",
    "telco",
    "trees",
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the outputs differ, or there is no program of a name that is asked for.
pub fn run(args: &PythonArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let few = QUICK.map(str::to_owned);
    let programs = wanted(match settings.quick && args.only.is_empty() {
        true => &few,
        false => &args.only,
    })?;
    let runs = if settings.quick { 1 } else { args.runs };
    let systems = Systems::find(&args.ours, &programs, settings.quick)?;
    let mut races = Vec::new();
    for program in &programs {
        let n = program.size(settings.quick);
        let contestants = systems.contestants(&program.name, n);
        races.push(Race::new(&program.name, n, contestants));
    }
    let timed = rounds("python", runs, races)?;
    Ok(COLUMNS.print(&timed, runs, |program| systems.made(program)))
}

/// All programs, or those of these names.
fn wanted(only: &[String]) -> Result<Vec<Program>, String> {
    let all = programs::all()?;
    let is_of = |program: &Program, name: &str| {
        program.name == name || programs::group(&program.name) == name
    };
    let is_there = |name: &&String| all.iter().any(|program| is_of(program, name));
    if let Some(unknown) = only.iter().find(|name| !is_there(name)) {
        let names: Vec<&str> = all.iter().map(|program| program.name.as_str()).collect();
        return Err(no_program(unknown, &names));
    }
    let is_wanted =
        |program: &Program| only.is_empty() || only.iter().any(|name| is_of(program, name));
    Ok(all.into_iter().filter(is_wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_each_ratio() {
        let record = |system: &str, seconds: f64| Record::new("python", "a", 1, system, &[seconds]);
        let records = [
            record("interp", 0.4),
            record("jit-cold", 0.2),
            record("jit-warm", 0.1),
            record("cpython", 0.2),
            record("pypy-cold", 0.1),
            record("pypy", 0.05),
        ];
        let table = COLUMNS.table(&records);
        let line = table.lines().nth(1).expect("there is a program");
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(
            cells[8..14],
            ["2.00", "1.00", "0.50", "8.00", "2.00", "2.00"]
        );
    }

    #[test]
    fn names_that_are_none_are_refused() {
        let error = wanted(&["caos".to_string()]).expect_err("there is none");
        assert!(
            error.starts_with("there is no program `caos`: there are "),
            "{error}"
        );
        let two = wanted(&["trees".to_string(), "go".to_string()]).expect("they are there");
        let names: Vec<&str> = two.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, ["go", "trees"]);
        let group = wanted(&["unseen".to_string()]).expect("it is there");
        assert!(group.len() >= 19, "{}", group.len());
    }
}
