//! `verdigris new`: writes a cargo workspace for a new language with a JIT, which builds and passes
//! its tests. No existing file is changed.

mod name;
mod templates;

use crate::out::write;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use templates::Template;

/// The arguments.
#[derive(clap::Args)]
pub struct NewArgs {
    /// The name of the language: of its package, its command, and its folder, which is made in this
    /// one.
    name: String,
    /// What to start from.
    #[arg(long, value_enum, default_value = "minimal", value_name = "TEMPLATE")]
    template: Template,
    /// A checkout of Verdigris that the language is to depend on. If it is left out: the one that
    /// this tool was installed from, and if that is no longer there, the packages on crates.io.
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,
}

/// Where the packages of Verdigris are.
enum Packages {
    /// In a checkout.
    Checkout(PathBuf),
    /// On crates.io, in this version.
    Published(&'static str),
}

/// Writes the workspace.
///
/// # Errors
/// With a message, if the name is none, there is something of that name, or the workspace cannot be
/// written.
pub fn run(args: &NewArgs) -> Result<ExitCode, String> {
    let name = &args.name;
    name::check(name)?;
    let packages = Packages::find(args.path.as_deref())?;
    let folder = Path::new(name);
    if folder.symlink_metadata().is_ok() {
        return Err(format!(
            "error: there is a `{name}` in this folder already; take another name, or go to another folder"
        ));
    }
    for (path, text) in files(name, args.template, &packages)? {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text));
        written.map_err(|error| format!("error: cannot write {}: {error}", path.display()))?;
    }
    write(&report(name, args.template, &packages))?;
    Ok(ExitCode::SUCCESS)
}

impl Packages {
    fn find(given: Option<&Path>) -> Result<Packages, String> {
        if let Some(given) = given {
            return checkout(given).map(Packages::Checkout).ok_or_else(|| {
                format!(
                    "error: {} is no checkout of Verdigris: there are no crates/verdigris and crates/build in it",
                    given.display()
                )
            });
        }
        // Where this tool was built: a checkout if it was installed by `cargo install --path`.
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Ok(match checkout(&built_in) {
            Some(checkout) => Packages::Checkout(checkout),
            None => Packages::Published(env!("CARGO_PKG_VERSION")),
        })
    }

    /// The manifest's requirement for the package with this folder in a checkout.
    fn dependency(&self, folder: &str) -> Result<String, String> {
        match self {
            Packages::Published(version) => Ok(format!("\"{version}\"")),
            Packages::Checkout(checkout) => {
                let path = checkout.join("crates").join(folder);
                let text = path.to_str().ok_or_else(|| {
                    let path = path.display();
                    format!("error: a manifest cannot name {path}, which is not UTF-8")
                })?;
                // A string of JSON is one of TOML.
                let text = serde_json::to_string(text).expect("a text");
                Ok(format!("{{ path = {text} }}"))
            }
        }
    }
}

/// The full path of a folder, if it is a checkout of Verdigris.
fn checkout(folder: &Path) -> Option<PathBuf> {
    let has = |name: &str| {
        folder
            .join("crates")
            .join(name)
            .join("Cargo.toml")
            .is_file()
    };
    match has("verdigris") && has("build") {
        true => folder.canonicalize().ok(),
        false => None,
    }
}

/// The files of a language, by their paths in its folder.
fn files(
    name: &str,
    template: Template,
    packages: &Packages,
) -> Result<BTreeMap<String, String>, String> {
    let jit = packages.dependency("verdigris")?;
    let build = packages.dependency("build")?;
    let files = template.files().into_iter().map(|(path, text)| {
        let path = match path {
            "Cargo.toml.in" => "Cargo.toml",
            "gitignore" => ".gitignore",
            path => path,
        };
        let mut text = name::put_into(&text, name);
        if path == "Cargo.toml" {
            text = text.replace("VERDIGRIS_JIT", &jit);
            text = text.replace("VERDIGRIS_BUILD", &build);
        }
        (name::put_into(path, name), text)
    });
    Ok(files.collect())
}

/// The message at the end.
fn report(name: &str, template: Template, packages: &Packages) -> String {
    let depends = match packages {
        Packages::Checkout(path) => format!(
            "It depends on the checkout of Verdigris in {}; its Cargo.toml says so.",
            path.display()
        ),
        Packages::Published(version) => format!(
            "It depends on verdigris-jit and verdigris-build {version} of crates.io. If cargo does not find them there, they are not \
             published yet: remove the folder, and say where a checkout of Verdigris is, by `--path`."
        ),
    };
    let program = template.program();
    format!(
        "`{name}` is a language with a JIT now, in the folder of that name. {depends}\n\n    \
         cd {name}\n    \
         cargo test\n    \
         cargo run --release -- programs/{program}.{name}\n    \
         cargo bench\n\n\
         Its README.md says what is where, and what to change first.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_packages_are_named_by_version() {
        let packages = Packages::Published("1.2.3");
        for template in [Template::Minimal, Template::Dynamic, Template::Objects] {
            let files = files("my-lang", template, &packages).expect("texts");
            let manifest = &files["Cargo.toml"];
            assert!(manifest.contains("verdigris-jit = \"1.2.3\""), "{manifest}");
            assert!(
                manifest.contains("verdigris-build = \"1.2.3\""),
                "{manifest}"
            );
            let program = format!("programs/{}.my-lang", template.program());
            assert!(files.contains_key(&program), "{program}");
            let left = files.values().find(|text| text.contains("mylang"));
            assert_eq!(left, None);
        }
        let said = report("my-lang", Template::Minimal, &packages);
        assert!(
            said.contains("verdigris-build 1.2.3 of crates.io"),
            "{said}"
        );
    }
}
