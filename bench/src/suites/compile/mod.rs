//! The cost of compiling. In: TLC programs with hot loops, and those programs in Lua that make the
//! most traces. Out: per recorded operation, the time of tracing, optimising and the backend, for
//! each backend of this build; bytes of machine code per optimised operation and of resume data per
//! guard; then how the time grows with the length of a trace ([`scaling`]). Invariant: the
//! figures are the VM's own statistics, of one run in a fresh VM, in processor time, and the runs
//! of the backends are interleaved.

pub mod sample;
mod scaling;

use crate::guests::languages::assemble;
use crate::guests::lua::programs::{self, DRIVER};
use crate::measure::built::{self, Rebuild};
use crate::measure::child;
use crate::measure::pace::paced;
use crate::measure::record::Record;
use crate::measure::statistics::{geometric_mean, median};
use crate::measure::text::{align, row};
use crate::settings::Settings;
use sample::sample;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use tlc::image::Image;
use verdigris::{BackendKind, Options};

macro_rules! program {
    ($name:literal, $n:literal) => {
        (
            $name,
            include_str!(concat!(
                "../../../../languages/tlc/programs/",
                $name,
                ".tlc"
            )),
            $n,
        )
    };
}

/// Programs and arguments that make their loops hot.
const PROGRAMS: &[(&str, &str, i64)] = &[
    program!("factorial", 20_000),
    program!("fibonacci", 20_000),
    program!("accumulator", 20_000),
    program!("abs_loop", 20_000),
    program!("lists", 20_000),
    program!("objects", 20_000),
    program!("nested_loops", 300),
    program!("sort_in_place", 200),
    program!("linked_queue", 20_000),
    program!("primes", 5_000),
    program!("collatz", 2_000),
    program!("computed_branch", 20_000),
    program!("calls", 20_000),
    program!("wrap", 20_000),
    program!("changing_types", 20_000),
    program!("mandelbrot", 60),
];

/// Programs in Lua whose loops have the most bridges.
const LUA: &[&str] = &["scheduler", "constraints", "collisions", "json", "graphs"];

/// The arguments of `compile`.
#[derive(clap::Args)]
pub struct CompileArgs {
    /// How often each program is run; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only the programs or generated loops with this name.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Parameters of the JIT.
    #[arg(long, default_value = "")]
    jit: String,
}

/// A program, and what it takes to run it once.
enum Subject {
    Tlc(Image),
    Lua { command: PathBuf, folder: PathBuf },
}

/// A program with what is found out about it.
struct Measured {
    name: &'static str,
    n: i64,
    subject: Subject,
    pace: Vec<f64>,
    /// The runs with each of the backends.
    runs: Vec<Vec<Figures>>,
}

/// The part of a VM's statistics that is about compilation.
#[derive(Deserialize)]
struct Figures {
    traces: u64,
    bridges: u64,
    guards: u64,
    guard_bytes: u64,
    machine_code_bytes: u64,
    recorded: BTreeMap<String, u64>,
    optimised: BTreeMap<String, u64>,
    seconds: Seconds,
}

#[derive(Clone, Copy, Deserialize)]
struct Seconds {
    tracing: f64,
    optimising: f64,
    compiling: f64,
}

/// The backends that make machine code.
fn backends() -> Vec<BackendKind> {
    let all = BackendKind::ALL.iter().copied();
    all.filter(|kind| kind.makes_machine_code()).collect()
}

/// Measures and prints the costs.
///
/// # Errors
/// If a program fails, or there are no such parameters.
pub fn run(args: &CompileArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let options = Options::parse(&args.jit).map_err(|error| error.to_string())?;
    let wanted = |name: &str| args.only.as_ref().is_none_or(|only| only == name);
    let (tlc, lua, runs) = match settings.quick {
        true => (&PROGRAMS[..3], &LUA[..1], 1),
        false => (PROGRAMS, LUA, args.runs),
    };
    let mut programs = Vec::new();
    for &(name, source, n) in tlc.iter().filter(|program| wanted(program.0)) {
        programs.push(Measured::new(
            name,
            n,
            Subject::Tlc(assemble(name, source)?),
        ));
    }
    for &name in lua.iter().filter(|name| wanted(name)) {
        programs.push(lua_program(name, settings.quick)?);
    }
    // One run of each in every round, so that the runs of one lie far apart.
    for _ in 0..runs {
        for program in &mut programs {
            program.run_all(&args.jit)?;
        }
    }
    println!("{}", table(&programs));
    let mut records: Vec<Record> = programs.iter().flat_map(Measured::records).collect();
    records.extend(scaling::run(&options, runs, settings.quick, wanted)?);
    Ok(records)
}

