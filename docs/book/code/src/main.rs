//! The figures of the tutorial. In: `steps` or `luajit`. Out: a table on standard output.
//! Invariant: a figure is printed only if all sides have computed the same.

#![forbid(unsafe_code)]

use book::steps::{self, STEPS};
use std::process::{Command, ExitCode};
use verdigris::Options;

/// How often each is run; the least time counts.
const RUNS: usize = 5;

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    let result = match argument.as_deref() {
        Some("steps") => of_steps(),
        Some("luajit") => against_luajit(),
        _ => Err("usage: book steps | book luajit".to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("book: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The processor time that this process has taken, in seconds.
fn clock() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The least processor time of some runs, and what they have computed.
fn measure(runs: usize, run: impl Fn() -> Result<String, String>) -> Result<(f64, String), String> {
    let mut least = f64::INFINITY;
    let mut output = String::new();
    for _ in 0..runs {
        let start = clock();
        output = run()?;
        least = least.min(clock() - start);
    }
    Ok((least, output))
}

fn same(name: &str, one: &str, other: &str) -> Result<(), String> {
    match one == other {
        true => Ok(()),
        false => Err(format!("{name}: {one:?} is not {other:?}")),
    }
}

/// What the JIT of each step gains over its interpreter, in the form of the file that chapters
/// include.
fn of_steps() -> Result<(), String> {
    println!("Written by `cargo run --release -p book -- steps`.");
    for step in STEPS {
        println!("// ANCHOR: step{}", step.number);
        println!(
            "{:16} {:>12} {:>12} {:>8}",
            "program", "interpreted", "with JIT", "ratio"
        );
        for program in step.programs {
            let text = program.large();
            let off = Options::parse("off").map_err(|error| error.to_string())?;
            let (slow, expected) = measure(2, || step.output(&text, off.clone()))?;
            let options = Options::from_env().map_err(|error| error.to_string())?;
            let (fast, output) = measure(RUNS, || step.output(&text, options.clone()))?;
            same(program.name, &output, &expected)?;
            println!(
                "{:16} {slow:10.3} s {fast:10.3} s {:8.1}",
                program.name,
                slow / fast
            );
        }
        println!("// ANCHOR_END: step{}", step.number);
    }
    Ok(())
}

/// The last step against LuaJIT, which has to be installed.
fn against_luajit() -> Result<(), String> {
    println!(
        "{:12} {:>12} {:>12} {:>8}",
        "program", "step 9", "LuaJIT", "ratio"
    );
    for (name, penny, lua) in steps::BENCHMARKS {
        let (ours, output) = measure(RUNS, || steps::last(penny, Options::default()))?;
        let (theirs, expected) =
            (0..RUNS).try_fold((f64::INFINITY, String::new()), |least, _| {
                let (seconds, output) = luajit(lua)?;
                Ok::<_, String>((least.0.min(seconds), output))
            })?;
        same(name, &output, &expected)?;
        println!(
            "{name:12} {ours:10.3} s {theirs:10.3} s {:8.2}",
            ours / theirs
        );
    }
    Ok(())
}

/// The processor time of LuaJIT for a program, and what it prints.
fn luajit(text: &str) -> Result<(f64, String), String> {
    let program = format!("{text}\nio.write(string.format(\"%.9f\", os.clock()))");
    let ran = Command::new("luajit").args(["-e", &program]).output();
    let ran = ran.map_err(|error| format!("luajit cannot be started: {error}"))?;
    let said = String::from_utf8_lossy(&ran.stdout);
    let (output, seconds) = said.rsplit_once('\n').unwrap_or_default();
    let seconds = seconds
        .parse()
        .map_err(|_| format!("luajit said {said:?}"))?;
    Ok((seconds, format!("{output}\n")))
}
