//! What a replay says. In: what was recorded of a piece, and what was made now. Out: text: a line
//! for each piece, with the differences below it, and a summary. Invariant: texts are compared as
//! they are, so that whatever a person would see is a difference.

use crate::pieces::{Made, Outcome, Piece};
use similar::TextDiff;
use std::fmt::{self, Write};
use std::time::Duration;

/// Whether something is as it was.
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

    /// What there is to say below the line.
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

/// What became of a piece.
#[derive(Clone, Debug)]
pub(crate) struct PieceReport {
    title: String,
    /// What was recorded, if there is more to say of it than that there is code.
    recorded: Option<String>,
    pub trace: Verdict,
    pub code: Verdict,
    pub bytes: Option<usize>,
    pub optimising: Duration,
    pub compiling: Duration,
}

impl PieceReport {
    pub fn new(piece: &Piece) -> PieceReport {
        let recorded = match &piece.outcome {
            Some(Outcome::Code(..) | Outcome::Kept) => None,
            Some(Outcome::Failed(reason, detail)) => Some(format!("given up: {reason}: {detail}")),
            None if piece.optimised.is_some() => Some("the backend did not come back".to_string()),
            None => Some("the optimiser did not come back".to_string()),
        };
        let number = piece.number;
        let title = match piece.title.is_empty() {
            true => format!("trace {number}"),
            false => piece.title.clone(),
        };
        PieceReport {
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
    pub fn compare(&mut self, made: Option<&Made>, now: &str, refused: Option<&String>) {
        self.trace = match (made, refused) {
            (Some(made), _) => Verdict::of(&made.text, now),
            (None, Some(_)) => Verdict::Differs(format!("now there is a trace:\n{now}")),
            (None, None) => Verdict::Differs(format!("now the optimiser comes back:\n{now}")),
        };
    }
}

/// What a replay says.
#[derive(Clone, Debug)]
pub struct Report {
    pub(crate) pieces: Vec<PieceReport>,
    pub(crate) backend: &'static str,
}

impl Report {
    /// Whether traces and code are those that were recorded.
    pub fn is_same(&self) -> bool {
        let is_other = |piece: &PieceReport| {
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

impl fmt::Display for Report {
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
        let sum = |time: fn(&PieceReport) -> Duration| self.pieces.iter().map(time).sum();
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
