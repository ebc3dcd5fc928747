//! The committed table, and plans for this workspace. In: `times.txt`, and what cargo says of the
//! workspace. Invariants under test: each line names a target that exists; a change
//! of a file is met by tests of its package and of the packages behind it; what is run fits into
//! two minutes.

use quick::plan::Limits;
use quick::{Change, Plan, Suite, Times, Workspace};
use std::path::{Path, PathBuf};
use std::process::Command;

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn workspace() -> Workspace {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .current_dir(here())
        .output()
        .expect("cargo can be started");
    let json = String::from_utf8(output.stdout).expect("it is UTF-8");
    Workspace::parse(&json).expect("it is metadata")
}

fn times() -> Times {
    let table = Path::new(&here()).join("times.txt");
    let text = std::fs::read_to_string(table).expect("the table is there");
    Times::parse(&text).expect("it is a table")
}

fn plan(file: &str) -> Plan {
    let workspace = workspace();
    let changes = Change::of(&workspace, &[file.to_string()]);
    Plan::new(&workspace, &changes, &times(), Limits::default())
}

fn runs(plan: &Plan, package: &str, suite: &str) -> bool {
    let is_it = |c: &quick::plan::Chosen| c.package == package && c.suite.to_string() == suite;
    plan.run.iter().any(is_it)
}

#[test]
fn the_table_names_targets_that_exist() {
    let workspace = workspace();
    for (package, suite) in times().keys() {
        let of = workspace.packages.get(package);
        let suites: Vec<String> = of
            .map_or(&[][..], |p| &p.suites)
            .iter()
            .map(Suite::to_string)
            .collect();
        assert!(
            suites.contains(&suite.to_string()),
            "{package} {suite} of times.txt is no test target"
        );
    }
}

#[test]
fn plans_fit_into_two_minutes() {
    for file in [
        "crates/ops/src/table.rs",
        "crates/front/src/types/traits.rs",
        "crates/opt/src/labels/peel.rs",
        "crates/heap/src/collector/mark.rs",
        "languages/lua/src/table.rs",
        "Cargo.lock",
    ] {
        let plan = plan(file);
        assert!(plan.seconds() <= 120.0, "{file}: {} s", plan.seconds());
        assert!(plan.run.len() > 3, "{file}: {:?}", plan.run);
        assert!(runs(&plan, "structure", "structure"), "{file}");
    }
}

#[test]
fn the_nearest_tests_are_met() {
    let front = plan("crates/front/src/types/traits.rs");
    assert!(runs(&front, "verdigris-front", "tests") && runs(&front, "verdigris-build", "tests"));
    let opt = plan("crates/opt/src/labels/peel.rs");
    assert!(runs(&opt, "verdigris-opt", "lib") && runs(&opt, "verdigris-opt", "optimiser"));
    let lua = plan("languages/lua/src/table.rs");
    assert!(runs(&lua, "verdigris-lua", "tests") && !runs(&lua, "verdigris-opt", "lib"));
    let page = plan("crates/front/errors/VD0001.md");
    assert!(runs(&page, "verdigris-build", "tests") && page.run.len() == 2);
}
