//! The cases that failed once. In: `fuzz/cases`. Out: each of them does what is right, under the
//! configuration with which it failed and under an eighth of the settings of the tests; what failed
//! in a broken optimiser still fails there. Invariant: a failure that has been repaired stays here
//! as text.

use fuzz::configuration::Configuration;
use fuzz::kept::{self, Case};
use fuzz::language::on_stack;
use fuzz::registry;
use fuzz::{sabotage, supervise};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use verdigris_testing::{SETTINGS, for_each};

/// How long a program of a case may take, at most.
const PATIENCE: Duration = Duration::from_secs(20);

/// Each case has every eighth setting, and the next case the ones behind these.
const SHARE: usize = 8;

fn cases() -> Vec<(PathBuf, Case)> {
    let cases = kept::cases().expect("they can be read");
    assert!(!cases.is_empty(), "there are cases");
    cases
}

#[test]
fn what_failed_once_does_what_is_right() {
    let cases: Vec<_> = cases().into_iter().enumerate().collect();
    for_each(&cases, |(number, (file, case))| {
        let file = file.display();
        let campaign = registry::named(&case.campaign).expect("there is such a campaign");
        let check = |case: &Case| match on_stack(|| campaign.replay(case)) {
            Ok(None) => {}
            Ok(Some(failure)) => panic!("{file} fails again: {}", failure.story),
            Err(error) => panic!("{file}: {error}"),
        };
        check(case);
        let Some(variant) = case
            .field("jit")
            .map(|_| case.field("variant").unwrap_or(""))
        else {
            return;
        };
        for setting in SETTINGS.iter().skip(number % SHARE).step_by(SHARE) {
            let mut other = case.clone();
            // What code there may be is said for the parameters of the case alone.
            other.fields.retain(|(key, _)| key != "bounded");
            let jit = Configuration::parse(variant, setting.jit).jit();
            for (key, value) in &mut other.fields {
                if key == "jit" {
                    value.clone_from(&jit);
                }
            }
            check(&other);
        }
    });
}

/// Whether `fuzz replay` says that a case fails, or is killed, with an optimiser that is broken in
/// this way.
fn fails(file: &Path, way: &str) -> bool {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fuzz"));
    command.arg("replay").arg(file).args(["--broken", way]);
    let ended = supervise::ended(command, PATIENCE).expect("it can be run");
    let status = ended.unwrap_or_else(|| panic!("{} has no end", file.display()));
    // 2 is a command line that is not understood.
    !matches!(status.code(), Some(0 | 2))
}

/// For each way in which the optimiser can be broken there is a small case that notices: a program,
/// or a trace where no language compiles what is done wrongly.
#[test]
fn small_cases_notice_every_sabotage() {
    let mut unnoticed: Vec<&str> = (sabotage::ways(None).expect("all").iter())
        .map(|way| way.name())
        .collect();
    for (file, case) in cases() {
        let Some(way) = case.field("broken") else {
            continue;
        };
        assert!(fails(&file, way), "{} misses {way}", file.display());
        assert!(case.text.lines().count() < 60, "{}", file.display());
        unnoticed.retain(|other| *other != way);
    }
    assert!(unnoticed.is_empty(), "no case notices {unnoticed:?}");
}
