//! Why the guest program is interpreted: what was given up, code that rests, compiling that waits,
//! and places that are not hot yet.
//!
//! The interpreter's time, without that behind guards, is shared out over the places by their
//! passes.

use crate::advice::Topic;
use crate::model::{InterpretedPlace, Report};
use crate::rank::guards::{all_guards, left_most_by};
use crate::rank::{Finding, Items, place_key};
use verdigris_report::{Activity, ChangeKind, WhyInterpreted, units};

/// The places that are shown of those that were not hot, or waited.
const MOST_PLACES: usize = 3;

/// The interpreter's time for a pass of a place.
struct Share {
    /// Seconds that are shared out.
    pool: f64,
    each: f64,
}

impl Share {
    fn of(report: &Report) -> Share {
        let behind: f64 = all_guards(report).map(|(_, guard)| guard.interpreted).sum();
        let pool = (report.seconds(Activity::Interpreter) - behind).max(0.0);
        let passes: u64 = report.interpreted.iter().map(|place| place.passes).sum();
        let passes = passes + report.cold_passes;
        let each = pool / passes.max(1) as f64;
        Share { pool, each }
    }

    fn seconds(&self, passes: u64) -> f64 {
        self.each * passes as f64
    }
}

impl<'r> Items<'r> {
    pub(super) fn interpreted(&mut self) {
        let share = Share::of(self.report);
        self.given_up(&share);
        self.left_to_interpreter(&share);
        self.resting(&share);
        self.waiting();
        self.not_hot(&share);
    }

    fn places(&self, why: WhyInterpreted) -> impl Iterator<Item = &'r InterpretedPlace> + use<'r> {
        let places = self.report.interpreted.iter();
        places.filter(move |place| place.why == why)
    }

    /// Attempts that led to nothing, with the interpreter's time where they are not tried again.
    fn given_up(&mut self, share: &Share) {
        let report = self.report;
        for abort in &report.given_up {
            let mut what = format!("given up {}: {}", times(abort.times), abort.reason);
            let mut seconds = abort.seconds;
            if let (true, Some(name)) = (abort.blocked, &abort.guard) {
                let guard = all_guards(report).find(|(_, guard)| guard.guard == *name);
                let failures = guard.map_or(0, |(_, guard)| guard.failures);
                what += &format!(
                    "; not tried again, so {name} leads to the interpreter ({failures} times so far)"
                );
                seconds += guard.map_or(0.0, |(_, guard)| guard.interpreted);
            } else if abort.blocked {
                let key = place_key(&abort.place);
                let same = |place: &str| place == key;
                let passes = self.places(WhyInterpreted::GivenUp);
                let passes = passes.filter(|place| same(&place_key(&place.place)));
                let passes: u64 = passes.map(|place| place.passes).sum();
                let aborts = report.given_up.iter().filter(|a| a.blocked);
                let aborts = aborts.filter(|a| same(&place_key(&a.place))).count();
                seconds += share.seconds(passes) / aborts.max(1) as f64;
                what += "; not tried again, so this is interpreted";
                if passes > 0 {
                    what += &format!(" ({})", units::count(passes, "pass"));
                }
            }
            let mut why = vec![abort.detail.clone()];
            if let Some(ended) = &abort.ended {
                let mut at = format!("ended at {ended}");
                if let Some(source) = abort.source.first() {
                    at += &format!(", the interpreter at {source}");
                }
                why.push(at);
            }
            if !abort.from.is_empty() {
                let from = abort.from.iter().map(|(place, n)| format!("{place} ({n})"));
                let from: Vec<String> = from.take(3).collect();
                why.push(format!("operations from {}", from.join(", ")));
            }
            self.add(Topic::Abort, seconds, Some(&abort.place), what, why);
        }
    }

    /// Places where nothing is compiled since the author says so.
    fn left_to_interpreter(&mut self, share: &Share) {
        let blocked = self.report.given_up.iter().filter(|abort| abort.blocked);
        let known: Vec<String> = blocked.map(|abort| place_key(&abort.place)).collect();
        for place in self.places(WhyInterpreted::GivenUp) {
            if known.contains(&place_key(&place.place)) {
                continue;
            }
            let passes = units::count(place.passes, "pass");
            let what = format!("nothing is compiled here, so {passes} were interpreted");
            let why = vec!["so say the portal's `tier` function, or the parameters".to_owned()];
            let seconds = share.seconds(place.passes);
            let found = Finding::new(Topic::Tier, seconds, Some(&place.place), what, why);
            let remedy = "nothing, if it is not hot; else let `tier` answer `Tier::Any` there";
            self.items.push(found.with_remedy(remedy));
        }
    }

