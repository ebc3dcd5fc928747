//! The systems that run Lua. In: a folder of programs with their driver, and what is installed.
//! Out: contestants, each a process that runs a program some iterations. Invariant: another system
//! that is not there is left out with a word on standard error, ours is an error; what the driver
//! prints is the seconds and the result of each iteration, and all results of a process are the
//! same.

use super::programs::DRIVER;
use crate::guests::made::{Made, made};
use crate::measure::built::{self, Rebuild};
use crate::measure::child::{self, Finished};
use crate::measure::interleave::{Contestant, Run};
use crate::measure::statistics::median;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use verdigris::Options;

/// Which Lua is ours.
#[derive(clap::Args)]
pub struct Ours {
    /// The command `verdigris-lua`; without this, the one next to this program, which is built if
    /// it is missing or stale.
    #[arg(long, value_name = "COMMAND")]
    lua: Option<PathBuf>,
    /// Parameters of the JIT.
    #[arg(long, default_value = "")]
    pub jit: String,
}

impl Ours {
    /// The command.
    ///
    /// # Errors
    /// If there are no such parameters of the JIT, or the command is not there and cannot be built.
    pub fn command(&self, quick: bool) -> Result<PathBuf, String> {
        Options::parse(&self.jit).map_err(|error| error.to_string())?;
        match &self.lua {
            // The process is started in the folder of the programs.
            Some(path) => std::path::absolute(path).map_err(|error| error.to_string()),
            None if quick => built::command("verdigris-lua", Rebuild::IfMissing),
            None => built::command("verdigris-lua", Rebuild::IfStale),
        }
    }
}

/// A system, and how many iterations it needs.
struct System {
    /// The name of the first iteration in the records, if it is kept.
    first: Option<&'static str>,
    /// The name of the later ones.
    later: &'static str,
    /// The text in front of the driver.
    command: Vec<String>,
    iterations: usize,
}

/// Those that are there.
pub struct Systems {
    list: Vec<System>,
    /// The statistics of each program's last run.
    made: RefCell<BTreeMap<String, Made>>,
}

/// An interpreter has one iteration in which the heap grows.
const INTERPRETED: usize = 3;

/// Behind half of these a program is warm, those with hundreds of bridges as well.
const COMPILED: usize = 30;

/// So it is behind half of these, but for some of those.
const COMPARED: usize = 12;

/// In a quick run nothing has to be warm.
const QUICK: usize = 3;

impl Systems {
    /// Ours, and the others that are installed.
    ///
    /// # Errors
    /// If there are no such parameters of the JIT, or our own command is not there and cannot be
    /// built.
    pub fn find(ours: &Ours, quick: bool) -> Result<Systems, String> {
        let compiled = if quick { QUICK } else { COMPILED };
        let mut list: Vec<_> = of_ours(&ours.command(quick)?, &ours.jit, compiled).into();
        for (first, later, program, iterations) in [
            (None, "lua", "lua5.4", INTERPRETED),
            (Some("luajit-cold"), "luajit", "luajit", compiled),
        ] {
            if is_installed(program, later) {
                list.push(System {
                    first,
                    later,
                    command: vec![program.to_string()],
                    iterations,
                });
            }
        }
        let made = RefCell::default();
        Ok(Systems { list, made })
    }

