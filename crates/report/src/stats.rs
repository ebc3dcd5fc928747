//! Statistics of one VM: a plain record that prints as a table or as one JSON object. Counts only
//! grow, except for [`LiveStats`].

use crate::abort::AbortReason;
use crate::kinds::{CodeKind, CompilerKind};
use crate::source_pos::SourcePos;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Operations by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpCounts {
    /// Allocations.
    pub new: u64,
    /// Guards.
    pub guards: u64,
    /// Loads and stores of fields and items, and array lengths.
    pub getset: u64,
    /// Residual calls.
    pub calls: u64,
    /// Pure operations.
    pub pure: u64,
    /// Jumps and finishes. Labels and merge points do nothing at run time and count nowhere.
    pub ends: u64,
}

impl OpCounts {
    /// Adds the counts of other traces.
    pub fn add(&mut self, other: OpCounts) {
        self.new += other.new;
        self.guards += other.guards;
        self.getset += other.getset;
        self.calls += other.calls;
        self.pure += other.pure;
        self.ends += other.ends;
    }

    /// All operations.
    pub fn total(&self) -> u64 {
        self.new + self.guards + self.getset + self.calls + self.pure + self.ends
    }
}

/// Failures of guards that came out of compiled code. (A failure that continues in a bridge does
/// not.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuardFailures {
    /// All of them.
    pub total: u64,
    /// Those after which the interpreter took over.
    pub interpreter: u64,
}

/// The JIT's own time, by the clock of the VM's options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JitSeconds {
    /// Tracing, with the guest code that it executed.
    pub tracing: f64,
    /// Optimising.
    pub optimising: f64,
    /// Compiling.
    pub compiling: f64,
}

/// The code of one compiler, and its use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CompilerStats {
    /// Seconds in code that native code entered, estimated from a part of the entries.
    pub seconds: f64,
    /// Entries from native code.
    pub entries: u64,
    /// Bytes of machine code, freed code included.
    pub code_bytes: u64,
}

/// Time and code by tier, and changes of tier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TierStats {
    /// Seconds outside of compiled code and of the JIT.
    pub interpreted_seconds: f64,
    /// Seconds for rebuilding the interpreter's state behind failed guards.
    pub leaving_seconds: f64,
    /// Code by partial evaluation.
    pub specialised: CompilerStats,
    /// Code from recorded runs.
    pub traced: CompilerStats,
    /// Threaded code.
    pub threaded: CompilerStats,
    /// Instructions that were compiled for threaded code.
    pub stencils: u64,
    /// The places of the guest program that run as threaded code.
    pub threads: u64,
    /// Bytes of the records of these places.
    pub thread_bytes: u64,
    /// Compilations that were put off because compiling had cost too much.
    pub waits: u64,
    /// Suspensions of code that was left too soon after each entry.
    pub rests: u64,
    /// Places that went over to partial evaluation because tracing did not suit them.
    pub settled: u64,
    /// Promotions whose values were so many that what follows was compiled for any.
    pub generalised: u64,
}

/// The second compiler's work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecialisedStats {
    /// Pieces of code, for hot places and for continuations of guards.
    pub pieces: u64,
    /// Operations given to the optimiser.
    pub operations: u64,
    /// Labels: places of the guest program, once for each shape of their state.
    pub labels: u64,
    /// Exits to the interpreter, by reason.
    pub left: BTreeMap<String, u64>,
}

/// The collector's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CollectorStats {
    /// Collections so far.
    pub collections: u64,
    /// Collections of the young generation.
    pub young_collections: u64,
    /// Bytes allocated so far.
    pub allocated_bytes: u64,
    /// Bytes that survived the last collection.
    pub live_bytes: u64,
    /// Bytes of blocks and large objects in use.
    pub heap_bytes: u64,
    /// Time spent in collections.
    pub seconds: f64,
    /// The longest collection.
    pub longest_pause_seconds: f64,
    /// The longest collection of the young generation.
    pub longest_young_pause_seconds: f64,
}

