//! rustc's side for packages that the tests of the workspace have built: nothing that they depend
//! on is built again.
//!
//! In: names of packages. Out: the text of `--emit=mir` of the library of each, and where its build
//! script has written. Invariant: rustc gets what cargo gives it, but for what decides about
//! optimisation and checks; dependencies have the features that tests of the whole workspace ask
//! for. (`cargo rustc`, which takes one package, would build these without them, the translator
//! included.)

use crate::rustc;
use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What cargo has built.
pub struct Built {
    workspace: PathBuf,
    target: PathBuf,
    /// By the numbers of packages.
    packages: HashMap<String, Package>,
    /// The numbers of the packages of the workspace, by name.
    names: HashMap<String, String>,
}

/// A package.
#[derive(Default)]
struct Package {
    /// The library: its name, file and edition.
    library: Option<(String, String, String)>,
    /// The compiled library, or procedural macro.
    compiled: Option<PathBuf>,
    folder: PathBuf,
    features: Vec<String>,
    /// What it depends on, by the name that it has there.
    depends: Vec<(String, String)>,
    /// What the build script says.
    conditions: Vec<String>,
    environment: Vec<(String, String)>,
    out: Option<PathBuf>,
}

impl Built {
    /// Asks cargo, which builds what is missing.
    ///
    /// # Errors
    /// What cargo says, if it fails.
    pub fn tests(workspace: &Path, target: &Path) -> Result<Built, String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let run = |args: &[&str]| {
            let mut command = Command::new(&cargo);
            command.current_dir(workspace).args(args);
            rustc::run(command.env("CARGO_TARGET_DIR", target))
        };
        let workspace = workspace.canonicalize();
        let mut built = Built {
            workspace: workspace.map_err(|error| error.to_string())?,
            target: target.to_owned(),
            packages: HashMap::new(),
            names: HashMap::new(),
        };
        built.read_metadata(&run(&["metadata", "--format-version=1"])?)?;
        let args = [
            "test",
            "--workspace",
            "--no-run",
            "--quiet",
            "--message-format=json",
        ];
        for line in String::from_utf8_lossy(&run(&args)?).lines() {
            // Build scripts and rustc may say something else.
            if let Ok(message) = serde_json::from_str(line) {
                built.read_message(&message);
            }
        }
        Ok(built)
    }

    fn read_metadata(&mut self, text: &[u8]) -> Result<(), String> {
        let all: Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        for package in list(&all["packages"]) {
            let (id, name) = (word(&package["id"]), word(&package["name"]));
            let manifest = PathBuf::from(word(&package["manifest_path"]));
            let entry = self.packages.entry(id.clone()).or_default();
            entry.folder = manifest.parent().unwrap_or(Path::new("")).to_owned();
            if list(&all["workspace_members"]).any(|member| word(member) == id) {
                self.names.insert(name, id);
            }
        }
        for node in list(&all["resolve"]["nodes"]) {
            let normal = |dep: &&Value| list(&dep["dep_kinds"]).any(|kind| kind["kind"].is_null());
            let depends = list(&node["deps"]).filter(normal);
            let depends = depends.map(|dep| (word(&dep["name"]), word(&dep["pkg"])));
            let entry = self.packages.entry(word(&node["id"])).or_default();
            entry.depends = depends.collect();
        }
        Ok(())
    }

    fn read_message(&mut self, message: &Value) {
        let package = self
            .packages
            .entry(word(&message["package_id"]))
            .or_default();
        let target = &message["target"];
        match word(&message["reason"]).as_str() {
            "build-script-executed" => {
                package.conditions = list(&message["cfgs"]).map(word).collect();
                let pairs = list(&message["env"]);
                package.environment = pairs.map(|p| (word(&p[0]), word(&p[1]))).collect();
                package.out = Some(PathBuf::from(word(&message["out_dir"])));
            }
            "compiler-artifact"
                if message["profile"]["test"] == false
                    && list(&target["kind"]).any(|kind| kind == "lib" || kind == "proc-macro") =>
            {
                let [name, file, edition] = ["name", "src_path", "edition"];
                let part = |key: &str| word(&target[key]);
                package.library = Some((part(name), part(file), part(edition)));
                package.features = list(&message["features"]).map(word).collect();
                let mut files = list(&message["filenames"]).map(word);
                let compiled = files.find(|file| !file.ends_with(".rmeta"));
                package.compiled = compiled.map(PathBuf::from);
            }
            _ => {}
        }
    }

    /// The text of the library of a package, which is written to `text` on the way.
    ///
    /// # Errors
    /// If there is no such package, or what rustc says.
    pub fn mir(&self, name: &str, text: &Path) -> Result<String, String> {
        let package = self.package(name)?;
        let (library, file, edition) = (package.library.as_ref())
            .ok_or_else(|| format!("the tests have not built a library of `{name}`"))?;
        let file = Path::new(file);
        let mut command = rustc::rustc();
        command
            .current_dir(&self.workspace)
            .args([
                "--crate-name",
                &library.replace('-', "_"),
                "--edition",
                edition,
            ])
            .args(["--crate-type=lib", "--cap-lints=allow"])
            .arg(file.strip_prefix(&self.workspace).unwrap_or(file))
            .arg(format!("--emit=mir={}", text.display()))
            .args(rustc::ARGUMENTS)
            .arg("-L")
            .arg(format!(
                "dependency={}",
                self.target.join("debug/deps").display()
            ))
            .env("CARGO_MANIFEST_DIR", &package.folder)
            .env("CARGO_PKG_NAME", name)
            .env("CARGO_CRATE_NAME", library.replace('-', "_"))
            .envs(package.environment.iter().cloned())
            .envs(package.out.iter().map(|out| ("OUT_DIR", out)));
        for condition in &package.conditions {
            command.args(["--cfg", condition]);
        }
        for feature in &package.features {
            command.args(["--cfg", &format!("feature=\"{feature}\"")]);
        }
        for (name, id) in &package.depends {
            let compiled = self.packages.get(id).and_then(|p| p.compiled.as_ref());
            // Others are for other systems.
            if let Some(compiled) = compiled {
                command.args(["--extern", &format!("{name}={}", compiled.display())]);
            }
        }
        rustc::run(&mut command)?;
        std::fs::read_to_string(text).map_err(|error| format!("{}: {error}", text.display()))
    }

    /// Where the build script of a package has written.
    ///
    /// # Errors
    /// If there is no such package, or if it has no build script.
    pub fn out(&self, name: &str) -> Result<&Path, String> {
        let out = self.package(name)?.out.as_deref();
        out.ok_or_else(|| format!("`{name}` has no build script"))
    }

    fn package(&self, name: &str) -> Result<&Package, String> {
        let id = self.names.get(name);
        let package = id.and_then(|id| self.packages.get(id));
        package.ok_or_else(|| format!("the workspace has no package `{name}`"))
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
