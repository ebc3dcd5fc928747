//! Running test targets. In: a plan. Out: which of its targets passed, and what they took.
//! Invariant: building is not counted, and what has failed does not keep the rest from being run.

use crate::plan::{Chosen, Plan};
use crate::say;
use crate::workspace::Suite;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// The result of a run.
#[derive(Default, Debug)]
pub struct Outcome {
    /// The targets that passed, with the seconds that they took if they were run one by one.
    pub passed: Vec<(String, Suite, Option<f64>)>,
    /// Packages whose tests failed, or were not built.
    pub failed: Vec<String>,
    /// Targets for which no time was left.
    pub late: Vec<Chosen>,
    /// The time of building.
    pub building: Duration,
    /// The time of the tests.
    pub testing: Duration,
}

/// Runs cargo on targets of one package, its output on ours. Answers whether it succeeded.
fn cargo(root: &Path, package: &str, suites: &[&Suite], no_run: bool) -> bool {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command
        .current_dir(root)
        .args(["test", "--package", package]);
    command.args(suites.iter().flat_map(|suite| suite.arguments()));
    match no_run {
        true => command.args(["--quiet", "--no-run"]),
        false => command.args(["--quiet", "--no-fail-fast"]),
    };
    command.status().is_ok_and(|status| status.success())
}

/// Runs a plan, package by package: builds, then tests. With `one_by_one` each target is run, and
/// timed, by itself. Otherwise what would begin when `budget` seconds of testing are over is left
/// out.
pub fn run(root: &Path, plan: &Plan, budget: f64, one_by_one: bool) -> Outcome {
    let mut outcome = Outcome::default();
    for (package, chosen) in plan.by_package() {
        let estimate: f64 = chosen.iter().map(|c| c.seconds).sum();
        let used = outcome.testing.as_secs_f64();
        if !one_by_one && used > 0.0 && used + estimate > budget.max(plan.seconds()) {
            outcome.late.extend(chosen.into_iter().cloned());
            continue;
        }
        let suites: Vec<&Suite> = chosen.iter().map(|c| &c.suite).collect();
        // Documentation is not built beforehand, and cargo does not take it together with other
        // targets.
        let built: Vec<&Suite> = suites
            .iter()
            .copied()
            .filter(|s| **s != Suite::Doc)
            .collect();
        let groups: Vec<Vec<&Suite>> = match one_by_one {
            true => suites.iter().map(|&suite| vec![suite]).collect(),
            false => {
                let doc: Vec<&Suite> = suites
                    .iter()
                    .copied()
                    .filter(|s| **s == Suite::Doc)
                    .collect();
                let groups = [built.clone(), doc].into_iter();
                groups.filter(|group| !group.is_empty()).collect()
            }
        };
        let start = Instant::now();
        let is_built = built.is_empty() || cargo(root, package, &built, true);
        outcome.building += start.elapsed();
        if !is_built {
            outcome.failed.push(package.to_string());
            continue;
        }
        for group in groups {
            let names: Vec<String> = group.iter().map(|suite| suite.to_string()).collect();
            say(&format!("quick: {package}: {}", names.join(", ")));
            let start = Instant::now();
            let passed = cargo(root, package, &group, false);
            let took = start.elapsed();
            outcome.testing += took;
            match passed {
                true => {
                    let seconds = one_by_one.then_some(took.as_secs_f64());
                    let each = |suite: &&Suite| (package.to_string(), (*suite).clone(), seconds);
                    outcome.passed.extend(group.iter().map(each));
                }
                false => outcome.failed.push(package.to_string()),
            }
        }
    }
    outcome.failed.dedup();
    outcome
}
