//! How soon programs are fast. In: those of the suite `warmup`, and those in Lua with a size that
//! takes no time and with their usual one. Out: the seconds from a new VM on until an iteration
//! takes at most twice as long as those at the end, and those of an iteration at the end, by
//! default and by tracing alone without a limit on compiling; of Lua also the seconds of the
//! iterations that fit into the first second, against LuaJIT's. Invariant: the systems run
//! interleaved and say the same; each is measured by its own speed at the end, and what that loses
//! is a column of its own.

use super::TiersArgs;
use crate::guests::lua;
use crate::guests::lua::systems::{is_installed, process};
use crate::guests::program::{Once, Program};
use crate::guests::registry;
use crate::measure::interleave::{Contestant, Race, Run, rounds};
use crate::measure::record::Record;
use crate::measure::statistics::geometric_mean;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;
use crate::suites::specialise::compilers::{time, with};
use crate::suites::speedups::timed;
use crate::suites::warmup::{level, reached};
use std::cell::Cell;

/// The name of the suite in the records.
const SUITE: &str = "tiers-warm";

/// Half of the speed at the end is reached by an iteration that takes at most this many times as
/// long.
const HALF: f64 = 2.0;

/// How many iterations there are: in this process, of Lua with small sizes, and with usual ones.
const ITERATIONS: [usize; 3] = [120, 400, 30];

/// In a quick run nothing has to be warm.
const QUICK: [usize; 3] = [12, 12, 3];

/// How many seconds of iterations are the beginning.
const BEGINNING: f64 = 1.0;

/// The names of what is measured of a system: an iteration at the end, the time to half of its
/// speed, the beginning.
type Names = [&'static str; 3];

/// Ours, with the parameters of the JIT that make them.
const OURS: [(Names, &str); 2] = [
    (["defaults", "defaults half", "defaults beginning"], ""),
    (
        ["tracing", "tracing half", "tracing beginning"],
        "compiler=tracing,compile_allowance=off",
    ),
];

const LUAJIT: Names = ["luajit", "luajit half", "luajit beginning"];

/// The ratios printed: heading, and the two systems.
pub const RATIOS: [(&str, [&str; 2]); 3] = [
    ("half/tracing", ["defaults half", "tracing half"]),
    ("end/tracing", ["defaults", "tracing"]),
    (
        "beginning/luajit",
        ["defaults beginning", "luajit beginning"],
    ),
];

/// A program in Lua with a size.
struct InLua {
    name: String,
    n: i64,
    iterations: usize,
    /// Whether it is compared with LuaJIT.
    is_usual: bool,
    /// How many iterations are the beginning: what the first process of all says, so that all
    /// systems have the same.
    beginning: Cell<Option<usize>>,
}

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or says something else with another system.
pub fn run(args: &TiersArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let [here, small, usual] = if settings.quick { QUICK } else { ITERATIONS };
    let programs = wanted(args, settings)?;
    let of_lua = in_lua(args, settings, [small, usual])?;
    let command = args.ours.command(settings.quick)?.display().to_string();
    let is_compared = !of_lua.is_empty() && is_installed("luajit", "luajit");
    let mut races = Vec::new();
    for (program, n) in &programs {
        let contestants = OURS.map(|(names, params)| {
            let params = with(params, &args.ours.jit);
            in_this_process(program, *n, names, params, here)
        });
        races.push(Race::new(&program.name, *n, contestants.into()));
    }
    for program in &of_lua {
        let mut commands: Vec<(Names, Vec<String>)> = OURS
            .map(|(names, params)| {
                let params = with(params, &args.ours.jit);
                (names, vec![command.clone(), "--jit".to_string(), params])
            })
            .into();
        if is_compared && program.is_usual {
            commands.push((LUAJIT, vec!["luajit".to_string()]));
        }
        let contestants = commands.into_iter();
        let contestants = contestants.map(|(names, command)| program.contestant(names, command));
        let name = format!("lua/{}", program.name);
        races.push(Race::new(&name, program.n, contestants.collect()));
    }
    let records = rounds(SUITE, args.runs(settings), races)?;
    print!("{}", table(&records));
    Ok(records)
}

/// The programs of the suite `warmup` whose names are wanted.
fn wanted(args: &TiersArgs, settings: &Settings) -> Result<Vec<(Program, i64)>, String> {
    let list = registry::warmup().into_iter();
    let list = list.filter(|(name, _)| name.contains(&args.only));
    let most = if settings.quick { 2 } else { usize::MAX };
    list.take(most)
        .map(|(name, n)| Ok((registry::find(&name)?, n)))
        .collect()
}

/// Those in Lua, first all with small sizes and then all with usual ones.
fn in_lua(
    args: &TiersArgs,
    settings: &Settings,
    iterations: [usize; 2],
) -> Result<Vec<InLua>, String> {
    let mut programs = lua::programs::all()?;
    programs.retain(|program| format!("lua/{}", program.name).contains(&args.only));
    if settings.quick {
        programs.truncate(1);
    }
    let mut all = Vec::new();
    let sizes = [false, true].into_iter().zip(iterations);
    // In a quick run both sizes are the same.
    let wanted = |is_usual| match (settings.quick, args.small) {
        (true, _) => is_usual,
        (false, small) => !(small && is_usual),
    };
    for (is_usual, iterations) in sizes.filter(|(is_usual, _)| wanted(*is_usual)) {
        all.extend(programs.iter().map(|program| InLua {
            name: program.name.clone(),
            n: program.size(settings.quick || !is_usual),
            iterations,
            is_usual,
            beginning: Cell::new(None),
        }));
    }
    Ok(all)
}

/// The iterations of a program in a new VM.
fn in_this_process(
    program: &Program,
    n: i64,
    [end, half, _]: Names,
    params: String,
    iterations: usize,
) -> Contestant<'_> {
    Box::new(move || {
        let mut curve = Vec::new();
        let mut measure = |once: Once<'_>| curve.extend((0..iterations).map(|_| timed(once)));
        (program.session)(&params, &[n], &mut measure)?;
        let run = |seconds| Run {
            seconds,
            result: None,
            max_rss: None,
        };
        Ok(vec![
            (end, run(level(&curve))),
            (half, run(until_half(&curve))),
        ])
    })
}

