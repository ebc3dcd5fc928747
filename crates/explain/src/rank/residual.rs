//! What is left in compiled code: objects, stores, calls, and what labels give up. It costs its
//! share of the time in that code, by the weights below.

use crate::advice::Topic;
use crate::model::{CallSite, CodeReport, EscapeCause, Findings};
use crate::rank::{Finding, Items};
use std::collections::BTreeMap;
use verdigris_report::{CallKind, CodeKind, SourcePos};

/// Costs in simple operations. These are guesses (docs/book/src/reference/explain.md) that only
/// decide the order.
const ALLOCATION: f64 = 10.0;
const STORE: f64 = 2.0;
const CALL: f64 = 20.0;

/// Stands for the time of code whose entries were too short to be measured.
const UNMEASURED: f64 = 1e-9;

/// Equal findings of the pieces of a root, together.
type Sums<'r> = BTreeMap<(Topic, Option<&'r SourcePos>, String), Sum<'r>>;

#[derive(Default)]
struct Sum<'r> {
    count: u64,
    units: f64,
    why: Vec<String>,
    root: Option<&'r SourcePos>,
    remedy: Option<&'static str>,
    advice: Option<&'r str>,
}

/// What something that is left is about, and what to do, where that depends on it.
#[derive(Clone, Copy)]
struct About<'r> {
    topic: Topic,
    remedy: Option<&'static str>,
    advice: Option<&'r str>,
}

impl About<'_> {
    fn of(topic: Topic) -> About<'static> {
        About {
            topic,
            remedy: None,
            advice: None,
        }
    }
}

impl<'r> Items<'r> {
    /// The costs left in the code of a root.
    pub(super) fn root(&mut self, root: &'r CodeReport) {
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
            let found = Finding::new(topic, seconds, place, what, sum.why);
            let found = found.with_advice(sum.advice);
            self.items.push(match sum.remedy {
                Some(remedy) => found.with_remedy(remedy),
                None => found,
            });
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
        |about: About<'r>, place: Option<&'r SourcePos>, what, count: u64, weight: f64, why| {
            let sum = sums.entry((about.topic, place, what)).or_default();
            (sum.remedy, sum.advice) = (about.remedy, about.advice);
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
        let about = About::of(Topic::Allocation);
        add(about, place, what, made.count, ALLOCATION, why);
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
            About::of(topic),
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
        add(
            About {
                topic,
                remedy: remedy(call),
                advice: call.advice.as_deref(),
            },
            call.place.as_ref(),
            what,
            call.count,
            CALL,
            why,
        );
    }
    let lost = &findings.lost;
    if !lost.is_empty() {
        let what = "# thing that a loop's label gives up, so that it is in memory".to_owned();
        let why = lost.iter().map(|l| format!("{} {}", l.what, l.message));
        let why: Vec<String> = why.collect();
        let count = lost.len() as u64;
        add(
            About::of(Topic::Label),
            Some(&code.place),
            what,
            count,
            STORE + 1.0,
            why,
        );
    }
    units
}

/// What to do about a call, if it is not what one does about calls of its topic.
fn remedy(call: &CallSite) -> Option<&'static str> {
    match call.kind {
        CallKind::Readonly | CallKind::Recorded => Some(
            "nothing, if it is worth a call; else write what is hot of it in the subset, or keep what it finds",
        ),
        _ => None,
    }
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
