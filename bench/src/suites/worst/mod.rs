//! The worst that compiling does to a program. In: every program of every language, and made-up
//! polymorphic ones in Lua, with each compiler and no limit on compiling, for few iterations. Out:
//! how many times as long each takes as in the interpreter, and how much code, how many bridges and
//! failures of guards without one there are; the worst first. Invariant: none is left out but
//! programs that end in an error, and iterations that take the interpreter too long.
//!
//! The usual limit hides what compiling can cost, and the clock decides what it hides. What goes
//! wrong without it is wrong in what is compiled.

mod subjects;

use crate::guests::lua::systems::Ours;
use crate::guests::made::Made;
use crate::measure::interleave::{Contestant, Race, least, rounds};
use crate::measure::record::Record;
use crate::measure::text::{align, row, seconds};
use crate::settings::Settings;
use crate::suites::specialise::compilers::{COMPILERS, with};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use subjects::Subject;
use tempfile::TempDir;

/// The name of the suite in the records.
const SUITE: &str = "worst";

/// How often a program runs in one VM.
const TIMES: [u32; 3] = [1, 10, 100];

/// Iterations that take the interpreter longer together are left out.
const LONG: f64 = 1.0;

/// The least share of the interpreter's time that is marked.
const SLOWER: f64 = 1.3;

/// A difference of fewer seconds says nothing, and goes unnoticed.
const UNNOTICED: f64 = 0.003;

/// More bytes of code than these are marked.
const MUCH_CODE: u64 = 2 << 20;

/// Behind what is marked, so many lines are printed at least.
const LINES: usize = 40;

/// What is counted beside the time.
const COUNTS: [&str; 3] = ["code bytes", "bridges", "failures"];

/// The arguments of `worst`.
#[derive(clap::Args)]
pub struct WorstArgs {
    /// How often each is run; the least time counts.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Small sizes alone.
    #[arg(long)]
    small: bool,
    /// Only programs whose names contain this.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Measures nothing: writes the made-up programs to this folder, with the driver of programs in
    /// Lua.
    #[arg(long, value_name = "FOLDER")]
    texts: Option<std::path::PathBuf>,
    #[command(flatten)]
    ours: Ours,
}

/// What the JIT made in a race, by the number of the race and the system.
type AllMade = RefCell<BTreeMap<(usize, &'static str), Made>>;

/// Measures and prints the table.
///
/// # Errors
/// If a program cannot be read, or a compiler says something else than the interpreter.
pub fn run(args: &WorstArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    if let Some(folder) = &args.texts {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        return subjects::write(folder).map(|()| Vec::new());
    }
    let folder = TempDir::new().map_err(|error| format!("no temporary folder: {error}"))?;
    let subjects = wanted(args, settings, folder.path())?;
    let made = AllMade::default();
    let mut races = Vec::new();
    for subject in &subjects {
        let times: &[u32] = if settings.quick { &TIMES[..1] } else { &TIMES };
        let Some(once) = subject.interpreted().filter(|once| *once < LONG) else {
            continue;
        };
        for &times in times
            .iter()
            .filter(|times| once * f64::from(**times) < LONG)
        {
            let contestants = contestants(subject, times, &args.ours.jit, &made, races.len());
            races.push(Race::new(
                &name(&subject.name, times),
                subject.n,
                contestants,
            ));
        }
    }
    let runs = if settings.quick { 1 } else { args.runs };
    let timed = rounds(SUITE, runs, races)?;
    let records = with_counts(timed, &made.into_inner());
    print!("{}", table(&records));
    Ok(records)
}

/// What is measured.
fn wanted(args: &WorstArgs, settings: &Settings, folder: &Path) -> Result<Vec<Subject>, String> {
    let lua = args.ours.command(settings.quick)?;
    let small = args.small || settings.quick;
    let mut groups = [
        subjects::of_registry(small)?,
        subjects::of_lua(&lua, small)?,
        subjects::made_up(&lua, folder)?,
    ];
    for group in &mut groups {
        group.retain(|subject| subject.name.contains(&args.only));
        if settings.quick {
            group.truncate(1);
        }
    }
    Ok(groups.into_iter().flatten().collect())
}

fn name(program: &str, times: u32) -> String {
    match times {
        1 => program.to_string(),
        times => format!("{program}, {times} times"),
    }
}

fn contestants<'a>(
    subject: &'a Subject,
    times: u32,
    given: &'a str,
    all: &'a AllMade,
    race: usize,
) -> Vec<Contestant<'a>> {
    let contestant = |&(system, params): &(&'static str, &'static str)| -> Contestant<'a> {
        let params = with(&with(params, "compile_allowance=off"), given);
        Box::new(move || {
            let fail = |why| format!("{}, {times} times: {system}: {why}", subject.name);
            let (run, made) = (subject.run)(&params, times).map_err(fail)?;
            all.borrow_mut().insert((race, system), made);
            Ok(vec![(system, run)])
        })
    };
    COMPILERS.iter().map(contestant).collect()
}

