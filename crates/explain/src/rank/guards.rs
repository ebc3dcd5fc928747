//! Guards that fail, and promotions of many values. A failure costs what leaving code was measured
//! to cost, and the interpreter's time until compiled code is entered again.

use crate::advice::Topic;
use crate::model::{CodeReport, GuardReport, LeadsTo, PromotionReport, Report};
use crate::rank::{Finding, Items, place_key};
use std::collections::BTreeMap;
use verdigris_report::{Activity, SourcePos, units};

/// Seconds for a failing guard, where leaving was not measured.
const FAILURE: f64 = 1e-6;

/// Guards with fewer failures are not reported.
const FEW_FAILURES: u64 = 50;

/// A guard that has failed as often and has no bridge has none because compiling waits, if it does.
const LONG_WITHOUT: u64 = 500;

/// Promotions of fewer values are not reported.
const FEW_VALUES: u64 = 3;

/// A promotion that has seen more values is megamorphic. (`polymorphic_limit` is as much, if it is
/// not changed.)
const POLYMORPHIC: u64 = 8;

/// Guards of one place that lead to the interpreter.
#[derive(Default)]
struct Failing<'r> {
    place: Option<&'r SourcePos>,
    failures: u64,
    seconds: f64,
    blocked: u64,
    waiting: u64,
    guards: Vec<(u64, String)>,
    advice: Option<&'r str>,
}

impl<'r> Items<'r> {
    pub(super) fn guards(&mut self) {
        let report = self.report;
        let each = each_failure(report);
        let mut failing: BTreeMap<String, Failing<'r>> = BTreeMap::new();
        let mut bridged: BTreeMap<String, (&SourcePos, u64, u64)> = BTreeMap::new();
        let by_trace = report.by_trace();
        for (code, guard) in all_guards(report) {
            if let LeadsTo::Bridge(_) = guard.leads_to {
                let root = by_trace.get(&code.root).unwrap_or(&code);
                let sum = bridged.entry(place_key(&root.place));
                let sum = sum.or_insert((&root.place, 0, 0));
                *sum = (sum.0, sum.1 + 1, sum.2 + guard.failures);
                continue;
            }
            // Taken frames, promotions of many values, and what was given up are findings of their
            // own.
            let is_told = guard.operation == "guard_not_forced"
                || promotion_of(report, guard).is_some_and(is_reported)
                || given_up_at(report, guard);
            if guard.failures < FEW_FAILURES || is_told {
                continue;
            }
            let place = guard.place.as_ref().unwrap_or(&code.place);
            let sum = failing.entry(place_key(place)).or_default();
            sum.place = Some(place);
            sum.advice = sum.advice.or(guard.advice.as_deref());
            sum.failures += guard.failures;
            sum.seconds += guard.failures as f64 * each + guard.interpreted;
            sum.blocked += u64::from(guard.leads_to == LeadsTo::Blocked);
            let waits = report.waits > 0 && guard.promoted.is_none();
            sum.waiting += u64::from(waits && guard.failures >= LONG_WITHOUT);
            let mut why = format!(
                "{} {} of trace {}",
                guard.operation, guard.guard, code.trace
            );
            if let Some(source) = &guard.source {
                why += &format!(", at {source} of the interpreter");
            }
            sum.guards.push((guard.failures, why));
        }
        for sum in failing.into_values() {
            self.items.push(sum.finding());
        }
        for (place, guards, failures) in bridged.into_values() {
            if failures < FEW_FAILURES {
                continue;
            }
            let guards = units::count(guards, "guard");
            let what =
                format!("{guards} failed {failures} times before there was a bridge for each");
            let seconds = failures as f64 * each;
            self.add(Topic::Bridges, seconds, Some(place), what, Vec::new());
        }
        for promotion in report.promotions.iter().filter(|p| is_reported(p)) {
            let seconds = promotion.failures as f64 * each + promotion.interpreted;
            let what = format!(
                "a promotion has seen {}, and its guards have failed {} times",
                values(promotion),
                promotion.failures
            );
            let mut why = Vec::new();
            if let Some(source) = &promotion.source {
                why.push(format!("at {source} of the interpreter"));
            }
            if !promotion.shown.is_empty() {
                let more = match promotion.values > promotion.shown.len() as u64 {
                    true => " and more",
                    false => "",
                };
                why.push(format!("values: {}{more}", promotion.shown.join(", ")));
            }
            let place = promotion.place.as_ref();
            let found = Finding::new(Topic::Promotion, seconds, place, what, why);
            self.items
                .push(found.with_advice(promotion.advice.as_deref()));
        }
    }
}

