//! The report of a run of a guest program: text and numbers without addresses, as JSON and back.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use verdigris_report::{
    AbortReason, Activity, CallKind, ChangeKind, CodeKind, CompilerKind, SourcePos, WhyInterpreted,
};

/// The run of a guest program in one VM.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Whether the JIT was on.
    pub is_on: bool,
    /// Seconds by activity.
    pub seconds: BTreeMap<Activity, f64>,
    /// Collections, those of the young generation included.
    pub collections: u64,
    /// Collections of the young generation.
    pub young_collections: u64,
    /// Bytes allocated.
    pub allocated_bytes: u64,
    /// Bytes that survived the last collection.
    pub live_bytes: u64,
    /// Bytes of machine code, freed code included.
    pub code_bytes: u64,
    /// Reads of virtualizable places that compiled code kept.
    pub looks: u64,
    /// Times that other code took such places, so that compiled code was left.
    pub forced: u64,
    /// Times that compiling waited for its budget.
    pub waits: u64,
    /// The pieces of code, in the order in which they were made.
    pub code: Vec<CodeReport>,
    /// What was given up.
    pub given_up: Vec<AbortReport>,
    /// Changes of tier and invalidations, in their order; equal ones are counted.
    pub changes: Vec<CodeChange>,
    /// Entries of compiled code from native code that other compiled code had called.
    pub entered_inside: Vec<NestedEntries>,
    /// Why places were interpreted, those that were passed most first.
    #[serde(default)]
    pub interpreted: Vec<InterpretedPlace>,
    /// The passes of all places that have never been hot.
    #[serde(default)]
    pub cold_passes: u64,
    /// Seconds in the interpreter while compiling had to wait for its budget.
    #[serde(default)]
    pub waited: f64,
    /// The promotions that have seen more than one value.
    #[serde(default)]
    pub promotions: Vec<PromotionReport>,
}

/// A piece of code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeReport {
    /// Its number.
    pub trace: u32,
    /// The piece that native code enters and that it belongs to; its own number for such a piece.
    pub root: u32,
    /// What it was compiled for.
    pub kind: CodeKind,
    /// The compiler that made it.
    pub compiler: CompilerKind,
    /// Where it starts.
    pub place: SourcePos,
    /// The trace that a bridge starts in.
    pub from: Option<u32>,
    /// The guard that a bridge starts from.
    pub from_guard: Option<String>,
    /// Operations that are left.
    pub operations: u64,
    /// Of these, those in a loop of this piece.
    pub in_loop: u64,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// Seconds spent on making it.
    pub made_in: f64,
    /// Entries from native code; none if only other code leads to it.
    pub entries: Option<u64>,
    /// Seconds in the code of this root and in what it called, estimated from a part of the
    /// entries.
    pub inside: f64,
    /// Its findings.
    pub findings: Findings,
}

/// The costs that are left in a piece of code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// Objects that it makes.
    pub allocations: Vec<AllocationSite>,
    /// Stores.
    pub stores: Vec<StoreSite>,
    /// Calls.
    pub calls: Vec<CallSite>,
    /// Guards that have failed or have a bridge, and those on promoted values.
    pub guards: Vec<GuardReport>,
    /// All guards.
    pub guard_count: u64,
    /// What the optimiser could not keep in registers.
    pub lost: Vec<LostState>,
}

/// Objects of a class that are made in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllocationSite {
    /// Their class.
    pub class: String,
    /// Where.
    pub place: Option<SourcePos>,
    /// Whether that is in the loop.
    pub in_loop: bool,
    /// How many.
    pub count: u64,
    /// Why they escape.
    pub escapes: Vec<EscapeCause>,
}

/// Why an object has to be made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EscapeCause {
    /// The reason, a word of the optimiser.
    pub reason: String,
    /// The reason for people.
    pub message: String,
    /// The interpreter's source line, if it is known.
    pub source: Option<String>,
}

/// Stores to one place of the heap in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreSite {
    /// The field, or the class of the array.
    pub what: String,
    /// Where.
    pub place: Option<SourcePos>,
    /// Whether that is in the loop.
    pub in_loop: bool,
    /// How many.
    pub count: u64,
    /// What could observe a missing store.
    pub seen_by: String,
    /// Whether the limit on delayed stores is the reason.
    pub is_evicted: bool,
    /// Whether the reason is an index that is not constant, so that items may alias.
    #[serde(default)]
    pub is_indexed: bool,
}