fn lua_program(name: &'static str, quick: bool) -> Result<Measured, String> {
    let command = match quick {
        // What is built with everything else has all backends.
        true => built::command("verdigris-lua", Rebuild::IfMissing)?,
        false => built::command_with_all_backends("verdigris-lua")?,
    };
    let all = programs::all()?;
    let program = all.iter().find(|program| program.name == name);
    let program = program.ok_or_else(|| format!("there is no program `{name}`"))?;
    let subject = Subject::Lua {
        command,
        folder: programs::folder(),
    };
    Ok(Measured::new(name, program.size(quick), subject))
}

impl Measured {
    fn new(name: &'static str, n: i64, subject: Subject) -> Measured {
        Measured {
            name,
            n,
            subject,
            pace: Vec::new(),
            runs: backends().iter().map(|_| Vec::new()).collect(),
        }
    }

    /// A run with each backend, in turn.
    fn run_all(&mut self, jit: &str) -> Result<(), String> {
        for (n, backend) in backends().into_iter().enumerate() {
            let separator = if jit.is_empty() { "" } else { "," };
            let jit = format!("{jit}{separator}backend={backend}");
            let (figures, pace) = paced(|| self.run_once(&jit))?;
            self.runs[n].push(figures);
            if n == 0 {
                self.pace.push(pace);
            }
        }
        Ok(())
    }

    fn run_once(&self, jit: &str) -> Result<Figures, String> {
        let stats = match &self.subject {
            Subject::Tlc(image) => {
                let options = Options::parse(jit).map_err(|error| error.to_string())?;
                serde_json::to_string(&sample(image, self.n, &options)?)
                    .map_err(|error| error.to_string())?
            }
            Subject::Lua { command, folder } => lua_stats(command, folder, self.name, self.n, jit)?,
        };
        serde_json::from_str(&stats).map_err(|error| format!("{}: statistics: {error}", self.name))
    }

    /// The median over the runs with a backend.
    fn figure(&self, backend: usize, of: impl Fn(&Figures) -> f64) -> f64 {
        let runs: Vec<f64> = self.runs[backend].iter().map(of).collect();
        median(&runs)
    }

    fn records(&self) -> Vec<Record> {
        let ops = self.runs[0][0].recorded();
        let per_op = |backend: usize, phase: fn(Seconds) -> f64| -> Vec<f64> {
            let runs = self.runs[backend].iter();
            runs.map(|run| phase(run.seconds) / run.recorded().max(1) as f64)
                .collect()
        };
        let record = |system: &str, samples: &[f64]| {
            let record = Record::new("compile", self.name, self.n, system, samples);
            record.with_count(ops).with_pace(&self.pace)
        };
        let mut records = vec![
            record("tracing", &per_op(0, |s| s.tracing)),
            record("optimising", &per_op(0, |s| s.optimising)),
            record("backend", &per_op(0, |s| s.compiling)),
            record("total", &per_op(0, Seconds::total)),
        ];
        for (n, backend) in backends().iter().enumerate().skip(1) {
            records.push(record(backend.name(), &per_op(n, |s| s.compiling)));
        }
        let count =
            |system: &str, count| Record::counted("compile", self.name, self.n, system, count);
        records.push(count("guard bytes", self.runs[0][0].guard_bytes));
        for (n, backend) in backends().iter().enumerate() {
            let system = format!("{backend} code bytes");
            records.push(count(&system, self.runs[n][0].machine_code_bytes));
        }
        records
    }
}

