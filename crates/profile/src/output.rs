//! The output of a command's option `--profile`: a file, and the table. The file's name says for
//! which tool it is. A file that cannot be written is an error before the program runs.

use crate::model::Profile;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// Where a profile goes: a file that is open, or nowhere but standard error.
#[derive(Debug)]
pub struct Output(Option<(PathBuf, File)>);

/// What a file is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// The Firefox Profiler.
    Firefox,
    /// Flame graphs.
    Folded,
    /// Speedscope.
    Speedscope,
}

impl Form {
    /// `*.folded`, `*.speedscope.json`, or any other name.
    fn of(path: &Path) -> Form {
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().to_lowercase());
        match name.as_deref() {
            Some(name) if name.ends_with(".folded") => Form::Folded,
            Some(name) if name.ends_with(".speedscope.json") => Form::Speedscope,
            _ => Form::Firefox,
        }
    }

    /// What to do with the file.
    fn hint(self) -> &'static str {
        match self {
            Form::Firefox => "open it at https://profiler.firefox.com",
            Form::Folded => "`inferno-flamegraph` or `flamegraph.pl` make a picture of it",
            Form::Speedscope => "open it at https://www.speedscope.app",
        }
    }
}

impl Output {
    /// Opens the file, which becomes empty; with `-`, there is none.
    ///
    /// # Errors
    /// If it cannot be written, with a message.
    pub fn open(path: &Path) -> Result<Output, String> {
        if path == Path::new("-") {
            return Ok(Output(None));
        }
        match File::create(path) {
            Ok(file) => Ok(Output(Some((path.to_owned(), file)))),
            Err(error) => Err(format!(
                "cannot write the profile {}: {error}",
                path.display()
            )),
        }
    }

    /// Writes the file, and the table to standard error; nothing if there is no profile. The next
    /// profile takes the place of this one.
    ///
    /// # Errors
    /// If the file cannot be written after all, with a message.
    pub fn write(&self, profile: Option<&Profile>) -> Result<(), String> {
        let Some(profile) = profile else {
            return Ok(());
        };
        eprint!("{}", profile.table());
        let Some((path, file)) = &self.0 else {
            return Ok(());
        };
        let form = Form::of(path);
        let written = write_anew(file, form, profile);
        let path = path.display();
        written.map_err(|error| format!("cannot write the profile {path}: {error}"))?;
        eprintln!("\n{path}: {}", form.hint());
        Ok(())
    }
}

/// Writes a profile to a file in place of what it has.
fn write_anew(mut file: &File, form: Form, profile: &Profile) -> io::Result<()> {
    // A pipe has no places, and nothing that has to go.
    if file.metadata()?.is_file() {
        file.set_len(0)?;
        file.rewind()?;
    }
    let mut out = BufWriter::new(file);
    match form {
        Form::Firefox => serde_json::to_writer(&mut out, &profile.firefox())?,
        Form::Speedscope => serde_json::to_writer(&mut out, &profile.speedscope())?,
        Form::Folded => out.write_all(profile.folded().as_bytes())?,
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_what_a_file_is_for() {
        let form = |name: &str| Form::of(Path::new(name));
        assert_eq!(form("a/out.json"), Form::Firefox);
        assert_eq!(form("out.FOLDED"), Form::Folded);
        assert_eq!(form("out.speedscope.json"), Form::Speedscope);
        assert_eq!(form("folded"), Form::Firefox);
    }

    #[test]
    fn the_last_profile_is_in_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("profile.json");
        let output = Output::open(&path).expect("a file");
        let profile = Profile::new(None);
        let sizes = [(); 2].map(|()| {
            assert_eq!(output.write(Some(&profile)), Ok(()));
            std::fs::metadata(&path).expect("a file").len()
        });
        assert!(sizes[0] > 0 && sizes[0] == sizes[1], "{sizes:?}");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error_at_once() {
        let error = Output::open(Path::new("/no/such/folder/a.json")).unwrap_err();
        let expected = "cannot write the profile /no/such/folder/a.json: ";
        assert!(error.starts_with(expected), "{error}");
        assert!(Output::open(Path::new("-")).is_ok());
    }
}
