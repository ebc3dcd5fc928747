//! Measurements. In: seconds of single runs. Out: [`Record`]s with medians, and the JSON file of them.
//! Invariant: one record per suite, benchmark, n and system; its fields are the interface of every tool that reads them.

use serde::Serialize;
use std::fs;
use std::path::Path;

/// One line of results.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Record {
    /// The subcommand or table.
    pub suite: String,
    /// The program.
    pub benchmark: String,
    /// Its argument, or the number of operations that the seconds are divided by.
    pub n: i64,
    /// Who ran it: `interp`, `jit-cold`, `jit-warm`, `rust`, `c`, `csharp`, `luajit`, `pypy`, `node`, or a phase of the JIT.
    pub system: String,
    /// The median.
    pub seconds: f64,
    /// The fastest run.
    pub min: f64,
    /// The slowest run.
    pub max: f64,
    /// How many runs.
    pub runs: usize,
    /// The largest resident set in bytes, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_rss: Option<u64>,
}

impl Record {
    /// A record of these runs.
    ///
    /// # Panics
    /// If there are none.
    pub fn new(suite: &str, benchmark: &str, n: i64, system: &str, runs: &[f64]) -> Record {
        let mut sorted = runs.to_vec();
        sorted.sort_by(f64::total_cmp);
        Record {
            suite: suite.to_string(),
            benchmark: benchmark.to_string(),
            n,
            system: system.to_string(),
            seconds: median(&sorted),
            min: sorted[0],
            max: sorted[sorted.len() - 1],
            runs: sorted.len(),
            max_rss: None,
        }
    }
}

/// The median of sorted values: the mean of the middle two if their number is even.
fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    match sorted.len() % 2 {
        1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// Writes the records as a JSON list.
///
/// # Errors
/// If the file cannot be written.
pub fn write_json(file: &Path, records: &[Record]) -> Result<(), String> {
    let mut text = serde_json::to_string_pretty(records).map_err(|error| error.to_string())?;
    text.push('\n');
    fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        let record = Record::new("s", "b", 1, "c", &[3.0, 1.0, 2.0]);
        assert_eq!(
            (record.seconds, record.min, record.max, record.runs),
            (2.0, 1.0, 3.0, 3)
        );
        assert_eq!(
            Record::new("s", "b", 1, "c", &[4.0, 1.0, 2.0, 3.0]).seconds,
            2.5
        );
    }

    #[test]
    fn json_has_the_fields_that_readers_expect() {
        let record = Record::new("tables", "factorial", 10, "jit-warm", &[0.5]);
        assert_eq!(
            serde_json::to_string(&record).expect("a record serialises"),
            r#"{"suite":"tables","benchmark":"factorial","n":10,"system":"jit-warm","seconds":0.5,"min":0.5,"max":0.5,"runs":1}"#
        );
    }
}
