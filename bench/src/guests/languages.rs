//! Every program in the repository. In: the folders of programs, and what the examples have in
//! their tests. Out: [`Program`]s, each of which runs in a fresh VM as often as is asked, and says
//! what the VM did. Invariant: a program in a folder is found by being there, so that none is
//! forgotten.
//!
//! A language is added by one function like [`tlc()`] and its name in [`LANGUAGES`]. Programs in
//! files say the arguments that make their loops hot in a line `args:`, or `hot:` if their `args:`
//! do not, behind the language's comment sign.

use crate::examples;
use crate::tables::assemble;
use boxes::number::Number;
use objmodel::machine::Stage;
use std::path::{Path, PathBuf};
use std::{fs, io};
use tlc::machine::{MAX_DEPTH, Machine};
use verdigris::Stats;

/// A program that can be run.
pub struct Program {
    /// Language and name, as `tlc/factorial`.
    pub name: String,
    /// Arguments that make its loops hot.
    pub args: Vec<i64>,
    /// Whether its language reads the program anew for each run, so that each run is its first.
    pub reads_anew: bool,
    /// Uses it in a fresh VM.
    pub session: Session,
}

/// Runs a program once. Answers what it printed and its result; nothing for examples whose results
/// are not texts.
pub type Once<'a> = &'a mut dyn FnMut() -> Result<String, String>;

/// What a session is used for: it is called once, and may run the program any number of times.
pub type Use<'a> = &'a mut (dyn FnMut(Once<'_>) + Send);

/// A fresh VM with these parameters of the JIT and a program with these arguments, and what the VM
/// did.
pub type Session = Box<dyn Fn(&str, &[i64], Use<'_>) -> Result<Stats, String>>;

impl Program {
    /// What the VM does when the program is run once. Errors of the program are part of it:
    /// compiled code counts no less for them.
    ///
    /// # Errors
    /// If there is no VM.
    pub fn stats(&self, params: &str) -> Result<Stats, String> {
        let mut once = |run: Once<'_>| {
            let _ = run();
        };
        (self.session)(params, &self.args, &mut once)
    }
}

/// A language: what the names of its programs begin with, and its programs.
type Language = (&'static str, fn() -> Result<Vec<Program>, String>);

const LANGUAGES: [Language; 17] = [
    ("tlc", tlc),
    ("tla", tla),
    ("boxes", boxes),
    ("objmodel-dict", || objmodel(Stage::Dict)),
    ("objmodel-maps", || objmodel(Stage::Maps)),
    ("objmodel-versions", || objmodel(Stage::Versions)),
    ("counter", examples::counter),
    ("values", examples::values),
    ("calculator", examples::calculator),
    ("stackvm", examples::stackvm),
    ("calls", examples::calls),
    ("collections", examples::collections),
    ("globals", examples::globals),
    ("nodes", examples::nodes),
    ("frames", examples::frames),
    ("activations", examples::activations),
    ("lending", examples::lending),
];

/// All programs, language by language.
///
/// # Errors
/// If one cannot be read.
pub fn all() -> Result<Vec<Program>, String> {
    let languages: Result<Vec<Vec<Program>>, String> =
        LANGUAGES.iter().map(|(_, programs)| programs()).collect();
    Ok(languages?.into_iter().flatten().collect())
}

/// The program of this name.
///
/// # Errors
/// If there is none.
pub fn find(name: &str) -> Result<Program, String> {
    let unknown = || format!("there is no program `{name}`");
    let (prefix, _) = name.split_once('/').ok_or_else(unknown)?;
    let language = LANGUAGES.iter().find(|language| language.0 == prefix);
    let (_, programs) = language.ok_or_else(unknown)?;
    let mut programs = programs()?.into_iter();
    programs
        .find(|program| program.name == name)
        .ok_or_else(unknown)
}

/// `languages/tlc/programs`.
fn tlc() -> Result<Vec<Program>, String> {
    let program = |source: Source| {
        let image = assemble(&source.name, &source.text)?;
        let session = move |params: &str, args: &[i64], f: Use<'_>| {
            let machine = Machine::new(options(params)?, MAX_DEPTH)?;
            let used = machine.enter(&image, |program| {
                f(&mut || {
                    ::tlc::output::begin(&image, true);
                    let result = program.run(args);
                    let result = result.map(|value| value.map(::tlc::output::show));
                    let printed = printed(::tlc::output::finish());
                    Ok(printed? + &result?.unwrap_or_default())
                });
            });
            used.map(|()| machine.stats())
        };
        Ok(source.program("tlc", Box::new(session)))
    };
    let sources = sources("languages/tlc/programs", "tlc", ";")?;
    sources.into_iter().map(program).collect()
}

/// `languages/tla/programs`. Calls may not be deeper than their arguments need.
fn tla() -> Result<Vec<Program>, String> {
    const DEPTH: i64 = 2000;
    let program = |source: Source| {
        let image = ::tla::machine::load(&source.text, &source.name)?;
        let session = move |params: &str, args: &[i64], f: Use<'_>| {
            ::tla::machine::on_stack(DEPTH, || {
                let machine = ::tla::machine::Machine::new(options(params)?, DEPTH)?;
                machine.enter(&image, |program| {
                    f(&mut || program.run(args).map(::tla::object::show));
                })?;
                Ok(machine.stats())
            })?
        };
        Ok(source.program("tla", Box::new(session)))
    };
    let sources = sources("languages/tla/programs", "tla", ";")?;
    sources.into_iter().map(program).collect()
}

/// `languages/boxes` is one function: of an integer and of a float.
fn boxes() -> Result<Vec<Program>, String> {
    let program = |(name, number): (&str, fn(i64) -> Number)| {
        let session = move |params: &str, args: &[i64], f: Use<'_>| {
            let machine = ::boxes::machine::Machine::new(options(params)?)?;
            f(&mut || {
                let result = machine.run(number(args[0]))?;
                Ok(format!("{result:?}"))
            });
            Ok(machine.stats())
        };
        Program {
            name: format!("boxes/{name}"),
            args: vec![20_000],
            reads_anew: false,
            session: Box::new(session),
        }
    };
    let integer = program(("integer", Number::Integer));
    let float = program(("float", |n| Number::Float(n as f64 + 0.5)));
    Ok(vec![integer, float])
}