/// What the JIT holds now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveStats {
    /// Traces that the interpreter can enter, each with its versions and bridges.
    pub trees: u64,
    /// Bridges.
    pub bridges: u64,
    /// Guards.
    pub guards: u64,
    /// Loops of the guest program that have code or could not be compiled.
    pub cells: u64,
    /// Objects that compiled code and cells keep alive.
    pub pinned: u64,
    /// Quasi-immutable fields, once for each trace that assumes their value.
    pub watched: u64,
}

/// A piece of code and its use.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeStats {
    /// Its number, as in titles.
    pub trace: u32,
    /// Its title in the log.
    pub title: String,
    /// What it was compiled for.
    pub kind: CodeKind,
    /// The compiler that made it.
    pub compiler: CompilerKind,
    /// Where it starts, if the guest language tells.
    pub location: Option<SourcePos>,
    /// The trace that a bridge starts in.
    pub from: Option<u32>,
    /// Operations as recorded; 0 if nothing was.
    pub recorded: u64,
    /// Operations as optimised.
    pub optimised: u64,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// Seconds spent on making it.
    pub seconds: f64,
    /// Entries from native code; none if only other code or records of threaded code lead to it.
    pub entries: Option<u64>,
    /// Failures of its guards without a bridge.
    pub guard_failures: u64,
}

/// Attempts at one place that were given up for one reason.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AbortStats {
    /// Where they started: a header with its greens, or a guard.
    pub place: String,
    /// Where that is, if the guest language tells.
    pub location: Option<SourcePos>,
    /// The reason.
    pub reason: AbortReason,
    /// The last one's reason in a sentence, with advice.
    pub detail: String,
    /// Their number.
    pub times: u64,
    /// Seconds spent on them.
    pub seconds: f64,
    /// Whether the place is not tried again.
    pub blocked: bool,
}

/// What a VM has done so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    /// The backend in use.
    pub backend: String,
    /// Compiled traces that the interpreter can enter.
    pub traces: u64,
    /// Those of them that close a loop of their own.
    pub loops: u64,
    /// Compiled bridges.
    pub bridges: u64,
    /// Attempts that were given up, by reason.
    pub aborts: BTreeMap<AbortReason, u64>,
    /// Loops and guards that are not tried again after too many aborts.
    pub blocked: u64,
    /// Trees freed because they were unused (`loop_longevity`).
    pub freed: u64,
    /// Trees freed because there was too much code (`code_budget`).
    pub evicted: u64,
    /// Interrupts of guest code.
    pub interrupts: u64,
    /// What the JIT holds now.
    pub alive: LiveStats,
    /// Operations of all recorded traces that were compiled.
    pub recorded: OpCounts,
    /// Operations of the same traces after optimisation.
    pub optimised: OpCounts,
    /// The second compiler's work.
    pub specialised: SpecialisedStats,
    /// Guards in compiled code.
    pub guards: u64,
    /// Their failures.
    pub guard_failures: GuardFailures,
    /// What compiled traces could not keep out of memory, by reason. The log's stage `lost` has the
    /// details.
    pub lost: BTreeMap<String, u64>,
    /// Reads of virtualizable places that suspended code kept.
    pub looks: u64,
    /// Times that compiled code had to give virtualizable places back and was left behind its call.
    pub forced: u64,
    /// Writes to quasi-immutable fields that invalidated code.
    pub invalidations: u64,
    /// The traces that they invalidated.
    pub invalidated: u64,
    /// Entries of compiled code from native code.
    pub entries: u64,
    /// Bytes of machine code.
    pub machine_code_bytes: u64,
    /// Bytes of resume data.
    pub guard_bytes: u64,
    /// The JIT's own time.
    pub seconds: JitSeconds,
    /// Time and code by tier.
    pub tiers: TierStats,
    /// The collector's work.
    pub heap: CollectorStats,
    /// The pieces of code, in the order in which they were made; none unless the VM's option
    /// `keep_places` asks for them.
    pub locations: Vec<CodeStats>,
    /// What was given up, by place and reason, under the same condition.
    pub given_up: Vec<AbortStats>,
}
