//! Every call in the sources that we have means to the translator what it means to rustc. In: the
//! packages. Out: for each, how many functions and callees were compared, and what was not, by
//! reason. Invariant: no difference, and nothing like an empty comparison.
//!
//! `cargo test -p verdigris-callees --test agree -- TEXT` compares the packages whose name contains
//! the text. It asks for what the tests of the whole workspace have built, so it takes seconds
//! behind `cargo test --workspace` and builds that much first where nothing is.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;
use verdigris_callees::built::Built;
use verdigris_callees::{Report, compare_with_text, rules, rustc};
use verdigris_front::Cfg;

/// The folders of packages that are translated: those with a build script.
const FOLDERS: [&str; 4] = ["", "languages", "examples", "examples/activations"];

/// How many functions and callees are compared at least, by folder; 1 of each in other packages.
const LEAST: &[(&str, usize, usize)] = &[
    ("conformance", 1700, 8600),
    ("languages/tlc", 32, 230),
    ("languages/tla", 13, 76),
    ("languages/boxes", 15, 31),
    ("languages/objmodel", 37, 175),
    ("languages/lua", 165, 1500),
    ("languages/python", 160, 1600),
    ("examples/calculator", 7, 35),
    ("examples/calls", 1, 7),
    ("examples/collections", 10, 90),
    ("examples/counter", 1, 1),
    ("examples/frames", 4, 49),
    ("examples/globals", 1, 40),
    ("examples/lending", 3, 14),
    ("examples/links", 4, 15),
    ("examples/nodes", 1, 12),
    ("examples/stackvm", 15, 100),
    ("examples/values", 12, 63),
    ("examples/activations/heap", 11, 50),
    ("examples/activations/recursive", 11, 50),
    ("examples/activations/reusing", 11, 50),
    ("examples/activations/shared", 11, 50),
    ("examples/activations/virtualizable", 11, 50),
];

/// A package that is translated.
struct Package {
    name: String,
    folder: PathBuf,
    least: (usize, usize),
}

/// All packages that are translated.
fn packages(workspace: &Path) -> Vec<Package> {
    let mut found = Vec::new();
    for parent in FOLDERS {
        let entries = std::fs::read_dir(workspace.join(parent)).expect("the folder is there");
        for folder in entries.map(|entry| entry.expect("it can be read").path()) {
            let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else {
                continue;
            };
            if !folder.join("build.rs").exists() || !manifest.contains("verdigris-build") {
                continue;
            }
            let name = manifest.split('"').nth(1).expect("a package has a name");
            let known = LEAST.iter().find(|(known, ..)| folder.ends_with(known));
            found.push(Package {
                name: name.to_string(),
                folder: folder.clone(),
                least: known.map_or((1, 1), |&(_, functions, callees)| (functions, callees)),
            });
        }
    }
    found.sort_by(|a, b| a.folder.cmp(&b.folder));
    found
}

/// What is not compared, by reason, and how often that may be at most: what is new among it has to
/// be looked at.
const MOST: &[(&str, usize)] = &[
    ("`?`", 1_000),
    ("`Cell::new`, which is the value", 120),
    ("`clone` of a scalar, which is a copy", 2),
    ("`for` loop", 210),
    ("call of a closure or of a parameter", 170),
    ("formatting", 150),
    ("function that the translator has for one of std", 1450),
    ("implicit dereference", 2200),
    ("length of an array, which rustc knows", 15),
    ("operator on a reference to a scalar", 20),
    ("panic", 140),
    ("pointer to a function, which has no name", 60),
    ("what a macro of Verdigris stands for", 450),
    (rules::ACCESSOR, 10),
    (rules::ASKED, 24),
    (rules::LIBRARY, 620),
    (rules::PROMOTING, 6),
    (rules::REPEATED, 4),
    (rules::SKIPPED, 20),
    (rules::UNREACHABLE, 20),
    (rules::VALUE, 6),
];

/// Differences that are shown.
const SHOWN: usize = 40;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let only = args.iter().find(|a| !a.starts_with('-')).map_or("", |a| a);
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let temporary = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let built = Built::tests(&workspace, temporary.parent().unwrap_or(&temporary));
    let built = match built {
        Ok(built) => built,
        Err(error) => {
            println!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut all = Report::default();
    let mut wrong = 0;
    for package in packages(&workspace)
        .iter()
        .filter(|p| p.name.contains(only))
    {
        let least = package.least;
        let start = Instant::now();
        match report(package, &built) {
            Ok(report) => {
                let (functions, callees) = (report.functions, report.callees);
                println!(
                    "{:>14}: {functions:5} functions, {callees:6} callees, {} differences, {:.1} s",
                    package.name,
                    report.differences.len(),
                    start.elapsed().as_secs_f64()
                );
                if functions < least.0 || callees < least.1 {
                    println!(
                        "{:>14}  there should be {} functions and {} callees",
                        "", least.0, least.1
                    );
                    wrong += 1;
                }
                all.add(report);
            }
            Err(error) => {
                println!("{:>14}: {error}", package.name);
                wrong += 1;
            }
        }
    }
    println!("{all}");
    for (reason, count) in &all.others {
        let most = MOST.iter().find(|most| most.0 == *reason);
        let most = most.map_or(0, |most| most.1);
        if *count > most {
            let examples = all.examples[reason].join(", ");
            println!("not compared more often than {most} times: {reason}: {examples}");
            wrong += 1;
        }
    }
    for difference in all.differences.iter().take(SHOWN) {
        println!("{difference}");
    }
    match wrong + all.differences.len() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Compares one package. What is behind `embedding` is none of the interpreter: Lua's build script
/// says so to the translator as well.
fn report(package: &Package, built: &Built) -> Result<Report, String> {
    let text = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.mir", package.name));
    let root = package.folder.join("src/lib.rs");
    let conditions = rustc::conditions()?;
    let machine = conditions.iter();
    let machine = machine.map(|(name, cfg)| (name.as_str(), cfg.clone()));
    let conditions: Vec<(&str, Cfg)> = machine.chain([("embedding", Cfg::Unset)]).collect();
    std::thread::scope(|scope| {
        let ours = scope.spawn(|| verdigris_front::callees(&root, &conditions));
        let theirs = built.mir(&package.name, &text)?;
        let ours = ours.join().map_err(|_| "the front end fails")?;
        let ours = ours.map_err(|diagnostics| diagnostics.to_string())?;
        compare_with_text(&ours, &theirs)
    })
}
