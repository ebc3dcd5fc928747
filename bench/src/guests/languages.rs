//! The programs of the languages: all files in their folders, so that none is forgotten.
//!
//! A file says the arguments that make its loops hot in a line `args:` behind the language's
//! comment sign, or in a line `hot:` if tests run it with others.

use crate::guests::program::{Program, Session, Use, arguments, options};
use ::boxes::number::Number;
use ::objmodel::machine::Stage;
use ::tlc::image::Image;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Assembles a program in TLC.
///
/// # Errors
/// If it does not assemble.
pub fn assemble(name: &str, source: &str) -> Result<Image, String> {
    let file = format!("{name}.tlc");
    ::tlc::machine::load(source.as_bytes(), &file)
}

/// `languages/tlc/programs`.
pub fn tlc() -> Result<Vec<Program>, String> {
    let program = |source: Source| {
        let image = assemble(&source.name, &source.text)?;
        let session = move |params: &str, args: &[i64], f: Use<'_>| {
            let machine =
                ::tlc::machine::Machine::new(options(params)?, ::tlc::machine::MAX_DEPTH)?;
            let used = machine.enter(&image, |program| {
                f(&mut || {
                    ::tlc::output::begin(&image, true);
                    let result = program.run(args);
                    let result = result.map(|value| value.map(::tlc::output::show));
                    let printed = printed(::tlc::output::finish());
                    Ok(printed? + &result?.unwrap_or_default())
                });
            });
            used.map(|()| machine.vm().stats())
        };
        Ok(source.program("tlc", Box::new(session)))
    };
    let sources = sources("languages/tlc/programs", "tlc", ";")?;
    sources.into_iter().map(program).collect()
}

/// `languages/tla/programs`. Calls may not be deeper than their arguments need.
pub fn tla() -> Result<Vec<Program>, String> {
    const DEPTH: i64 = 2000;
    let program = |source: Source| {
        let image = ::tla::machine::load(&source.text, &source.name)?;
        let session = move |params: &str, args: &[i64], f: Use<'_>| {
            ::tla::machine::on_stack(DEPTH, || {
                let machine = ::tla::machine::Machine::new(options(params)?, DEPTH)?;
                machine.enter(&image, |program| {
                    f(&mut || program.run(args).map(::tla::object::show));
                })?;
                Ok(machine.vm().stats())
            })?
        };
        Ok(source.program("tla", Box::new(session)))
    };
    let sources = sources("languages/tla/programs", "tla", ";")?;
    sources.into_iter().map(program).collect()
}

/// `languages/boxes` is one function: of an integer and of a float.
pub fn boxes() -> Result<Vec<Program>, String> {
    let program = |(name, number): (&str, fn(i64) -> Number)| {
        let session = move |params: &str, args: &[i64], f: Use<'_>| {
            let machine = ::boxes::machine::Machine::new(options(params)?)?;
            f(&mut || {
                let result = machine.run(number(args[0]))?;
                Ok(format!("{result:?}"))
            });
            Ok(machine.vm().stats())
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
pub fn objmodel(stage: Stage) -> Result<Vec<Program>, String> {
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
            used.map(|()| machine.vm().stats())
        };
        Ok(source.program(&format!("objmodel-{}", stage.name()), Box::new(session)))
    };
    let sources = sources("languages/objmodel/programs", "om", "#")?;
    sources.into_iter().map(program).collect()
}

/// The output of a program, as text.
fn printed(bytes: io::Result<Vec<u8>>) -> Result<String, String> {
    let bytes = bytes.map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
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

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
