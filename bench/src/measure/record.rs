//! Measurements. In: seconds of single runs, or counts. Out: [`Record`]s with their statistics.
//! Invariant: one record per suite, benchmark, n and system; it keeps every run, so that two files
//! can be compared properly; its fields are the interface of every tool that reads them.

use crate::measure::statistics::{five_digits, quantile};
use serde::{Deserialize, Serialize};

/// One line of results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The subcommand or table.
    pub suite: String,
    /// The program.
    pub benchmark: String,
    /// Its argument or size.
    pub n: i64,
    /// The system that ran it: `interp`, `jit-cold`, `jit-warm`, `rust`, `c`, `csharp`, `java`,
    /// `luajit`, `pypy`, `node`, `lua`, or a phase of the JIT or of the translator.
    pub system: String,
    /// The median of the runs. In the suites `compile` and `scaling` for each recorded operation.
    pub seconds: f64,
    /// The quarter of the runs that were fastest took at most this.
    pub q1: f64,
    /// The quarter of the runs that were slowest took at least this.
    pub q3: f64,
    /// The fastest run.
    pub min: f64,
    /// The slowest run.
    pub max: f64,
    /// Every run, in the order in which they were measured; none where only something was counted.
    pub samples: Vec<f64>,
    /// For each run how long a fixed piece of work took around it, see [`crate::measure::pace`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pace: Vec<f64>,
    /// The largest resident set in bytes, where it was measured: of a process of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rss: Option<u64>,
    /// The count, in the suites that count: operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// How the time changed from iteration to iteration, in the suite `warmup`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warmup: Option<Warmup>,
}

/// Iterations in one VM from its first on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warmup {
    /// The seconds of each iteration, the median of several VMs.
    pub curve: Vec<f64>,
    /// The first iteration, counted from 1, at which the time was close to its final level and
    /// stayed there; none if it never was.
    pub reached: Option<usize>,
    /// What the iterations before took more than those of the final level take, in such iterations.
    pub cost: f64,
}

impl Record {
    /// A record of these runs.
    ///
    /// # Panics
    /// If there are none.
    pub fn new(suite: &str, benchmark: &str, n: i64, system: &str, runs: &[f64]) -> Record {
        let samples: Vec<f64> = runs.iter().copied().map(five_digits).collect();
        let at = |part| five_digits(quantile(&samples, part));
        let [min, q1, seconds, q3, max] = [0.0, 0.25, 0.5, 0.75, 1.0].map(at);
        Record {
            suite: suite.to_string(),
            benchmark: benchmark.to_string(),
            n,
            system: system.to_string(),
            seconds,
            q1,
            q3,
            min,
            max,
            samples,
            pace: Vec::new(),
            max_rss: None,
            count: None,
            warmup: None,
        }
    }

    /// A record of something that was counted and not timed.
    pub fn counted(suite: &str, benchmark: &str, n: i64, system: &str, count: u64) -> Record {
        Record {
            count: Some(count),
            samples: Vec::new(),
            ..Record::new(suite, benchmark, n, system, &[0.0])
        }
    }

    /// The same with a count.
    pub fn with_count(self, count: u64) -> Record {
        let count = Some(count);
        Record { count, ..self }
    }

    /// The same with the pace of each run.
    pub fn with_pace(self, pace: &[f64]) -> Record {
        let pace = pace.iter().copied().map(five_digits).collect();
        Record { pace, ..self }
    }

    /// The runs in the time of the fixed work around each, if that is known.
    pub fn paced(&self) -> Option<Vec<f64>> {
        let known = self.pace.len() == self.samples.len() && self.pace.iter().all(|p| *p > 0.0);
        let runs = self.samples.iter().zip(&self.pace);
        known.then(|| runs.map(|(seconds, pace)| seconds / pace).collect())
    }

    /// Whether it has seconds.
    pub fn is_timed(&self) -> bool {
        !self.samples.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_spread() {
        let record = Record::new("s", "b", 1, "c", &[3.0, 1.0, 2.0]);
        assert_eq!((record.seconds, record.min, record.max), (2.0, 1.0, 3.0));
        assert_eq!((record.q1, record.q3), (1.5, 2.5));
        assert_eq!(record.samples, [3.0, 1.0, 2.0]);
        let even = Record::new("s", "b", 1, "c", &[4.0, 1.0, 2.0, 3.0]);
        assert_eq!(even.seconds, 2.5);
        let paced = even.clone().with_pace(&[2.0, 1.0, 1.0, 1.0]).paced();
        assert_eq!(
            (even.paced(), paced),
            (None, Some(vec![2.0, 1.0, 2.0, 3.0]))
        );
        let counted = Record::counted("s", "b", 1, "c", 7);
        assert_eq!((counted.count, counted.is_timed()), (Some(7), false));
    }

    #[test]
    fn json_has_the_fields_that_readers_expect() {
        let record = Record::new("tables", "factorial", 10, "jit-warm", &[0.5]);
        let text = serde_json::to_string(&record).expect("a record serialises");
        assert_eq!(
            text,
            r#"{"suite":"tables","benchmark":"factorial","n":10,"system":"jit-warm","seconds":0.5,"q1":0.5,"q3":0.5,"min":0.5,"max":0.5,"samples":[0.5]}"#
        );
        let read: Record = serde_json::from_str(&text).expect("and is read again");
        assert_eq!(read, record);
    }
}
