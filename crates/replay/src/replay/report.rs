//! The report of a replay: a line for each job, with the differences below it, and a summary. Texts
//! are compared literally, so every visible difference counts.

use crate::outcome::JobOutcome;
use crate::replay::jobs::{Job, RecordedOutput};
use similar::TextDiff;
use std::fmt::{self, Write};
use std::time::Duration;

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Same,
    /// With the difference, or what it is.
    Differs(String),
    /// It was not made, or cannot be compared.
    Skipped(String),
    /// It could not be made.
    Lost(String),
}

impl Verdict {
    /// Of two texts.
    pub fn of(before: &str, now: &str) -> Verdict {
        if before == now {
            return Verdict::Same;
        }
        let diff = TextDiff::from_lines(before, now);
        let mut diff = diff.unified_diff();
        let diff = diff.context_radius(3).header("recorded", "replayed");
        Verdict::Differs(diff.to_string())
    }

    fn word(&self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Differs(_) => "differs",
            Verdict::Skipped(_) => "-",
            Verdict::Lost(_) => "lost",
        }
    }

    /// The details below the line.
    fn detail(&self) -> Option<&str> {
        match self {
            Verdict::Same => None,
            Verdict::Differs(text) | Verdict::Skipped(text) | Verdict::Lost(text) => Some(text),
        }
    }

    fn is_other(&self) -> bool {
        matches!(self, Verdict::Differs(_) | Verdict::Lost(_))
    }
}

/// The result of a job.
#[derive(Clone, Debug)]
pub(crate) struct JobReport {
    title: String,
    /// The recorded outcome, if it is not just code.
    recorded: Option<String>,
    pub trace: Verdict,
    pub code: Verdict,
    pub bytes: Option<usize>,
    pub optimising: Duration,
    pub compiling: Duration,
}

impl JobReport {
    pub fn new(piece: &Job) -> JobReport {
        let recorded = match &piece.outcome {
            Some(JobOutcome::Code(..) | JobOutcome::Kept) => None,
            Some(JobOutcome::Failed(reason, detail)) => {
                Some(format!("given up: {reason}: {detail}"))
            }
            None if piece.optimised.is_some() => Some("the backend did not come back".to_string()),
            None => Some("the optimiser did not come back".to_string()),
        };
        let number = piece.number;
        let title = match piece.title.is_empty() {
            true => format!("trace {number}"),
            false => piece.title.clone(),
        };
        JobReport {
            title,
            recorded,
            trace: Verdict::Skipped(String::new()),
            code: Verdict::Skipped(String::new()),
            bytes: None,
            optimising: Duration::ZERO,
            compiling: Duration::ZERO,
        }
    }

    /// Compares what the optimiser has made; `refused` is what it said if it made nothing.
    pub fn compare(&mut self, made: Option<&RecordedOutput>, now: &str, refused: Option<&String>) {
        self.trace = match (made, refused) {
            (Some(made), _) => Verdict::of(&made.text, now),
            (None, Some(_)) => Verdict::Differs(format!("now there is a trace:\n{now}")),
            (None, None) => Verdict::Differs(format!("now the optimiser comes back:\n{now}")),
        };
    }
}

/// The result of a replay.
#[derive(Clone, Debug)]
pub struct ReplayReport {
    pub(crate) pieces: Vec<JobReport>,
    pub(crate) backend: &'static str,
}

impl ReplayReport {
    /// Whether traces and code are those that were recorded.
    pub fn is_same(&self) -> bool {
        let is_other = |piece: &JobReport| {
            let skipped = matches!(&piece.trace, Verdict::Skipped(_));
            skipped || piece.trace.is_other() || piece.code.is_other()
        };
        !self.pieces.iter().any(is_other)
    }

    fn count(&self, word: &str) -> usize {
        let of = |verdict: &Verdict| verdict.word() == word;
        let pieces = self.pieces.iter();
        pieces
            .filter(|piece| match word {
                "same" => of(&piece.trace) && !piece.code.is_other(),
                _ => of(&piece.trace) || of(&piece.code),
            })
            .count()
    }
}

impl fmt::Display for ReplayReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "trace    code     bytes  optimising  compiling")?;
        let micros = |time: Duration| format!("{} us", time.as_micros());
        for piece in &self.pieces {
            let bytes = piece
                .bytes
                .map_or("-".to_string(), |bytes| bytes.to_string());
            writeln!(
                f,
                "{:8} {:8} {bytes:>5}  {:>10}  {:>9}  {}",
                piece.trace.word(),
                piece.code.word(),
                micros(piece.optimising),
                micros(piece.compiling),
                piece.title
            )?;
            let mut below = String::new();
            if let Some(recorded) = &piece.recorded {
                let _ = writeln!(below, "when it was recorded: {recorded}");
            }
            for (what, verdict) in [("trace", &piece.trace), ("code", &piece.code)] {
                match verdict.detail() {
                    Some(detail) if !detail.is_empty() => {
                        let _ = writeln!(below, "{what}: {}", detail.trim_end());
                    }
                    _ => {}
                }
            }
            for line in below.lines() {
                writeln!(f, "    {line}")?;
            }
        }
        let sum = |time: fn(&JobReport) -> Duration| self.pieces.iter().map(time).sum();
        let (optimising, compiling) = (sum(|p| p.optimising), sum(|p| p.compiling));
        let other = self.count("differs");
        writeln!(
            f,
            "{} pieces, {} the same, {other} different, {} lost ({}); optimising {}, compiling {}",
            self.pieces.len(),
            self.count("same"),
            self.count("lost"),
            self.backend,
            micros(optimising),
            micros(compiling)
        )
    }
}
