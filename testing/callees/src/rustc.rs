//! rustc's side: the text of `--emit=mir` of a package, and the conditions that it is compiled
//! with.
//!
//! In: a package of the workspace, or a file. Out: text. Invariants: dependencies are built once,
//! with the profile that tests have, and found again next time; the crate itself is compiled
//! without optimisation, so that each call that the source has is there, and without the checks
//! that a release build lacks, for traced code means what that one means.

use std::path::Path;
use std::process::Command;
use verdigris_front::Cfg;

/// What a crate is compiled with.
pub(crate) const ARGUMENTS: &[&str] = &[
    "-Copt-level=0",
    "-Cdebug-assertions=off",
    "-Coverflow-checks=off",
    "-Cdebuginfo=0",
];

/// A package of the workspace, and how cargo builds it.
pub struct Package<'p> {
    /// The root of the workspace.
    pub workspace: &'p Path,
    /// Its name.
    pub name: &'p str,
    /// The profile of its dependencies.
    pub profile: &'p str,
    /// What its build script finds in the environment.
    pub environment: &'p [(&'p str, &'p Path)],
}

/// The text of the library of a package; `text` is where rustc writes it.
///
/// # Errors
/// If it cannot be built: what cargo says.
pub fn mir_of_package(package: &Package<'_>, text: &Path) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .current_dir(package.workspace)
        .args(["rustc", "--quiet", "--lib", "--profile", package.profile])
        .args(["--package", package.name])
        .envs(package.environment.iter().copied());
    command
        .arg("--")
        .arg(format!("--emit=mir={}", text.display()))
        .args(ARGUMENTS);
    run(&mut command)?;
    std::fs::read_to_string(text).map_err(|error| format!("{}: {error}", text.display()))
}

/// The text of a library that is this one file.
///
/// # Errors
/// If rustc refuses it: what it says.
pub fn mir_of_file(file: &Path, text: &Path) -> Result<String, String> {
    let mut command = rustc();
    command
        .args(["--edition=2024", "--crate-type=lib", "--cap-lints=allow"])
        .arg(format!("--emit=mir={}", text.display()))
        .args(ARGUMENTS)
        .arg(file);
    run(&mut command)?;
    std::fs::read_to_string(text).map_err(|error| format!("{}: {error}", text.display()))
}

pub(crate) fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

pub(crate) fn run(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.output();
    let output = output.map_err(|error| format!("{command:?} cannot be started: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!(
            "{command:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        )),
    }
}

/// The conditions that hold when rustc compiles something for this machine.
///
/// # Errors
/// If rustc cannot be asked.
pub fn conditions() -> Result<Vec<(String, Cfg)>, String> {
    let said = run(rustc().args(["--print", "cfg"]))?;
    let mut conditions: Vec<(String, Cfg)> = Vec::new();
    for line in String::from_utf8_lossy(&said).lines() {
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => (name, Some(value.trim_matches('"').to_owned())),
            None => (line, None),
        };
        if name == "debug_assertions" {
            continue;
        }
        match (value, conditions.iter_mut().find(|c| c.0 == name)) {
            (Some(value), Some((_, Cfg::Values(values)))) => values.push(value),
            (Some(value), _) => conditions.push((name.to_owned(), Cfg::Values(vec![value]))),
            (None, _) => conditions.push((name.to_owned(), Cfg::Set)),
        }
    }
    Ok(conditions)
}
