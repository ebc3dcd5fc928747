//! Ranks the findings of a [`Report`] by cost: one for each place and topic.
//!
//! Measured work (the collector, the JIT's own work, leaving code, giving up) costs what was
//! measured. What is left in code costs its share of the time in that code. What was given up,
//! rests or waits costs the interpreter's time that it is the reason for. Findings overlap, so
//! their costs must not be added up.

mod guards;
mod interpreted;
mod residual;
mod work;

use crate::advice::Topic;
use crate::model::Report;
use std::collections::BTreeMap;
use verdigris_report::SourcePos;

/// A cause is in front of the finding that the interpreter works if it explains this part of it.
const PART: f64 = 0.1;

/// The most things that one finding names.
const MOST_NAMED: usize = 3;

/// A finding: something that costs time.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its topic.
    pub topic: Topic,
    /// Its cost in seconds, estimated.
    pub seconds: f64,
    /// The same as a share of the run, from 0 to 1.
    pub share: f64,
    /// The place, if it has one.
    pub place: Option<SourcePos>,
    /// What it is.
    pub what: String,
    /// Why it is so.
    pub why: Vec<String>,
    /// What the author of the guest program can do, if that of the interpreter says so.
    pub advice: Option<String>,
    /// What the author of the interpreter can do.
    pub remedy: String,
}

impl Finding {
    pub(crate) fn new(
        topic: Topic,
        seconds: f64,
        place: Option<&SourcePos>,
        what: String,
        why: Vec<String>,
    ) -> Finding {
        Finding {
            topic,
            seconds,
            share: 0.0,
            place: place.cloned(),
            what,
            why,
            advice: None,
            remedy: topic.advice().to_owned(),
        }
    }

    /// With another remedy than that of its topic.
    pub(crate) fn with_remedy(self, remedy: &str) -> Finding {
        let remedy = remedy.to_owned();
        Finding { remedy, ..self }
    }

    /// With advice for the author of the guest program.
    pub(crate) fn with_advice(self, advice: Option<&str>) -> Finding {
        let advice = advice.map(str::to_owned);
        Finding { advice, ..self }
    }

    /// Whether it is what others cause: that the interpreter works.
    fn is_symptom(&self) -> bool {
        self.topic == Topic::Interpreter
    }
}

/// The findings of a report, causes first, and of these the most expensive.
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
    items.interpreted();
    items.heap();
    items.invalidations();
    let all = report.all_seconds().max(f64::MIN_POSITIVE);
    let mut items = together(items.items);
    for item in &mut items {
        item.share = (item.seconds / all).min(1.0);
    }
    items.sort_by(|a, b| {
        let cost = b.seconds.total_cmp(&a.seconds);
        cost.then_with(|| (a.topic, &a.place, &a.what).cmp(&(b.topic, &b.place, &b.what)))
    });
    causes_first(items)
}

/// Moves symptoms behind what causes a part of them.
fn causes_first(items: Vec<Finding>) -> Vec<Finding> {
    let (symptoms, mut items): (Vec<_>, Vec<_>) = items.into_iter().partition(Finding::is_symptom);
    for symptom in symptoms {
        let explains = |item: &Finding| item.seconds >= PART * symptom.seconds;
        let at = items.iter().position(|item| !explains(item));
        items.insert(at.unwrap_or(items.len()), symptom);
    }
    items
}

/// A place as a key: the line, or the words where there is none.
pub(crate) fn place_key(place: &SourcePos) -> String {
    match (&place.file, place.line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        _ => place.text.clone(),
    }
}

/// One finding for each place and topic, in place of several.
fn together(items: Vec<Finding>) -> Vec<Finding> {
    let mut groups: BTreeMap<(Topic, String), Vec<Finding>> = BTreeMap::new();
    let mut out = Vec::new();
    for item in items {
        match &item.place {
            Some(place) => {
                let group = groups.entry((item.topic, place_key(place)));
                group.or_default().push(item);
            }
            None => out.push(item),
        }
    }
    out.extend(groups.into_values().filter_map(merged));
    out
}

/// A group as one finding, under the name of the most expensive.
fn merged(mut group: Vec<Finding>) -> Option<Finding> {
    group.sort_by(|a, b| {
        b.seconds
            .total_cmp(&a.seconds)
            .then_with(|| a.what.cmp(&b.what))
    });
    let seconds = group.iter().map(|item| item.seconds).sum();
    let mut items = group.into_iter();
    let mut first = items.next()?;
    let mut names = vec![std::mem::take(&mut first.what)];
    for item in items {
        first.advice = first.advice.or(item.advice);
        if !names.contains(&item.what) {
            names.push(item.what);
        }
        for why in item.why {
            if !first.why.contains(&why) {
                first.why.push(why);
            }
        }
    }
    let more = names.len().saturating_sub(MOST_NAMED);
    names.truncate(MOST_NAMED);
    first.what = names.join("; ");
    if more > 0 {
        first.what += &format!("; and {more} more");
    }
    Some(Finding { seconds, ..first })
}

struct Items<'r> {
    report: &'r Report,
    items: Vec<Finding>,
}

impl Items<'_> {
    fn add(
        &mut self,
        topic: Topic,
        seconds: f64,
        place: Option<&SourcePos>,
        what: String,
        why: Vec<String>,
    ) {
        let found = Finding::new(topic, seconds, place, what, why);
        self.items.push(found);
    }
}
