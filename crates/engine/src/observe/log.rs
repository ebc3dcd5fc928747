//! The log: `VERDIGRIS_LOG=[json:]stage,stage[:FILE]`, and the file of `VERDIGRIS_EXPLAIN=FILE`.
//!
//! In the text form, an entry is a header line that starts with `#` and a body in the text form of
//! its stage, which the stage's parser reads back. In the JSON form, an entry is a
//! [`LogEntry`] on one line. A stage that is off costs one test; its text is not made.

use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use verdigris_report::{LogBody, LogEntry, LogStage, TraceHead, did_you_mean};

/// Why a log cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError(String);

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LogError {}

/// The destination.
#[derive(Clone)]
enum Sink {
    Stderr,
    File(Arc<Mutex<LogFile>>),
}

/// A file that logs go to.
struct LogFile {
    /// The environment variable that names it.
    variable: &'static str,
    path: PathBuf,
    file: File,
    /// Whether standard error was told that it cannot be written.
    has_failed: bool,
}

impl LogFile {
    /// Writes text. The first time that this fails, standard error is told.
    fn write(&mut self, text: &str) {
        let result = self.file.write_all(text.as_bytes());
        if let (Err(error), false) = (result, self.has_failed) {
            self.has_failed = true;
            let path = self.path.display();
            let mut out = std::io::stderr().lock();
            let _ = writeln!(
                out,
                "{}: cannot write {path}: {error}; what should be there is incomplete",
                self.variable
            );
        }
    }
}

/// The stages to log, the form, and the destination.
pub(crate) struct Log {
    stages: u16,
    is_json: bool,
    sink: Sink,
}

impl Log {
    /// The log that `[json:]stage,stage[:FILE]` asks for.
    pub(crate) fn parse(text: &str) -> Result<Log, LogError> {
        let (text, is_json) = match text.strip_prefix("json:") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (list, file) = match text.split_once(':') {
            Some((list, file)) => (list, Some(file)),
            None => (text, None),
        };
        let words = list.split(',').map(str::trim).filter(|w| !w.is_empty());
        let mut stages = 0;
        for word in words {
            stages |= stage_bits(word)?;
        }
        let sink = match file {
            Some("") => {
                return Err(LogError(
                    "VERDIGRIS_LOG: no file name behind the colon".into(),
                ));
            }
            Some(path) if stages != 0 => Sink::File(open("VERDIGRIS_LOG", Path::new(path))?),
            _ => Sink::Stderr,
        };
        Ok(Log {
            stages,
            is_json,
            sink,
        })
    }

    /// Whether a stage is logged.
    pub(crate) fn wants(&self, stage: LogStage) -> bool {
        self.stages & 1 << stage as u8 != 0
    }

    /// Whether any stage is logged.
    pub(crate) fn wants_any(&self) -> bool {
        self.stages != 0
    }

    /// Writes an entry of text, if its stage is logged: a header and a body.
    pub(crate) fn text(&self, stage: LogStage, entry: impl FnOnce() -> (String, String)) {
        if !self.wants(stage) {
            return;
        }
        let (header, body) = entry();
        match self.is_json {
            true => self.write_json(stage, header, (None, LogBody::Text(body))),
            false => self.write_text(stage, &header, &body),
        }
    }

    /// Writes an entry, if its stage is logged: a header, and a body as text or as data.
    pub(crate) fn entry(
        &self,
        stage: LogStage,
        header: impl FnOnce() -> String,
        text: impl FnOnce() -> String,
        data: impl FnOnce() -> (Option<TraceHead>, LogBody),
    ) {
        if !self.wants(stage) {
            return;
        }
        match self.is_json {
            true => self.write_json(stage, header(), data()),
            false => self.write_text(stage, &header(), &text()),
        }
    }

    fn write_json(
        &self,
        stage: LogStage,
        header: String,
        (trace, body): (Option<TraceHead>, LogBody),
    ) {
        let entry = LogEntry {
            stage,
            header,
            trace,
            body,
        };
        self.write(&(entry.to_json() + "\n"));
    }

    fn write_text(&self, stage: LogStage, header: &str, body: &str) {
        let mut text = format!("# {stage}: {}\n", header.replace('\n', " "));
        text.push_str(body.trim_end());
        text.push_str(if body.is_empty() { "" } else { "\n\n" });
        self.write(&text);
    }

    fn write(&self, text: &str) {
        // A log that cannot be written (a closed pipe, a full disk) must not change what the
        // program does.
        match &self.sink {
            Sink::Stderr => drop(std::io::stderr().lock().write_all(text.as_bytes())),
            Sink::File(file) => file
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .write(text),
        }
    }
}

