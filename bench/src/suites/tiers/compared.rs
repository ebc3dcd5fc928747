//! The numbers of the 2022 paper. In: what was measured of its programs on each level. Out:
//! quotients of that, their geometric means, and the paper's numbers beside them. Invariant: a
//! quotient of something that was not measured is a dash, and so is what the paper does not say.
//!
//! Source: "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), the
//! abstract, 2.3 and 3.4.

use crate::measure::interleave::least;
use crate::measure::record::Record;
use crate::measure::statistics::geometric_mean;
use crate::measure::text::{align, row};
use Measure::{Code, Compiling, Operations, Stable, Startup};

/// The measurement of a level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Measure {
    /// Seconds of the first run in a VM.
    Startup,
    /// Seconds of a warm run.
    Stable,
    /// Seconds of tracing, optimising and compiling.
    Compiling,
    /// Bytes of machine code.
    Code,
    /// Operations of recorded traces, and those that partial evaluation gave the optimiser.
    Operations,
}

impl Measure {
    /// The measurement of a level, if there is one.
    pub fn of(self, records: &[Record], program: &str, level: &str) -> Option<f64> {
        let name = match self {
            Stable => level.to_string(),
            Startup => format!("{level} first"),
            Compiling => format!("{level} compiling"),
            Code => format!("{level} code bytes"),
            Operations => format!("{level} operations"),
        };
        let mut groups = records.chunk_by(|a, b| a.benchmark == b.benchmark);
        let group = groups.find(|group| group[0].benchmark == program)?;
        match self {
            Code | Operations => {
                let record = group.iter().find(|record| record.system == name);
                Some(record?.count? as f64)
            }
            _ => least(group, &name),
        }
    }
}

/// The paper's numbers: how many times as fast as the interpreter the first and a warm run are.
const SAID: [(&str, &str, [f64; 2]); 3] = [
    (MEAN, "baseline", [1.9, 1.7]),
    (MEAN, "tracing", [5.0, 3.25]),
    ("callabit", "baseline-interp", [0.97, 0.97]),
];

/// The paper says how fast these two are on average.
pub const MEAN: &str = "loop, loopabit";
pub const LOOPS: [&str; 2] = ["loop", "loopabit"];

/// Measures of a program on two levels: the first is divided by the second.
pub type Quotient = (Measure, &'static str, [&'static str; 2]);

/// The paper's comparisons: in words, the quotients whose geometric mean it is, and the paper's
/// number.
pub type Comparison = (&'static str, &'static [Quotient], f64);

const CALLABIT: &str = "callabit";

