//! The systems that run Python. In: programs, and what is installed. Out: contestants, each a
//! process that runs a program some iterations. Invariant: another system that is not there is left
//! out with a word on standard error, ours is an error; all iterations of a process print the same.

use super::programs::{self, Program};
use crate::guests::made::{Made, made};
use crate::measure::built::{self, Rebuild};
use crate::measure::child;
use crate::measure::interleave::{Contestant, Run};
use crate::measure::statistics::median;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use verdigris::Options;

/// Which Python is ours.
#[derive(clap::Args)]
pub struct Ours {
    /// The command `verdigris-python`; without this, the one next to this program, which is built
    /// if it is missing or stale.
    #[arg(long, value_name = "COMMAND")]
    python: Option<PathBuf>,
    /// Parameters of the JIT.
    #[arg(long, default_value = "")]
    jit: String,
}

impl Ours {
    fn command(&self, quick: bool) -> Result<PathBuf, String> {
        Options::parse(&self.jit).map_err(|error| error.to_string())?;
        match &self.python {
            // The process is started in the folder of the programs.
            Some(path) => std::path::absolute(path).map_err(|error| error.to_string()),
            None if quick => built::command("verdigris-python", Rebuild::IfMissing),
            None => built::command("verdigris-python", Rebuild::IfStale),
        }
    }
}

/// What stands behind the output of an iteration, in front of its seconds.
const MARK: &str = "\tseconds ";

/// The program that runs another one: ours imports what a text names, and no name that is made.
const DRIVER: &str = "import sys
import time
from NAME import main

for _ in range(int(sys.argv[2])):
    begin = time.process_time()
    main(int(sys.argv[1]))
    print('\\tseconds', time.process_time() - begin)
";

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

/// Those that are there, and the folder of their programs.
pub struct Systems {
    list: Vec<System>,
    folder: TempDir,
    /// The statistics of each program's last run.
    made: RefCell<BTreeMap<String, Made>>,
}

/// An interpreter has one iteration in which the heap grows.
const INTERPRETED: usize = 3;

/// Behind half of these a program is warm.
const COMPILED: usize = 16;

/// In a quick run nothing has to be warm.
const QUICK: usize = 2;

impl Systems {
    /// Ours, and the others that are installed. The programs can be run by them then.
    ///
    /// # Errors
    /// If there are no such parameters of the JIT, our own command is not there and cannot be
    /// built, or there is no place for temporary files.
    pub fn find(ours: &Ours, programs: &[Program], quick: bool) -> Result<Systems, String> {
        let fail = |error: std::io::Error| format!("no folder for temporary files: {error}");
        let folder = TempDir::new().map_err(fail)?;
        for program in programs {
            let Program { name, text, .. } = program;
            let module = programs::module(name);
            fs::write(folder.path().join(format!("{module}.py")), text).map_err(fail)?;
            let driver = DRIVER.replace("NAME", module);
            fs::write(folder.path().join(driver_of(name)), driver).map_err(fail)?;
        }
        let [interpreted, compiled] = match quick {
            true => [QUICK, QUICK],
            false => [INTERPRETED, COMPILED],
        };
        let command = ours.command(quick)?.display().to_string();
        let our = |first, later, jit: &str, iterations| System {
            first,
            later,
            command: [&command, "--stats=json", "--jit", jit]
                .map(str::to_string)
                .into(),
            iterations,
        };
        let mut list = vec![
            our(None, "interp", "off", interpreted),
            our(Some("jit-cold"), "jit-warm", &ours.jit, compiled),
        ];
        for (first, later, command, iterations) in [
            (None, "cpython", "python3", interpreted),
            (Some("pypy-cold"), "pypy", "pypy3", compiled),
        ] {
            if let Some(command) = interpreter(command, later) {
                list.push(System {
                    first,
                    later,
                    command: vec![command],
                    iterations,
                });
            }
        }
        Ok(Systems {
            list,
            folder,
            made: RefCell::default(),
        })
    }

    /// The statistics of a program's last run, if there is one.
    pub fn made(&self, program: &str) -> Option<Made> {
        self.made.borrow().get(program).copied()
    }

