//! What the VM does besides running the guest program: making code, collecting, looking at kept
//! frames, and entering compiled code from native code. It costs what was measured.

use crate::advice::Topic;
use crate::model::CodeReport;
use crate::rank::Items;
use std::collections::BTreeMap;
use verdigris_report::{Activity, ChangeKind, CodeKind, units};

/// Seconds for an entry of compiled code from native code. This and the next two are orders of
/// magnitude, for what no clock measures.
const NATIVE_ENTRY: f64 = 0.2e-6;

/// Seconds for a read of a kept frame (a quarter of what `bench frames` shows for four), and for a
/// frame that is taken, so that code is left.
const LOOK: f64 = 18e-9;
const TAKEN: f64 = 2e-6;

/// A piece with as much code as the innermost caches hold is reported.
const MUCH_CODE: u64 = 256 << 10;

impl Items<'_> {
    pub(super) fn entries(&mut self, by_trace: &BTreeMap<u32, &CodeReport>) {
        for entered in &self.report.entered_inside {
            let inner = by_trace.get(&entered.inner);
            let Some(outer) = by_trace.get(&entered.outer) else {
                continue;
            };
            let mut names: Vec<&str> = Vec::new();
            let pieces = self.report.code.iter();
            for code in pieces.filter(|code| code.root == entered.outer) {
                let calls = code.findings.calls.iter();
                // A function that calls the guest may do anything.
                for call in calls.filter(|call| !call.is_guest() && call.writes == "*") {
                    if !names.contains(&call.function.as_str()) {
                        names.push(&call.function);
                    }
                }
            }
            let what = format!(
                "native code that is called here has entered compiled code {} times",
                entered.times
            );
            let mut why = vec![format!(
                "entered at {}",
                inner.map_or("code that is gone", |code| &code.place.text)
            )];
            if !names.is_empty() {
                why.push(format!("by one of: {}", names.join(", ")));
            }
            let seconds = entered.times as f64 * NATIVE_ENTRY;
            self.add(Topic::Native, seconds, Some(&outer.place), what, why);
        }
    }

    pub(super) fn frames(&mut self) {
        let (looks, forced) = (self.report.looks, self.report.forced);
        if looks + forced == 0 {
            return;
        }
        let code = self.report.code.iter();
        let calls = code.flat_map(|code| code.findings.calls.iter().map(move |c| (code, c)));
        let kept: Vec<_> = calls.filter(|(_, call)| call.kept > 0).collect();
        let place = kept
            .first()
            .map(|(code, call)| call.place.as_ref().unwrap_or(&code.place));
        let mut names: Vec<&str> = kept.iter().map(|(_, c)| c.function.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let what = format!(
            "kept frames were looked at {looks} times, and taken {forced} times, which leaves the code"
        );
        let why = match names.is_empty() {
            true => "the code that kept them has been made anew, and keeps nothing".to_owned(),
            false => format!("they are kept around the calls of {}", names.join(", ")),
        };
        let seconds = looks as f64 * LOOK + forced as f64 * TAKEN;
        self.add(Topic::Looked, seconds, place, what, vec![why]);
    }

    pub(super) fn making(&mut self) {
        let report = self.report;
        let making = [Activity::Tracing, Activity::Optimising, Activity::Compiling];
        let seconds: f64 = making
            .into_iter()
            .map(|activity| report.seconds(activity))
            .sum();
        let mut roots: BTreeMap<u32, (f64, u64, u64)> = BTreeMap::new();
        for code in &report.code {
            let sum = roots.entry(code.root).or_default();
            sum.0 += code.made_in;
            sum.1 += u64::from(code.kind == CodeKind::Bridge);
            sum.2 += code.code_bytes;
        }
        let by_trace = report.by_trace();
        let place = |root: u32| by_trace.get(&root).map(|code| &code.place);
        let bridges: u64 = roots.values().map(|sum| sum.1).sum();
        if seconds > 0.05 * report.all_seconds() {
            let what = format!(
                "making {}, {bridges} of them bridges",
                units::count(report.code.len() as u64, "piece")
            );
            let mut most: Vec<_> = roots.iter().collect();
            most.sort_by(|a, b| b.1.0.total_cmp(&a.1.0).then(b.1.1.cmp(&a.1.1)));
            let mut why: Vec<String> = Vec::new();
            for (root, (time, bridges, bytes)) in most.into_iter().take(2) {
                let Some(place) = place(*root) else { continue };
                why.push(format!(
                    "{place}: {}, {}, {}",
                    units::time(*time),
                    units::count(*bridges, "bridge"),
                    units::bytes(*bytes)
                ));
            }
            self.add(Topic::WarmUp, seconds, None, what, why);
        }
        for (root, (time, bridges, bytes)) in roots {
            if bytes >= MUCH_CODE {
                let what = format!(
                    "{} of machine code with {}",
                    units::bytes(bytes),
                    units::count(bridges, "bridge")
                );
                let why = "code that does not fit the caches runs slowly, however good it is";
                self.add(Topic::Code, time, place(root), what, vec![why.to_owned()]);
            }
        }
    }

    pub(super) fn heap(&mut self) {
        let report = self.report;
        let seconds = report.seconds(Activity::Collecting);
        if report.collections == 0 || seconds < 0.01 * report.all_seconds() {
            return;
        }
        let what = format!(
            "{} ({} of the young generation)",
            units::count(report.collections, "collection"),
            report.young_collections
        );
        let mut why = vec![format!(
            "{} allocated; {} survived the last one",
            units::bytes(report.allocated_bytes),
            units::bytes(report.live_bytes)
        )];
        let code = report.code.iter();
        let makes = code.flat_map(|code| code.findings.allocations.iter());
        let mut makes: Vec<String> = makes
            .filter(|made| made.in_loop)
            .filter_map(|made| Some(format!("{} in {}", made.class, made.place.as_ref()?)))
            .collect();
        makes.dedup();
        if !makes.is_empty() {
            makes.truncate(3);
            why.push(format!("made in loops: {}", makes.join("; ")));
        }
        self.add(Topic::Collecting, seconds, None, what, why);
    }

    pub(super) fn invalidations(&mut self) {
        let making: f64 = self.report.code.iter().map(|code| code.made_in).sum();
        let each = making / self.report.code.len().max(1) as f64;
        let changes = self.report.changes.iter();
        for change in changes.filter(|change| change.kind == ChangeKind::Invalidated) {
            let seconds = change.times as f64 * each;
            let what = change.in_words();
            let place = Some(&change.place);
            self.add(Topic::Invalidation, seconds, place, what, Vec::new());
        }
    }
}
