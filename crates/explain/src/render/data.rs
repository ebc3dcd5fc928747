//! Reports for programs: one JSON object, or a line for each finding.

use crate::model::Report;
use crate::rank::Finding;
use crate::render::{Render, findings};
use serde::Serialize;
use verdigris_report::units::time;

/// A finding as it stands in JSON. Its fields are documented in
/// `docs/book/src/reference/explain.md`.
#[derive(Serialize)]
struct FindingData<'a> {
    seconds: f64,
    share: f64,
    topic: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    what: &'a str,
    why: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'a str>,
    remedy: &'a str,
}

/// The findings, and behind them what was measured.
#[derive(Serialize)]
struct WithFindings<'a> {
    findings: Vec<FindingData<'a>>,
    #[serde(flatten)]
    report: &'a Report,
}

impl Render<'_> {
    /// One JSON object on one line. [`Report::from_json`] reads it, without the findings.
    pub fn json(&self, report: &Report) -> String {
        let findings = findings(report);
        let with_findings = WithFindings {
            findings: findings.iter().map(|item| self.data(item)).collect(),
            report,
        };
        serde_json::to_string(&with_findings)
            .expect("a record of numbers and strings always serialises")
    }

    fn data<'f>(&self, item: &'f Finding) -> FindingData<'f> {
        let place = item.place.as_ref();
        FindingData {
            seconds: item.seconds,
            share: item.share,
            topic: item.topic.anchor(),
            file: place.and_then(|place| place.file.as_deref()),
            line: place.and_then(|place| place.line),
            column: place.and_then(|place| place.column),
            place: place.map(|place| place.text.as_str()),
            source: place.and_then(|place| self.line(place)),
            what: &item.what,
            why: &item.why,
            advice: item.advice.as_deref(),
            remedy: &item.remedy,
        }
    }

    /// A line for each finding, in the form of a compiler's notes.
    pub fn notes(&self, report: &Report) -> String {
        let lines = findings(report).into_iter().map(|item| {
            let place = item.place.as_ref();
            let at = match place.map(|place| (place.file.as_deref(), place.line, place.column)) {
                Some((Some(file), Some(line), Some(column))) => format!("{file}:{line}:{column}"),
                Some((Some(file), Some(line), None)) => format!("{file}:{line}"),
                _ => place.map_or("the program", |place| &place.text).to_owned(),
            };
            let cost = format!("{}, {:.0} %", time(item.seconds), 100.0 * item.share);
            let remedy = item.advice.unwrap_or(item.remedy);
            let (what, topic) = (item.what, item.topic.anchor());
            format!("{at}: note: {what} ({cost}): {remedy} [{topic}]")
        });
        lines
            .map(|line| line.replace(char::is_control, " "))
            .collect::<Vec<_>>()
            .join("\n")
    }
}