/// `languages/objmodel/programs`, on a stage of the object model.
fn objmodel(stage: Stage) -> Result<Vec<Program>, String> {
    let program = |source: Source| {
        let image = ::objmodel::machine::load(source.text.as_bytes(), &source.name)?;
        let session = move |params: &str, args: &[i64], f: Use<'_>| {
            let depth = ::objmodel::machine::MAX_DEPTH;
            let machine = ::objmodel::machine::Machine::new(options(params)?, stage, depth)?;
            let used = machine.enter(&image, |program| {
                f(&mut || {
                    ::objmodel::output::begin(&image, true);
                    let result = program.run(args);
                    let printed = printed(::objmodel::output::finish());
                    result.and(printed)
                });
            });
            used.map(|()| machine.stats())
        };
        Ok(source.program(&format!("objmodel-{}", stage.name()), Box::new(session)))
    };
    let sources = sources("languages/objmodel/programs", "om", "#")?;
    sources.into_iter().map(program).collect()
}

/// What a program printed, as text.
fn printed(bytes: io::Result<Vec<u8>>) -> Result<String, String> {
    let bytes = bytes.map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Parameters of the JIT.
///
/// # Errors
/// If there are no such parameters.
pub fn options(params: &str) -> Result<verdigris::Options, String> {
    verdigris::Options::parse(params).map_err(|error| error.to_string())
}

/// A program in a file.
struct Source {
    name: String,
    text: String,
    /// Arguments that make its loops hot.
    args: Vec<i64>,
}

impl Source {
    fn program(&self, language: &str, session: Session) -> Program {
        Program {
            name: format!("{language}/{}", self.name),
            args: self.args.clone(),
            reads_anew: false,
            session,
        }
    }
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
pub fn arguments(text: &str, mark: &str) -> Option<Vec<i64>> {
    let line = text.lines().find_map(|line| line.strip_prefix(mark))?;
    line.split_whitespace()
        .map(|word| word.parse().ok())
        .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_found_by_their_names() {
        assert_eq!(find("boxes/float").map(|p| p.args), Ok(vec![20_000]));
        for name in ["boxes/double", "boxes", "cobol/hello"] {
            let error = find(name).err().expect("there is none");
            assert_eq!(error, format!("there is no program `{name}`"));
        }
    }
}
