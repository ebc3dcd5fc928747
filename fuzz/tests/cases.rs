//! The cases that failed once. In: `fuzz/cases`. Out: each of them does what is right, under the configuration with which it failed
//! and under all settings that tests use; what failed in a broken optimiser still fails there. Invariant: a failure that has been
//! repaired stays here as text.

use fuzz::campaign;
use fuzz::configuration::Configuration;
use fuzz::kept::{self, Case};
use fuzz::language::on_stack;
use fuzz::{sabotage, supervise};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use verdigris_testing::SETTINGS;

/// How long a program of a case may take, at most.
const PATIENCE: Duration = Duration::from_secs(20);

fn cases() -> Vec<(PathBuf, Case)> {
    let cases = kept::cases().expect("they can be read");
    assert!(!cases.is_empty(), "there are cases");
    cases
}

#[test]
fn what_failed_once_does_what_is_right() {
    for (file, case) in cases() {
        let file = file.display();
        let campaign = campaign::named(&case.campaign).expect("there is such a campaign");
        let check = |case: &Case| match on_stack(|| campaign.replay(case)) {
            Ok(None) => {}
            Ok(Some(failure)) => panic!("{file} fails again: {}", failure.story),
            Err(error) => panic!("{file}: {error}"),
        };
        check(&case);
        let Some(variant) = case
            .field("jit")
            .map(|_| case.field("variant").unwrap_or(""))
        else {
            continue;
        };
        for setting in SETTINGS {
            let mut other = case.clone();
            let jit = Configuration::parse(variant, setting.jit).jit();
            for (key, value) in &mut other.fields {
                if key == "jit" {
                    value.clone_from(&jit);
                }
            }
            check(&other);
        }
    }
}

/// How `fuzz replay` ends with an optimiser that is broken in this way; nothing if it does not.
fn replayed(file: &Path, way: &str) -> Option<ExitStatus> {
    let child = Command::new(env!("CARGO_BIN_EXE_fuzz"))
        .args(["--broken", way, "replay"])
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    supervise::ended(child.expect("it can be run"), PATIENCE)
}

/// Not only traces notice what the optimiser does wrongly: for each way there is a small program that does.
#[test]
fn programs_notice_every_sabotage() {
    let cases = cases();
    for way in sabotage::ways(None).expect("all") {
        let way = way.name();
        let with = |case: &Case| case.field("broken") == Some(way);
        let (file, case) = (cases.iter().find(|(_, case)| with(case)))
            .unwrap_or_else(|| panic!("no program notices {way}"));
        let ended = replayed(file, way).map(|status| status.code());
        // It says so, is killed, or has no end.
        let noticed = !matches!(ended, Some(Some(0 | 2)));
        assert!(noticed, "{} does not notice {way}", file.display());
        assert!(case.text.lines().count() < 60, "{}", file.display());
    }
}
