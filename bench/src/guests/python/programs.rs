//! The programs in Python. In: the folder `languages/python/programs`. Out: their names, with the
//! sizes that their files say. Invariant: a program is found by being there.

use crate::guests::program::arguments;
use std::fs;
use std::path::{Path, PathBuf};

/// A program.
#[derive(Debug)]
pub struct Program {
    /// The name of its file, without the extension.
    pub name: String,
    /// Its text, which has a function `main` of its size.
    pub text: String,
    /// The size that takes CPython 0.1 to 0.3 seconds.
    n: i64,
    /// A size that takes no time.
    quick: i64,
}

impl Program {
    /// Its size.
    pub fn size(&self, quick: bool) -> i64 {
        if quick { self.quick } else { self.n }
    }
}

/// All programs, by their names.
///
/// # Errors
/// If one cannot be read, or does not say its sizes.
pub fn all() -> Result<Vec<Program>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/python/programs");
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|found| found == "py") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| program(path)).collect()
}

fn program(path: &Path) -> Result<Program, String> {
    let fail = |why: String| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let size = |mark: &str| match arguments(&text, &format!("# {mark}:")).as_deref() {
        Some([size]) => Ok(*size),
        _ => Err(fail(format!(
            "says no size: it needs a line `# {mark}:` with an integer"
        ))),
    };
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Program {
        name: name.into_owned(),
        n: size("args")?,
        quick: size("quick")?,
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_is_smaller_when_it_is_to_be_quick() {
        let all = all().expect("they can be read");
        assert!(all.len() >= 20, "{}", all.len());
        for program in all {
            let Program { name, n, quick, .. } = program;
            assert!(0 < quick && quick < n, "{name}: {quick} and {n}");
        }
    }

    #[test]
    fn a_program_without_sizes_is_refused() {
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("none.py");
        fs::write(&path, "# args: 7\n").expect("it is written");
        let error = program(&path).expect_err("it says one size");
        assert!(
            error.ends_with("none.py: says no size: it needs a line `# quick:` with an integer"),
            "{error}"
        );
    }
}
