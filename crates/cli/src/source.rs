//! The interpreter's source, as the user names it. A file is taken as it is; in a directory it is
//! `src/main.rs` or `src/lib.rs`: the one that the build script names, else the one with
//! `include_jit!`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use verdigris_build::Cfg;

/// The interpreter's crate.
#[derive(clap::Args)]
pub struct InterpreterSource {
    /// A directory with a package, or the root file of a crate.
    path: PathBuf,
    #[command(flatten)]
    conditions: Conditions,
}

/// The interpreter's crate, if one is given.
#[derive(clap::Args)]
pub struct OptionalSource {
    /// A directory with a package, or the root file of a crate: the interpreter.
    path: Option<PathBuf>,
    #[command(flatten)]
    conditions: Conditions,
}

impl OptionalSource {
    /// The crate, if there is one.
    pub fn given(&self) -> Option<InterpreterSource> {
        let conditions = self.conditions.clone();
        let path = self.path.clone()?;
        Some(InterpreterSource { path, conditions })
    }
}

/// The conditions of `cfg`.
#[derive(Clone, clap::Args)]
struct Conditions {
    /// A condition that holds, as for rustc: `name`, or `name="value"`. If there is one, the source
    /// may ask for no others but those of rustc and cargo; `name=` says that it does not hold.
    #[arg(long = "cfg", value_name = "CONDITION", value_parser = condition)]
    cfgs: Vec<(String, Cfg)>,
}

impl InterpreterSource {
    /// The root file.
    ///
    /// # Errors
    /// With a message, if there is none.
    pub fn root(&self) -> Result<PathBuf, String> {
        find(&self.path)
    }

    /// The conditions. A name with several values has all of them.
    pub fn cfgs(&self) -> Vec<(&str, Cfg)> {
        let mut cfgs: BTreeMap<&str, Cfg> = BTreeMap::new();
        for (name, cfg) in &self.conditions.cfgs {
            match (cfgs.get_mut(name.as_str()), cfg) {
                (Some(Cfg::Values(values)), Cfg::Values(more)) => values.extend_from_slice(more),
                _ => {
                    cfgs.insert(name, cfg.clone());
                }
            }
        }
        cfgs.into_iter().collect()
    }
}

/// Reads a condition.
fn condition(text: &str) -> Result<(String, Cfg), String> {
    let (name, cfg) = match text.split_once('=') {
        None => (text, Cfg::Set),
        Some((name, "")) => (name, Cfg::Unset),
        Some((name, value)) => {
            let value = value.trim().trim_matches('"');
            (name, Cfg::Values(vec![value.to_owned()]))
        }
    };
    let name = name.trim();
    let is_name = !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match is_name {
        true => Ok((name.to_owned(), cfg)),
        false => Err(format!(
            "`{name}` is no name; write `name` or `name=\"value\"`"
        )),
    }
}

/// The root file for a path.
///
/// # Errors
/// With a message, if there is none.
fn find(path: &Path) -> Result<PathBuf, String> {
    if path.is_file() {
        return Ok(path.to_owned());
    }
    if !path.is_dir() {
        return Err(format!("error: there is no {}", path.display()));
    }
    let names = ["src/main.rs", "src/lib.rs"];
    let roots: Vec<&str> = names
        .into_iter()
        .filter(|name| path.join(name).is_file())
        .collect();
    let script = std::fs::read_to_string(path.join("build.rs")).unwrap_or_default();
    let named = roots
        .iter()
        .find(|name| script.contains(&format!("\"{name}\"")));
    let with_jit = || {
        let text = |name: &str| std::fs::read_to_string(path.join(name)).unwrap_or_default();
        roots
            .iter()
            .find(|name| text(name).contains("include_jit!"))
    };
    match named.or_else(with_jit).or(roots.first()) {
        Some(name) => Ok(path.join(name)),
        None => Err(format!(
            "error: {} is no package: it has neither src/main.rs nor src/lib.rs",
            path.display()
        )),
    }
}

/// The folder of the package with this root file.
pub fn package_folder(root: &Path) -> &Path {
    let mut folders = root.ancestors().skip(1);
    let package = folders.find(|folder| folder.join("Cargo.toml").is_file());
    package.or(root.parent()).unwrap_or(Path::new(""))
}
