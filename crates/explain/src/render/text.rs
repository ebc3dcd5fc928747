//! A report for people: where the time went, the findings, and the hottest code.
//!
//! Lines are as long as what they say, and cut where the terminal ends, if there is one.

use crate::model::{CodeReport, Report};
use crate::rank::Finding;
use crate::render::{Render, findings};
use std::fmt::Write;
use verdigris_report::units::{bytes, count, time};
use verdigris_report::{Activity, CodeKind, Terminal, TextStyle};

/// The most reasons shown for one finding.
const MOST_WHY: usize = 3;

/// The most loops and functions of the second part, and the most bridges of each.
const MOST_LOOPS: usize = 10;
const MOST_BRIDGES: usize = 3;

impl Render<'_> {
    /// The report for people.
    pub fn text(&self, report: &Report) -> String {
        let mut out = Out {
            text: String::new(),
            terminal: self.terminal,
        };
        out.line(0, &[(TextStyle::Strong, &summary(report))]);
        let items = findings(report);
        if items.is_empty() {
            let nothing = "nothing stands out: no finding costs anything that was measured";
            out.line(0, &[(TextStyle::Plain, nothing)]);
        }
        for (n, item) in items.iter().take(self.most).enumerate() {
            self.item(&mut out, n + 1, item);
        }
        if items.len() > self.most {
            let more = items.len() - self.most;
            let text = format!("... and {more} more (`{}`)", (self.more)(items.len()));
            out.line(0, &[(TextStyle::Dim, &text)]);
        }
        if let Some(first) = items.first() {
            let text = format!(
                "(`verdigris explain --about {}` says more, as it does of the other words in brackets.)",
                first.topic.anchor()
            );
            out.line(0, &[(TextStyle::Dim, &text)]);
        }
        self.code(&mut out, report);
        out.text.trim_end().to_owned()
    }

    fn item(&self, out: &mut Out, n: usize, item: &Finding) {
        let about = format!("{n}. {}  ", time(item.seconds));
        let at = item.place.as_ref().map(|place| format!("{place}: "));
        let at = at.unwrap_or_default();
        let what = (TextStyle::Plain, item.what.as_str());
        out.line(
            0,
            &[(TextStyle::Strong, &about), (TextStyle::Place, &at), what],
        );
        if let Some(line) = item.place.as_ref().and_then(|place| self.line(place)) {
            out.line(1, &[(TextStyle::Dim, "| "), (TextStyle::Plain, &line)]);
        }
        let all = self.most == usize::MAX;
        let shown = if all { item.why.len() } else { MOST_WHY };
        for why in item.why.iter().take(shown) {
            out.line(1, &[(TextStyle::Plain, why)]);
        }
        if item.why.len() > shown {
            let more = format!("and {} more", item.why.len() - shown);
            out.line(1, &[(TextStyle::Plain, &more)]);
        }
        let topic = format!(" [{}]", item.topic.anchor());
        let remedy = (TextStyle::Remedy, item.remedy.as_str());
        if let Some(advice) = &item.advice {
            let advice = (TextStyle::Remedy, advice.as_str());
            out.line(1, &[(TextStyle::Plain, "-> "), advice]);
        }
        let arrow = match item.advice {
            Some(_) => "-> in the interpreter: ",
            None => "-> ",
        };
        out.line(
            1,
            &[(TextStyle::Plain, arrow), remedy, (TextStyle::Dim, &topic)],
        );
    }

    /// The hottest loops and functions, and what is not compiled.
    fn code(&self, out: &mut Out, report: &Report) {
        let all = self.most == usize::MAX;
        let most = |most: usize| if all { usize::MAX } else { most };
        let mut roots: Vec<_> = report.code.iter().filter(|c| c.root == c.trace).collect();
        if !roots.is_empty() {
            out.text.push('\n');
            out.line(0, &[(TextStyle::Strong, "compiled:")]);
        }
        roots.sort_by(|a, b| b.inside.total_cmp(&a.inside).then(a.trace.cmp(&b.trace)));
        for root in roots.iter().take(most(MOST_LOOPS)) {
            root_line(out, report, root);
            let bridges = bridges(report, root);
            for code in bridges.iter().take(most(MOST_BRIDGES)) {
                let text = format!(
                    "bridge {} from {} of trace {} at {}: {}, made in {}",
                    code.trace,
                    code.from_guard.as_deref().unwrap_or("a guard"),
                    code.from.unwrap_or(0),
                    code.place,
                    bytes(code.code_bytes),
                    time(code.made_in)
                );
                out.line(2, &[(TextStyle::Plain, &text)]);
            }
            and_more(out, 2, bridges.len(), most(MOST_BRIDGES));
        }
        and_more(out, 1, roots.len(), most(MOST_LOOPS));
        let blocked: Vec<_> = report.given_up.iter().filter(|a| a.blocked).collect();
        if !blocked.is_empty() {
            out.line(0, &[(TextStyle::Strong, "not compiled:")]);
        }
        for abort in blocked.iter().take(most(MOST_LOOPS)) {
            let (place, reason) = (abort.place.to_string(), format!(": {}", abort.reason));
            out.line(
                1,
                &[(TextStyle::Place, &place), (TextStyle::Plain, &reason)],
            );
        }
        and_more(out, 1, blocked.len(), most(MOST_LOOPS));
    }
}

