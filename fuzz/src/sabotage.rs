//! Whether fuzzing notices mistakes. In: the ways in which the optimiser and the backends can be
//! broken. Out: for each of them the campaign that noticed it, after how long, and the failure; and
//! the language whose programs notice it. Invariant: what is found is found by the campaigns as
//! they are, with nothing said about the way; and a campaign that finds something in an optimiser
//! that is not broken does not count.
//!
//! A fuzzer that finds nothing in broken code proves nothing by finding nothing.

use crate::campaign::{self, Bench, Campaign, Effort, Failure};
use crate::kept::Case;
use crate::language::on_stack;
use crate::registry;
use crate::shrink::Budget;
use crate::supervise::ended;
use crate::tally::Tally;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use verdigris_backend::sabotage::Sabotage as OfBackend;
use verdigris_opt::{BuilderSabotage as OfBuilder, Sabotage as OfOptimiser};
use verdigris_specialise::Sabotage as OfSpecialiser;

/// A way to break what makes code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Way {
    /// The optimiser.
    Optimiser(OfOptimiser),
    /// The backends.
    Backend(OfBackend),
    /// The specialiser.
    Specialiser(OfSpecialiser),
    /// The optimiser's work for the specialiser.
    Builder(OfBuilder),
}

/// Does the same with the way of whatever stage it is.
macro_rules! of_any_stage {
    ($way:expr, $known:ident => $result:expr) => {
        match $way {
            Way::Optimiser($known) => $result,
            Way::Backend($known) => $result,
            Way::Specialiser($known) => $result,
            Way::Builder($known) => $result,
        }
    };
}

impl Way {
    /// All ways.
    pub fn all() -> Vec<Way> {
        let optimiser = OfOptimiser::ALL.iter().copied().map(Way::Optimiser);
        let backend = OfBackend::ALL.iter().copied().map(Way::Backend);
        let specialiser = OfSpecialiser::ALL.iter().copied().map(Way::Specialiser);
        let builder = OfBuilder::ALL.iter().copied().map(Way::Builder);
        let ways = optimiser.chain(backend).chain(specialiser).chain(builder);
        ways.collect()
    }

    /// A name for tables.
    pub fn name(self) -> &'static str {
        of_any_stage!(self, way => way.name())
    }

    /// The mistake.
    pub fn description(self) -> &'static str {
        of_any_stage!(self, way => way.description())
    }

    /// The campaigns in the order in which they are given a try: traces are recorded, so what is
    /// wrong with code that is not is for programs to notice.
    pub fn campaigns(self) -> &'static [&'static str] {
        match self {
            Way::Optimiser(_) | Way::Backend(_) => &["traces"],
            Way::Specialiser(_) | Way::Builder(_) => &[],
        }
    }

    /// Parameters of the JIT without which what is broken is hardly used. Without the optimiser
    /// hardly anything is constant, and writing code takes longer than the programs may.
    fn parameters(self) -> &'static str {
        match self {
            Way::Optimiser(_) | Way::Backend(_) => "",
            Way::Specialiser(_) | Way::Builder(_) => "compiler=specialising,enable_opts=all",
        }
    }

    /// From now on this thread is broken in this way, or in none.
    fn choose(way: Option<Way>) {
        OfOptimiser::choose(None);
        OfBackend::choose(None);
        OfSpecialiser::choose(None);
        OfBuilder::choose(None);
        match way {
            Some(Way::Optimiser(way)) => OfOptimiser::choose(Some(way)),
            Some(Way::Backend(way)) => OfBackend::choose(Some(way)),
            Some(Way::Specialiser(way)) => OfSpecialiser::choose(Some(way)),
            Some(Way::Builder(way)) => OfBuilder::choose(Some(way)),
            None => {}
        }
    }
}

/// A campaign whose threads have a broken optimiser or backend.
struct Broken {
    campaign: Box<dyn Campaign>,
    way: Way,
}

