//! The programs in Lua. In: the folder `lua` of this package. Out: their names, with the sizes that
//! their files say. Invariant: a program is found by being there; the driver, which runs them, is
//! no program. A folder in the folder is a group of programs, whose names begin with its name and a
//! slash, as `require` takes them; those beside the driver are the group [`FIRST`].

use crate::guests::program::arguments;
use std::fs;
use std::path::{Path, PathBuf};

/// The driver: it takes the name of a program, its size, and how many iterations there are.
pub const DRIVER: &str = "driver.lua";

/// The name of the group of programs that lie beside the driver.
pub const FIRST: &str = "first";

/// A program.
#[derive(Debug)]
pub struct Program {
    /// The path of its file in the folder, without the extension.
    pub name: String,
    /// The size that takes `lua5.4` 0.1 to 0.3 seconds.
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

/// Where the programs and their driver are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("lua")
}

/// The group of a program.
pub fn group(name: &str) -> &str {
    name.split_once('/').map_or(FIRST, |(group, _)| group)
}

/// All programs: the first group, then the others by their names, each by the names of programs.
///
/// # Errors
/// If one cannot be read, or does not say its sizes.
pub fn all() -> Result<Vec<Program>, String> {
    let folder = folder();
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
    let [mut programs, mut folders] = [Vec::new(), Vec::new()];
    for entry in fs::read_dir(folder).map_err(fail)? {
        let path = entry.map_err(fail)?.path();
        let is_lua = path.extension().is_some_and(|found| found == "lua");
        if path.is_dir() {
            folders.push(path);
        } else if is_lua && !path.ends_with(DRIVER) {
            programs.push(path);
        }
    }
    programs.sort();
    folders.sort();
    Ok([programs, folders])
}

fn program(folder: &Path, path: &Path) -> Result<Program, String> {
    let fail = |why: String| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let size = |mark: &str| match arguments(&text, &format!("-- {mark}:")).as_deref() {
        Some([size]) => Ok(*size),
        _ => Err(fail(format!(
            "says no size: it needs a line `-- {mark}:` with an integer"
        ))),
    };
    let inside = path.strip_prefix(folder).unwrap_or(path).with_extension("");
    let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
    Ok(Program {
        name: parts.join("/"),
        n: size("args")?,
        quick: size("quick")?,
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
            assert!(
                0 < program.quick && program.quick < program.n,
                "{program:?}"
            );
        }
    }

    #[test]
    fn groups_follow_each_other() {
        let all = all().expect("they can be read");
        let mut groups: Vec<&str> = all.iter().map(|program| group(&program.name)).collect();
        groups.dedup();
        assert_eq!(groups[..2], [FIRST, "second"]);
        assert!(groups[1..].is_sorted(), "{groups:?}");
        assert!(all.iter().any(|program| program.name == "second/lox"));
    }

    #[test]
    fn a_program_without_sizes_is_refused() {
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("none.lua");
        fs::write(&path, "-- args: 7 8\nreturn 1\n").expect("it is written");
        let error = program(folder.path(), &path).expect_err("it says two sizes");
        assert!(
            error.ends_with("none.lua: says no size: it needs a line `-- args:` with an integer"),
            "{error}"
        );
    }
}