impl Figures {
    fn recorded(&self) -> u64 {
        self.recorded.values().sum()
    }

    fn optimised(&self) -> u64 {
        self.optimised.values().sum()
    }
}

impl Seconds {
    fn total(self) -> f64 {
        self.tracing + self.optimising + self.compiling
    }
}

/// The statistics that a process says of one iteration of a program in Lua.
fn lua_stats(
    lua: &Path,
    folder: &Path,
    program: &str,
    n: i64,
    jit: &str,
) -> Result<String, String> {
    let mut command = Command::new(lua);
    command.args(["--stats=json", "--jit", jit, DRIVER, program]);
    command.args([&n.to_string(), "1"]).current_dir(folder);
    let finished = child::finish(&mut command)?;
    let line = finished.stderr.lines().rfind(|line| line.starts_with('{'));
    line.map(str::to_string)
        .ok_or_else(|| format!("{program}: there are no statistics"))
}

/// A line for each program, then the geometric means and the greatest of what is a ratio.
fn table(programs: &[Measured]) -> String {
    let backends = backends();
    let mut heading = row(["program", "traces", "bridges", "recorded", "optimised"]);
    heading.extend(["trace us/op", "opt us/op"].map(str::to_string));
    heading.extend(backends.iter().map(|backend| format!("{backend} us/op")));
    heading.push("total us/op".to_string());
    heading.extend(
        backends
            .iter()
            .map(|backend| format!("{backend} bytes/opt op")),
    );
    heading.push("bytes/guard".to_string());
    let others = backends.iter().skip(1);
    heading.extend(others.flat_map(|other| [format!("time/{other}"), format!("code/{other}")]));
    let mut rows = vec![heading];
    let mut all: Vec<Vec<f64>> = Vec::new();
    for program in programs {
        let first = &program.runs[0][0];
        let counts = [
            first.traces,
            first.bridges,
            first.recorded(),
            first.optimised(),
        ];
        let mut cells = vec![program.name.to_string()];
        cells.extend(counts.map(|count| count.to_string()));
        let ratios = ratios(program, backends.len());
        cells.extend(ratios.iter().map(|ratio| format!("{ratio:.2}")));
        rows.push(cells);
        all.push(ratios);
    }
    let columns = all.first().map_or(0, Vec::len);
    let column = |n: usize| -> Vec<f64> { all.iter().map(|ratios| ratios[n]).collect() };
    let mut means = row(["geometric mean", "", "", "", ""]);
    let mut worst = row(["worst", "", "", "", ""]);
    for n in 0..columns {
        let column = column(n);
        let mean = geometric_mean(&column).unwrap_or(0.0);
        means.push(format!("{mean:.2}"));
        worst.push(format!("{:.2}", column.iter().copied().fold(0.0, f64::max)));
    }
    rows.extend([means, worst]);
    align(&rows)
}

/// The cells of a program behind its counts.
fn ratios(program: &Measured, backends: usize) -> Vec<f64> {
    let per_op = |backend, phase: fn(Seconds) -> f64| {
        program.figure(backend, |run| {
            phase(run.seconds) * 1e6 / run.recorded().max(1) as f64
        })
    };
    let code = |backend| program.figure(backend, |run| run.machine_code_bytes as f64);
    let code_per_op = |backend| {
        program.figure(backend, |run| {
            run.machine_code_bytes as f64 / run.optimised().max(1) as f64
        })
    };
    let mut cells = vec![per_op(0, |s| s.tracing), per_op(0, |s| s.optimising)];
    cells.extend((0..backends).map(|n| per_op(n, |s| s.compiling)));
    cells.push(per_op(0, Seconds::total));
    cells.extend((0..backends).map(code_per_op));
    cells.push(program.figure(0, |run| run.guard_bytes as f64 / run.guards.max(1) as f64));
    for other in 1..backends {
        cells.push(per_op(0, |s| s.compiling) / per_op(other, |s| s.compiling));
        cells.push(code(0) / code(other));
    }
    cells
}
