//! What a VM knows of the run of a guest program. In: figures and findings, as the VM fills them
//! in. Out: the same as JSON, and back. Invariants: everything is text and numbers, with no address
//! in it; a piece of code names others by their numbers alone.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The run of a guest program in one VM.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Whether the JIT was on.
    pub is_on: bool,
    /// Where the time went.
    pub tiers: Vec<Tier>,
    /// Collections, those of the young generation included.
    pub collections: u64,
    /// Collections of the young generation.
    pub young_collections: u64,
    /// Bytes allocated.
    pub allocated_bytes: u64,
    /// Bytes that survived the last collection.
    pub live_bytes: u64,
    /// Bytes of machine code, also of what has been freed.
    pub code_bytes: u64,
    /// How often other code looked at virtualizable places that compiled code kept.
    pub looks: u64,
    /// How often it took them, so that compiled code was left.
    pub forced: u64,
    /// How often compiling had to wait for its budget of time.
    pub waits: u64,
    /// The pieces of code, in the order in which they were made.
    pub code: Vec<Code>,
    /// What was given up.
    pub given_up: Vec<Abort>,
    /// Changes of tier and invalidations, in the order in which they happened; of equal ones the
    /// first, with how often.
    pub changes: Vec<Change>,
    /// Compiled code that was entered while other code waited for native code that it had called.
    pub entered_inside: Vec<Entered>,
}

/// Time by what the VM was doing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tier {
    /// What: one of the constants.
    pub name: String,
    /// How long.
    pub seconds: f64,
}

impl Tier {
    /// Neither compiled code nor the JIT was at work.
    pub const INTERPRETER: &str = "interpreter";
    /// Code of recorded runs.
    pub const TRACES: &str = "traces";
    /// Code by partial evaluation.
    pub const SPECIALISED: &str = "partial evaluation";
    /// Threaded code.
    pub const THREADED: &str = "threaded code";
    /// Finding the interpreter's state behind exits.
    pub const LEAVING: &str = "leaving code";
    /// Recording.
    pub const RECORDING: &str = "recording";
    /// Optimising.
    pub const OPTIMISING: &str = "optimising";
    /// Making machine code.
    pub const COMPILING: &str = "compiling";
    /// The collector, in whatever it interrupted.
    pub const COLLECTING: &str = "collecting";
}

/// Where something is in the guest program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// In words.
    pub text: String,
    /// The file, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A piece of code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// Its number.
    pub trace: u32,
    /// The piece that native code enters, to which it belongs; its own number for such a piece.
    pub root: u32,
    /// `loop`, `version`, `entry`, `bridge` or `instruction`.
    pub kind: String,
    /// `traced`, `specialised` or `threaded`.
    pub maker: String,
    /// Where it starts; greens in words if the language does not say where that is.
    pub place: Place,
    /// The trace that a bridge starts from.
    pub from: Option<u32>,
    /// The guard that a bridge starts from.
    pub from_guard: Option<String>,
    /// Operations that are left.
    pub operations: u64,
    /// Of these, those in a loop of this piece.
    pub in_loop: u64,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// What it took to make it.
    pub made_in: f64,
    /// How often native code has entered it; nothing if it is entered from other code alone.
    pub entries: Option<u64>,
    /// How long that took in all, with everything that belongs to this root and what it called;
    /// estimated from a part of the entries.
    pub inside: f64,
    /// What is left in it.
    pub findings: Findings,
}

/// What is left in a piece of code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// Objects that it makes.
    pub allocations: Vec<Allocation>,
    /// Stores.
    pub stores: Vec<Store>,
    /// Calls.
    pub calls: Vec<Calls>,
    /// Guards that have failed or have a bridge, and those on promoted values.
    pub guards: Vec<Guard>,
    /// All guards.
    pub guard_count: u64,
    /// What the optimiser could not keep in registers.
    pub lost: Vec<Lost>,
}

/// Objects of a class that are made in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocation {
    /// Their class.
    pub class: String,
    /// Where.
    pub place: Option<Place>,
    /// Whether that is in the loop.
    pub in_loop: bool,
    /// How many.
    pub count: u64,
    /// What makes them escape.
    pub escapes: Vec<Escape>,
}

