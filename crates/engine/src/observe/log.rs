//! What the JIT does, as text. In: `VERDIGRIS_LOG=stage,stage[:FILE]`, and
//! `VERDIGRIS_EXPLAIN=FILE`. Out: pieces, each with a header line that starts with `#` and a body
//! in the text form of its stage, which the stage's parser reads back. Invariant: a stage that was
//! not asked for costs one test; its text is not made.

use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// What can be logged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// The flow graphs of the interpreter.
    Graph,
    /// Its jitcode.
    Jitcode,
    /// Traces as recorded, and attempts that were given up.
    Trace,
    /// What the second compiler gives to the optimiser, and where what is left comes from.
    Given,
    /// Traces as optimised.
    Opt,
    /// What traces could not keep out of memory, and why.
    Lost,
    /// What Cranelift was given.
    Clif,
    /// Machine code.
    Asm,
    /// Guard failures.
    Deopt,
    /// Code that is freed.
    Free,
    /// Changes of tier.
    Tier,
    /// Where the operations of traces come from.
    Origins,
    /// Figures when the VM ends.
    Stats,
}

impl Stage {
    const ALL: [Stage; 13] = [
        Stage::Graph,
        Stage::Jitcode,
        Stage::Trace,
        Stage::Given,
        Stage::Opt,
        Stage::Lost,
        Stage::Clif,
        Stage::Asm,
        Stage::Deopt,
        Stage::Free,
        Stage::Tier,
        Stage::Origins,
        Stage::Stats,
    ];

    fn name(self) -> &'static str {
        match self {
            Stage::Graph => "graph",
            Stage::Jitcode => "jitcode",
            Stage::Trace => "trace",
            Stage::Given => "given",
            Stage::Opt => "opt",
            Stage::Lost => "lost",
            Stage::Clif => "clif",
            Stage::Asm => "asm",
            Stage::Deopt => "deopt",
            Stage::Free => "free",
            Stage::Tier => "tier",
            Stage::Origins => "origins",
            Stage::Stats => "stats",
        }
    }
}

/// Why a log cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogError(String);

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LogError {}

/// Where text goes.
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
    /// Whether it has been said that it cannot be written.
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

/// The stages to log, and where to.
pub(crate) struct Log {
    stages: u16,
    sink: Sink,
}

impl Log {
    /// The log that `stage,stage[:FILE]` asks for.
    pub(crate) fn parse(text: &str) -> Result<Log, LogError> {
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
        Ok(Log { stages, sink })
    }

    /// Whether a stage was asked for.
    pub(crate) fn wants(&self, stage: Stage) -> bool {
        self.stages & 1 << stage as u8 != 0
    }

    /// Whether any stage was asked for.
    pub(crate) fn wants_any(&self) -> bool {
        self.stages != 0
    }

    /// Writes a header line and a body, if the stage was asked for.
    pub(crate) fn piece(&self, stage: Stage, piece: impl FnOnce() -> (String, String)) {
        if !self.wants(stage) {
            return;
        }
        let (header, body) = piece();
        let mut text = format!("# {}: {}\n", stage.name(), header.replace('\n', " "));
        text.push_str(body.trim_end());
        text.push_str(if body.is_empty() { "" } else { "\n\n" });
        // A log that cannot be written (a closed pipe, a full disk) must not change what the
        // program does.
        match &self.sink {
            Sink::Stderr => drop(std::io::stderr().lock().write_all(text.as_bytes())),
            Sink::File(file) => file
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .write(&text),
        }
    }
}

/// The stages that a word stands for.
fn stage_bits(word: &str) -> Result<u16, LogError> {
    if word == "all" {
        return Ok(Stage::ALL.iter().fold(0, |bits, s| bits | 1 << *s as u8));
    }
    match Stage::ALL.iter().find(|s| s.name() == word) {
        Some(stage) => Ok(1 << *stage as u8),
        None => Err(LogError(format!(
            "VERDIGRIS_LOG: there is no stage {word:?}; stages: {}, all (VERDIGRIS_LOG=stage,stage[:FILE])",
            Stage::ALL.map(Stage::name).join(", ")
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
        let wanted: Vec<_> = Stage::ALL.into_iter().filter(|s| log.wants(*s)).collect();
        assert_eq!(wanted, [Stage::Opt, Stage::Deopt]);
        let all = Log::parse("all").unwrap();
        assert!(Stage::ALL.into_iter().all(|s| all.wants(s)));
        let none = Log::parse("").unwrap();
        assert!(!Stage::ALL.into_iter().any(|s| none.wants(s)));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        expect![[r#"VERDIGRIS_LOG: there is no stage "trce"; stages: graph, jitcode, trace, given, opt, lost, clif, asm, deopt, free, tier, origins, stats, all (VERDIGRIS_LOG=stage,stage[:FILE])"#]].assert_eq(&refused("trce"));
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
            log.piece(Stage::Trace, || {
                (format!("trace {n}"), "[i]\nfinish".into())
            });
            log.piece(Stage::Opt, || unreachable!("not asked for"));
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
}