/// The records of each race with the counts of each compiler behind them.
fn with_counts(timed: Vec<Record>, all: &BTreeMap<(usize, &'static str), Made>) -> Vec<Record> {
    let mut records = Vec::new();
    for (race, group) in timed.chunks(COMPILERS.len()).enumerate() {
        records.extend_from_slice(group);
        for (system, _) in &COMPILERS[1..] {
            let Some(made) = all.get(&(race, *system)) else {
                continue;
            };
            let counts = [made.code_bytes, made.bridges, made.failures];
            records.extend(COUNTS.iter().zip(counts).map(|(what, count)| {
                let Record { benchmark, n, .. } = &group[0];
                Record::counted(SUITE, benchmark, *n, &format!("{system} {what}"), count)
            }));
        }
    }
    records
}

/// A program with a compiler.
struct Line<'a> {
    benchmark: &'a str,
    n: i64,
    compiler: &'static str,
    interp: f64,
    jit: f64,
    /// In the order of [`COUNTS`].
    counts: [u64; 3],
}

impl Line<'_> {
    /// How many times as long it takes as in the interpreter.
    fn ratio(&self) -> f64 {
        self.jit / self.interp
    }

    /// Whether the difference can be noticed.
    fn is_noticed(&self) -> bool {
        self.jit - self.interp > UNNOTICED
    }

    /// What is too much of it.
    fn marks(&self) -> String {
        let is_slow = self.is_noticed() && self.ratio() > SLOWER;
        let marks = [(is_slow, "slow"), (self.counts[0] > MUCH_CODE, "code")];
        let marks = marks.into_iter().filter(|(is_marked, _)| *is_marked);
        marks.map(|(_, mark)| mark).collect::<Vec<_>>().join(" ")
    }

    fn cells(&self) -> Vec<String> {
        let mut cells = row([self.benchmark, &self.n.to_string(), self.compiler]);
        cells.extend([self.interp, self.jit].map(seconds));
        cells.push(format!("{:.2}", self.ratio()));
        cells.extend(self.counts.map(|count| count.to_string()));
        cells.push(self.marks());
        cells
    }
}

/// All lines, the worst first: by their ratio, and behind these where nothing is noticed.
fn lines(records: &[Record]) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    for group in records.chunk_by(|a, b| (&a.benchmark, a.n) == (&b.benchmark, b.n)) {
        let count = |system: &str, what: &str| {
            let name = format!("{system} {what}");
            let found = group.iter().find(|record| record.system == name);
            found.and_then(|record| record.count).unwrap_or_default()
        };
        for (compiler, _) in &COMPILERS[1..] {
            if let (Some(interp), Some(jit)) = (least(group, "interp"), least(group, compiler)) {
                lines.push(Line {
                    benchmark: &group[0].benchmark,
                    n: group[0].n,
                    compiler,
                    interp,
                    jit,
                    counts: COUNTS.map(|what| count(compiler, what)),
                });
            }
        }
    }
    lines.sort_by(|a, b| {
        let noticed = b.is_noticed().cmp(&a.is_noticed());
        noticed.then(b.ratio().total_cmp(&a.ratio()))
    });
    lines
}

/// The marked lines and the worst of the others, and how many are marked.
fn table(records: &[Record]) -> String {
    let all = lines(records);
    let [marked, others]: [Vec<&Line<'_>>; 2] = [true, false].map(|is_marked| {
        all.iter()
            .filter(|line| line.marks().is_empty() != is_marked)
            .collect()
    });
    let mut rows = vec![row([
        "program",
        "n",
        "compiler",
        "interp",
        "jit",
        "jit/interp",
        "code bytes",
        "bridges",
        "failures",
        "marks",
    ])];
    let rest = LINES.saturating_sub(marked.len());
    rows.extend(
        marked
            .iter()
            .chain(others.iter().take(rest))
            .map(|line| line.cells()),
    );
    format!(
        "the worst: least seconds without a limit on compiling; marked are more than {SLOWER} of the interpreter's time and {} ms beyond it, and more than {} kB of code\n{}\n{} of {} are marked\n",
        UNNOTICED * 1e3,
        MUCH_CODE >> 10,
        align(&rows),
        marked.len(),
        all.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_marked() {
        let timed = |benchmark: &str, times: [f64; 4]| {
            let systems = COMPILERS.iter().zip(times);
            systems
                .map(|((system, _), seconds)| Record::new(SUITE, benchmark, 1, system, &[seconds]))
                .collect::<Vec<_>>()
        };
        let made = |code_bytes| Made {
            loops: 1,
            bridges: 7,
            code_bytes,
            failures: 9,
        };
        let records = [
            timed("a", [0.1, 0.1, 0.2, 0.1]),
            timed("b", [0.0001, 0.002, 0.0001, 0.0001]),
        ];
        let all = BTreeMap::from([((0, "tracing"), made(3 << 20)), ((1, "both"), made(5))]);
        let records = with_counts(records.concat(), &all);
        let text = table(&records);
        let found: Vec<Vec<&str>> = (text.lines().skip(2))
            .map(|line| line.split_whitespace().collect())
            .collect();
        assert_eq!(
            found[0][2..],
            [
                "specialising",
                "0.100",
                "0.200",
                "2.00",
                "0",
                "0",
                "0",
                "slow"
            ]
        );
        assert_eq!(
            found[1][2..],
            [
                "tracing", "0.100", "0.100", "1.00", "3145728", "7", "9", "code"
            ]
        );
        assert_eq!(found[2][5], "20.00", "{text}");
        assert!(text.ends_with("2 of 6 are marked\n"), "{text}");
    }
}
