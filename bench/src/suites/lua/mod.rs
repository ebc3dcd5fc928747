//! Programs in Lua. In: the programs of the folder `lua`. Out: seconds of an iteration of each: of
//! the interpreter alone, the first and a later one with the JIT, and of `lua5.4` and LuaJIT if
//! they are installed; ratios, their geometric means and the worst of each, of every group of
//! programs and of all; how much code the JIT made. All seconds are processor time; the least of
//! interleaved runs gives the ratios. Invariant: every system runs the same files in a process of
//! its own, and all say the same result.

pub mod registers;

use crate::guests::lua::programs::{self, Program};
use crate::guests::lua::systems::{Ours, Systems};
use crate::measure::interleave::{Race, rounds};
use crate::measure::record::Record;
use crate::settings::Settings;
use crate::suites::columns::{Columns, no_program};

/// The arguments of `lua`.
#[derive(clap::Args)]
pub struct LuaArgs {
    /// How often each is run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
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
        ("lua", "lua"),
        ("luajit first", "luajit-cold"),
        ("luajit", "luajit"),
    ],
    ratios: &[
        ("interp/lua", "interp", "lua"),
        ("first/luajit first", "jit-cold", "luajit-cold"),
        ("warm/luajit", "jit-warm", "luajit"),
        ("warm/lua", "jit-warm", "lua"),
    ],
    group: programs::group,
};

/// The programs of a quick run: some of each group.
const QUICK: [&str; 9] = [
    "binary_trees",
    "fib",
    "json",
    "methods",
    "strings",
    "varargs",
    "second/records",
    "second/rpn",
    "unseen/bank",
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ, or there is no program of a name that is asked for.
pub fn run(args: &LuaArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let few = QUICK.map(str::to_owned);
    let programs = wanted(match settings.quick && args.only.is_empty() {
        true => &few,
        false => &args.only,
    })?;
    let runs = if settings.quick { 1 } else { args.runs };
    let systems = Systems::find(&args.ours, settings.quick)?;
    let folder = programs::folder();
    let mut races = Vec::new();
    for program in &programs {
        let n = program.size(settings.quick);
        let contestants = systems.contestants(&folder, &program.name, n);
        races.push(Race::new(&program.name, n, contestants));
    }
    let timed = rounds("lua", runs, races)?;
    Ok(COLUMNS.print(&timed, runs, |program| systems.made(program)))
}

/// All programs, or those of these names.
fn wanted(only: &[String]) -> Result<Vec<Program>, String> {
    let all = programs::all()?;
    let is = |program: &Program, name: &str| {
        program.name == name || programs::group(&program.name) == name
    };
    let is_there = |name: &&String| all.iter().any(|program| is(program, name));
    if let Some(unknown) = only.iter().find(|name| !is_there(name)) {
        let names: Vec<&str> = all.iter().map(|program| program.name.as_str()).collect();
        return Err(no_program(unknown, &names));
    }
    let wanted = |program: &Program| only.is_empty() || only.iter().any(|name| is(program, name));
    Ok(all.into_iter().filter(wanted).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_worst_are_of_the_programs_that_have_both() {
        let record = |benchmark: &str, system: &str, seconds: f64| {
            Record::new("lua", benchmark, 1, system, &[seconds])
        };
        let records = [
            record("a", "interp", 0.2),
            record("a", "jit-warm", 0.1),
            record("a", "lua", 0.1),
            Record::counted("lua", "a", 1, "code bytes", 4321),
            record("b", "interp", 0.8),
            record("b", "lua", 0.1),
            record("c", "interp", 1.0),
        ];
        let words =
            |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_string).collect() };
        let table = COLUMNS.table(&records);
        let lines: Vec<Vec<String>> = table.lines().map(words).collect();
        assert_eq!(
            lines[1],
            [
                "a", "1", "0.200", "-", "0.100", "0.100", "-", "-", "2.00", "-", "-", "1.00", "-",
                "-", "4"
            ]
        );
        assert_eq!(lines[4], ["geometric", "mean", "4.00", "-", "-", "1.00"]);
        assert_eq!(lines[5], ["worst", "8.00", "-", "-", "1.00"]);
    }

    #[test]
    fn groups_have_means_of_their_own() {
        let record = |benchmark: &str, system: &str, seconds: f64| {
            Record::new("lua", benchmark, 1, system, &[seconds])
        };
        let records = [
            record("a", "interp", 0.2),
            record("a", "lua", 0.1),
            record("second/a", "interp", 0.8),
            record("second/a", "lua", 0.1),
        ];
        let table = COLUMNS.table(&records);
        let lines: Vec<String> = table.lines().skip(3).map(joined).collect();
        assert_eq!(
            lines,
            [
                "geometric mean, first 2.00 - - -",
                "worst, first 2.00 - - -",
                "geometric mean, second 8.00 - - -",
                "worst, second 8.00 - - -",
                "geometric mean 4.00 - - -",
                "worst 8.00 - - -",
            ]
        );
    }

    fn joined(line: &str) -> String {
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn names_that_are_none_are_refused() {
        let error = wanted(&["fibb".to_string()]).expect_err("there is none");
        assert!(
            error.starts_with("there is no program `fibb`: there are "),
            "{error}"
        );
        let two = wanted(&["fib".to_string(), "sort".to_string()]).expect("they are there");
        let names: Vec<&str> = two.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, ["fib", "sort"]);
        let group = wanted(&["second".to_string()]).expect("it is there");
        assert!(group.len() >= 13, "{}", group.len());
        assert!(
            group
                .iter()
                .all(|program| program.name.starts_with("second/"))
        );
    }
}
