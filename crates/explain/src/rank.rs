//! Ranks the findings of a [`Report`] by cost.
//!
//! Measured work (the collector, the JIT's own work, leaving code, giving up) costs what was
//! measured. What is left in code costs its share of the time in that code, by the weights below.
//! Findings overlap, so their costs must not be added up.

use crate::advice::Topic;
use crate::model::{CodeReport, EscapeCause, Findings, LeadsTo, Report};
use std::collections::BTreeMap;
use verdigris_report::{Activity, ChangeKind, CodeKind, SourcePos, units};

/// Costs in simple operations. These are guesses (docs/explain.md) that only decide the order.
const ALLOCATION: f64 = 10.0;
const STORE: f64 = 2.0;
const CALL: f64 = 20.0;

/// Seconds for an entry of compiled code from native code. This and the next three are orders of
/// magnitude, for what no clock measures.
const NATIVE_ENTRY: f64 = 0.2e-6;

/// Seconds for a read of a kept frame (a quarter of what `bench frames` shows for four), and for a
/// frame that is taken, so that code is left.
const LOOK: f64 = 18e-9;
const TAKEN: f64 = 2e-6;

/// Seconds for a failing guard, where leaving was not measured.
const FAILURE: f64 = 1e-6;

/// Stands for the time of code whose entries were too short to be measured.
const UNMEASURED: f64 = 1e-9;

/// Guards with fewer failures are not reported.
const FEW_FAILURES: u64 = 50;

/// A piece with as much code as the innermost caches hold is reported.
const MUCH_CODE: u64 = 256 << 10;

/// A finding: something that costs time.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its topic.
    pub topic: Topic,
    /// Its cost in seconds, estimated.
    pub seconds: f64,
    /// The place, if it has one.
    pub place: Option<SourcePos>,
    /// What it is.
    pub what: String,
    /// Why it is so.
    pub why: Vec<String>,
}

/// The findings of a report, the most expensive first.
pub fn rank(report: &Report) -> Vec<Finding> {
    let mut items = Items {
        report,
        items: Vec::new(),
    };
    let by_trace = report.by_trace();
    for root in report.code.iter().filter(|code| code.root == code.trace) {
        items.root(root);
    }
    items.guards();
    items.entries(&by_trace);
    items.frames();
    items.making();
    items.given_up();
    items.heap();
    items.changes();
    let mut items = items.items;
    items.sort_by(|a, b| {
        let cost = b.seconds.total_cmp(&a.seconds);
        cost.then_with(|| (a.topic, &a.place, &a.what).cmp(&(b.topic, &b.place, &b.what)))
    });
    items
}

struct Items<'r> {
    report: &'r Report,
    items: Vec<Finding>,
}

/// Equal findings of the pieces of a root, together.
type Sums<'r> = BTreeMap<(Topic, Option<&'r SourcePos>, String), Sum<'r>>;

/// The promoted values by root and line of the interpreter, with the place in the guest program.
type Promoted<'r> = BTreeMap<(u32, &'r Option<String>), (&'r Option<SourcePos>, Vec<&'r str>)>;

#[derive(Default)]
struct Sum<'r> {
    count: u64,
    units: f64,
    why: Vec<String>,
    root: Option<&'r SourcePos>,
}

impl<'r> Items<'r> {
    fn add(
        &mut self,
        topic: Topic,
        seconds: f64,
        place: Option<&SourcePos>,
        what: String,
        why: Vec<String>,
    ) {
        self.items.push(Finding {
            topic,
            seconds,
            place: place.cloned(),
            what,
            why,
        });
    }

    /// The costs left in the code of a root.
    fn root(&mut self, root: &'r CodeReport) {
        let pieces = || {
            let of_root = |code: &&CodeReport| code.root == root.trace;
            self.report.code.iter().filter(of_root)
        };
        let has_loop = pieces().any(|code| code.in_loop > 0);
        let mut sums = Sums::new();
        let mut units = 0.0;
        for code in pieces() {
            // Code in front of the loop hardly counts. A bridge belongs to the loop that it leaves.
            let is_hot = |in_loop: bool| {
                in_loop || !has_loop || code.kind == CodeKind::Bridge && code.in_loop == 0
            };
            let operations = match (has_loop, code.kind == CodeKind::Bridge) {
                (true, false) => code.in_loop,
                (true, true) => code.in_loop.max(code.operations),
                (false, _) => code.operations,
            };
            units += operations as f64 + remains(&code.findings, &is_hot, code, &mut sums);
        }
        let inside = root.inside.max(UNMEASURED);
        for ((topic, place, what), sum) in sums {
            let seconds = inside * sum.units / units.max(1.0);
            let place = place.or(sum.root);
            let what = counted(&what, sum.count);
            self.add(topic, seconds, place, what, sum.why);
        }
    }

