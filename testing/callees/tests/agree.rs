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

/// A package, its folder, and how many functions and callees are compared at least.
struct Package {
    name: &'static str,
    folder: &'static str,
    functions: usize,
    callees: usize,
}

const PACKAGES: &[Package] = &[
    package("conformance", "conformance", 1700, 8600),
    package("tlc", "languages/tlc", 32, 230),
    package("tla", "languages/tla", 13, 76),
    package("boxes", "languages/boxes", 15, 31),
    package("objmodel", "languages/objmodel", 37, 175),
    package("verdigris-lua", "languages/lua", 165, 1500),
    package("calculator", "examples/calculator", 7, 35),
    package("calls", "examples/calls", 1, 7),
    package("collections", "examples/collections", 10, 90),
    package("counter", "examples/counter", 1, 1),
    package("frames", "examples/frames", 4, 49),
    package("globals", "examples/globals", 1, 40),
    package("lending", "examples/lending", 3, 14),
    package("links", "examples/links", 4, 15),
    package("nodes", "examples/nodes", 1, 12),
    package("stackvm", "examples/stackvm", 15, 100),
    package("values", "examples/values", 12, 63),
    package("activations-heap", "examples/activations/heap", 11, 50),
    package(
        "activations-recursive",
        "examples/activations/recursive",
        11,
        50,
    ),
    package(
        "activations-reusing",
        "examples/activations/reusing",
        11,
        50,
    ),
    package("activations-shared", "examples/activations/shared", 11, 50),
    package(
        "activations-virtualizable",
        "examples/activations/virtualizable",
        11,
        50,
    ),
];

/// What is not compared, by reason, and how often that may be at most: what is new among it has to
/// be looked at.
const MOST: &[(&str, usize)] = &[
    ("`?`", 600),
    ("`Cell::new`, which is the value", 100),
    ("`clone` of a scalar, which is a copy", 2),
    ("`for` loop", 180),
    ("call of a closure or of a parameter", 170),
    ("formatting", 150),
    ("function that the translator has for one of std", 1450),
    ("implicit dereference", 1600),
    ("length of an array, which rustc knows", 15),
    ("operator on a reference to a scalar", 20),
    ("panic", 140),
    ("pointer to a function, which has no name", 60),
    ("what a macro of Verdigris stands for", 350),
    (rules::ACCESSOR, 10),
    (rules::ASKED, 24),
    (rules::LIBRARY, 620),
    (rules::PROMOTING, 6),
    (rules::REPEATED, 2),
    (rules::SKIPPED, 6),
    (rules::UNREACHABLE, 20),
    (rules::VALUE, 6),
];

const fn package(
    name: &'static str,
    folder: &'static str,
    functions: usize,
    callees: usize,
) -> Package {
    Package {
        name,
        folder,
        functions,
        callees,
    }
}

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
    for package in PACKAGES.iter().filter(|p| p.name.contains(only)) {
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
                if functions < package.functions || callees < package.callees {
                    println!(
                        "{:>14}  there should be {} functions and {} callees",
                        "", package.functions, package.callees
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

fn report(package: &Package, built: &Built) -> Result<Report, String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.mir", package.name));
    let root = workspace.join(package.folder).join("src/lib.rs");
    let conditions = rustc::conditions()?;
    let conditions: Vec<(&str, Cfg)> = conditions
        .iter()
        .map(|(name, cfg)| (name.as_str(), cfg.clone()))
        .collect();
    std::thread::scope(|scope| {
        let ours = scope.spawn(|| verdigris_front::callees(&root, &conditions));
        let theirs = built.mir(package.name, &text)?;
        let ours = ours.join().map_err(|_| "the front end fails")?;
        let ours = ours.map_err(|diagnostics| diagnostics.to_string())?;
        compare_with_text(&ours, &theirs)
    })
}