/// The stages of a word.
fn stage_bits(word: &str) -> Result<u16, LogError> {
    if word == "all" {
        return Ok(LogStage::ALL.iter().fold(0, |bits, s| bits | 1 << *s as u8));
    }
    match LogStage::ALL.iter().find(|s| s.name() == word) {
        Some(stage) => Ok(1 << *stage as u8),
        None => Err(LogError(format!(
            "VERDIGRIS_LOG: there is no stage {word:?}; stages: {}, all (VERDIGRIS_LOG=[json:]stage,stage[:FILE]){}",
            LogStage::ALL.map(LogStage::name).join(", "),
            did_you_mean(word, LogStage::ALL.map(LogStage::name))
        ))),
    }
}

/// The files that logs of this process go to: VMs that name the same file share it, the first one
/// empties it.
static FILES: Mutex<Vec<(PathBuf, Arc<Mutex<LogFile>>)>> = Mutex::new(Vec::new());

fn open(variable: &'static str, path: &Path) -> Result<Arc<Mutex<LogFile>>, LogError> {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, file)) = files.iter().find(|(p, _)| p == path) {
        return Ok(file.clone());
    }
    let file = File::create(path)
        .map_err(|e| LogError(format!("{variable}: cannot write {}: {e}", path.display())))?;
    let file = Arc::new(Mutex::new(LogFile {
        variable,
        path: path.to_path_buf(),
        file,
        has_failed: false,
    }));
    files.push((path.to_path_buf(), file.clone()));
    Ok(file)
}

/// A file for one report of each VM, a line each.
pub(crate) struct ReportFile(Arc<Mutex<LogFile>>);

impl ReportFile {
    /// Like logs, VMs share the file, and the first one empties it.
    pub(crate) fn open(path: &Path) -> Result<ReportFile, LogError> {
        Ok(ReportFile(open("VERDIGRIS_EXPLAIN", path)?))
    }

    /// Adds a line.
    pub(crate) fn write(&self, line: &str) {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.write(&format!("{line}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn refused(text: &str) -> String {
        Log::parse(text).err().expect("a bad log text").to_string()
    }

    #[test]
    fn stages_are_chosen_by_name() {
        let log = Log::parse("opt, deopt").unwrap();
        let wanted: Vec<_> = LogStage::ALL
            .into_iter()
            .filter(|s| log.wants(*s))
            .collect();
        assert_eq!(wanted, [LogStage::Opt, LogStage::Deopt]);
        let all = Log::parse("all").unwrap();
        assert!(LogStage::ALL.into_iter().all(|s| all.wants(s)));
        let none = Log::parse("").unwrap();
        assert!(!LogStage::ALL.into_iter().any(|s| none.wants(s)));
    }

    #[test]
    fn nonsense_is_refused() {
        expect![[r#"VERDIGRIS_LOG: there is no stage "trce"; stages: graph, jitcode, trace, given, opt, lost, clif, asm, deopt, free, tier, origins, events, stats, all (VERDIGRIS_LOG=[json:]stage,stage[:FILE]); did you mean `trace`?"#]].assert_eq(&refused("trce"));
        expect!["VERDIGRIS_LOG: no file name behind the colon"].assert_eq(&refused("opt:"));
        assert!(refused("opt:/no/such/folder/x").contains("/no/such/folder/x"));
    }

    #[test]
    fn a_file_takes_the_pieces_of_all_logs_that_name_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let text = format!("trace:{}", path.display());
        for n in 0..2 {
            let log = Log::parse(&text).unwrap();
            log.text(LogStage::Trace, || {
                (format!("trace {n}"), "[i]\nfinish".into())
            });
            log.text(LogStage::Opt, || unreachable!("not asked for"));
        }
        expect![[r#"
            # trace: trace 0
            [i]
            finish

            # trace: trace 1
            [i]
            finish

        "#]]
        .assert_eq(&std::fs::read_to_string(path).unwrap());
    }

    #[test]
    fn the_json_form_has_an_entry_on_each_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = Log::parse(&format!("json:tier,trace:{}", path.display())).unwrap();
        log.text(LogStage::Tier, || ("header (7)".into(), "a\nb".into()));
        let data = || {
            (
                None,
                LogBody::Ops {
                    count: 0,
                    rows: Vec::new(),
                },
            )
        };
        log.entry(
            LogStage::Trace,
            || "trace 0".into(),
            || unreachable!(),
            data,
        );
        expect![[r#"
            {"stage":"tier","header":"header (7)","text":"a\nb"}
            {"stage":"trace","header":"trace 0","ops":{"count":0,"rows":[]}}
        "#]]
        .assert_eq(&std::fs::read_to_string(path).unwrap());
    }
}