    /// Code that is not entered since that did not pay, and other changes of tier.
    fn resting(&mut self, share: &Share) {
        let report = self.report;
        let changes = report.changes.iter();
        let mut changes: Vec<_> = changes.filter(|c| c.kind == ChangeKind::Tier).collect();
        for place in self.places(WhyInterpreted::Resting) {
            let key = place_key(&place.place);
            let (here, elsewhere) = changes
                .into_iter()
                .partition(|c| place_key(&c.place) == key);
            changes = elsewhere;
            let passes = units::count(place.passes, "pass");
            let what = format!("its code rests, so {passes} were interpreted");
            let here: Vec<_> = here;
            let mut why: Vec<String> = here.iter().map(|change| change.in_words()).collect();
            let roots = report
                .code
                .iter()
                .filter(|code| place_key(&code.place) == key);
            let roots: Vec<u32> = roots.map(|code| code.root).collect();
            let left = left_most_by(report, |code| roots.contains(&code.root));
            let (by, advice) = left.map_or((None, None), |(by, advice)| (Some(by), advice));
            why.extend(by);
            let seconds = share.seconds(place.passes);
            let found = Finding::new(Topic::Tier, seconds, Some(&place.place), what, why);
            self.items.push(found.with_advice(advice));
        }
        let making: f64 = report.code.iter().map(|code| code.made_in).sum();
        let each = making / report.code.len().max(1) as f64;
        for change in changes {
            let (what, place) = (change.in_words(), Some(&change.place));
            self.add(Topic::Tier, each, place, what, Vec::new());
        }
    }

    /// Compiling that had to wait.
    fn waiting(&mut self) {
        let report = self.report;
        if report.waits == 0 {
            return;
        }
        let what = format!(
            "compiling had to wait ({}, {})",
            times(report.waits),
            units::time(report.waited)
        );
        let mut why = Vec::new();
        let places = passed(self.places(WhyInterpreted::Waiting));
        if !places.is_empty() {
            why.push(format!("hot meanwhile: {places}"));
        }
        self.add(Topic::Waiting, report.waited, None, what, why);
    }

    /// The interpreter's time that has no other reason.
    fn not_hot(&mut self, share: &Share) {
        let report = self.report;
        let known: u64 = report.interpreted.iter().map(|place| place.passes).sum();
        let cold: u64 = self.places(WhyInterpreted::Cold).map(|p| p.passes).sum();
        let seconds = match known + report.cold_passes {
            // Nothing was passed: it is what is not in a loop.
            0 => share.pool,
            _ => share.seconds(cold + report.cold_passes),
        };
        if seconds <= 0.2 * report.all_seconds() {
            return;
        }
        let mut why = Vec::new();
        let what = match (report.is_on, report.code.is_empty()) {
            (false, _) => "the JIT is off",
            (true, true) => {
                why.push(
                    "a loop is never hot if a green of `merge_point!` has another value in each turn".to_owned(),
                );
                "no place was hot enough to be compiled"
            }
            (true, false) => "interpreting what was not hot yet, or is in no loop",
        };
        let places = passed(self.places(WhyInterpreted::Cold));
        if !places.is_empty() {
            why.push(format!("hot in the end: {places}"));
        }
        if report.cold_passes > 0 {
            let passes = units::count(report.cold_passes, "pass");
            why.push(format!("never hot: places with {passes} in all"));
        }
        let found = Finding::new(Topic::Interpreter, seconds, None, what.to_owned(), why);
        self.items.push(match report.is_on {
            true => found,
            false => found
                .with_remedy("let it be on: no `--jit off`, and a processor that the JIT knows"),
        });
    }
}

/// The places that were passed most, with their passes.
fn passed<'r>(places: impl Iterator<Item = &'r InterpretedPlace>) -> String {
    let places: Vec<_> = places.collect();
    let shown = places.iter().take(MOST_PLACES);
    let shown = shown.map(|p| format!("{} ({})", p.place, units::count(p.passes, "pass")));
    let mut text = shown.collect::<Vec<String>>().join(", ");
    if places.len() > MOST_PLACES {
        text += &format!(", and {} more", places.len() - MOST_PLACES);
    }
    text
}

fn times(n: u64) -> String {
    match n {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    }
}