    /// Ours with each of these parameters: `later` are the names of warm iterations with the
    /// parameters that make them, `first` those of the first iteration. Where both are the same,
    /// there is no other iteration to wait for.
    ///
    /// # Errors
    /// As [`Systems::find`].
    pub fn of_compilers<const N: usize>(
        ours: &Ours,
        later: &[(&'static str, &str); N],
        first: &[&'static str; N],
        quick: bool,
    ) -> Result<Systems, String> {
        let command = ours.command(quick)?;
        let system = |(&(later, params), &first): (&(&'static str, &str), &&'static str)| {
            let params = match ours.jit.as_str() {
                "" => params.to_string(),
                given => format!("{params},{given}"),
            };
            match first == later {
                true => of_our(&command, None, later, &params, INTERPRETED),
                false if quick => of_our(&command, Some(first), later, &params, QUICK),
                false => of_our(&command, Some(first), later, &params, COMPARED),
            }
        };
        Ok(Systems {
            list: later.iter().zip(first).map(system).collect(),
            made: RefCell::default(),
        })
    }

    /// The statistics of a program's last run, if there is one.
    pub fn made(&self, program: &str) -> Option<Made> {
        self.made.borrow().get(program).copied()
    }

    /// Those that run a program of this folder with this size.
    pub fn contestants<'a>(
        &'a self,
        folder: &'a Path,
        program: &'a str,
        n: i64,
    ) -> Vec<Contestant<'a>> {
        let contestant = |system: &'a System| -> Contestant<'a> {
            Box::new(move || {
                let fail = |why| format!("{program} {n}: {}: {why}", system.later);
                let (runs, made) = system.run(folder, program, n).map_err(fail)?;
                if let Some(made) = made.filter(|_| system.later == "jit-warm") {
                    self.made.borrow_mut().insert(program.to_string(), made);
                }
                Ok(runs)
            })
        };
        self.list.iter().map(contestant).collect()
    }
}

/// The interpreter alone, and with the JIT.
fn of_ours(command: &Path, jit: &str, compiled: usize) -> [System; 2] {
    [
        of_our(command, None, "interp", "off", INTERPRETED),
        of_our(command, Some("jit-cold"), "jit-warm", jit, compiled),
    ]
}

/// Ours with these parameters of the JIT.
fn of_our(
    command: &Path,
    first: Option<&'static str>,
    later: &'static str,
    jit: &str,
    iterations: usize,
) -> System {
    System {
        first,
        later,
        command: [&command.display().to_string(), "--stats=json", "--jit", jit]
            .map(str::to_string)
            .into(),
        iterations,
    }
}

/// The runs of a process, and what our JIT made, if the process says that.
type Runs = (Vec<(&'static str, Run)>, Option<Made>);

impl System {
    /// A process of its own, in the folder, where `require` finds the program.
    fn run(&self, folder: &Path, program: &str, n: i64) -> Result<Runs, String> {
        let (seconds, result, finished) =
            process(&self.command, folder, program, n, self.iterations)?;
        let run = |seconds: f64| Run {
            seconds,
            result: Some(result.clone()),
            max_rss: Some(finished.max_rss),
        };
        let first = self.first.map(|name| (name, run(seconds[0])));
        let later = run(median(&seconds[seconds.len() / 2..]));
        let runs = first.into_iter().chain([(self.later, later)]).collect();
        Ok((runs, finished.stderr.lines().rev().find_map(made)))
    }
}

/// Whether another system is there; if not, that is said.
pub fn is_installed(program: &str, system: &str) -> bool {
    let is_there = child::finish(Command::new(program).args(["-e", ""])).is_ok();
    if !is_there {
        eprintln!("bench: {system} is left out: {program} is not installed");
    }
    is_there
}

/// The seconds of each iteration of a program in a process of its own, the result of all, and what
/// else the process left behind.
///
/// # Errors
/// If the process fails, or iterations disagree or are missing.
pub fn process(
    command: &[String],
    folder: &Path,
    program: &str,
    n: i64,
    times: usize,
) -> Result<(Vec<f64>, String, Finished), String> {
    let (name, before) = command.split_first().ok_or("there is no command")?;
    let mut process = Command::new(name);
    process.args(before).current_dir(folder);
    process.args([DRIVER, program, &n.to_string(), &times.to_string()]);
    let finished = child::finish(&mut process)?;
    let (seconds, result) = iterations(&finished.stdout)?;
    if seconds.len() != times {
        return Err(format!("{} iterations", seconds.len()));
    }
    Ok((seconds, result, finished))
}

/// The seconds of each iteration, and the result of all.
fn iterations(text: &str) -> Result<(Vec<f64>, String), String> {
    let mut all = Vec::new();
    let mut known: Option<&str> = None;
    for line in text.lines() {
        let unexpected = || format!("unexpected output {line:?}");
        let (seconds, result) = line.split_once('\t').ok_or_else(unexpected)?;
        all.push(seconds.parse().map_err(|_| unexpected())?);
        let first = *known.get_or_insert(result);
        if first != result {
            return Err(format!(
                "the first iteration gives {first}, another one {result}"
            ));
        }
    }
    Ok((all, known.unwrap_or_default().to_string()))
}

#[cfg(test)]
mod tests {
    use super::super::programs;
    use super::*;

    #[test]
    fn what_the_driver_prints() {
        let read = |text: &str| iterations(text);
        assert_eq!(
            read("0.5\t7 8\n0.25\t7 8\n"),
            Ok((vec![0.5, 0.25], "7 8".to_string()))
        );
        let error = |text: &str| iterations(text).expect_err("it is wrong");
        assert_eq!(
            error("0.5\t7\n0.5\t8\n"),
            "the first iteration gives 7, another one 8"
        );
        assert_eq!(error("0.5 7\n"), "unexpected output \"0.5 7\"");
        assert_eq!(error("soon\t7\n"), "unexpected output \"soon\\t7\"");
    }

    /// Programs that give something else on another Lua would fail the whole suite.
    #[test]
    fn systems_that_are_installed_agree() {
        let ours = Ours {
            lua: None,
            jit: String::new(),
        };
        let systems = Systems::find(&ours, true).expect("there are no parameters");
        let folder = programs::folder();
        for program in programs::all().expect("they can be read") {
            let mut results = Vec::new();
            for mut contestant in systems.contestants(&folder, &program.name, program.size(true)) {
                let runs = contestant().unwrap_or_else(|error| panic!("{error}"));
                results.extend(runs.into_iter().map(|(_, run)| run.result));
            }
            results.dedup();
            assert!(results.len() <= 1, "{}: {results:?}", program.name);
        }
    }
}
