//! A report as text: where the time went, the findings, and the compiled loops. The most expensive
//! findings are in the first 24 lines; a line has at most [`WIDTH`] characters.

use crate::model::Report;
use crate::rank::{Finding, rank};
use std::fmt::Write;
use verdigris_report::units::{bytes, count, time};
use verdigris_report::{Activity, CodeKind, SourcePos};

/// The most characters of a line.
pub(crate) const WIDTH: usize = 140;

/// The most reasons shown for one finding.
const MOST_WHY: usize = 3;

/// The most loops that the second part shows.
const MOST_LOOPS: usize = 20;

/// The form of a report: the argument of a command's option `--explain`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportForm {
    /// For people.
    Text,
    /// One JSON object on one line.
    Json,
}

impl ReportForm {
    /// Reads `text` or `json`.
    ///
    /// # Errors
    /// If it is something else.
    pub fn parse(text: &str) -> Result<ReportForm, String> {
        match text {
            "text" => Ok(ReportForm::Text),
            "json" => Ok(ReportForm::Json),
            _ => Err(format!("there is no form {text:?}: text or json")),
        }
    }
}

/// How a report becomes text.
pub struct Render<'a> {
    /// The most findings.
    pub most: usize,
    /// The text of a file of the guest program.
    pub source: &'a dyn Fn(&str) -> Option<String>,
}

impl Render<'_> {
    /// With the files that this process can read.
    pub fn with_files() -> Render<'static> {
        Render {
            most: 12,
            source: &|file| std::fs::read_to_string(file).ok(),
        }
    }

    /// The report in one of the forms, without a line break at the end.
    pub fn form(&self, report: &Report, form: ReportForm) -> String {
        match form {
            ReportForm::Text => self.text(report),
            ReportForm::Json => report.to_json(),
        }
    }

    /// The report for people.
    pub fn text(&self, report: &Report) -> String {
        let mut out = Out(String::new());
        out.line(0, &summary(report));
        let items = rank(report);
        if items.is_empty() {
            out.line(
                0,
                "nothing stands out: no finding costs anything that was measured",
            );
        }
        for (n, item) in items.iter().take(self.most).enumerate() {
            self.item(&mut out, n + 1, item);
        }
        if items.len() > self.most {
            let more = items.len() - self.most;
            out.line(0, &format!("... and {more} more (`--top {}`)", items.len()));
        }
        self.loops(&mut out, report);
        out.0.trim_end().to_string()
    }

    fn item(&self, out: &mut Out, n: usize, item: &Finding) {
        let at = item
            .place
            .as_ref()
            .map_or(String::new(), |p| format!("{p}: "));
        let about = time(item.seconds);
        out.line(0, &format!("{n}. {about}  {at}{}", item.what));
        if let Some(line) = item.place.as_ref().and_then(|place| self.line(place)) {
            out.line(1, &format!("| {line}"));
        }
        for why in item.why.iter().take(MOST_WHY) {
            out.line(1, why);
        }
        if item.why.len() > MOST_WHY {
            out.line(1, &format!("and {} more", item.why.len() - MOST_WHY));
        }
        let (advice, anchor) = (item.topic.advice(), item.topic.anchor());
        out.line(1, &format!("-> {advice} (reference/explain.md#{anchor})"));
    }

    /// The guest program's line at a place.
    fn line(&self, place: &SourcePos) -> Option<String> {
        let number = place.line?.checked_sub(1)? as usize;
        let text = (self.source)(place.file.as_ref()?)?;
        let line = text.lines().nth(number)?.trim();
        (!line.is_empty()).then(|| line.to_owned())
    }

    fn loops(&self, out: &mut Out, report: &Report) {
        let mut roots: Vec<_> = report.code.iter().filter(|c| c.root == c.trace).collect();
        if !roots.is_empty() {
            out.0.push('\n');
            out.line(0, "compiled:");
        }
        roots.sort_by(|a, b| b.inside.total_cmp(&a.inside).then(a.trace.cmp(&b.trace)));
        for root in roots.iter().take(MOST_LOOPS) {
            let pieces = || report.code.iter().filter(|code| code.root == root.trace);
            let bridges = pieces()
                .filter(|code| code.kind == CodeKind::Bridge)
                .count();
            let size: u64 = pieces().map(|code| code.code_bytes).sum();
            let made: f64 = pieces().map(|code| code.made_in).sum();
            let guards: u64 = pieces().map(|code| code.findings.guard_count).sum();
            let failures: u64 = pieces()
                .flat_map(|code| &code.findings.guards)
                .map(|guard| guard.failures)
                .sum();
            let mut line = format!("{}: {} ({})", root.place, root.kind, root.compiler);
            let _ = write!(
                line,
                ", {} in it, {}, made in {}, {}, {}, {} with {}",
                time(root.inside),
                count(root.entries.unwrap_or(0), "entry"),
                time(made),
                count(bridges as u64, "bridge"),
                bytes(size),
                count(guards, "guard"),
                count(failures, "failure")
            );
            out.line(1, &line);
            for code in pieces().filter(|code| code.kind == CodeKind::Bridge) {
                out.line(
                    2,
                    &format!(
                        "bridge {} from {} of trace {} at {}: {}, made in {}",
                        code.trace,
                        code.from_guard.as_deref().unwrap_or("a guard"),
                        code.from.unwrap_or(0),
                        code.place,
                        bytes(code.code_bytes),
                        time(code.made_in)
                    ),
                );
            }
        }
        if roots.len() > MOST_LOOPS {
            out.line(1, &format!("... and {} more", roots.len() - MOST_LOOPS));
        }
        let mut blocked = report.given_up.iter().filter(|a| a.blocked).peekable();
        if blocked.peek().is_some() {
            out.line(0, "not compiled:");
        }
        for abort in blocked {
            out.line(1, &format!("{}: {}", abort.place, abort.reason));
        }
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
        let _ = write!(line, ": {}", parts.join(", "));
    }
    let collecting = report.seconds(Activity::Collecting);
    if collecting > 0.0 {
        let _ = write!(line, "; collecting {} % of it", share(collecting));
    }
    line
}