/// Why an object has to be made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Escape {
    /// The reason, a word of the optimiser.
    pub reason: String,
    /// The reason for people.
    pub message: String,
    /// The interpreter's source line, if it is known.
    pub source: Option<String>,
}

/// Stores to one place of the heap in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Store {
    /// The field, or the class of the array.
    pub what: String,
    /// Where.
    pub place: Option<Place>,
    /// Whether that is in the loop.
    pub in_loop: bool,
    /// How many.
    pub count: u64,
    /// Who could see that it was not done.
    pub seen_by: String,
    /// Whether the limit on stores that wait is the reason.
    pub is_evicted: bool,
    /// Whether the reason is an index that is no constant, so that two items cannot be told apart.
    #[serde(default)]
    pub is_indexed: bool,
}

/// Calls of one function in one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calls {
    /// The function.
    pub function: String,
    /// `opaque`, `elidable` and so on; `portal` for a guest call.
    pub kind: String,
    /// Where.
    pub place: Option<Place>,
    /// The interpreter's source line behind it, if it is known.
    pub source: Option<String>,
    /// Whether that is in the loop.
    pub in_loop: bool,
    /// How many.
    pub count: u64,
    /// The places that it is believed to read; `*` for any.
    pub reads: String,
    /// The places that it is believed to write.
    pub writes: String,
    /// How many virtualizable objects are kept from it.
    pub kept: u64,
}

/// A guard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guard {
    /// Its name.
    pub guard: String,
    /// What it tests.
    pub operation: String,
    /// Where.
    pub place: Option<Place>,
    /// The interpreter's source line.
    pub source: Option<String>,
    /// How often it has failed without a bridge.
    pub failures: u64,
    /// Where it leads.
    pub leads_to: LeadsTo,
    /// The value that it expects, if it is on a promoted one.
    pub promoted: Option<String>,
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

/// Something that the optimiser gave up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lost {
    /// The reason, a word of the optimiser.
    pub loss: String,
    /// What: a place, or how to get to a value from what the loop passes around.
    pub what: String,
    /// The reason for people.
    pub message: String,
}

/// An attempt to make code that was given up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Abort {
    /// Where it started.
    pub place: Place,
    /// The kind of reason.
    pub reason: String,
    /// The reason, and what can be done.
    pub detail: String,
    /// How often.
    pub times: u64,
    /// What that took.
    pub seconds: f64,
    /// Whether it is not tried again.
    pub blocked: bool,
    /// The guest place where the last one was given up.
    pub ended: Option<Place>,
    /// The interpreter's lines there, the innermost first.
    pub source: Vec<String>,
    /// Where most of what was recorded came from, with operations.
    pub from: Vec<(Place, u64)>,
}

/// A change of tier, or an invalidation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// `tier` or `invalidated`.
    pub kind: String,
    /// Where.
    pub place: Place,
    /// What has happened.
    pub what: String,
    /// How often.
    pub times: u64,
}

/// Entries of code from within other code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entered {
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

    /// How long the VM was doing that.
    pub fn seconds(&self, tier: &str) -> f64 {
        let of = self.tiers.iter().filter(|t| t.name == tier);
        of.map(|t| t.seconds).sum()
    }

    /// All time. The collector's is a part of the others'.
    pub fn all_seconds(&self) -> f64 {
        let of = self.tiers.iter().filter(|t| t.name != Tier::COLLECTING);
        of.fold(0.0, |all, t| all + t.seconds)
    }

    /// The pieces by number.
    pub(crate) fn by_trace(&self) -> BTreeMap<u32, &Code> {
        self.code.iter().map(|code| (code.trace, code)).collect()
    }
}

impl Calls {
    /// Whether it is a call of the guest program by itself.
    pub fn is_guest(&self) -> bool {
        self.kind == "portal"
    }

    /// Whether it would not be made for arguments that are constants.
    pub fn is_elidable(&self) -> bool {
        self.kind == "elidable"
    }
}