    fn guards(&mut self) {
        let guards = || {
            let code = self.report.code.iter();
            code.flat_map(|code| code.findings.guards.iter().map(move |g| (code, g)))
        };
        let failures: u64 = guards().map(|(_, guard)| guard.failures).sum();
        let leaving = self.report.seconds(Activity::Leaving);
        let each = match leaving > 0.0 && failures > 0 {
            true => leaving / failures as f64,
            false => FAILURE,
        };
        let mut found = Vec::new();
        let mut bridged: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
        let mut promoted = Promoted::new();
        for (code, guard) in guards() {
            if let (Some(value), LeadsTo::Bridge(_)) = (&guard.promoted, guard.leads_to) {
                let values = promoted.entry((code.root, &guard.source));
                let values = &mut values.or_insert((&guard.place, Vec::new())).1;
                if !values.contains(&value.as_str()) {
                    values.push(value);
                }
            }
            let then = match guard.leads_to {
                LeadsTo::Bridge(_) => {
                    let sum = bridged.entry(code.root).or_default();
                    *sum = (sum.0 + 1, sum.1 + guard.failures);
                    continue;
                }
                LeadsTo::Interpreter => "and leads to the interpreter",
                LeadsTo::Blocked => "and leads to the interpreter for good: bridges were given up",
            };
            // Taken frames are a finding of their own.
            if guard.failures < FEW_FAILURES || guard.operation == "guard_not_forced" {
                continue;
            }
            let place = guard.place.as_ref().unwrap_or(&code.place);
            let what = format!("a guard has failed {} times, {then}", guard.failures);
            let mut why = format!(
                "{} {} of trace {}",
                guard.operation, guard.guard, code.trace
            );
            if let Some(source) = &guard.source {
                why += &format!(", at {source} of the interpreter");
            }
            found.push((guard.failures, place, what, why));
        }
        for (failures, place, what, why) in found {
            let seconds = failures as f64 * each;
            self.add(Topic::Guard, seconds, Some(place), what, vec![why]);
        }
        let by_trace = self.report.by_trace();
        for (root, (count, failures)) in bridged {
            if failures < FEW_FAILURES {
                continue;
            }
            let guards = units::count(count, "guard");
            let what =
                format!("{guards} failed {failures} times before there was a bridge for each");
            let seconds = failures as f64 * each;
            let place = by_trace.get(&root).map(|code| &code.place);
            self.add(Topic::Bridges, seconds, place, what, Vec::new());
        }
        for ((_, source), (place, values)) in promoted {
            if values.len() < 3 {
                continue;
            }
            let what = format!("{} values were promoted, each with a bridge", values.len());
            let shown = values[..values.len().min(8)].join(", ");
            let mut why = format!("values: {shown}");
            if values.len() > 8 {
                why += " and more";
            }
            if let Some(source) = source {
                why += &format!("; at {source} of the interpreter");
            }
            let seconds = values.len() as f64 * each;
            self.add(Topic::Promotion, seconds, place.as_ref(), what, vec![why]);
        }
    }