/// The bridges of a loop or function, those that took longest to make first.
fn bridges<'r>(report: &'r Report, root: &CodeReport) -> Vec<&'r CodeReport> {
    let pieces = report.code.iter().filter(|code| code.root == root.trace);
    let mut bridges: Vec<_> = pieces
        .filter(|code| code.kind == CodeKind::Bridge)
        .collect();
    bridges.sort_by(|a, b| b.made_in.total_cmp(&a.made_in).then(a.trace.cmp(&b.trace)));
    bridges
}

fn root_line(out: &mut Out, report: &Report, root: &CodeReport) {
    let pieces = || report.code.iter().filter(|code| code.root == root.trace);
    let size: u64 = pieces().map(|code| code.code_bytes).sum();
    let made: f64 = pieces().map(|code| code.made_in).sum();
    let guards: u64 = pieces().map(|code| code.findings.guard_count).sum();
    let failures = pieces().flat_map(|code| &code.findings.guards);
    let failures: u64 = failures.map(|guard| guard.failures).sum();
    let text = format!(
        ": {} ({}), {} in it, {}, made in {}, {}, {}, {} with {}",
        root.kind,
        root.compiler,
        time(root.inside),
        count(root.entries.unwrap_or(0), "entry"),
        time(made),
        count(bridges(report, root).len() as u64, "bridge"),
        bytes(size),
        count(guards, "guard"),
        count(failures, "failure")
    );
    let place = root.place.to_string();
    out.line(1, &[(TextStyle::Place, &place), (TextStyle::Plain, &text)]);
}

fn and_more(out: &mut Out, depth: usize, all: usize, shown: usize) {
    if all > shown {
        let text = format!("... and {} more", all - shown);
        out.line(depth, &[(TextStyle::Dim, &text)]);
    }
}

/// Shares of the time, in one line.
fn summary(report: &Report) -> String {
    let all = report.all_seconds();
    let mut parts: Vec<(&str, f64)> = Vec::new();
    for (&activity, &seconds) in &report.seconds {
        if activity != Activity::Collecting {
            parts.push((activity.name(), seconds));
        }
    }
    parts.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = |seconds: f64| (100.0 * seconds / all.max(f64::MIN_POSITIVE)).round();
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(_, seconds)| *seconds > 0.0)
        .map(|(name, seconds)| format!("{name} {} %", share(seconds)))
        .collect();
    let mut line = format!("{} in all", time(all));
    if !parts.is_empty() {
        // Writing to a string never fails.
        let _ = write!(line, ": {}", parts.join(", "));
    }
    let collecting = report.seconds(Activity::Collecting);
    if collecting > 0.0 {
        let _ = write!(line, "; collecting {} % of it", share(collecting));
    }
    line
}

/// The lines so far.
struct Out {
    text: String,
    terminal: Terminal,
}

impl Out {
    /// Adds a line of parts with their styles. What does not fit the terminal is cut.
    fn line(&mut self, depth: usize, parts: &[(TextStyle, &str)]) {
        let indent = depth * 4;
        let _ = write!(self.text, "{:indent$}", "");
        let width = self.terminal.width.unwrap_or(usize::MAX);
        let all: usize = parts.iter().map(|(_, text)| text.chars().count()).sum();
        let is_cut = indent + all > width;
        let mut room = width.saturating_sub(indent + usize::from(is_cut));
        for (style, text) in parts {
            let shown = text.chars().take(room);
            let shown: String = shown
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect();
            room -= shown.chars().count();
            self.text += &self.terminal.paint(*style, &shown);
        }
        self.text += if is_cut { "…\n" } else { "\n" };
    }
}
