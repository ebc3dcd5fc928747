//! Warm-up with each compiler alone. In: a few programs of each language, whose iterations take
//! less than a millisecond. Out: the seconds of each iteration from a new VM on, interpreted, as
//! threaded code, by tracing, by partial evaluation, and as it is by default; the page draws them
//! against the time since the start. Invariant: but for the compiler all parameters have their
//! defaults, the limit on compiling too, so that a curve is what a user of that compiler waits for;
//! all systems run equally many iterations, interleaved, and say the same.

use super::TiersArgs;
use crate::guests::examples::stackvm_again;
use crate::guests::lua;
use crate::guests::lua::systems::process;
use crate::guests::program::{Once, Program};
use crate::guests::registry::{self, Picked};
use crate::measure::clock::cpu_seconds;
use crate::measure::pace::paced;
use crate::measure::record::Record;
use crate::measure::statistics::geometric_mean;
use crate::measure::text::{align, row};
use crate::settings::Settings;
use crate::suites::specialise::compilers::with;
use crate::suites::warmup::{HEADS, cells, record};
use std::path::Path;

/// The name of the suite in the records.
const SUITE: &str = "tiers-curves";

/// How many iterations there are in a VM: enough that what waits for a gain has been compiled in
/// the end.
const ITERATIONS: usize = 300;

/// The least number of VMs whose median is a curve: one alone shows every disturbance.
const VMS: u32 = 3;

/// In a quick run nothing has to be warm.
const QUICK: usize = 12;

/// The systems, and the parameters of the JIT that make them.
pub const SYSTEMS: [(&str, &str); 5] = [
    ("interp", "off"),
    ("threaded", "compiler=threaded"),
    ("tracing", "compiler=tracing"),
    ("specialising", "compiler=specialising"),
    ("auto", ""),
];

/// Programs in Lua with the sizes that [`registry::curves`] has for the other languages.
const IN_LUA: [(&str, [i64; 2]); 4] = [
    ("lua/fib", [15, 8]),
    ("lua/n_body", [200, 20]),
    ("lua/queens", [7, 4]),
    ("lua/json", [5, 1]),
];

/// The system that runs a program.
enum Runner {
    /// A new VM in this process.
    Here(Program),
    /// The command of Lua, in a new process.
    Lua(String, String),
}

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or says something else with another system.
pub fn run(args: &TiersArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let iterations = if settings.quick { QUICK } else { ITERATIONS };
    let runs = if settings.quick {
        1
    } else {
        args.runs.max(VMS)
    };
    let mut wanted = programs();
    wanted.retain(|(name, _)| name.contains(&args.only));
    if settings.quick {
        wanted.dedup_by_key(|(name, _)| language(name).to_string());
    }
    let mut rows = vec![row(HEADS)];
    let mut records = Vec::new();
    for (name, [usual, quick]) in wanted {
        let runner = runner(args, settings, &name)?;
        let n = if settings.quick { quick } else { usual };
        let mut known = None;
        let mut curves = SYSTEMS.map(|system| (system, Vec::new(), Vec::new()));
        for _ in 0..runs {
            for ((system, params), curves, paces) in &mut curves {
                let params = with(params, &args.ours.jit);
                let (measured, pace) = paced(|| runner.curve(&params, n, iterations))?;
                let (curve, said) = measured;
                let expected = known.get_or_insert_with(|| said.clone());
                if *expected != said {
                    return Err(format!(
                        "{name}, {n}: {system} says {said}, the others {expected}"
                    ));
                }
                curves.push(curve);
                paces.push(pace);
            }
        }
        for ((system, _), curves, paces) in &curves {
            let record = record(SUITE, &name, n, system, curves).with_pace(paces);
            rows.extend(cells(&record));
            records.push(record);
        }
    }
    println!(
        "curves: seconds of the first and of the last iterations in a VM, and when programs are warm, with each compiler alone\n{}",
        align(&rows)
    );
    let gains = records.chunks(SYSTEMS.len()).filter_map(|of_program| {
        let interpreted = of_program.first()?.seconds;
        Some(
            of_program
                .iter()
                .map(|record| interpreted / record.seconds)
                .collect(),
        )
    });
    let gains: Vec<Vec<f64>> = gains.collect();
    for (n, (system, _)) in SYSTEMS.iter().enumerate().skip(1) {
        let of_system: Vec<f64> = gains.iter().map(|gains| gains[n]).collect();
        if let Some(mean) = geometric_mean(&of_system) {
            println!("interp/{system}, warm, geometric mean: {mean:.2}");
        }
    }
    Ok(records)
}

fn programs() -> Vec<Picked<[i64; 2]>> {
    let in_lua = IN_LUA.map(|(name, sizes)| (name.to_string(), sizes));
    registry::curves().into_iter().chain(in_lua).collect()
}

fn language(name: &str) -> &str {
    name.split_once('/').map_or(name, |(language, _)| language)
}

fn runner(args: &TiersArgs, settings: &Settings, name: &str) -> Result<Runner, String> {
    if let Some(of_lua) = name.strip_prefix("lua/") {
        let mut all = lua::programs::all()?.into_iter();
        if !all.any(|program| program.name == of_lua) {
            return Err(format!("there is no program `{name}`"));
        }
        let command = args.ours.command(settings.quick)?.display().to_string();
        return Ok(Runner::Lua(of_lua.to_string(), command));
    }
    Ok(Runner::Here(match name.strip_prefix("stackvm/") {
        Some(of_stackvm) => stackvm_again(of_stackvm)?,
        None => registry::find(name)?,
    }))
}

impl Runner {
    /// The seconds of each iteration with these parameters, and what the last one said.
    fn curve(&self, params: &str, n: i64, iterations: usize) -> Result<(Vec<f64>, String), String> {
        match self {
            Runner::Here(program) => {
                let mut curve = Vec::new();
                let mut said = Ok(String::new());
                let mut measure = |once: Once<'_>| {
                    for _ in 0..iterations {
                        let begin = cpu_seconds();
                        said = once();
                        curve.push(cpu_seconds() - begin);
                    }
                };
                (program.session)(params, &[n], &mut measure)?;
                Ok((curve, said?))
            }
            Runner::Lua(program, command) => {
                let command = [command, "--jit", params].map(str::to_string);
                let folder: &Path = &lua::programs::folder();
                let (curve, said, _) = process(&command, folder, program, n, iterations)?;
                Ok((curve, said))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_several_programs_of_each_language_and_they_exist() {
        for of_language in programs().chunk_by(|a, b| language(&a.0) == language(&b.0)) {
            assert!(of_language.len() >= 3, "{of_language:?}");
        }
        let known = lua::programs::all().expect("they can be read");
        for (name, _) in IN_LUA {
            let known = known
                .iter()
                .any(|program| format!("lua/{}", program.name) == name);
            assert!(known, "{name}");
        }
        for (name, _) in registry::curves() {
            if let Some(name) = name.strip_prefix("stackvm/") {
                assert!(stackvm_again(name).is_ok(), "{name}");
            }
        }
    }

    #[test]
    fn iterations_are_measured_in_one_vm() {
        let runner = Runner::Here(stackvm_again("sum").expect("it is there"));
        let (curve, said) = runner.curve("", 10, 3).expect("it runs");
        assert_eq!((curve.len(), said.as_str()), (3, "19"));
    }
}
