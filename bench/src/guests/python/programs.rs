//! The programs in Python. In: the folder `languages/python/programs`. Out: their names, with the
//! sizes that their files say. Invariant: a program is found by being there; one in a folder of
//! that is in a group of this name.

use crate::guests::program::arguments;
use std::fs;
use std::path::{Path, PathBuf};

/// A program.
#[derive(Debug)]
pub struct Program {
    /// The name of its file, without the extension, behind that of its group.
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

/// The group of a program.
pub fn group(name: &str) -> &str {
    name.split_once('/').map_or("first", |(group, _)| group)
}

/// The name that a program is imported by.
pub fn module(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, module)| module)
}

/// All programs: those beside the groups, then the groups, each by the names of programs.
///
/// # Errors
/// If one cannot be read, or does not say its sizes.
pub fn all() -> Result<Vec<Program>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/python/programs");
    let [mut paths, groups] = entries(&folder)?;
    for group in groups {
        let [of_group, _] = entries(&group)?;
        paths.extend(of_group);
    }
    paths.iter().map(|path| program(&folder, path)).collect()
}

/// The programs and the folders of a folder, each in order.
fn entries(folder: &Path) -> Result<[Vec<PathBuf>; 2], String> {
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (mut programs, mut folders) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        if path.extension().is_some_and(|found| found == "py") {
            programs.push(path);
        } else if path.is_dir() && !path.ends_with("__pycache__") {
            folders.push(path);
        }
    }
    programs.sort();
    folders.sort();
    Ok([programs, folders])
}

fn program(folder: &Path, path: &Path) -> Result<Program, String> {
    let fail = |why: String| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let size = |mark: &str| match arguments(&text, &format!("# {mark}:")).as_deref() {
        Some([size]) => Ok(*size),
        _ => Err(fail(format!(
            "says no size: it needs a line `# {mark}:` with an integer"
        ))),
    };
    let name = path.strip_prefix(folder).unwrap_or(path);
    Ok(Program {
        name: name.with_extension("").display().to_string(),
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
    fn modules_have_names_of_their_own() {
        let all = all().expect("they can be read");
        let mut modules: Vec<&str> = all.iter().map(|program| module(&program.name)).collect();
        modules.sort_unstable();
        assert!(modules.is_sorted_by(|a, b| a < b), "{modules:?}");
        assert!(all.iter().any(|program| program.name == "unseen/lru_ring"));
    }

    #[test]
    fn a_program_without_sizes_is_refused() {
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("none.py");
        fs::write(&path, "# args: 7\n").expect("it is written");
        let error = program(folder.path(), &path).expect_err("it says one size");
        assert!(
            error.ends_with("none.py: says no size: it needs a line `# quick:` with an integer"),
            "{error}"
        );
    }
}
