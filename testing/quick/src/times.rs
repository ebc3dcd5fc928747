//! How long test targets take. In: `times.txt`, a line with seconds, package and target for each
//! that was measured. Out: seconds. Invariant: what was not measured counts [`UNKNOWN`]; the file
//! is in the order of its keys, so that differences of two are short.

use crate::workspace::Suite;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The assumed time of a target that was never measured, in seconds.
pub const UNKNOWN: f64 = 5.0;

const HEAD: &str = "# Seconds that test targets take on a machine with 2 cores, building left aside: `.ci/quick --measure` writes them.\n";

/// The table.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Times(BTreeMap<(String, String), f64>);

impl Times {
    /// Reads the table.
    ///
    /// # Errors
    /// The first line that is none of a table.
    pub fn parse(text: &str) -> Result<Times, String> {
        let mut times = Times::default();
        for line in text.lines().filter(|l| !l.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [seconds, package, suite] = words[..] else {
                return Err(format!("not `seconds package target`: {line}"));
            };
            let seconds = seconds.parse().map_err(|_| format!("no seconds: {line}"))?;
            let key = (package.to_string(), suite.to_string());
            times.0.insert(key, seconds);
        }
        Ok(times)
    }

    /// The table as text.
    pub fn print(&self) -> String {
        let mut text = HEAD.to_string();
        for ((package, suite), seconds) in &self.0 {
            let _ = writeln!(text, "{seconds:7.1} {package} {suite}");
        }
        text
    }

    /// Writes the table.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), String> {
        std::fs::write(file, self.print()).map_err(|e| format!("{}: {e}", file.display()))
    }

    /// How long a target takes.
    pub fn of(&self, package: &str, suite: &Suite) -> f64 {
        let key = (package.to_string(), suite.to_string());
        self.0.get(&key).copied().unwrap_or(UNKNOWN)
    }

    /// Sets how long a target takes.
    pub fn set(&mut self, package: &str, suite: &Suite, seconds: f64) {
        let key = (package.to_string(), suite.to_string());
        self.0.insert(key, seconds);
    }

    /// The lines of the table: package and target.
    pub fn keys(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.keys().map(|(package, suite)| (&**package, &**suite))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_as_they_are_written() {
        let mut times = Times::default();
        times.set("front", &Suite::Lib, 1.5);
        times.set("front", &Suite::Test("ui".to_string()), 12.0);
        assert_eq!(Times::parse(&times.print()), Ok(times.clone()));
        assert_eq!(times.of("front", &Suite::Lib), 1.5);
        assert_eq!(times.of("front", &Suite::Doc), UNKNOWN);
        assert!(Times::parse("front lib").is_err());
        assert!(Times::parse("soon front lib").is_err());
    }
}