impl Broken {
    fn with<R>(&self, f: impl FnOnce(&dyn Campaign) -> R) -> R {
        Way::choose(Some(self.way));
        let result = f(&*self.campaign);
        Way::choose(None);
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

    fn threads(&self, threads: usize) -> usize {
        self.campaign.threads(threads)
    }

    fn replay(&self, case: &Case) -> Result<Option<Failure>, String> {
        self.with(|campaign| campaign.replay(case))
    }

    fn shrink_from_outside(
        &self,
        case: &Case,
        budget: &mut Budget,
        fails: &mut dyn FnMut(&Case) -> bool,
    ) -> Case {
        self.campaign.shrink_from_outside(case, budget, fails)
    }

    fn enough(&self, _: &Tally) -> Result<(), String> {
        Ok(())
    }
}

/// The campaign with an optimiser that is broken in the way with this name.
///
/// # Errors
/// If there is no such way.
pub fn broken(campaign: Box<dyn Campaign>, way: &str) -> Result<Box<dyn Campaign>, String> {
    let way = ways(Some(way))?[0];
    Ok(Box::new(Broken { campaign, way }))
}

/// The ways that are meant: the one with this name, or all.
///
/// # Errors
/// If there is none with this name; the message names those that there are.
pub fn ways(name: Option<&str>) -> Result<Vec<Way>, String> {
    let all = Way::all();
    let Some(name) = name else {
        return Ok(all);
    };
    let known: Vec<&str> = all.iter().map(|way| way.name()).collect();
    let found = all.iter().find(|way| way.name() == name);
    let missing = || format!("there is no way `{name}`; there are: {}", known.join(", "));
    found.map(|&way| vec![way]).ok_or_else(missing)
}

/// How a mistake was noticed by a campaign of this process.
pub struct Noticed {
    /// The mistake.
    pub way: Way,
    /// The campaign that noticed it, the time that all campaigns up to it took, and what it found.
    pub by: Option<(String, Duration, Failure)>,
}

impl fmt::Display for Noticed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, what) = (self.way.name(), self.way.description());
        match &self.by {
            Some((campaign, time, failure)) => {
                let (seconds, size) = (time.as_secs_f64(), size(&failure.case));
                write!(f, "{name:14} {campaign:14} {seconds:6.2} s {size}  {what}")
            }
            None => write!(f, "{name:14} unnoticed: {what}"),
        }
    }
}

/// How large a case is: lines of text, or bytes of the tape of a case that has no text.
fn size(case: &Case) -> String {
    match (case.text.lines().count(), case.field("tape")) {
        (0, Some(tape)) => format!("{:3} bytes", tape.len() / 2),
        (lines, _) => format!("{lines:3} lines"),
    }
}

/// Breaks the optimiser in one way, and runs the campaigns of the way one after the other, each
/// with this effort at most, until one notices.
///
/// # Errors
/// If there is no campaign of a name.
pub fn notice(way: Way, effort: &Effort) -> Result<Noticed, String> {
    let start = Instant::now();
    for name in way.campaigns() {
        let broken = Broken {
            campaign: registry::named(name)?,
            way,
        };
        let mut effort = effort.clone();
        for last in [false, false, true] {
            // A broken loop may have no end; that is a way to notice it too, and the next campaign
            // has its turn.
            let report = campaign::run(&broken, &effort, |_| {});
            let Some(failure) = report.failure else {
                break;
            };
            // It has to be the sabotage that fails. What is made smaller while the optimiser is
            // broken can become something that always fails; what another seed finds seldom does.
            match on_stack(|| broken.campaign.replay(&failure.case))? {
                Some(other) if last => {
                    return Err(format!("this fails all the same:\n{}", other.story));
                }
                Some(_) => effort.seed += 1,
                None => {
                    let by = Some((name.to_string(), start.elapsed(), failure));
                    return Ok(Noticed { way, by });
                }
            }
        }
    }
    Ok(Noticed { way, by: None })
}

/// How long a program may take that a broken optimiser has compiled: loops may have lost their end,
/// which is to be noticed, too.
const ENDS: Duration = Duration::from_secs(10);

