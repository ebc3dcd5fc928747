//! Where tracing alone does badly. In: programs whose loops take other ways each time, in TLC,
//! objmodel and Lua. Out: seconds from a new VM to its end with each compiler, how many times as
//! fast the others are as the tracer, and the geometric means. Invariant: what a user waits for is
//! in it, interpreting, recording and compiling as well, and all compilers compute the same.

use super::SpecialiseArgs;
use super::compilers::{COMPILERS, mean, time, with};
use super::generate::{Language, branches, receivers, straight};
use crate::guests::lua::programs::DRIVER;
use crate::guests::program::options;
use crate::measure::child;
use crate::measure::interleave::{Contestant, Race, Run, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;
use objmodel::machine::Stage;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A kind of program.
struct Case {
    name: &'static str,
    text: fn(Language) -> String,
    /// How large it is in each of [`LANGUAGES`], and how large if it is to be quick.
    sizes: [(i64, i64); 3],
}

/// The languages, their names in the records, and the extensions of their files.
const LANGUAGES: [(Language, &str, &str); 3] = [
    (Language::Tlc, "tlc", "tlc"),
    (Language::Objmodel, "objmodel", "om"),
    (Language::Lua, "lua", "lua"),
];

/// The texts of a program that is written by hand.
macro_rules! written {
    ($name:literal) => {
        |language| {
            let text = match language {
                Language::Tlc => include_str!(concat!("../../../ways/", $name, ".tlc")),
                Language::Objmodel => include_str!(concat!("../../../ways/", $name, ".om")),
                Language::Lua => include_str!(concat!("../../../ways/", $name, ".lua")),
            };
            text.to_string()
        }
    };
}

const CASES: [Case; 6] = [
    Case {
        name: "branch",
        text: written!("branch"),
        sizes: [(5_000_000, 500), (5_000_000, 500), (10_000_000, 500)],
    },
    Case {
        name: "fifty-ifs",
        text: |language| branches(language, 50),
        sizes: [(100_000, 20), (100_000, 20), (300_000, 20)],
    },
    Case {
        name: "interpreter",
        text: written!("interpreter"),
        sizes: [(400_000, 50), (400_000, 50), (1_000_000, 50)],
    },
    Case {
        name: "trees",
        text: written!("trees"),
        sizes: [(3000, 2), (3000, 2), (5000, 2)],
    },
    Case {
        name: "receivers",
        text: |language| receivers(language, 16),
        sizes: [(30_000, 10), (30_000, 10), (30_000, 10)],
    },
    Case {
        name: "straight",
        text: |language| straight(language, 1000),
        sizes: [(20, 2), (20, 2), (20, 2)],
    },
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or compilers disagree.
pub fn run(args: &SpecialiseArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let lua = args.ours.command(settings.quick)?;
    let folder = TempDir::new().map_err(|error| format!("no temporary folder: {error}"))?;
    write(folder.path())?;
    let mut races = Vec::new();
    for case in &CASES {
        for (&(language, of, _), (n, quick)) in LANGUAGES.iter().zip(case.sizes) {
            let benchmark = format!("{of}/{}", case.name);
            if !benchmark.contains(&args.only) {
                continue;
            }
            let n = if settings.quick { quick } else { n };
            let text = (case.text)(language);
            let program = Program {
                name: case.name,
                language,
                text,
                n,
            };
            let contestants = program.contestants(&args.ours.jit, &lua, folder.path());
            races.push(Race::new(&benchmark, n, contestants));
        }
    }
    let records = rounds("ways", args.runs(settings), races)?;
    print!("{}", table(&records));
    Ok(records)
}

/// Writes all programs to a folder, and the driver of those in Lua.
///
/// # Errors
/// If they cannot be written.
pub fn write(folder: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let driver = crate::guests::lua::programs::folder().join(DRIVER);
    fs::copy(driver, folder.join(DRIVER)).map_err(failed)?;
    for case in &CASES {
        for (language, _, extension) in LANGUAGES {
            let file = folder.join(format!("{}.{extension}", case.name));
            fs::write(file, (case.text)(language)).map_err(failed)?;
        }
    }
    Ok(())
}

/// A program in one language.
#[derive(Clone)]
struct Program {
    name: &'static str,
    language: Language,
    text: String,
    n: i64,
}

impl Program {
    /// A new VM with each compiler.
    fn contestants<'a>(
        &self,
        given: &'a str,
        lua: &'a Path,
        folder: &'a Path,
    ) -> Vec<Contestant<'a>> {
        let contestant = |&(system, params): &(&'static str, &'static str)| {
            let program = self.clone();
            let params = with(params, given);
            single(system, move || match program.language {
                Language::Tlc => program.in_tlc(&params),
                Language::Objmodel => program.in_objmodel(&params),
                Language::Lua => program.in_lua(lua, folder, &params),
            })
        };
        COMPILERS.iter().map(contestant).collect()
    }

    fn in_tlc(&self, params: &str) -> Result<Run, String> {
        let image = tlc::machine::load(self.text.as_bytes(), self.name)?;
        let options = options(params)?;
        timed(|| {
            let machine = tlc::machine::Machine::new(options, tlc::machine::MAX_DEPTH)?;
            let outcome = machine.run(&image, &[self.n], true);
            outcome.error.map_or(Ok(outcome.output), Err)
        })
    }

    fn in_objmodel(&self, params: &str) -> Result<Run, String> {
        let image = objmodel::machine::load(self.text.as_bytes(), self.name)?;
        let options = options(params)?;
        timed(|| {
            let depth = objmodel::machine::MAX_DEPTH;
            let machine = objmodel::machine::Machine::new(options, Stage::Versions, depth)?;
            let outcome = machine.run(&image, &[self.n], true);
            outcome.error.map_or(Ok(outcome.output), Err)
        })
    }

    /// The whole life of a process.
    fn in_lua(&self, lua: &Path, folder: &Path, params: &str) -> Result<Run, String> {
        let mut command = Command::new(lua);
        command.args(["--jit", params, DRIVER, self.name, &self.n.to_string(), "1"]);
        let finished = child::finish(command.current_dir(folder))?;
        let result = finished.stdout.trim().split_once('\t');
        let result = result.ok_or_else(|| format!("{} says {:?}", self.name, finished.stdout))?;
        let result = Some(result.1.to_string());
        Ok(Run {
            result,
            ..Run::from(finished)
        })
    }
}