    fn entries(&mut self, by_trace: &BTreeMap<u32, &CodeReport>) {
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

    fn frames(&mut self) {
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

    fn making(&mut self) {
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
            if report.waits > 0 {
                why.push(format!("compiling had to wait {} times", report.waits));
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

    fn given_up(&mut self) {
        let report = self.report;
        let interpreted = report.seconds(Activity::Interpreter);
        let blocked = report.given_up.iter().filter(|abort| abort.blocked).count();
        for abort in &report.given_up {
            let mut what = format!("given up {}: {}", times(abort.times), abort.reason);
            let mut seconds = abort.seconds;
            if abort.blocked {
                what += "; not tried again, so this is interpreted";
                seconds += interpreted / blocked as f64;
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
        if blocked == 0 && interpreted > 0.2 * report.all_seconds() {
            let what = match (report.is_on, report.code.is_empty()) {
                (false, _) => "the JIT is off",
                (true, true) => "no place was hot enough to be compiled",
                (true, false) => {
                    "interpreting what was not hot yet, or what follows exits of compiled code"
                }
            };
            let mut why = Vec::new();
            if report.is_on && report.code.is_empty() {
                why.push(
                    "a loop is never hot if a green of `merge_point!` has another value in each turn".to_owned(),
                );
            }
            self.add(Topic::Interpreter, interpreted, None, what.to_owned(), why);
        }
    }

    fn heap(&mut self) {
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

    fn changes(&mut self) {
        let making: f64 = self.report.code.iter().map(|code| code.made_in).sum();
        let each = making / self.report.code.len().max(1) as f64;
        for change in &self.report.changes {
            let (topic, seconds) = match change.kind {
                ChangeKind::Invalidated => (Topic::Invalidation, change.times as f64 * each),
                ChangeKind::Tier => (Topic::Tier, each),
            };
            let what = match change.times {
                1 => change.what.clone(),
                n => format!("{} ({n} times)", change.what),
            };
            self.add(topic, seconds, Some(&change.place), what, Vec::new());
        }
    }
}

/// Collects what is left in the hot part of a piece. Returns its weight beyond that of the
/// operations themselves.
fn remains<'r>(
    findings: &'r Findings,
    is_hot: &dyn Fn(bool) -> bool,
    code: &'r CodeReport,
    sums: &mut Sums<'r>,
) -> f64 {
    let mut units = 0.0;
    let mut add =
        |topic, place: Option<&'r SourcePos>, what: String, count: u64, weight: f64, why| {
            let sum = sums.entry((topic, place, what)).or_default();
            sum.count += count;
            sum.units += weight * count as f64;
            sum.root.get_or_insert(&code.place);
            units += (weight - 1.0) * count as f64;
            for line in why {
                if !sum.why.contains(&line) {
                    sum.why.push(line);
                }
            }
        };
    for made in findings.allocations.iter().filter(|a| is_hot(a.in_loop)) {
        let what = format!("makes # {}", made.class);
        let why = made.escapes.iter().map(escape).collect();
        let place = made.place.as_ref();
        add(Topic::Allocation, place, what, made.count, ALLOCATION, why);
    }
    for store in findings.stores.iter().filter(|s| is_hot(s.in_loop)) {
        let what = format!("stores # to {}", store.what);
        let (topic, why) = match store.is_evicted {
            true => (
                Topic::Evicted,
                "more places wait to be stored than guards may list, so this one is stored each time".to_owned(),
            ),
            false => (
                match store.is_indexed {
                    true => Topic::Indexed,
                    false => Topic::Store,
                },
                format!("seen by {}", store.seen_by),
            ),
        };
        add(
            topic,
            store.place.as_ref(),
            what,
            store.count,
            STORE,
            vec![why],
        );
    }
    for call in findings.calls.iter().filter(|c| is_hot(c.in_loop)) {
        let topic = match call.is_guest() {
            true => Topic::GuestCall,
            false if call.is_elidable() => Topic::Elidable,
            false => Topic::Call,
        };
        let what = match call.is_guest() {
            true => "# guest call that is not inlined".to_owned(),
            false => format!("# call of {} ({})", call.function, call.kind),
        };
        let mut why = Vec::new();
        if !call.is_guest() {
            let or_nothing = |places: &str| match places {
                "*" => "anything".to_owned(),
                "" => "nothing".to_owned(),
                places => places.to_owned(),
            };
            let (reads, writes) = (or_nothing(&call.reads), or_nothing(&call.writes));
            let mut effects = format!("believed to read {reads}, to write {writes}");
            if reads == "anything" || writes == "anything" {
                effects += "; `verdigris effects` names what is to blame";
            }
            why.push(effects);
        }
        why.extend(
            call.source
                .iter()
                .map(|s| format!("in front of {s} of the interpreter")),
        );
        add(topic, call.place.as_ref(), what, call.count, CALL, why);
    }
    let lost = &findings.lost;
    if !lost.is_empty() {
        let what = "# thing that a loop's label gives up, so that it is in memory".to_owned();
        let why = lost.iter().map(|l| format!("{} {}", l.what, l.message));
        let why: Vec<String> = why.collect();
        let count = lost.len() as u64;
        add(
            Topic::Label,
            Some(&code.place),
            what,
            count,
            STORE + 1.0,
            why,
        );
    }
    units
}

fn escape(escape: &EscapeCause) -> String {
    match &escape.source {
        Some(source) => format!("{} (the interpreter at {source})", escape.message),
        None => escape.message.clone(),
    }
}

/// The sentence with a number where it has a `#`.
fn counted(what: &str, count: u64) -> String {
    let plural = |text: &str| match count {
        1 => text.to_owned(),
        _ => text
            .replacen("call", "calls", 1)
            .replacen("thing that", "things that", 1)
            .replacen("so that it is", "so that they are", 1)
            .replacen("that is not", "that are not", 1),
    };
    let number = match (count, what.starts_with("stores")) {
        (1, true) => "a word".to_owned(),
        (n, true) => format!("{n} words"),
        (n, false) => n.to_string(),
    };
    match what.starts_with('#') {
        true => plural(what).replacen('#', &number, 1),
        false => what.replacen('#', &number, 1),
    }
}

fn times(n: u64) -> String {
    match n {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    }
}
