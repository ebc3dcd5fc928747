//! Commands of other packages. In: the name of a package whose command has the same name. Out:
//! where the command is, of the same build as this program or test. Invariant: what is given is
//! there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// When a command is built.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rebuild {
    /// If it is not there.
    IfMissing,
    /// If it is not there or older than its sources.
    IfStale,
}

/// The command of this package, next to this program.
///
/// # Errors
/// If it is not there and cannot be built.
pub fn command(package: &str, rebuild: Rebuild) -> Result<PathBuf, String> {
    let folder = folder()?;
    let path = in_folder(&folder, package);
    if rebuild == Rebuild::IfStale || !path.exists() {
        build(package, &folder, &[])?;
    }
    found(path)
}

/// Where commands of the same build are.
fn folder() -> Result<PathBuf, String> {
    let this = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    let folder = this.parent().unwrap_or(Path::new("."));
    // Programs of tests lie one folder below the commands.
    Ok(match folder.ends_with("deps") {
        true => folder.parent().unwrap_or(folder),
        false => folder,
    }
    .to_path_buf())
}

fn in_folder(folder: &Path, package: &str) -> PathBuf {
    folder.join(format!("{package}{}", std::env::consts::EXE_SUFFIX))
}

/// The command of this package with all backends, in a folder of its own: what users run has not
/// all of them. Built if it is stale.
///
/// # Errors
/// If it cannot be built.
pub fn command_with_all_backends(package: &str) -> Result<PathBuf, String> {
    let usual = folder()?;
    let profile = usual.file_name().unwrap_or_default();
    let target = usual.parent().unwrap_or(&usual).join("all-backends");
    let folder = target.join(profile);
    build(package, &folder, &["--features", "verdigris/cranelift"])?;
    found(in_folder(&folder, package))
}

fn found(path: PathBuf) -> Result<PathBuf, String> {
    match path.exists() {
        true => Ok(path),
        false => Err(format!(
            "{} is not there: build it, or name it with an option",
            path.display()
        )),
    }
}

fn build(package: &str, folder: &Path, features: &[&str]) -> Result<(), String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo
        .args(["build", "--quiet", "-p", package])
        .args(features)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    // The folder has the name of its profile, but for that of debug builds.
    if let Some(profile) = folder.file_name().filter(|profile| *profile != "debug") {
        cargo.arg("--profile").arg(profile);
    }
    if let Some(target) = folder.parent() {
        cargo.arg("--target-dir").arg(target);
    }
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo build -p {package}: {status}")),
        Err(error) => Err(format!("cargo: {error}")),
    }
}