    /// Those that run a program with this size.
    pub fn contestants<'a>(&'a self, program: &'a str, n: i64) -> Vec<Contestant<'a>> {
        let contestant = |system: &'a System| -> Contestant<'a> {
            Box::new(move || {
                let fail = |why| format!("{program} {n}: {}: {why}", system.later);
                let ran = system.run(self.folder.path(), program, n);
                let (runs, made) = ran.map_err(fail)?;
                if let Some(made) = made.filter(|_| system.later == "jit-warm") {
                    self.made.borrow_mut().insert(program.to_string(), made);
                }
                Ok(runs)
            })
        };
        self.list.iter().map(contestant).collect()
    }
}

/// The driver of a program.
fn driver_of(program: &str) -> String {
    format!("run_{}.py", programs::module(program))
}

/// Where an interpreter is, which its command may look for each time; if it is not there, that is
/// said.
fn interpreter(command: &str, system: &str) -> Option<String> {
    let where_is = ["-c", "import sys; print(sys.executable)"];
    match child::finish(Command::new(command).args(where_is)) {
        Ok(finished) if !finished.stdout.trim().is_empty() => {
            Some(finished.stdout.trim().to_string())
        }
        _ => {
            eprintln!("bench: {system} is left out: {command} is not installed");
            None
        }
    }
}

/// The runs of a process, and what our JIT made, if the process says that.
type Runs = (Vec<(&'static str, Run)>, Option<Made>);

impl System {
    fn run(&self, folder: &Path, program: &str, n: i64) -> Result<Runs, String> {
        let (name, before) = self.command.split_first().ok_or("there is no command")?;
        let mut process = Command::new(name);
        process.args(before).current_dir(folder);
        process.args([
            driver_of(program),
            n.to_string(),
            self.iterations.to_string(),
        ]);
        let finished = child::finish(&mut process)?;
        let (seconds, result) = iterations(&finished.stdout)?;
        if seconds.len() != self.iterations {
            return Err(format!("{} iterations", seconds.len()));
        }
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

/// The seconds of each iteration, and what all of them print.
fn iterations(text: &str) -> Result<(Vec<f64>, String), String> {
    let mut all = Vec::new();
    let mut known: Option<String> = None;
    let mut printed = String::new();
    for line in text.lines() {
        let Some(seconds) = line.strip_prefix(MARK) else {
            printed += line;
            printed.push('\n');
            continue;
        };
        let unexpected = || format!("unexpected output {line:?}");
        all.push(seconds.parse().map_err(|_| unexpected())?);
        let this = std::mem::take(&mut printed);
        let first = known.get_or_insert_with(|| this.clone());
        if *first != this {
            return Err(format!(
                "the first iteration prints {first:?}, another one {this:?}"
            ));
        }
    }
    Ok((all, known.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_driver_prints() {
        let read = |text: &str| iterations(text);
        assert_eq!(
            read("7\n8\n\tseconds 0.5\n7\n8\n\tseconds 2e-05\n"),
            Ok((vec![0.5, 2e-5], "7\n8\n".to_string()))
        );
        let error = |text: &str| iterations(text).expect_err("it is wrong");
        assert_eq!(
            error("7\n\tseconds 0.5\n8\n\tseconds 0.5\n"),
            "the first iteration prints \"7\\n\", another one \"8\\n\""
        );
        assert_eq!(
            error("\tseconds soon\n"),
            "unexpected output \"\\tseconds soon\""
        );
    }

    /// Programs that print something else on another Python would fail the whole suite.
    #[test]
    fn systems_that_are_installed_agree() {
        let ours = Ours {
            python: None,
            jit: String::new(),
        };
        let programs = programs::all().expect("they can be read");
        let systems = Systems::find(&ours, &programs, true).expect("there are no parameters");
        for program in &programs {
            let mut results = Vec::new();
            for mut contestant in systems.contestants(&program.name, program.size(true)) {
                let runs = contestant().unwrap_or_else(|error| panic!("{error}"));
                results.extend(runs.into_iter().map(|(_, run)| run.result));
            }
            results.dedup();
            assert!(results.len() <= 1, "{}: {results:?}", program.name);
        }
    }
}