/// The lines so far.
struct Out(String);

impl Out {
    fn line(&mut self, depth: usize, text: &str) {
        let indent = depth * 4;
        let text: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let room = WIDTH - indent;
        let text = match text.char_indices().nth(room) {
            Some(_) => {
                let end = text
                    .char_indices()
                    .nth(room - 1)
                    .map_or(text.len(), |(n, _)| n);
                format!("{}…", &text[..end])
            }
            None => text,
        };
        // Writing to a string never fails.
        let _ = writeln!(self.0, "{:indent$}{text}", "");
    }
}

impl Report {
    /// The report in one of the forms, with lines of the guest program's files as far as they can
    /// be read.
    pub fn show(&self, form: ReportForm) -> String {
        Render::with_files().form(self, form)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{
        AbortReport, CodeChange, CodeReport, Findings, GuardReport, LeadsTo, NestedEntries,
    };
    use expect_test::expect;
    use std::collections::BTreeMap;
    use verdigris_report::{AbortReason, ChangeKind};

    fn place(line: u32) -> SourcePos {
        SourcePos {
            text: format!("toy:{line} in f"),
            file: Some("toy".to_owned()),
            line: Some(line),
            ..SourcePos::default()
        }
    }

    fn code(trace: u32, kind: CodeKind) -> CodeReport {
        CodeReport {
            trace,
            kind,
            place: place(trace + 1),
            operations: 20,
            code_bytes: 200 << 10,
            made_in: 0.01,
            ..CodeReport::default()
        }
    }

    fn promotion(value: u32) -> GuardReport {
        GuardReport {
            guard: format!("g{value}"),
            operation: "guard_value".to_owned(),
            place: Some(place(1)),
            source: Some("src/interp.rs:7 in step".to_owned()),
            failures: 100,
            leads_to: LeadsTo::Bridge(1),
            promoted: Some(value.to_string()),
        }
    }

    /// What tests of languages do not show: much code, promotions, changes, and that reports come
    /// back from JSON as they were.
    fn report() -> Report {
        let bridge = CodeReport {
            from: Some(0),
            from_guard: Some("g1".to_owned()),
            ..code(1, CodeKind::Bridge)
        };
        let root = CodeReport {
            in_loop: 10,
            inside: 0.5,
            entries: Some(3),
            findings: Findings {
                guards: (1..=3).map(promotion).collect(),
                guard_count: 9,
                ..Findings::default()
            },
            ..code(0, CodeKind::Loop)
        };
        let abort = AbortReport {
            place: place(2),
            reason: AbortReason::TraceTooLong,
            detail: "the trace is too long".to_owned(),
            times: 3,
            seconds: 0.002,
            blocked: true,
            ended: Some(place(3)),
            source: vec!["src/interp.rs:9 in step".to_owned()],
            from: vec![(place(3), 1900), (place(2), 100)],
        };
        Report {
            is_on: true,
            seconds: BTreeMap::from([
                (Activity::Interpreter, 0.2),
                (Activity::Traces, 0.5),
                (Activity::Leaving, 0.003),
            ]),
            code: vec![root, bridge],
            given_up: vec![abort],
            changes: vec![CodeChange {
                kind: ChangeKind::Invalidated,
                place: place(1),
                what: "the code of this loop was invalidated".to_owned(),
                times: 2,
            }],
            entered_inside: vec![NestedEntries {
                outer: 0,
                inner: 7,
                times: 1000,
            }],
            ..Report::default()
        }
    }

    #[test]
    fn a_report_comes_back_as_it_was() {
        let report = report();
        assert_eq!(Report::from_json(&report.to_json()), Ok(report));
        assert!(Report::from_json("{}").is_err());
    }

    #[test]
    fn what_costs_most_comes_first() {
        let render = Render {
            most: 5,
            source: &|_| Some("while x:\n  y()\n  z()".to_owned()),
        };
        expect![[r#"
            703.0 ms in all: traces 71 %, interpreter 28 %, leaving code 0 %
            1. 202.0 ms  toy:2 in f: given up 3 times: trace too long; not tried again, so this is interpreted
                | y()
                the trace is too long
                ended at toy:3 in f, the interpreter at src/interp.rs:9 in step
                operations from toy:3 in f (1900), toy:2 in f (100)
                -> do what the reason says, where most of the trace came from (reference/explain.md#traces-that-are-given-up)
            2. 20.0 ms  toy:1 in f: 400 kB of machine code with 1 bridge
                | while x:
                code that does not fit the caches runs slowly, however good it is
                -> lower `trace_limit`, so that calls are compiled once and not in each trace (reference/explain.md#much-code)
            3. 20.0 ms  toy:1 in f: the code of this loop was invalidated (2 times)
                | while x:
                -> write the `Quasi` field less often, or make it a `Cell` (reference/explain.md#invalidations)
            4. 3.00 ms  toy:1 in f: 3 guards failed 300 times before there was a bridge for each
                | while x:
                -> nothing, if it stops; fewer kinds of values in one loop need fewer bridges (reference/explain.md#bridges)
            5. 200 us  toy:1 in f: native code that is called here has entered compiled code 1000 times
                | while x:
                entered at code that is gone
                -> write the native function in the subset, so that traces go through it (reference/explain.md#native-code-that-calls-the-guest)
            ... and 1 more (`--top 6`)

            compiled:
                toy:1 in f: loop (traced), 500.0 ms in it, 3 entries, made in 20.0 ms, 1 bridge, 400 kB, 9 guards with 300 failures
                    bridge 1 from g1 of trace 0 at toy:2 in f: 200 kB, made in 10.0 ms
            not compiled:
                toy:2 in f: trace too long"#]].assert_eq(&render.text(&report()));
    }

    #[test]
    fn a_run_without_anything() {
        let text = Render::with_files().text(&Report::default());
        expect![[r#"
            0 us in all
            nothing stands out: no finding costs anything that was measured"#]]
        .assert_eq(&text);
    }

    #[test]
    fn a_run_in_which_nothing_is_hot() {
        let report = Report {
            is_on: true,
            seconds: BTreeMap::from([(Activity::Interpreter, 2.0)]),
            ..Report::default()
        };
        expect![[r#"
            2.00 s in all: interpreter 100 %
            1. 2.00 s  no place was hot enough to be compiled
                a loop is never hot if a green of `merge_point!` has another value in each turn
                -> see what was given up; otherwise lower `threshold`, or let it run longer (reference/explain.md#the-interpreter)"#]]
        .assert_eq(&Render::with_files().text(&report));
    }
}
