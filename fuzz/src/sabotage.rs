//! Whether fuzzing notices mistakes. In: the ways in which the optimiser can be broken. Out: for each of them the campaign that
//! noticed it, after how long, and the failure. Invariant: what is found is found by the campaigns as they are, with nothing said about the way;
//! and a campaign that finds something in an optimiser that is not broken does not count.
//!
//! A fuzzer that finds nothing in broken code proves nothing by finding nothing.

use crate::campaign::{self, Bench, Campaign, Effort, Failure};
use crate::kept::Case;
use crate::tally::Tally;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use verdigris_opt::Sabotage;

/// A campaign whose threads have a broken optimiser.
struct Broken {
    campaign: Box<dyn Campaign>,
    way: Sabotage,
}

impl Broken {
    fn with<R>(&self, f: impl FnOnce(&dyn Campaign) -> R) -> R {
        Sabotage::choose(Some(self.way));
        let result = f(&*self.campaign);
        Sabotage::choose(None);
        result
    }
}

impl Campaign for Broken {
    fn name(&self) -> String {
        self.campaign.name()
    }

    fn show(&self, tape: &[u8]) -> String {
        self.campaign.show(tape)
    }

    fn check(&self, tape: &[u8], bench: &mut Bench<'_>) -> Option<Failure> {
        self.with(|campaign| campaign.check(tape, bench))
    }

    fn replay(&self, case: &Case) -> Result<Option<Failure>, String> {
        self.with(|campaign| campaign.replay(case))
    }

    fn enough(&self, _: &Tally) -> Result<(), String> {
        Ok(())
    }
}

/// The campaigns in the order in which they are given a try.
pub const CAMPAIGNS: &[&str] = &["traces"];

/// The ways that are meant: the one with this name, or all.
///
/// # Errors
/// If there is none with this name; the message names those that there are.
pub fn ways(name: Option<&str>) -> Result<Vec<Sabotage>, String> {
    let Some(name) = name else {
        return Ok(Sabotage::ALL.to_vec());
    };
    let known: Vec<&str> = Sabotage::ALL.iter().map(|way| way.name()).collect();
    let found = Sabotage::ALL.iter().find(|way| way.name() == name);
    let missing = || format!("there is no way `{name}`; there are: {}", known.join(", "));
    found.map(|&way| vec![way]).ok_or_else(missing)
}

/// How a mistake was noticed.
pub struct Noticed {
    /// The mistake.
    pub way: Sabotage,
    /// The campaign that noticed it, the time that all campaigns up to it took, and what it found.
    pub by: Option<(String, Duration, Failure)>,
}

impl fmt::Display for Noticed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, what) = (self.way.name(), self.way.description());
        match &self.by {
            Some((campaign, time, failure)) => {
                let (seconds, lines) = (time.as_secs_f64(), failure.case.text.lines().count());
                write!(
                    f,
                    "{name:14} {campaign:14} {seconds:6.2} s {lines:3} lines  {what}"
                )
            }
            None => write!(f, "{name:14} nobody notices: {what}"),
        }
    }
}

/// Breaks the optimiser in one way, and runs these campaigns one after the other, each for this long at most, until one
/// notices.
///
/// # Errors
/// If there is no campaign of a name.
pub fn notice(
    way: Sabotage,
    campaigns: &[&str],
    seed: u64,
    patience: Duration,
    folder: PathBuf,
) -> Result<Noticed, String> {
    let start = Instant::now();
    for name in campaigns {
        let broken = Broken {
            campaign: campaign::named(name)?,
            way,
        };
        let effort = Effort::new(seed, patience, folder.clone());
        // A broken loop may have no end; that is a way to notice it too, and the next campaign has its turn.
        let report = campaign::run(&broken, &effort, |_| {});
        if let Some(failure) = report.failure {
            // It has to be the sabotage that fails.
            if let Some(other) = broken.campaign.replay(&failure.case)? {
                return Err(format!("this fails all the same:\n{}", other.story));
            }
            let by = Some((name.to_string(), start.elapsed(), failure));
            return Ok(Noticed { way, by });
        }
    }
    Ok(Noticed { way, by: None })
}