/// How long it may take when the optimiser is not broken, or it is just a slow one.
const QUICK: Duration = Duration::from_secs(4);

/// Which programs notice a mistake.
pub struct ByPrograms {
    /// The language that notices, and after how long.
    pub by: Option<(&'static str, Duration)>,
    /// The languages that were tried before it and did not, or only with a program that is slow all
    /// the same.
    pub not_by: Vec<&'static str>,
}

impl fmt::Display for ByPrograms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = self.not_by.join(", ");
        match self.by {
            Some((language, time)) => {
                let name = format!("lang {language}");
                write!(f, "{:14} {name:14} {:6.2} s", "", time.as_secs_f64())?;
                match self.not_by.is_empty() {
                    true => Ok(()),
                    false => write!(f, " (before, without noticing: {others})"),
                }
            }
            None => write!(f, "{:14} no program notices: {others}", ""),
        }
    }
}

/// Runs programs with an optimiser that is broken in one way, language by language, each with this
/// many cases and for this long at most, until one notices. `fuzz` is the program of this crate.
///
/// # Errors
/// If it cannot be started, or says that the command line is wrong.
pub fn notice_by_programs(
    fuzz: &Path,
    way: Way,
    seed: u64,
    cases: u64,
    time: Duration,
) -> Result<ByPrograms, String> {
    let cannot = |error: io::Error| format!("{}: {error}", fuzz.display());
    let mut not_by = Vec::new();
    for language in registry::LANGUAGES.iter().map(|language| language.name()) {
        // What fails with a broken optimiser is not worth keeping.
        let name = format!("verdigris-{}-{}", way.name(), std::process::id());
        let folder = std::env::temp_dir().join(name);
        let start = Instant::now();
        let amount = (seed, cases, time);
        let failed = fails(fuzz, &folder, way, language, amount).map_err(cannot)?;
        let took = start.elapsed();
        let noticed = failed && is_to_blame(fuzz, &folder, way).map_err(cannot)?;
        let _ = fs::remove_dir_all(folder);
        if noticed {
            let by = Some((language, took));
            return Ok(ByPrograms { by, not_by });
        }
        not_by.push(language);
    }
    Ok(ByPrograms { by: None, not_by })
}

/// Whether a program of a language fails with a broken optimiser, has no end, or ends its process,
/// which is one of its own. What it was is in the folder then.
fn fails(
    fuzz: &Path,
    folder: &Path,
    way: Way,
    language: &str,
    (seed, cases, time): (u64, u64, Duration),
) -> io::Result<bool> {
    let mut command = Command::new(fuzz);
    command
        .args(["--inside", "lang", language, "--broken", way.name()])
        .args(["--jit", way.parameters()])
        .arg("--failures")
        .arg(folder)
        .args(["--seconds", &time.as_secs().to_string()])
        .args(["--seed", &seed.to_string()])
        .args(["--programs", &cases.to_string()])
        .args(["--patience", &ENDS.as_secs().to_string()])
        .args(["--shrinking", "0"]);
    let status = ended(command, time.saturating_add(campaign::PATIENCE))?;
    match status.and_then(|status| status.code()) {
        Some(2) => Err(io::Error::other("it does not understand its command line")),
        code => Ok(code != Some(0)),
    }
}

/// Whether there are cases in a folder, and it is the way in which the optimiser is broken that
/// they fail for: they do what is right, soon, when it is not broken, and one of them fails again
/// when it is.
fn is_to_blame(fuzz: &Path, folder: &Path, way: Way) -> io::Result<bool> {
    let files: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let replay = |file: &Path, more: &[&str], patience| {
        let mut command = Command::new(fuzz);
        command.arg("replay").arg(file).args(more);
        let status = ended(command, patience)?;
        io::Result::Ok(status.and_then(|status| status.code()) == Some(0))
    };
    let mut fails = false;
    for file in files? {
        if !replay(&file.path(), &[], QUICK)? {
            return Ok(false);
        }
        fails = fails || !replay(&file.path(), &["--broken", way.name()], ENDS)?;
    }
    Ok(fails)
}
