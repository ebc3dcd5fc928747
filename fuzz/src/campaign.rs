//! Campaigns: what all kinds of fuzzing have in common. In: a campaign, a seed, an amount. Out: a
//! tally, and the first failure. Invariant: which cases run depends on the seed and their number
//! alone; with an amount of cases the same ones run each time.

use crate::journal::{Journal, Page};
use crate::kept::Case;
use crate::language::STACK;
use crate::shrink::{Budget, Shrinking};
use crate::tally::Tally;
use fuzz_tape as tape;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// A case that does not do what is right.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The case, as small as it could be made.
    pub case: Case,
    /// The actual and the expected outcome.
    pub story: String,
}

/// The tools of a case.
pub struct Bench<'a> {
    /// Counts of what has been executed.
    pub tally: Tally,
    /// The page of the journal for the running case.
    pub page: Page<'a>,
    /// The limit for making a failure smaller.
    pub shrinking: Shrinking,
    /// Parameters of the JIT that every configuration has.
    pub always: &'a [(String, String)],
}

/// A kind of fuzzing. Implement this, and name it in the
/// [registry](crate::registry).
pub trait Campaign: Sync {
    /// Its name, as on the command line.
    fn name(&self) -> String;

    /// The case of a tape, as a person reads it.
    fn show(&self, tape: &[u8]) -> String;

    /// Makes a case of a tape and tries it; if it fails, shrinks it.
    fn check(&self, tape: &[u8], bench: &mut Bench<'_>) -> Option<Failure>;

    /// On how many threads its cases can be tried, at most `threads`.
    fn threads(&self, threads: usize) -> usize {
        threads
    }

    /// Tries a case that was kept. The caller's machine stack has [`STACK`] bytes.
    ///
    /// # Errors
    /// If the case cannot be tried, because it is not one of this campaign.
    fn replay(&self, case: &Case) -> Result<Option<Failure>, String>;

    /// A smaller case that fails as this one does, whose failure ends the process and is seen from
    /// outside. `fails` says whether another one does.
    fn shrink_from_outside(
        &self,
        case: &Case,
        _budget: &mut Budget,
        _fails: &mut dyn FnMut(&Case) -> bool,
    ) -> Case {
        case.clone()
    }

    /// Whether enough was executed for the tally to mean something.
    ///
    /// # Errors
    /// The reason why the tally means nothing.
    fn enough(&self, tally: &Tally) -> Result<(), String>;
}

/// How much, with what.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Which tapes.
    pub seed: u64,
    /// The time after which no further case begins.
    pub time: Duration,
    /// How many cases at most.
    pub cases: u64,
    /// On how many threads.
    pub threads: usize,
    /// How long a case may run.
    pub patience: Duration,
    /// The limit for making a failure smaller; the smallest one until then is kept.
    pub shrinking: Shrinking,
    /// Parameters of the JIT that every configuration has, with their values.
    pub always: Vec<(String, String)>,
    /// Where the journal is.
    pub folder: PathBuf,
}

/// How long a case may run by default.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// How long a failure is made smaller by default.
pub const SHRINKING: Duration = Duration::from_secs(90);

impl Effort {
    /// This many cases, however long they take: what tests do.
    pub fn of_cases(seed: u64, cases: u64, folder: PathBuf) -> Effort {
        Effort {
            cases,
            patience: Duration::MAX,
            ..Effort::new(seed, Duration::MAX, folder)
        }
    }

    /// All processors for this time.
    pub fn new(seed: u64, time: Duration, folder: PathBuf) -> Effort {
        Effort {
            seed,
            time,
            cases: u64::MAX,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            patience: PATIENCE,
            shrinking: SHRINKING.into(),
            always: Vec::new(),
            folder,
        }
    }
}

/// The result of a campaign.
#[derive(Clone, Debug)]
pub struct Report {
    /// The campaign.
    pub name: String,
    /// Counts of what was executed.
    pub tally: Tally,
    /// For how long.
    pub time: Duration,
    /// The first failure.
    pub failure: Option<Failure>,
    /// The reason why the tally means nothing, if there is one.
    pub lack: Option<String>,
}

impl Report {
    /// Whether nothing failed, and enough was tried.
    pub fn is_clean(&self) -> bool {
        self.failure.is_none() && self.lack.is_none()
    }
}

/// Runs a campaign. `hangs` is called with a case that runs too long; it has to end the process,
/// for nothing else ends the case.
pub fn run(campaign: &dyn Campaign, effort: &Effort, hangs: impl Fn(Case) + Sync) -> Report {
    let threads = campaign.threads(effort.threads);
    let journal = Journal::new(&effort.folder, threads, effort.patience);
    let start = Instant::now();
    let (next, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let found = Mutex::new((Tally::default(), None));
    let name = campaign.name();
    let work = |thread: usize| {
        let mut bench = Bench {
            tally: Tally::default(),
            page: journal.page(thread),
            shrinking: effort.shrinking,
            always: &effort.always,
        };
        while !over.load(Relaxed) && start.elapsed() < effort.time {
            let number = next.fetch_add(1, Relaxed);
            if number >= effort.cases {
                break;
            }
            let failure = campaign.check(&tape::bytes(&name, effort.seed, number), &mut bench);
            bench.page.ends();
            if failure.is_some() {
                over.store(true, Relaxed);
                found.lock().unwrap_or_else(|e| e.into_inner()).1 = failure;
            }
        }
        let mut found = found.lock().unwrap_or_else(|e| e.into_inner());
        found.0.absorb(bench.tally);
    };
    let working = AtomicU64::new(threads as u64);
    thread::scope(|scope| {
        for thread in 0..threads {
            let (work, working) = (&work, &working);
            let builder = thread::Builder::new().stack_size(STACK);
            let run = move || {
                let _last = Leaves(working);
                work(thread);
            };
            builder.spawn_scoped(scope, run).expect("a thread");
        }
        while working.load(Relaxed) > 0 {
            thread::sleep(Duration::from_millis(20));
            if let Some(case) = journal.hanging() {
                hangs(case);
            }
        }
    });
    journal.close();
    let (tally, failure) = found.into_inner().unwrap_or_else(|e| e.into_inner());
    Report {
        name,
        lack: campaign.enough(&tally).err(),
        tally,
        time: start.elapsed(),
        failure,
    }
}

/// Counts one thread less when it is dropped, also by a panic.
struct Leaves<'a>(&'a AtomicU64);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}
