//! The folder of the modules of a CPython that is installed. In: what a command line says. Out: the
//! folder. Invariant: it is of version 3.11, whose language this is.

use std::path::Path;
use std::process::Command;

/// What stands for the folder of the `python3` that is installed.
pub const AUTO: &str = "auto";

/// The folder that is meant by its name, or by [`AUTO`].
///
/// # Errors
/// That there is none, or that it is of another version.
pub fn folder(wanted: &str) -> Result<String, String> {
    let folder = match wanted {
        AUTO => installed().ok_or("there is no python3 of version 3.11 to ask for its modules")?,
        _ => wanted.to_string(),
    };
    match Path::new(&folder).join("os.py").is_file() {
        true => Ok(folder),
        false => Err(format!("no modules of CPython are in {folder}")),
    }
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
