//! The files of the repository. Paths are relative to its root, with `/` on every system.

use std::path::{Path, PathBuf};

/// The root of the workspace.
///
/// # Panics
/// If the package has been moved away from it.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace")
}

/// The text of a file.
///
/// # Panics
/// If it cannot be read.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// All files of the repository, sorted. Build results and git's own files are left out.
///
/// # Panics
/// If a folder cannot be read.
pub fn files() -> Vec<String> {
    fn walk(dir: &Path, root: &Path, files: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).expect("a folder") {
            let entry = entry.expect("an entry");
            let kind = entry.file_type().expect("a kind");
            let path = entry.path();
            let name = path.file_name().expect("a name").to_string_lossy();
            if kind.is_dir() && name != "target" && name != ".git" {
                walk(&path, root, files);
            } else if kind.is_file() {
                let path = path.strip_prefix(root).expect("below the root");
                files.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    let mut files = Vec::new();
    walk(&root(), &root(), &mut files);
    files.sort();
    assert!(files.len() > 50, "the repository has files");
    files
}

/// The folders of all packages, with a slash at the end. Folders of tests and templates, which only
/// look like packages, have no `src` and are left out.
pub fn packages() -> Vec<String> {
    let files = files();
    let manifests = files.iter().filter_map(|f| f.strip_suffix("Cargo.toml"));
    let packages = manifests.filter(|folder| {
        let roots = ["src/lib.rs", "src/main.rs"];
        roots
            .iter()
            .any(|r| files.binary_search(&format!("{folder}{r}")).is_ok())
    });
    packages.map(str::to_string).collect()
}
