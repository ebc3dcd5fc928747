//! The command behind `.ci/quick`. In: a commit to compare with. Out: the nearest tests are run;
//! what is left out is said. Status 1 if a test has failed, 2 if the plan could not be made.

#![forbid(unsafe_code)]

use clap::Parser;
use quick::plan::{Chosen, Limits};
use quick::run::{Outcome, run};
use quick::{Change, Plan, Times, Workspace, changed_files, say};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Runs the tests that are nearest to what has changed.
#[derive(Parser)]
struct Args {
    /// The commit with which files are compared. HEAD: only what is not committed.
    #[arg(default_value = "origin/main")]
    base: String,
    /// Takes these files for changed, and asks git nothing.
    #[arg(long, num_args = 1..)]
    files: Vec<String>,
    /// Only says what would be run.
    #[arg(long)]
    plan: bool,
    /// Seconds of testing.
    #[arg(long, default_value_t = Limits::default().seconds)]
    seconds: f64,
    /// Packages whose tests are built.
    #[arg(long, default_value_t = Limits::default().packages)]
    packages: usize,
    /// Runs each target by itself, and writes down what it took.
    #[arg(long)]
    measure: bool,
}

fn main() -> ExitCode {
    match quick(&Args::parse()) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("quick: {message}");
            ExitCode::from(2)
        }
    }
}

fn quick(args: &Args) -> Result<ExitCode, String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.join("../..").canonicalize();
    let root = root.map_err(|error| format!("the workspace: {error}"))?;
    let table = here.join("times.txt");
    let text = std::fs::read_to_string(&table);
    let text = text.map_err(|error| format!("{}: {error}", table.display()))?;
    let mut times = Times::parse(&text)?;
    let workspace = Workspace::parse(&metadata(&root)?)?;
    let files = match args.files.is_empty() {
        true => changed_files(&root, &args.base)?,
        false => args.files.clone(),
    };
    if files.is_empty() {
        say(&format!("quick: nothing differs from {}", args.base));
        return Ok(ExitCode::SUCCESS);
    }
    let limits = Limits {
        seconds: args.seconds,
        packages: args.packages,
    };
    let changes = Change::of(&workspace, &files);
    let plan = match changes.is_empty() {
        // Documents, scripts: their test is the one of everything.
        true => Plan::overview(&workspace, &times),
        false => Plan::new(&workspace, &changes, &times, limits),
    };
    say(&format!(
        "quick: {} files changed, {} test targets, about {:.0} s of testing",
        files.len(),
        plan.run.len(),
        plan.seconds()
    ));
    if args.plan {
        show("runs", &plan.run);
        show("leaves out", &plan.left_out);
        return Ok(ExitCode::SUCCESS);
    }
    let outcome = run(&root, &plan, args.seconds, args.measure);
    if args.measure {
        for (package, suite, seconds) in &outcome.passed {
            times.set(package, suite, seconds.unwrap_or_default());
        }
        times.write(&table)?;
    }
    Ok(report(&plan, &outcome))
}

fn report(plan: &Plan, outcome: &Outcome) -> ExitCode {
    show("left out", &plan.left_out);
    show("left out, since the time was over", &outcome.late);
    let (building, testing) = (
        outcome.building.as_secs_f64(),
        outcome.testing.as_secs_f64(),
    );
    say(&format!(
        "quick: {} test targets passed; building took {building:.0} s, testing {testing:.0} s",
        outcome.passed.len()
    ));
    if outcome.failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    say(&format!("quick: failed: {}", outcome.failed.join(", ")));
    ExitCode::FAILURE
}

fn show(what: &str, list: &[Chosen]) {
    if list.is_empty() {
        return;
    }
    say(&format!("quick: {what}:"));
    for Chosen {
        package,
        suite,
        distance,
        seconds,
    } in list
    {
        say(&format!(
            "  {seconds:6.1} s  {package} {suite}, {distance} away"
        ));
    }
}

/// The workspace as cargo describes it.
fn metadata(root: &PathBuf) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let arguments = ["metadata", "--no-deps", "--format-version", "1"];
    let output = Command::new(cargo)
        .current_dir(root)
        .args(arguments)
        .output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
