//! Generated programs that are run for their statistics. In: the text of a loop in TLC or Lua, as
//! [`super::generate`] writes it. Out: what the VM says of itself after one run. Invariant: each
//! run has a fresh VM.

use super::generate::Language;
use crate::guests::program::options;
use crate::measure::child;
use crate::suites::compile::sample::sample;
use std::fs;
use std::path::Path;
use std::process::Command;
use tlc::image::Image;

/// A program that can be run.
pub enum Subject {
    /// In this process.
    Tlc(Box<Image>),
    /// By the command of the language: the name of the file.
    Lua(String),
}

impl Subject {
    /// A loop of a language that is run for this many turns.
    ///
    /// # Errors
    /// If it is not a program, or cannot be written to the folder.
    pub fn new(
        language: Language,
        name: &str,
        text: &str,
        turns: i64,
        folder: &Path,
    ) -> Result<Subject, String> {
        if language != Language::Lua {
            let image = tlc::machine::load(text.as_bytes(), name)?;
            return Ok(Subject::Tlc(Box::new(image)));
        }
        let file = format!("{name}.lua");
        // A loop of its own in the end of the file, for there is no driver whose loop could be hot
        // as well.
        let text = text.replacen("return function(n)", "local function run(n)", 1);
        let text = format!("{text}print(run({turns}))\n");
        let written = fs::write(folder.join(&file), text);
        written.map_err(|error| format!("{file}: {error}"))?;
        Ok(Subject::Lua(file))
    }

    /// The statistics of a run, as JSON. `lua` is the command, and `folder` has the files.
    ///
    /// # Errors
    /// If the program fails.
    pub fn stats(
        &self,
        turns: i64,
        params: &str,
        lua: &Path,
        folder: &Path,
    ) -> Result<String, String> {
        match self {
            Subject::Tlc(image) => Ok(sample(image, turns, &options(params)?)?.to_json()),
            Subject::Lua(file) => {
                let mut command = Command::new(lua);
                command.args(["--stats=json", "--jit", params, file]);
                let finished = child::finish(command.current_dir(folder))?;
                let mut lines = finished.stderr.lines().rev();
                let line = lines.find(|line| line.starts_with('{'));
                let line = line.ok_or_else(|| format!("{file}: there are no statistics"))?;
                Ok(line.to_string())
            }
        }
    }
}
