//! What our JIT made of a program that ran in a process. In: the statistics that the process wrote.
//! Out: counts, and records of them.

use crate::measure::record::Record;
use serde_json::Value;

/// The names of counts, as systems of records.
pub const COUNTS: [&str; 3] = ["loops", "bridges", "code bytes"];

/// The code that the JIT made of a program.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Made {
    /// Loops.
    pub loops: u64,
    /// Bridges.
    pub bridges: u64,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// Failures of guards after which the interpreter took over.
    pub failures: u64,
}

impl Made {
    /// Records of it, beside this record of the same program.
    pub fn counted(&self, of: &Record) -> Vec<Record> {
        let counts = [self.loops, self.bridges, self.code_bytes];
        let record =
            |(system, count)| Record::counted(&of.suite, &of.benchmark, of.n, system, count);
        COUNTS.into_iter().zip(counts).map(record).collect()
    }
}

/// The value of a line of statistics.
pub fn made(line: &str) -> Option<Made> {
    let stats: Value = serde_json::from_str(line).ok()?;
    let count = |name: &str| stats.get(name)?.as_u64();
    Some(Made {
        loops: count("loops")?,
        bridges: count("bridges")?,
        code_bytes: count("machine_code_bytes")?,
        failures: stats.get("guard_failures")?.get("interpreter")?.as_u64()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_found() {
        let line = r#"{"loops":1,"bridges":2,"guard_failures":{"total":5,"interpreter":4},"machine_code_bytes":3}"#;
        let expected = Made {
            loops: 1,
            bridges: 2,
            code_bytes: 3,
            failures: 4,
        };
        assert_eq!(made(line), Some(expected));
        assert_eq!((made("{}"), made("a word")), (None, None));
    }
}
