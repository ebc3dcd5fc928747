//! Reports as a SARIF log (OASIS, "Static Analysis Results Interchange Format Version 2.1.0"): a
//! run for each VM, a rule for each topic, a result for each finding.
//!
//! A finding is a `note`, since a slow program is not a faulty one; `rank` is its share of the time
//! in percent.

use crate::advice::Topic;
use crate::model::Report;
use crate::rank::Finding;
use crate::render::{Render, findings};
use serde_json::{Value, json};
use std::fmt::Write;
use verdigris_report::SourcePos;
use verdigris_report::units::time;

/// The schema that the log follows.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

impl Render<'_> {
    /// One JSON object, the log.
    pub fn sarif(&self, reports: &[Report]) -> String {
        let runs: Vec<Value> = reports.iter().map(|report| self.run(report)).collect();
        let log = json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": runs });
        log.to_string()
    }

    fn run(&self, report: &Report) -> Value {
        let rules = Topic::ALL.iter().map(|topic| {
            json!({
                "id": topic.anchor(),
                "shortDescription": { "text": topic.anchor().replace('-', " ") },
                "help": { "text": topic.page() },
            })
        });
        let results = findings(report);
        let results = results.iter().map(|item| self.result(item));
        json!({
            "tool": { "driver": {
                "name": "verdigris explain",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.collect::<Vec<Value>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<Value>>(),
        })
    }

    fn result(&self, item: &Finding) -> Value {
        let share = 100.0 * item.share;
        let mut text = format!("{} ({}, {share:.0} %)", item.what, time(item.seconds));
        for line in &item.why {
            // Writing to a string never fails.
            let _ = write!(text, "\n{line}");
        }
        let _ = match &item.advice {
            Some(advice) => write!(
                text,
                "\n-> {advice}\n-> in the interpreter: {}",
                item.remedy
            ),
            None => write!(text, "\n-> {}", item.remedy),
        };
        let mut result = json!({
            "ruleId": item.topic.anchor(),
            "ruleIndex": Topic::ALL.iter().position(|topic| *topic == item.topic),
            "level": "note",
            "message": { "text": text },
            "rank": share,
            "properties": { "seconds": item.seconds, "share": item.share },
        });
        let location = item.place.as_ref().and_then(|place| self.location(place));
        if let Some(location) = location {
            result["locations"] = json!([location]);
        }
        result
    }

    /// The location, if the place has a file.
    fn location(&self, place: &SourcePos) -> Option<Value> {
        let mut physical = json!({ "artifactLocation": { "uri": uri(place.file.as_ref()?) } });
        if let Some(line) = place.line {
            physical["region"] = json!({ "startLine": line });
            if let Some(column) = place.column {
                physical["region"]["startColumn"] = json!(column);
            }
            if let Some(text) = self.line(place) {
                physical["region"]["snippet"] = json!({ "text": text });
            }
        }
        let mut location = json!({ "physicalLocation": physical });
        if let Some(function) = &place.function {
            location["logicalLocations"] = json!([{ "name": function, "kind": "function" }]);
        }
        Some(location)
    }
}

/// A path as a reference (RFC 3986): relative paths stay relative, to wherever the program ran.
fn uri(path: &str) -> String {
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            // Writing to a string never fails.
            _ => drop(write!(uri, "%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("a/b c.lua"), "a/b%20c.lua");
        assert_eq!(uri("/ä:x"), "file:///%C3%A4%3Ax");
    }
}
