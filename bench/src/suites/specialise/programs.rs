//! Programs that were not written for the compilers. In: those of TLC, TLA, objmodel with versions,
//! the stack machine and Lua. Out: seconds of a warm run with each compiler and of the first one,
//! how many times as fast that is as the interpreter, and the geometric means. Invariant: all
//! compilers print what the interpreter prints, also of programs that end in an error, which are
//! not measured.

use super::SpecialiseArgs;
use super::compilers::{COLD, COMPILERS, mean, time, with};
use crate::guests::lua;
use crate::guests::lua::systems::Systems;
use crate::guests::program::{Once, Program};
use crate::guests::registry;
use crate::measure::clock::cpu_seconds;
use crate::measure::interleave::{Contestant, Race, Run, rounds};
use crate::measure::record::Record;
use crate::measure::statistics::median;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;

/// The most runs that follow the first one, and the seconds that they may take together. The later
/// half of them is warm.
const WARM_UP: (usize, f64) = (100, 0.5);

/// Programs of the stack machine, which reads them anew for each run: they have to be longer for
/// compiling to count as little as it does elsewhere.
const SIZES: [(&str, i64); 6] = [
    ("stackvm/calls", 1_000_000),
    ("stackvm/fibonacci", 27),
    ("stackvm/floats", 1_000_000),
    ("stackvm/lists", 1000),
    ("stackvm/strings", 100_000),
    ("stackvm/sum", 1_000_000),
];

/// The name of a system in this suite.
const SUITE: &str = "specialise";

/// Measures and prints the table.
///
/// # Errors
/// If a program cannot be read or fails, or compilers disagree.
pub fn run(args: &SpecialiseArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut programs = wanted(args)?;
    if settings.quick {
        programs.dedup_by_key(|program| language(&program.name).to_string());
    }
    let systems = Systems::of_compilers(&args.ours, &COMPILERS, &COLD, settings.quick)?;
    let folder = lua::programs::folder();
    let mut of_lua = lua::programs::all()?;
    of_lua.retain(|program| format!("lua/{}", program.name).contains(&args.only));
    if settings.quick {
        of_lua.truncate(1);
    }
    let mut races = Vec::new();
    for program in &programs {
        if agree(program, &args.ours.jit)? {
            let contestants = COMPILERS.iter().zip(COLD);
            let contestants = contestants.map(|(&(warm, params), cold)| {
                contestant(program, [cold, warm], with(params, &args.ours.jit))
            });
            races.push(Race::new(
                &program.name,
                program.args[0],
                contestants.collect(),
            ));
        }
    }
    for program in &of_lua {
        let n = program.size(settings.quick);
        let contestants = systems.contestants(&folder, &program.name, n);
        races.push(Race::new(&format!("lua/{}", program.name), n, contestants));
    }
    let records = rounds(SUITE, args.runs(settings), races)?;
    print!("{}", table(&records));
    Ok(records)
}

/// The programs of [`registry::compared`] languages, as large as they are measured.
fn wanted(args: &SpecialiseArgs) -> Result<Vec<Program>, String> {
    let mut programs = registry::all()?;
    programs.retain(|program| {
        registry::compared().any(|compared| compared == language(&program.name))
            && program.name.contains(&args.only)
    });
    for program in &mut programs {
        if let Some((_, n)) = SIZES.iter().find(|(name, _)| *name == program.name) {
            program.args = vec![*n];
        }
        if program.args.is_empty() {
            program.args = vec![0];
        }
    }
    Ok(programs)
}

/// The prefix of a program's name.
fn language(name: &str) -> &str {
    name.split_once('/').map_or(name, |(language, _)| language)
}

/// Whether a program ends well. All compilers have to say what the interpreter says.
fn agree(program: &Program, given: &str) -> Result<bool, String> {
    let mut known = None;
    for (system, params) in COMPILERS {
        let mut said = Ok(String::new());
        let mut once = |run: Once<'_>| said = run();
        (program.session)(&with(params, given), &program.args, &mut once)?;
        let expected = known.get_or_insert_with(|| said.clone());
        if *expected != said {
            let name = &program.name;
            return Err(format!(
                "{name}: with {system} it says {said:?}, the interpreter says {expected:?}"
            ));
        }
    }
    Ok(known.is_some_and(|said| said.is_ok()))
}

/// The first and a warm run in a VM, or the only one.
fn contestant<'a>(
    program: &'a Program,
    [cold, warm]: [&'static str; 2],
    params: String,
) -> Contestant<'a> {
    Box::new(move || {
        let (mut first, mut later, reads_anew) = (None, Vec::new(), program.reads_anew);
        let mut measure = |once: Once<'_>| {
            first = Some(timed(once));
            let (most, long) = WARM_UP;
            let begin = cpu_seconds();
            let is_more = |runs: usize| runs < most && cpu_seconds() - begin < long;
            while cold != warm && !reads_anew && is_more(later.len()) {
                later.push(timed(once).0);
            }
        };
        (program.session)(&params, &program.args, &mut measure)?;
        let (seconds, result) = first.ok_or("a program was not run")?;
        let result = Some(result?);
        let run = |seconds| Run {
            seconds,
            result: result.clone(),
            max_rss: None,
        };
        let warm_run = match &later[later.len() / 2..] {
            [] => run(seconds),
            later => run(median(later)),
        };
        let cold_run = (cold != warm).then(|| (cold, run(seconds)));
        Ok(cold_run.into_iter().chain([(warm, warm_run)]).collect())
    })
}

fn timed(once: Once<'_>) -> (f64, Result<String, String>) {
    let begin = cpu_seconds();
    let result = once();
    (cpu_seconds() - begin, result)
}

/// A line for each program, then the geometric means.
fn table(records: &[Record]) -> String {
    let [_, compilers @ ..] = COMPILERS.map(|(system, _)| system);
    let [_, cold @ ..] = COLD;
    let mut heads = row(["program", "n", "interp"]);
    heads.extend(compilers.map(str::to_string));
    heads.extend(compilers.map(|system| format!("x {system}")));
    heads.extend(compilers.map(|system| format!("x cold {system}")));
    let mut rows = vec![heads];
    for group in records.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let interp = time(group, "interp");
        let mut cells = vec![group[0].benchmark.clone(), group[0].n.to_string()];
        let times = ["interp"].into_iter().chain(compilers);
        cells.extend(times.map(|system| time(group, system).map_or("-".to_string(), seconds)));
        let ratios = compilers.into_iter().chain(cold);
        cells.extend(ratios.map(|system| ratio(interp, time(group, system))));
        rows.push(cells);
    }
    for (name, is_lua) in [
        ("geometric mean, all but lua", false),
        ("geometric mean, lua", true),
    ] {
        let mut cells = row([name, "", "", "", "", ""]);
        let wanted = |name: &str| (language(name) == "lua") == is_lua;
        cells.extend(compilers.into_iter().chain(cold).map(|system| {
            let mean = mean(records, ["interp", system], wanted);
            mean.map_or("-".to_string(), |mean| format!("{mean:.2}"))
        }));
        rows.push(cells);
    }
    format!(
        "programs: seconds of a warm run, how many times as fast that is as the interpreter (x), and so the first run (x cold)\n{}\n",
        align(&rows)
    )
}
