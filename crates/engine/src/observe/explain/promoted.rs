//! How many values each promotion has seen: those that code was made for, and those with which its
//! guards have failed.
//!
//! Invariant: a promotion takes bounded memory.

use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use verdigris_explain::PromotionReport;
use verdigris_report::SourcePos;
use verdigris_trace::{Arg, Const, GuardId};

/// The most values of a promotion that are told apart.
const MOST_VALUES: usize = 4096;

/// The most values that are shown.
const MOST_SHOWN: usize = 8;

/// The promotions so far.
#[derive(Default)]
pub(crate) struct Promoted {
    all: RefCell<Vec<Promotion>>,
    by_guard: RefCell<FxHashMap<GuardId, usize>>,
}

/// A promotion: a line of the interpreter at a place of the guest program.
struct Promotion {
    place: Option<SourcePos>,
    source: Option<String>,
    advice: Option<&'static str>,
    values: FxHashSet<u64>,
    shown: Vec<String>,
    failures: u64,
    guards: Vec<GuardId>,
}

impl Promoted {
    /// Code holds for a value. The promotion is told by its place in the guest program, the
    /// interpreter's line, and advice.
    pub(super) fn made(
        &self,
        guard: Option<GuardId>,
        (place, source, advice): (Option<&SourcePos>, Option<&String>, Option<&'static str>),
        value: Arg,
    ) {
        let mut all = self.all.borrow_mut();
        let known = all
            .iter()
            .position(|p| p.place.as_ref() == place && p.source.as_ref() == source);
        let at = known.unwrap_or_else(|| {
            all.push(Promotion {
                place: place.cloned(),
                source: source.cloned(),
                advice,
                values: FxHashSet::default(),
                shown: Vec::new(),
                failures: 0,
                guards: Vec::new(),
            });
            all.len() - 1
        });
        let promotion = &mut all[at];
        if let Some(guard) = guard {
            self.by_guard.borrow_mut().insert(guard, at);
            promotion.guards.push(guard);
        }
        if let Arg::Const(constant) = value {
            promotion.add(constant.word());
            promotion.show(constant);
        }
    }

    /// A guard has failed with a value.
    pub(super) fn failed(&self, guard: GuardId, value: u64) {
        if let Some(&at) = self.by_guard.borrow().get(&guard) {
            let promotion = &mut self.all.borrow_mut()[at];
            promotion.failures += 1;
            promotion.add(value);
        }
    }

    /// The promotions that have seen more than one value. `behind` are the seconds in native code
    /// behind a guard.
    pub(super) fn reports(&self, behind: impl Fn(GuardId) -> f64) -> Vec<PromotionReport> {
        let all = self.all.borrow();
        let reports = all.iter().filter(|promotion| promotion.values.len() > 1);
        let reports = reports.map(|promotion| PromotionReport {
            place: promotion.place.clone(),
            source: promotion.source.clone(),
            advice: promotion.advice.map(str::to_owned),
            values: promotion.values.len() as u64,
            shown: promotion.shown.clone(),
            failures: promotion.failures,
            interpreted: promotion.guards.iter().map(|guard| behind(*guard)).sum(),
        });
        reports.collect()
    }
}

impl Promotion {
    fn add(&mut self, value: u64) {
        if self.values.len() < MOST_VALUES {
            self.values.insert(value);
        }
    }

    /// Objects have no text here.
    fn show(&mut self, value: Const) {
        if let (false, true) = (
            matches!(value, Const::Ref(_)),
            self.shown.len() < MOST_SHOWN,
        ) {
            let text = constant(value);
            if !self.shown.contains(&text) {
                self.shown.push(text);
            }
        }
    }
}

/// A constant as text. Objects have none here.
pub(super) fn constant(value: Const) -> String {
    match value {
        Const::Int(n) => n.to_string(),
        Const::Float(bits) => f64::from_bits(bits).to_string(),
        Const::Ref(0) => "null".to_owned(),
        Const::Ref(_) => "an object".to_owned(),
    }
}
