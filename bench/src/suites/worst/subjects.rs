//! What the suite `worst` runs. In: the registry, the programs in Lua, and numbers of tapes. Out:
//! programs of one interface, however they are run. Invariant: the made-up programs are the same
//! ones in each run of the suite, and on each machine.

use crate::guests::lua::programs::{self, DRIVER};
use crate::guests::lua::systems::process;
use crate::guests::made::{Made, made};
use crate::guests::program::{Once, Program};
use crate::guests::registry;
use crate::measure::clock::cpu_seconds;
use crate::measure::interleave::Run;
use fuzz_tape as tape;
use fuzz_tape::Tape;
use generate_lua::polymorphic;
use std::fs;
use std::path::{Path, PathBuf};

/// The made-up programs are those of the tapes of this campaign with the numbers from 0 on.
const CAMPAIGN: &str = "bench worst";

/// How many of them there are.
const MADE_UP: u64 = 24;

/// How often the loop of each of them goes around in an iteration.
const TURNS: i64 = 400;

/// Runs something so often in a new VM with these parameters.
type RunIn = Box<dyn Fn(&str, u32) -> Result<(Run, Made), String>>;

/// A program with its size.
pub struct Subject {
    /// Language and name.
    pub name: String,
    /// Its size.
    pub n: i64,
    /// Runs it. The time is that of its iterations.
    pub run: RunIn,
}

impl Subject {
    /// The seconds of one iteration in the interpreter, if it ends well.
    pub fn interpreted(&self) -> Option<f64> {
        let run = (self.run)("off", 1);
        run.ok().map(|(run, _)| run.seconds)
    }
}

/// The programs of all languages but Lua: with a tenth of their usual size, and unless it is to be
/// small with that as well. Several arguments are no sizes.
pub fn of_registry(small: bool) -> Result<Vec<Subject>, String> {
    let mut subjects = Vec::new();
    for share in if small { &[10][..] } else { &[10, 1] } {
        for program in registry::all()? {
            let args = match program.args[..] {
                [n] => vec![(n / share).max(1)],
                _ if *share == 1 => continue,
                _ => program.args.clone(),
            };
            subjects.push(Subject {
                name: program.name.clone(),
                n: args.first().copied().unwrap_or_default(),
                run: Box::new(move |params, times| in_session(&program, params, &args, times)),
            });
        }
    }
    Ok(subjects)
}

fn in_session(
    program: &Program,
    params: &str,
    args: &[i64],
    times: u32,
) -> Result<(Run, Made), String> {
    let mut result = Ok(String::new());
    let mut seconds = 0.0;
    let mut use_it = |once: Once<'_>| {
        let begin = cpu_seconds();
        for _ in 0..times {
            result = once();
        }
        seconds = cpu_seconds() - begin;
    };
    let stats = (program.session)(params, args, &mut use_it)?;
    let made = Made {
        loops: stats.loops,
        bridges: stats.bridges,
        code_bytes: stats.machine_code_bytes,
        failures: stats.guard_failures.interpreter,
    };
    Ok((run(seconds, result?), made))
}

fn run(seconds: f64, result: String) -> Run {
    Run {
        seconds,
        result: Some(result),
        max_rss: None,
    }
}

/// The programs in Lua: with the size that takes no time, and unless it is to be small with their
/// usual one as well.
pub fn of_lua(command: &Path, small: bool) -> Result<Vec<Subject>, String> {
    let mut subjects = Vec::new();
    for quick in if small { &[true][..] } else { &[true, false] } {
        for program in programs::all()? {
            subjects.push(in_lua(
                command,
                programs::folder(),
                &program.name,
                program.size(*quick),
            ));
        }
    }
    Ok(subjects)
}

/// Polymorphic programs in Lua, which are written to this folder.
pub fn made_up(command: &Path, folder: &Path) -> Result<Vec<Subject>, String> {
    write(folder)?;
    let subject = |number| in_lua(command, folder.to_path_buf(), &file(number), TURNS);
    Ok((0..MADE_UP).map(subject).collect())
}

/// The name of a made-up program, without an extension.
fn file(number: u64) -> String {
    format!("polymorphic{number}")
}

/// Writes the made-up programs to a folder, and the driver.
///
/// # Errors
/// If they cannot be written.
pub fn write(folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::copy(programs::folder().join(DRIVER), folder.join(DRIVER)).map_err(failed)?;
    for number in 0..MADE_UP {
        let bytes = tape::bytes(CAMPAIGN, 1, number);
        let text = polymorphic::function(&mut Tape::new(&bytes)) + "return main\n";
        let path = folder.join(file(number)).with_extension("lua");
        fs::write(path, text).map_err(failed)?;
    }
    Ok(())
}

/// A program in Lua in a process of its own.
fn in_lua(command: &Path, folder: PathBuf, program: &str, n: i64) -> Subject {
    let (command, program) = (command.display().to_string(), program.to_string());
    Subject {
        name: format!("lua/{program}"),
        n,
        run: Box::new(move |params, times| {
            let words = [&command, "--stats=json", "--jit", params].map(str::to_string);
            let (seconds, result, finished) =
                process(&words, &folder, &program, n, times as usize)?;
            let made = finished.stderr.lines().rev().find_map(made);
            let made = made.ok_or("there are no statistics")?;
            Ok((run(seconds.iter().sum(), result), made))
        }),
    }
}
