//! Finds the root file of a crate. In: a path that the user gave. Out: the file that the translator starts from. Invariant:
//! a file is taken as it is; in a directory it is `src/main.rs` or `src/lib.rs`: the one that the build script names, else the one
//! with `include_jit!`.

use std::path::{Path, PathBuf};

/// The root file for a path.
///
/// # Errors
/// With a message, if there is none.
pub fn find(path: &Path) -> Result<PathBuf, String> {
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