/// Calls of one function in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    /// The function.
    pub function: String,
    /// Its author's promise; [`CallKind::Portal`] for a guest call.
    pub kind: CallKind,
    /// Where.
    pub place: Option<SourcePos>,
    /// The interpreter's source line behind it, if it is known.
    pub source: Option<String>,
    /// Whether that is in the loop.
    pub in_loop: bool,
    /// How many.
    pub count: u64,
    /// The heap places that it may read; `*` for any.
    pub reads: String,
    /// The heap places that it may write.
    pub writes: String,
    /// Virtualizable objects that are kept across it.
    pub kept: u64,
    /// What the interpreter's author says to that of the guest program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// A guard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardReport {
    /// Its name.
    pub guard: String,
    /// Its operation.
    pub operation: String,
    /// Where.
    pub place: Option<SourcePos>,
    /// The interpreter's source line.
    pub source: Option<String>,
    /// Failures without a bridge.
    pub failures: u64,
    /// Where a failure leads.
    pub leads_to: LeadsTo,
    /// The expected value, if it guards a promotion.
    pub promoted: Option<String>,
    /// Seconds in the interpreter behind it, until compiled code was entered again.
    #[serde(default)]
    pub interpreted: f64,
    /// What the interpreter's author says to that of the guest program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// A promotion: a line of the interpreter at a place of the guest program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PromotionReport {
    /// Where.
    pub place: Option<SourcePos>,
    /// The interpreter's source line.
    pub source: Option<String>,
    /// How many values it has seen.
    pub values: u64,
    /// Some of them. Objects have no text.
    pub shown: Vec<String>,
    /// Failures of its guards that led out of compiled code.
    pub failures: u64,
    /// Seconds in the interpreter behind them.
    pub interpreted: f64,
    /// What the interpreter's author says to that of the guest program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

/// The passes of a place that were interpreted for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterpretedPlace {
    /// Where.
    pub place: SourcePos,
    /// Why.
    pub why: WhyInterpreted,
    /// Turns of the loop, or calls of the function.
    pub passes: u64,
}

/// Where a failing guard leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeadsTo {
    /// To the interpreter.
    Interpreter,
    /// To a bridge, the trace of this number.
    Bridge(u32),
    /// To the interpreter for good: bridges were given up.
    Blocked,
}

/// State that the optimiser could not keep in registers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostState {
    /// The reason, a word of the optimiser.
    pub loss: String,
    /// A heap place, or the path to a value from the loop's inputs.
    pub what: String,
    /// The reason for people.
    pub message: String,
}

/// An attempt to make code that was given up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AbortReport {
    /// Where it started.
    pub place: SourcePos,
    /// The guard that it would have continued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<String>,
    /// The reason.
    pub reason: AbortReason,
    /// The reason in a sentence, with advice.
    pub detail: String,
    /// How often.
    pub times: u64,
    /// Seconds spent on it.
    pub seconds: f64,
    /// Whether it is not tried again.
    pub blocked: bool,
    /// Where the last one was given up.
    pub ended: Option<SourcePos>,
    /// The interpreter's lines there, the innermost first.
    pub source: Vec<String>,
    /// The places with most of the recorded operations, and their number.
    pub from: Vec<(SourcePos, u64)>,
}

/// A change of tier, or an invalidation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeChange {
    /// The kind of change.
    pub kind: ChangeKind,
    /// Where.
    pub place: SourcePos,
    /// The change in words.
    pub what: String,
    /// How often.
    pub times: u64,
}

/// Entries of code from within other code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NestedEntries {
    /// The trace that waits for native code.
    pub outer: u32,
    /// The trace that is entered.
    pub inner: u32,
    /// How often.
    pub times: u64,
}

impl Report {
    /// One JSON object on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record of numbers and strings always serialises")
    }

    /// Reads what [`Report::to_json`] writes.
    ///
    /// # Errors
    /// With a message, if it is something else.
    pub fn from_json(text: &str) -> Result<Report, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    /// Seconds in an activity.
    pub fn seconds(&self, activity: Activity) -> f64 {
        self.seconds.get(&activity).copied().unwrap_or(0.0)
    }

    /// All seconds. The collector's are part of the others'.
    pub fn all_seconds(&self) -> f64 {
        let seconds = self.seconds.iter();
        let of = seconds.filter(|(activity, _)| **activity != Activity::Collecting);
        of.fold(0.0, |all, (_, seconds)| all + seconds)
    }

    /// The pieces by number.
    pub(crate) fn by_trace(&self) -> BTreeMap<u32, &CodeReport> {
        self.code.iter().map(|code| (code.trace, code)).collect()
    }
}

impl CodeChange {
    /// The change in words, with how often it was.
    pub(crate) fn in_words(&self) -> String {
        match self.times {
            1 => self.what.clone(),
            n => format!("{} ({n} times)", self.what),
        }
    }
}

impl CallSite {
    /// Whether it is a call of the guest program by itself.
    pub fn is_guest(&self) -> bool {
        self.kind == CallKind::Portal
    }

    /// Whether it would not be made for arguments that are constants.
    pub fn is_elidable(&self) -> bool {
        self.kind == CallKind::Elidable
    }
}