impl InLua {
    /// The iterations in a new process.
    fn contestant(&self, [end, half, beginning]: Names, command: Vec<String>) -> Contestant<'_> {
        Box::new(move || {
            let folder = lua::programs::folder();
            let fail = |why| format!("{} {}: {end}: {why}", self.name, self.n);
            let process = process(&command, &folder, &self.name, self.n, self.iterations);
            let (curve, result, finished) = process.map_err(fail)?;
            let run = |seconds| Run {
                seconds,
                result: Some(result.clone()),
                max_rss: Some(finished.max_rss),
            };
            let mut runs = vec![(end, run(level(&curve))), (half, run(until_half(&curve)))];
            if self.is_usual {
                let count = self.beginning.get().unwrap_or_else(|| fitting(&curve));
                self.beginning.set(Some(count));
                runs.push((beginning, run(curve[..count].iter().sum())));
            }
            Ok(runs)
        })
    }
}

/// The seconds from the beginning to the end of the first iteration with half of the final speed.
/// There is one at the latest where the final level begins, but for curves that go up and down,
/// which take to their end.
fn until_half(curve: &[f64]) -> f64 {
    let last = reached(curve, HALF).unwrap_or(curve.len() - 1);
    curve[..=last].iter().sum()
}

/// How many iterations fit into the beginning, at least one.
fn fitting(curve: &[f64]) -> usize {
    let ends = curve.iter().scan(0.0, |end, seconds| {
        *end += seconds;
        Some(*end)
    });
    ends.take_while(|end| *end <= BEGINNING).count().max(1)
}

