//! The folder of the modules of a CPython that is installed. In: what a command line says, and what
//! the system has. Out: the folder. Invariants: it is of version 3.11, whose language this is; no
//! process is started as long as a look at the usual places is enough.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What stands for the folder of the `python3` that is installed.
pub const AUTO: &str = "auto";

/// What stands for no folder at all.
pub const OFF: &str = "off";

/// The last parts of such a folder, as CPython is installed.
const VERSIONED: &str = "lib/python3.11";

/// Where such folders lie if no `python3` of that version is found by its name.
const PREFIXES: [&str; 3] = ["/usr", "/usr/local", "/opt/homebrew"];

/// What a program makes of the modules of a CPython that is installed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum StdlibChoice {
    /// Nothing: what is not in the library or in the program's folders is not found.
    Off,
    /// They are looked for when an import would fail otherwise.
    #[default]
    Fallback,
    /// Those in this folder are preferred to those of the library.
    Preferred(String),
}

/// What is meant by the name of a folder, [`AUTO`], [`OFF`] or nothing.
///
/// # Errors
/// That there is no such folder, or that it is of another version.
pub fn chosen(wanted: Option<&str>) -> Result<StdlibChoice, String> {
    match wanted {
        None => Ok(StdlibChoice::Fallback),
        Some(OFF) => Ok(StdlibChoice::Off),
        Some(wanted) => folder(wanted).map(StdlibChoice::Preferred),
    }
}

/// The folder that is meant by its name, or by [`AUTO`].
///
/// # Errors
/// That there is none, or that it is of another version.
pub fn folder(wanted: &str) -> Result<String, String> {
    let folder = match wanted {
        AUTO => installed().ok_or("there is no python3 of version 3.11 to ask for its modules")?,
        _ => wanted.to_string(),
    };
    match is_there(Path::new(&folder)) {
        true => Ok(folder),
        false => Err(format!("no modules of CPython are in {folder}")),
    }
}

/// Whether modules of CPython are in a folder.
fn is_there(folder: &Path) -> bool {
    folder.join("os.py").is_file()
}

/// The folder of a CPython 3.11, if one is installed: beside a `python3` in the path, in the usual
/// places, or where `python3` says.
pub fn found() -> Option<String> {
    let beside = env::var_os("PATH").into_iter().flat_map(|path| {
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        folders.into_iter().filter_map(|folder| beside(&folder))
    });
    let usual = PREFIXES
        .iter()
        .map(|prefix| Path::new(prefix).join(VERSIONED));
    let mut known = beside.chain(usual);
    // A system may have a part of a CPython for its own use.
    let known = known.find(|folder| is_there(folder) && folder.join("unittest").is_dir());
    match known {
        Some(folder) => Some(folder.display().to_string()),
        None => installed(),
    }
}

/// Where the modules are of a CPython 3.11 whose program is in a folder.
fn beside(folder: &Path) -> Option<PathBuf> {
    let program = folder.join("python3.11").canonicalize().ok()?;
    Some(program.parent()?.parent()?.join(VERSIONED))
}

/// The folder of the `python3` that is installed, if that is 3.11.
pub fn installed() -> Option<String> {
    let text =
        "import sys, os; print(sys.version_info[:2] == (3, 11) and os.path.dirname(os.__file__))";
    let output = Command::new("python3")
        .args(["-I", "-c", text])
        .output()
        .ok()?;
    let said = String::from_utf8(output.stdout).ok()?;
    let folder = said.trim();
    (output.status.success() && folder != "False").then(|| folder.to_string())
}
