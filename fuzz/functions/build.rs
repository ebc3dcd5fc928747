//! Makes up functions, and translates the interpreter that calls them. In: the environment:
//! `VERDIGRIS_FUNCTIONS_SEED`, a number, or `VERDIGRIS_FUNCTIONS_FILE`, a file with functions; if
//! neither is there, the folder `cases`, with functions that failed once, and a seed. Out:
//! `functions.rs` in `OUT_DIR`, and what the translator writes. Invariant: the functions depend on
//! these alone.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The seed of the batch that the tests run, and how many functions a seed gives.
const SEED: u64 = 1;
const COUNT: u64 = 60;

fn main() {
    if let Err(message) = write() {
        eprintln!("error: {message}");
        std::process::exit(1);
    }
}

fn write() -> Result<(), String> {
    println!("cargo::rerun-if-changed=build.rs");
    let text = generate_functions::interpreter(&functions()?)?;
    let out = env::var("OUT_DIR").map_err(|_| "OUT_DIR is not set")?;
    let file = Path::new(&out).join("functions.rs");
    fs::write(&file, &text).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}", generate_functions::directives());
    let conditions = generate_functions::conditions();
    verdigris_build::translate_sources_configured(&[("functions.rs", &text)], &conditions);
    Ok(())
}

fn functions() -> Result<Vec<String>, String> {
    let variable = |name: &str| {
        println!("cargo::rerun-if-env-changed={name}");
        env::var(name).ok()
    };
    let (seed, file) = (
        variable("VERDIGRIS_FUNCTIONS_SEED"),
        variable("VERDIGRIS_FUNCTIONS_FILE"),
    );
    if let Some(file) = file {
        println!("cargo::rerun-if-changed={file}");
        let text = read(Path::new(&file))?;
        let functions = text.split(generate_functions::BETWEEN);
        return Ok(functions.map(str::to_string).collect());
    }
    if let Some(seed) = seed {
        let seed = seed
            .parse()
            .map_err(|error| format!("VERDIGRIS_FUNCTIONS_SEED: {error}"))?;
        return Ok(generate_functions::texts(seed, COUNT));
    }
    println!("cargo::rerun-if-changed=cases");
    let folder = fs::read_dir("cases").map_err(|error| format!("cases: {error}"))?;
    let mut files: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    let mut all: Vec<String> = files
        .iter()
        .map(|file| read(file))
        .collect::<Result<_, _>>()?;
    all.extend(generate_functions::texts(SEED, COUNT));
    Ok(all)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}