impl Failing<'_> {
    fn finding(mut self) -> Finding {
        let many = self.guards.len() as u64;
        let times = match many {
            1 => format!("a guard has failed {} times", self.failures),
            n => format!("{n} guards have failed {} times", self.failures),
        };
        let then = match (self.blocked, self.waiting, many) {
            (b, _, 1) if b > 0 => {
                "and leads to the interpreter for good: bridges were given up".to_owned()
            }
            (_, w, 1) if w > 0 => {
                "and leads to the interpreter, for its bridge has to wait".to_owned()
            }
            (_, _, 1) => "and leads to the interpreter".to_owned(),
            (0, 0, _) => "and lead to the interpreter".to_owned(),
            (0, w, _) => format!("and lead to the interpreter, for bridges have to wait at {w}"),
            (b, _, _) => format!("and lead to the interpreter: bridges were given up at {b}"),
        };
        let what = format!("{times}, {then}");
        self.guards
            .sort_by_key(|(failures, _)| std::cmp::Reverse(*failures));
        let whys = self.guards.into_iter().map(|(failures, why)| match many {
            1 => why,
            _ => format!("{why}: {failures} times"),
        });
        let found = Finding::new(Topic::Guard, self.seconds, self.place, what, whys.collect());
        let found = found.with_advice(self.advice);
        match (self.blocked, self.waiting) {
            (0, w) if w > 0 => found.with_remedy(
                "let it run longer; else raise `compile_allowance`, or make less code: see what takes most of compiling",
            ),
            _ => found,
        }
    }
}

/// Seconds that a failing guard costs by itself.
pub(super) fn each_failure(report: &Report) -> f64 {
    let failures: u64 = all_guards(report).map(|(_, guard)| guard.failures).sum();
    let leaving = report.seconds(Activity::Leaving);
    match leaving > 0.0 && failures > 0 {
        true => leaving / failures as f64,
        false => FAILURE,
    }
}

/// The guards of all pieces.
pub(super) fn all_guards(report: &Report) -> impl Iterator<Item = (&CodeReport, &GuardReport)> {
    let code = report.code.iter();
    code.flat_map(|code| code.findings.guards.iter().map(move |guard| (code, guard)))
}

/// The promotion that a guard belongs to.
fn promotion_of<'r>(report: &'r Report, guard: &GuardReport) -> Option<&'r PromotionReport> {
    guard.promoted.as_ref()?;
    let promotions = report.promotions.iter();
    promotions
        .filter(|p| p.values > 1)
        .find(|p| p.place == guard.place && p.source == guard.source)
}

fn is_reported(promotion: &PromotionReport) -> bool {
    promotion.values >= FEW_VALUES
}

/// Whether bridges of a guard were given up for a reason that is known.
fn given_up_at(report: &Report, guard: &GuardReport) -> bool {
    let is_it = |name: &String| *name == guard.guard;
    let mut blocked = report.given_up.iter().filter(|abort| abort.blocked);
    blocked.any(|abort| abort.guard.as_ref().is_some_and(is_it))
}

/// How many values a promotion has seen, with the word for it.
fn values(promotion: &PromotionReport) -> String {
    match promotion.values {
        n if n > POLYMORPHIC => format!("{n} values (megamorphic)"),
        n => format!("{n} values (polymorphic)"),
    }
}

/// The guard by which the code of these pieces is left most, in words, and its advice.
pub(super) fn left_most_by(
    report: &Report,
    is_meant: impl Fn(&CodeReport) -> bool,
) -> Option<(String, Option<&str>)> {
    let guards = all_guards(report).filter(|(code, guard)| guard.failures > 0 && is_meant(code));
    let (_, guard) = guards.max_by_key(|(_, guard)| guard.failures)?;
    let mut text = format!("left most by {} {}", guard.operation, guard.guard);
    if let Some(source) = &guard.source {
        text += &format!(", at {source} of the interpreter");
    }
    text += &format!(", which has failed {} times", guard.failures);
    if let Some(promotion) = promotion_of(report, guard).filter(|p| is_reported(p)) {
        text += &format!("; it promotes, and has seen {}", values(promotion));
    }
    Some((text, guard.advice.as_deref()))
}
