//! The file of a run. In: records, and the machine. Out: a JSON document of both, which the page
//! and the comparison read. Invariant: one record is one line, so that two files can be looked at
//! side by side; nothing in it names a folder or a host.

use crate::measure::record::Record;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// The number of the format, which changes when old readers would misunderstand it.
const FORMAT: u32 = 1;

/// The file that a run of benchmarks writes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// The number of the format.
    pub format: u32,
    /// Where and of what the records were made.
    pub machine: Machine,
    /// The results.
    pub records: Vec<Record>,
}

/// The other inputs of the figures: not the code.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// When it was, in UTC.
    pub date: String,
    /// The commit, if the folder is a repository; `+` behind it says that something was changed.
    pub commit: Option<String>,
    /// `release` or `debug`.
    pub build: String,
    /// Whether sizes were small and runs few, so that the figures mean little.
    pub quick: bool,
    /// The model of the processor.
    pub cpu: String,
    /// How many processors it has.
    pub cores: usize,
    /// Operating system and instruction set.
    pub platform: String,
    /// The compiler.
    pub rustc: Option<String>,
    /// The versions of the other systems, by their name in the records.
    pub peers: BTreeMap<String, String>,
}

impl Machine {
    /// This machine, now.
    pub fn here(quick: bool, peers: BTreeMap<String, String>) -> Machine {
        let now = humantime::format_rfc3339_seconds(SystemTime::now());
        let build = if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        };
        Machine {
            date: now.to_string(),
            commit: commit(),
            build: build.to_string(),
            quick,
            cpu: cpu(),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            rustc: first_line("rustc", &["--version"]),
            peers,
        }
    }
}

/// What a command says of itself: the first line that is not empty, on standard output or else on
/// standard error.
pub fn first_line(program: &str, args: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    let output = command
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .ok()?;
    let line = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let line = text.lines().find(|line| !line.trim().is_empty())?;
        Some(line.trim().to_string())
    };
    match output.status.success() {
        true => line(&output.stdout).or_else(|| line(&output.stderr)),
        false => None,
    }
}

fn commit() -> Option<String> {
    let commit = first_line("git", &["rev-parse", "--short=12", "HEAD"])?;
    let changed = first_line("git", &["status", "--porcelain", "--untracked-files=no"]);
    Some(commit + if changed.is_some() { "+" } else { "" })
}

fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut models = text.lines().filter(|line| line.starts_with("model name"));
    let model = models.find_map(|line| line.split_once(':'));
    model.map_or("unknown".to_string(), |(_, name)| name.trim().to_string())
}

impl Document {
    /// A document of these records.
    pub fn new(machine: Machine, records: Vec<Record>) -> Document {
        Document {
            format: FORMAT,
            machine,
            records,
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let line = |record: &Record| serde_json::to_string(record).expect("records serialise");
        let machine = serde_json::to_string(&self.machine).expect("a machine serialises");
        let records: Vec<String> = self.records.iter().map(line).collect();
        format!(
            "{{\"format\":{},\n\"machine\":{machine},\n\"records\":[\n{}\n]}}\n",
            self.format,
            records.join(",\n")
        )
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), String> {
        fs::write(file, self.to_json()).map_err(|error| format!("{}: {error}", file.display()))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is not such a document.
    pub fn read(file: &Path) -> Result<Document, String> {
        let fail = |why: String| format!("{}: {why}", file.display());
        let text = fs::read_to_string(file).map_err(|error| fail(error.to_string()))?;
        Document::parse(&text).map_err(fail)
    }

    /// The document of this text.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(text: &str) -> Result<Document, String> {
        let wrong = |error: serde_json::Error| {
            format!("this is not what `bench -- all --json FILE` writes: {error}")
        };
        let value: serde_json::Value = serde_json::from_str(text).map_err(wrong)?;
        match value.get("format").and_then(|format| format.as_u64()) {
            Some(format) if format != u64::from(FORMAT) => {
                return Err(format!(
                    "it has format {format}, and this program reads format {FORMAT}: measure again"
                ));
            }
            _ => {}
        }
        let document: Document = serde_json::from_value(value).map_err(wrong)?;
        let broken = |record: &&Record| {
            let numbers = [record.seconds, record.q1, record.q3, record.min, record.max];
            let mut all = numbers.iter().chain(&record.samples);
            all.any(|seconds| !seconds.is_finite() || *seconds < 0.0)
        };
        match document.records.iter().find(broken) {
            Some(record) => Err(format!(
                "the record of {}, {}, {} has seconds that are none",
                record.suite, record.benchmark, record.system
            )),
            None => Ok(document),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let peers = BTreeMap::from([("c".to_string(), "gcc 1".to_string())]);
        let records = vec![
            Record::new("tables", "factorial", 10, "c", &[0.5, 0.25]),
            Record::counted("removed", "total", 0, "new before", 12),
        ];
        Document::new(Machine::here(true, peers), records)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let document = document();
        let text = document.to_json();
        assert_eq!(text.lines().count(), 6, "{text}");
        assert_eq!(Document::parse(&text), Ok(document));
    }

    #[test]
    fn a_machine_names_no_folder_and_no_host() {
        let machine = serde_json::to_string(&Machine::here(true, BTreeMap::new()));
        let machine = machine.expect("it serialises");
        assert!(!machine.contains(env!("CARGO_MANIFEST_DIR")), "{machine}");
        assert!(machine.contains("\"build\":\"debug\"") || !cfg!(debug_assertions));
    }

    #[test]
    fn other_files_are_refused() {
        let error = |text: &str| Document::parse(text).expect_err("it is refused");
        for text in [
            "",
            "[1, 2]",
            "{}",
            "{\"format\":1,\"records\":[]}",
            "<html>",
        ] {
            let error = error(text);
            assert!(
                error.starts_with("this is not what `bench -- all"),
                "{error}"
            );
        }
        let newer = document().to_json().replace("\"format\":1", "\"format\":2");
        assert_eq!(
            error(&newer),
            "it has format 2, and this program reads format 1: measure again"
        );
        let negative = document().to_json().replace("\"min\":0.25", "\"min\":-1");
        assert_eq!(
            error(&negative),
            "the record of tables, factorial, c has seconds that are none"
        );
        let missing = Document::read(Path::new("no/such/file.json")).expect_err("it is missing");
        assert!(missing.starts_with("no/such/file.json: "), "{missing}");
    }
}