/// Which programs a mean is of.
type Chosen = (&'static str, fn(&[Record]) -> bool);

/// The means: of what ran in this process, and of Lua with either size.
const MEANS: [Chosen; 3] = [
    ("geometric mean, all but lua", |of| !is_lua(of)),
    ("geometric mean, lua, small", |of| {
        is_lua(of) && !is_usual(of)
    }),
    ("geometric mean, lua, usual", |of| {
        is_lua(of) && is_usual(of)
    }),
];

fn is_lua(records: &[Record]) -> bool {
    records[0].benchmark.starts_with("lua/")
}

/// Whether it is measured how a program begins.
fn is_usual(records: &[Record]) -> bool {
    time(records, "defaults beginning").is_some()
}

/// How many times as long the first of two systems takes.
pub fn quotient(of: &[Record], [above, below]: [&str; 2]) -> Option<f64> {
    let (above, below) = (time(of, above)?, time(of, below)?);
    (below > 0.0).then(|| above / below)
}

/// Whether a program has not become fast by default: it is soon at half of a speed that is hardly
/// more than the interpreter's, which says nothing.
pub fn is_slow(of: &[Record]) -> bool {
    let [_, (_, ends), _] = RATIOS;
    quotient(of, ends).is_some_and(|quotient| quotient > HALF)
}

/// The programs with their sizes, those first that reach half of their speed latest against
/// tracing.
pub fn latest(records: &[Record]) -> Vec<&[Record]> {
    let groups = records.chunk_by(|a, b| (&a.benchmark, a.n) == (&b.benchmark, b.n));
    let mut groups: Vec<&[Record]> = groups.collect();
    let [(_, slowest), ..] = RATIOS;
    let late = |of: &&[Record]| quotient(of, slowest).unwrap_or(0.0);
    groups.sort_by(|a, b| late(b).total_cmp(&late(a)));
    groups
}

/// A line for each program and size; then the means.
pub fn rows(records: &[Record]) -> Vec<Vec<String>> {
    let groups = latest(records);
    let [(_, slowest), ..] = RATIOS;
    let times = ["defaults half", "tracing half", "defaults", "tracing"];
    let beginning = ["defaults beginning", "luajit beginning"];
    let columns: Vec<&str> = times.into_iter().chain(beginning).collect();
    let mut rows = vec![row(["program", "n"])];
    rows[0].extend(columns.iter().map(|name| name.to_string()));
    rows[0].extend(RATIOS.map(|(name, _)| name.to_string()));
    for of in &groups {
        let mut cells = vec![of[0].benchmark.clone(), of[0].n.to_string()];
        let time = |system: &&str| time(of, system);
        cells.extend(
            columns
                .iter()
                .map(|system| time(system).map_or("-".to_string(), seconds)),
        );
        cells.extend(RATIOS.map(|(_, [above, below])| ratio(time(&above), time(&below))));
        rows.push(cells);
    }
    for (name, is_chosen) in MEANS {
        let chosen: Vec<&&[Record]> = groups.iter().filter(|of| is_chosen(of)).collect();
        let mut cells = row([name, ""]);
        cells.resize(2 + columns.len(), String::new());
        cells.extend(RATIOS.map(|(_, systems)| {
            let is_compared = |of: &&&&[Record]| systems != slowest || !is_slow(of);
            let compared = chosen.iter().filter(is_compared);
            let ratios = compared.filter_map(|of| quotient(of, systems));
            let mean = geometric_mean(&ratios.collect::<Vec<f64>>());
            mean.map_or("-".to_string(), |mean| format!("{mean:.2}"))
        }));
        rows.push(cells);
    }
    rows
}

/// The lines with what they are about.
fn table(records: &[Record]) -> String {
    let groups = latest(records);
    let slow = groups.iter().filter(|of| is_slow(of)).count();
    format!(
        "warm: seconds until half of the final speed is reached, of an iteration at the end, and of the first second's iterations\n{}\
         {slow} of {} have less than half of the speed of tracing at the end, and are in no mean of half/tracing\n\n",
        align(&rows(records)),
        groups.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_speed_is_reached_by_an_iteration_that_counts_too() {
        let curve = [vec![9.0, 5.0, 2.0], vec![1.0; 30]].concat();
        assert_eq!(until_half(&curve), 16.0);
        assert_eq!(until_half(&[1.0; 8]), 1.0);
    }

    #[test]
    fn at_least_one_iteration_fits() {
        assert_eq!(fitting(&[0.5, 0.25, 0.25, 0.25]), 3);
        assert_eq!(fitting(&[0.1; 3]), 3);
        assert_eq!(fitting(&[1.5, 0.1]), 1);
    }

    #[test]
    fn means_are_of_lua_or_not() {
        let record = |benchmark: &str, n: i64, system: &str, seconds: f64| {
            Record::new(SUITE, benchmark, n, system, &[seconds])
        };
        let records = [
            record("tla/fib", 1, "defaults half", 0.2),
            record("tla/fib", 1, "tracing half", 0.4),
            record("tla/slow", 1, "defaults half", 0.1),
            record("tla/slow", 1, "tracing half", 0.4),
            record("tla/slow", 1, "defaults", 0.9),
            record("tla/slow", 1, "tracing", 0.3),
            record("lua/fib", 2, "defaults", 0.6),
            record("lua/fib", 2, "tracing", 0.5),
            record("lua/fib", 3, "defaults", 0.4),
            record("lua/fib", 3, "tracing", 0.5),
            record("lua/fib", 3, "defaults beginning", 0.9),
            record("lua/fib", 3, "luajit beginning", 0.3),
        ];
        let text = table(&records);
        let lines = text.lines().filter(|line| line.starts_with("geometric"));
        let words =
            |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_string).collect() };
        let found: Vec<Vec<String>> = lines.map(words).collect();
        assert_eq!(found[0][5..], ["0.50", "3.00", "-"], "{text}");
        assert_eq!(found[1][4..], ["-", "1.20", "-"], "{text}");
        assert_eq!(found[2][4..], ["-", "0.80", "3.00"], "{text}");
        assert!(text.contains("\n1 of 4 have less"), "{text}");
    }
}