/// Of the shares of time and code that the levels save in general, the paper says that they are
/// those of earlier work on threaded code.
pub const COMPARED: &[Comparison] = &[
    (
        "stable, loops: baseline/tracing",
        &[
            (Stable, "loop", ["baseline", "tracing"]),
            (Stable, "loopabit", ["baseline", "tracing"]),
        ],
        2.0,
    ),
    (
        "startup and stable, all: interp/baseline",
        &[
            (Startup, "loop", ["interp", "baseline"]),
            (Startup, "loopabit", ["interp", "baseline"]),
            (Startup, CALLABIT, ["interp", "baseline-only"]),
            (Stable, "loop", ["interp", "baseline"]),
            (Stable, "loopabit", ["interp", "baseline"]),
            (Stable, CALLABIT, ["interp", "baseline-only"]),
        ],
        1.77,
    ),
    (
        "startup and stable, all: baseline/tracing",
        &[
            (Startup, "loop", ["baseline", "tracing"]),
            (Startup, "loopabit", ["baseline", "tracing"]),
            (Startup, CALLABIT, ["baseline-only", "tracing-only"]),
            (Stable, "loop", ["baseline", "tracing"]),
            (Stable, "loopabit", ["baseline", "tracing"]),
            (Stable, CALLABIT, ["baseline-only", "tracing-only"]),
        ],
        1.43,
    ),
    (
        "startup, callabit: baseline-tracing/tracing-only",
        &[(Startup, CALLABIT, ["baseline-tracing", "tracing-only"])],
        1.0,
    ),
    (
        "stable, callabit: baseline-tracing/tracing-only",
        &[(Stable, CALLABIT, ["baseline-tracing", "tracing-only"])],
        1.0,
    ),
    (
        "stable, callabit: tracing-baseline/baseline-tracing",
        &[(Stable, CALLABIT, ["tracing-baseline", "baseline-tracing"])],
        1.45,
    ),
    (
        "stable, callabit: baseline-only/tracing-baseline",
        &[(Stable, CALLABIT, ["baseline-only", "tracing-baseline"])],
        0.95,
    ),
    (
        "operations, callabit: baseline-tracing/tracing-only",
        &[(Operations, CALLABIT, ["baseline-tracing", "tracing-only"])],
        0.60,
    ),
    (
        "operations, callabit: baseline-tracing/tracing-baseline",
        &[(
            Operations,
            CALLABIT,
            ["baseline-tracing", "tracing-baseline"],
        )],
        1.0,
    ),
    (
        "code bytes, callabit: baseline-tracing/tracing-only",
        &[(Code, CALLABIT, ["baseline-tracing", "tracing-only"])],
        0.60,
    ),
    (
        "code bytes, all: baseline/tracing",
        &[
            (Code, "loop", ["baseline", "tracing"]),
            (Code, "loopabit", ["baseline", "tracing"]),
            (Code, CALLABIT, ["baseline-only", "tracing-only"]),
        ],
        0.20,
    ),
    (
        "compiling, all: baseline/tracing",
        &[
            (Compiling, "loop", ["baseline", "tracing"]),
            (Compiling, "loopabit", ["baseline", "tracing"]),
            (Compiling, CALLABIT, ["baseline-only", "tracing-only"]),
        ],
        0.40,
    ),
];

/// The paper's number for the first (0) or a warm run (1), if it does.
pub fn said(program: &str, level: &str, at: usize) -> Option<f64> {
    let said = SAID
        .iter()
        .find(|said| (said.0, said.1) == (program, level));
    said.map(|said| said.2[at])
}

/// The geometric mean of quotients, if all of them were measured.
pub fn mean(records: &[Record], quotients: &[(Measure, &str, [&str; 2])]) -> Option<f64> {
    let quotient = |&(measure, program, levels): &(Measure, &str, [&str; 2])| {
        let [above, below] = levels.map(|level| measure.of(records, program, level));
        Some(above? / below?)
    };
    let quotients: Option<Vec<f64>> = quotients.iter().map(quotient).collect();
    geometric_mean(&quotients?)
}

/// A line for each comparison.
pub fn rows(records: &[Record]) -> Vec<Vec<String>> {
    let mut rows = vec![row(["compared", "here", "paper"])];
    for (words, quotients, paper) in COMPARED {
        rows.push(vec![
            words.to_string(),
            number(mean(records, quotients)),
            number(Some(*paper)),
        ]);
    }
    rows
}

/// The lines with what they are about.
pub fn table(records: &[Record]) -> String {
    format!(
        "levels against each other: quotients, and geometric means of several\n{}\n",
        align(&rows(records))
    )
}

/// A number in a table, or a dash.
pub fn number(value: Option<f64>) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_that_were_not_measured_are_dashes() {
        let record = |system: &str, seconds: f64| {
            Record::new("tiers-paper", CALLABIT, 9, system, &[seconds])
        };
        let records = [
            record("tracing-baseline", 0.3),
            record("baseline-tracing", 0.2),
        ];
        let text = table(&records);
        let line = |what: &str| {
            let line = text.lines().find(|line| line.contains(what));
            let line = line.expect(what).split_once(": ").expect(what).1;
            line.split_whitespace()
                .map(str::to_string)
                .collect::<Vec<_>>()
        };
        let both = "stable, callabit: tracing-baseline/baseline-tracing";
        assert_eq!(line(both)[1..], ["1.50", "1.45"]);
        let missing = "stable, callabit: baseline-only/tracing-baseline";
        assert_eq!(line(missing)[1..], ["-", "0.95"]);
    }
}
