//! Every program, interpreted and compiled. In: the programs of [`registry`]. Out: seconds
//! of the interpreter, of the JIT cold (the first run in a VM, compilation included) and warm (runs
//! after several others), and how many times as fast each is as the interpreter. Invariant: no
//! program is left out but those that end in an error; a language that reads a program anew for
//! each run has no warm runs.

use crate::guests::program::{Once, Program};
use crate::guests::registry;
use crate::measure::clock::cpu_seconds;
use crate::measure::interleave::{Contestant, Race, Run, rounds, single};
use crate::measure::record::Record;
use crate::measure::statistics::{geometric_mean, median};
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;

/// The arguments of `programs`.
#[derive(clap::Args)]
pub struct ProgramsArgs {
    /// How often each is run; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only programs whose names contain this.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Parameters of the JIT.
    #[arg(long, default_value = "")]
    jit: String,
}

/// The most runs that follow the first one, and the seconds that they may take together. The later
/// half of them is warm: the median counts, for a program that makes its classes anew in each run
/// is compiled anew in some of them.
const WARM_UP: (usize, f64) = (100, 1.0);

/// Measures and prints the table.
///
/// # Errors
/// If a program cannot be read.
pub fn run(args: &ProgramsArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mut programs = registry::all()?;
    let wanted = |name: &str| args.only.as_ref().is_none_or(|only| name.contains(only));
    programs.retain(|program| wanted(&program.name));
    let mut runs = args.runs;
    if settings.quick {
        // The first program of each language.
        let language = |program: &Program| program.name.split('/').next().map(str::to_string);
        programs.dedup_by_key(|program| language(program));
        runs = 1;
    }
    let mut rows = vec![row([
        "program",
        "n",
        "interp",
        "jit cold",
        "jit warm",
        "interp/cold",
        "interp/warm",
    ])];
    let (mut races, mut failing) = (Vec::new(), Vec::new());
    for program in &programs {
        match ends_well(program, &args.jit)? {
            true => races.push(Race::new(
                &program.name,
                size(program),
                contestants(program, &args.jit),
            )),
            false => failing.push(program.name.as_str()),
        }
    }
    let records = rounds("programs", runs, races)?;
    for program in &programs {
        let of_program = records.iter().filter(|r| r.benchmark == program.name);
        let of_program: Vec<&Record> = of_program.collect();
        if !of_program.is_empty() {
            rows.push(cells(program, &of_program));
        }
    }
    println!("{}", align(&rows));
    for system in ["jit-cold", "jit-warm"] {
        if let Some(mean) = mean_speedup(&records, system) {
            println!("{system}: {mean:.1} times as fast as the interpreter, geometric mean");
        }
    }
    if !failing.is_empty() {
        println!("left out, for they end in errors: {}", failing.join(", "));
    }
    Ok(records)
}

/// Its first argument.
fn size(program: &Program) -> i64 {
    program.args.first().copied().unwrap_or(0)
}

fn cells(program: &Program, records: &[&Record]) -> Vec<String> {
    let time = |system: &str| {
        let record = records.iter().find(|record| record.system == system);
        record.map(|record| record.seconds)
    };
    let times = ["interp", "jit-cold", "jit-warm"].map(time);
    let mut cells = vec![program.name.clone(), size(program).to_string()];
    cells.extend(times.map(|time| time.map_or("-".to_string(), seconds)));
    cells.extend([ratio(times[0], times[1]), ratio(times[0], times[2])]);
    cells
}

/// How many times as fast as the interpreter a system is, over all benchmarks that have both.
fn mean_speedup(records: &[Record], system: &str) -> Option<f64> {
    let speedup = |record: &Record| {
        let mut interp = records.iter().filter(|other| other.system == "interp");
        let interp = interp.find(|other| other.benchmark == record.benchmark)?;
        Some(interp.seconds / record.seconds)
    };
    let of_system = records.iter().filter(|record| record.system == system);
    geometric_mean(&of_system.filter_map(speedup).collect::<Vec<f64>>())
}

fn ends_well(program: &Program, jit: &str) -> Result<bool, String> {
    let mut well = false;
    (program.session)(jit, &program.args, &mut |once: Once<'_>| {
        well = once().is_ok()
    })?;
    Ok(well)
}

fn contestants<'a>(program: &'a Program, jit: &'a str) -> Vec<Contestant<'a>> {
    let reads_anew = program.reads_anew;
    let jitted = move || {
        let (mut cold, mut later) = (0.0, Vec::new());
        let mut measure = |once: Once<'_>| {
            cold = timed(once);
            if !reads_anew {
                let (most, long) = WARM_UP;
                let begin = cpu_seconds();
                for _ in 0..most {
                    later.push(timed(once));
                    if cpu_seconds() - begin > long {
                        break;
                    }
                }
            }
        };
        (program.session)(jit, &program.args, &mut measure)?;
        let mut runs = vec![("jit-cold", untold(cold))];
        let warm = &later[later.len() / 2..];
        if !warm.is_empty() {
            runs.push(("jit-warm", untold(median(warm))));
        }
        Ok(runs)
    };
    vec![
        single("interp", move || {
            let mut seconds = 0.0;
            let mut measure = |once: Once<'_>| seconds = timed(once);
            (program.session)("off", &program.args, &mut measure)?;
            Ok(untold(seconds))
        }),
        Box::new(jitted),
    ]
}

/// The time of a run that ends well, as all do that are measured.
pub fn timed(once: Once<'_>) -> f64 {
    let begin = cpu_seconds();
    let result = once();
    let seconds = cpu_seconds() - begin;
    debug_assert!(result.is_ok(), "{result:?}");
    seconds
}

/// A run whose result is not compared: the tests of the languages do that.
fn untold(seconds: f64) -> Run {
    Run {
        seconds,
        result: None,
        max_rss: None,
    }
}