/// A line for each program, then the geometric means.
fn table(records: &[Record]) -> String {
    let compilers = COMPILERS.map(|(system, _)| system);
    const RATIOS: [[&str; 2]; 3] = [
        ["interp", "specialising"],
        ["tracing", "specialising"],
        ["tracing", "both"],
    ];
    let mut heads = row(["program", "n"]);
    heads.extend(compilers.map(str::to_string));
    heads.extend(RATIOS.map(|[above, below]| format!("{above}/{below}")));
    let mut rows = vec![heads];
    for group in records.chunk_by(|a, b| a.benchmark == b.benchmark) {
        let mut cells = vec![group[0].benchmark.clone(), group[0].n.to_string()];
        cells.extend(compilers.map(|of| time(group, of).map_or("-".to_string(), seconds)));
        cells.extend(RATIOS.map(|[above, below]| ratio(time(group, above), time(group, below))));
        rows.push(cells);
    }
    let languages = LANGUAGES.map(|(_, name, _)| (format!("geometric mean, {name}"), name));
    for (title, prefix) in languages
        .into_iter()
        .chain([("geometric mean".to_string(), "")])
    {
        let mut cells = vec![title];
        cells.resize(2 + compilers.len(), String::new());
        cells.extend(RATIOS.map(|pair| {
            let mean = mean(records, pair, |name| name.starts_with(prefix));
            mean.map_or("-".to_string(), |mean| format!("{mean:.2}"))
        }));
        rows.push(cells);
    }
    format!(
        "where tracing alone does badly: seconds from a new VM to its end\n{}\n",
        align(&rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They are assembled with distances that are computed by hand.
    #[test]
    fn programs_compute_the_same_with_every_compiler() {
        for case in &CASES {
            for language in [Language::Tlc, Language::Objmodel] {
                let program = Program {
                    name: case.name,
                    language,
                    text: (case.text)(language),
                    n: case.sizes[0].1,
                };
                let results: Vec<_> = COMPILERS
                    .iter()
                    .map(|(_, params)| {
                        let params = with(params, "threshold=7");
                        let run = match language {
                            Language::Tlc => program.in_tlc(&params),
                            _ => program.in_objmodel(&params),
                        };
                        run.expect("it ends well").result
                    })
                    .collect();
                assert!(
                    results.iter().all(|result| *result == results[0]),
                    "{} in {language:?}: {results:?}",
                    case.name
                );
            }
        }
    }
}
