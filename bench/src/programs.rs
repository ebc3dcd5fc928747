//! Every program in the repository. In: the folders of programs. Out: [`Program`]s, each of which runs in a fresh VM and
//! says what the VM did. Invariant: a program is found by being in its folder, so that none is forgotten.
//!
//! A language is added by one function like [`tlc()`] and its name in [`all()`]. Programs in files say the arguments that
//! make their loops hot in a line `args:`, or `hot:` if their `args:` do not, behind the language's comment sign.

use crate::tables::assemble;
use boxes::number::Number;
use objmodel::machine::Stage;
use std::fs;
use std::path::{Path, PathBuf};
use tlc::machine::{MAX_DEPTH, Machine};
use verdigris::Stats;

/// A program that can be run.
pub struct Program {
    /// Language and name, as `tlc/factorial`.
    pub name: String,
    /// Runs it in a fresh VM with these parameters of the JIT.
    pub run: Run,
}

/// A run in a fresh VM, with parameters of the JIT. What the guest program prints is dropped, and its errors are part of
/// it: compiled code counts no less for them.
pub type Run = Box<dyn Fn(&str) -> Result<Stats, String>>;

/// All programs, language by language.
///
/// # Errors
/// If one cannot be read.
pub fn all() -> Result<Vec<Program>, String> {
    let languages = [tlc()?, tla()?, boxes(), objmodel()?, counter(), values()];
    Ok(languages.into_iter().flatten().collect())
}

/// `languages/tlc/programs`.
fn tlc() -> Result<Vec<Program>, String> {
    let program = |source: Source| {
        let image = assemble(&source.name, &source.text)?;
        let run = move |params: &str| {
            let machine = Machine::new(options(params)?, MAX_DEPTH)?;
            machine.run(&image, &source.args, true);
            Ok(machine.stats())
        };
        Ok(Program {
            name: format!("tlc/{}", source.name),
            run: Box::new(run),
        })
    };
    let sources = sources("languages/tlc/programs", "tlc", ";")?;
    sources.into_iter().map(program).collect()
}

/// `languages/tla/programs`. Calls may not be deeper than their arguments need.
fn tla() -> Result<Vec<Program>, String> {
    const DEPTH: i64 = 2000;
    let program = |source: Source| {
        let image = tla::machine::load(&source.text, &source.name)?;
        let run = move |params: &str| {
            tla::machine::on_stack(DEPTH, || {
                let machine = tla::machine::Machine::new(options(params)?, DEPTH)?;
                // An error is part of the program.
                let _ = machine.run(&image, &source.args);
                Ok(machine.stats())
            })?
        };
        Ok(Program {
            name: format!("tla/{}", source.name),
            run: Box::new(run),
        })
    };
    let sources = sources("languages/tla/programs", "tla", ";")?;
    sources.into_iter().map(program).collect()
}

/// `languages/boxes` is one function: of an integer and of a float.
fn boxes() -> Vec<Program> {
    let program = |(name, y): (&str, Number)| {
        let run = move |params: &str| {
            let machine = boxes::machine::Machine::new(options(params)?)?;
            machine.run(y)?;
            Ok(machine.stats())
        };
        Program {
            name: format!("boxes/{name}"),
            run: Box::new(run),
        }
    };
    let numbers = [
        ("integer", Number::Integer(20_000)),
        ("float", Number::Float(20_000.5)),
    ];
    numbers.map(program).into()
}

/// `languages/objmodel/programs`, on each stage of the object model.
fn objmodel() -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    for stage in Stage::ALL {
        for source in sources("languages/objmodel/programs", "om", "#")? {
            let image = objmodel::machine::load(source.text.as_bytes(), &source.name)?;
            let run = move |params: &str| {
                let depth = objmodel::machine::MAX_DEPTH;
                let machine = objmodel::machine::Machine::new(options(params)?, stage, depth)?;
                machine.run(&image, &source.args, true);
                Ok(machine.stats())
            };
            programs.push(Program {
                name: format!("objmodel-{}/{}", stage.name(), source.name),
                run: Box::new(run),
            });
        }
    }
    Ok(programs)
}

/// `examples/counter` has no programs in files: two that its tests have, a loop and a loop with a side exit.
fn counter() -> Vec<Program> {
    let program = |text: &'static str| {
        let run = move |params: &str| {
            let vm = counter::machine(options(params)?).map_err(|error| error.to_string())?;
            counter::sum(&vm, text, 20_000);
            Ok(vm.stats())
        };
        Program {
            name: format!("counter/{text}"),
            run: Box::new(run),
        }
    };
    ["+-?.", "-?+-?."].map(program).into()
}

/// `examples/values` neither: sums of integers and of floats, and types that change in the loop, from its tests.
fn values() -> Vec<Program> {
    let program = |(name, text): (&str, &'static str)| {
        let run = move |params: &str| {
            let vm = values::machine(options(params)?).map_err(|error| error.to_string())?;
            values::answer(&vm, text, 20_000).map_err(|error| error.to_string())?;
            Ok(vm.stats())
        };
        Program {
            name: format!("values/{name}"),
            run: Box::new(run),
        }
    };
    let programs = [
        ("integers", "i0s0i0s1[g0g1+s0g1i1+s1g1I<]g0a."),
        ("floats", "f0s0i0s1[g0f1f1*+s0g1i1+s1g1I<]g0a."),
        ("changing_types", "i1s0i0s1[g0f3+s0g1i1+s1g1I<]g0a."),
    ];
    programs.map(program).into()
}

fn options(params: &str) -> Result<verdigris::Options, String> {
    verdigris::Options::parse(params).map_err(|error| error.to_string())
}

/// A program in a file.
struct Source {
    name: String,
    text: String,
    /// Arguments that make its loops hot.
    args: Vec<i64>,
}

/// The files of a folder that have this extension, by name.
fn sources(folder: &str, extension: &str, comment: &str) -> Result<Vec<Source>, String> {
    let folder = root().join(folder);
    let fail = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| fail(&error))? {
        let path = entry.map_err(|error| fail(&error))?.path();
        if path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| source(path, comment)).collect()
}

fn source(path: &Path, comment: &str) -> Result<Source, String> {
    let fail = |why: &str| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fail(&error.to_string()))?;
    let args = arguments(&text, &format!("{comment} hot:"))
        .or_else(|| arguments(&text, &format!("{comment} args:")))
        .ok_or_else(|| fail("says no arguments: it needs a line `args:` with integers"))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Source {
        name: name.into_owned(),
        text,
        args,
    })
}

/// The integers of the line that begins with `mark`, if there is one and it has nothing else.
fn arguments(text: &str, mark: &str) -> Option<Vec<i64>> {
    let line = text.lines().find_map(|line| line.strip_prefix(mark))?;
    line.split_whitespace()
        .map(|word| word.parse().ok())
        .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
