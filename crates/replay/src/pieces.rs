//! The pieces of a recording. In: nothing. Out: what each was made for, from what, and what came of
//! it. Invariant: a piece that has no outcome is one whose optimiser or backend did not come back.

use crate::questions::{Answer, Question};
use rustc_hash::FxHashMap;
use verdigris_ops::ClassId;
use verdigris_specialise::Lazy;
use verdigris_trace::{GuardId, RecordedTrace, TargetId};

/// What the optimiser was asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// To optimise a loop, or a trace from a header that leads elsewhere.
    Loop,
    /// Another version of the loop with this entry.
    Version(TargetId),
    /// What follows a guard.
    Bridge(GuardId),
    /// To let the second compiler write the code of a place.
    Specialise,
    /// The same for what follows a guard.
    SpecialiseFrom(GuardId),
    /// The code of an instruction, for threaded code.
    Stencil,
    /// How threaded code is entered.
    Entrance,
    /// The code of places that have none.
    WithoutCode,
    /// To find out which arm is wanting where an instruction's code was left.
    Learn(GuardId),
}

impl Kind {
    /// As the file says it.
    pub(crate) fn text(self) -> String {
        match self {
            Kind::Loop => "loop".to_string(),
            Kind::Version(of) => format!("version {}", of.as_u32()),
            Kind::Bridge(guard) => format!("bridge {}", guard.as_u32()),
            Kind::Specialise => "specialise".to_string(),
            Kind::SpecialiseFrom(guard) => format!("specialise-from {}", guard.as_u32()),
            Kind::Stencil => "stencil".to_string(),
            Kind::Entrance => "entrance".to_string(),
            Kind::WithoutCode => "without-code".to_string(),
            Kind::Learn(guard) => format!("learn {}", guard.as_u32()),
        }
    }

    /// Reads what the file says.
    pub(crate) fn parse(text: &str) -> Option<Kind> {
        let (word, number) = text.split_once(' ').unwrap_or((text, ""));
        let number = number.parse();
        let guard = number.clone().map(GuardId::from_u32);
        Some(match word {
            "version" => Kind::Version(TargetId::from_u32(number.ok()?)),
            "bridge" => Kind::Bridge(guard.ok()?),
            "specialise-from" => Kind::SpecialiseFrom(guard.ok()?),
            "learn" => Kind::Learn(guard.ok()?),
            "loop" => Kind::Loop,
            "specialise" => Kind::Specialise,
            "stencil" => Kind::Stencil,
            "entrance" => Kind::Entrance,
            "without-code" => Kind::WithoutCode,
            _ => return None,
        })
    }

    /// The guard behind which it goes on.
    pub(crate) fn guard(self) -> Option<GuardId> {
        match self {
            Kind::Bridge(guard) | Kind::SpecialiseFrom(guard) | Kind::Learn(guard) => Some(guard),
            _ => None,
        }
    }

    /// Whether it is what a run has recorded.
    pub(crate) fn is_recorded(self) -> bool {
        matches!(self, Kind::Loop | Kind::Version(_) | Kind::Bridge(_))
    }
}

/// What came of a piece behind the optimiser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// So many bytes of code, and the code as text.
    Code(usize, String),
    /// It was not compiled, for another version of the loop was recorded first; or there was
    /// nothing to compile.
    Kept,
    /// It was given up: the reason, and what is more to say.
    Failed(String, String),
}

/// A piece as it is recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    /// The line where it begins.
    pub line: usize,
    pub number: u32,
    pub title: String,
    pub labels: u32,
    pub trace: Option<RecordedTrace>,
    /// Objects that the trace mentions, in the order of their numbers, with their classes.
    pub objects: Vec<(u64, Option<ClassId>)>,
    pub arrival: Option<Vec<u64>>,
    pub greens: Vec<u64>,
    pub words: Vec<u64>,
    pub compared: u32,
    pub lazy: Option<Lazy>,
    pub interruptible: bool,
    pub operations: usize,
    pub ways: usize,
    pub instruction: u32,
    pub answers: FxHashMap<Question, Answer>,
    pub optimised: Option<Made>,
    pub outcome: Option<Outcome>,
}

/// What the optimiser has made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Made {
    pub text: String,
    /// The first label that it did not need.
    pub labels: u32,
    /// The first of its guards, and the one behind its last.
    pub guards: (u32, u32),
}
