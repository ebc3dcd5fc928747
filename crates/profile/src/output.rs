//! The output of a command's option `--profile`: a file for the Firefox Profiler, and the table. A
//! file that cannot be written is an error before the program runs.

use crate::model::Profile;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where a profile goes: a file that is open, or nowhere but standard error.
#[derive(Debug)]
pub struct Output(Option<(PathBuf, File)>);

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

    /// Writes the file, and the table to standard error; nothing if there is no profile.
    ///
    /// # Errors
    /// If the file cannot be written after all, with a message.
    pub fn write(self, profile: Option<&Profile>) -> Result<(), String> {
        let Some(profile) = profile else {
            return Ok(());
        };
        eprint!("{}", profile.table());
        let Some((path, file)) = self.0 else {
            return Ok(());
        };
        let mut file = BufWriter::new(file);
        let written = serde_json::to_writer(&mut file, &profile.firefox());
        let written = written.map_err(Into::into).and_then(|()| file.flush());
        let path = path.display();
        written.map_err(|error| format!("cannot write the profile {path}: {error}"))?;
        eprintln!("\n{path}: open it at https://profiler.firefox.com");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_cannot_be_written_is_an_error_at_once() {
        let error = Output::open(Path::new("/no/such/folder/a.json")).unwrap_err();
        let expected = "cannot write the profile /no/such/folder/a.json: ";
        assert!(error.starts_with(expected), "{error}");
        assert!(Output::open(Path::new("-")).is_ok());
    }
}
