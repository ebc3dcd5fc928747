//! Statistics of one VM. In: what the engine did, as it did it ([`crate::policy::phase_clock`]). Out:
//! [`Stats`], a plain record that prints as one JSON object. Invariant: what is counted is never
//! taken back.

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use verdigris_heap::Location;
use verdigris_ops::{DataOp, Effect};
use verdigris_trace::{Opcode, Trace};

/// Operations by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
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
    /// The operations of a trace.
    pub(crate) fn of<F>(trace: &Trace<F>) -> OpCounts {
        let mut counts = OpCounts::default();
        for op in trace.ops().iter() {
            if let Some(count) = counts.kind(op.opcode()) {
                *count += 1;
            }
        }
        counts
    }

    /// The count that an operation adds to; none for markers.
    fn kind(&mut self, opcode: Opcode) -> Option<&mut u64> {
        match opcode {
            Opcode::Data(op) => Some(self.data_kind(op)),
            Opcode::Call => Some(&mut self.calls),
            Opcode::Label | Opcode::MergePoint => None,
            Opcode::Jump | Opcode::Finish | Opcode::Thread => Some(&mut self.ends),
            _ => Some(&mut self.guards),
        }
    }

    fn data_kind(&mut self, op: DataOp) -> &mut u64 {
        match op.effect() {
            Effect::Pure => &mut self.pure,
            Effect::Read | Effect::Write => &mut self.getset,
            Effect::Alloc => &mut self.new,
        }
    }

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct GuardFailures {
    /// All of them.
    pub total: u64,
    /// Those after which the interpreter took over.
    pub interpreter: u64,
}

/// Where the JIT's own time went, by the clock of [`crate::Options::clock`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct JitSeconds {
    /// Tracing, with the guest code that it executed.
    pub tracing: f64,
    /// Optimising.
    pub optimising: f64,
    /// Compiling.
    pub compiling: f64,
}

/// What one of the compilers has made, and how much it is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CompilerStats {
    /// Time in code that native code has entered there, measured of a part of the entries and
    /// estimated from that.
    pub seconds: f64,
    /// How often native code has entered it.
    pub entries: u64,
    /// Bytes of machine code that were made, also of what has been freed.
    pub code_bytes: u64,
}

/// How the guest program was run, and how that was changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct TierStats {
    /// Time in which there was neither compiled code at work nor the JIT.
    pub interpreted_seconds: f64,
    /// Time in which the interpreter's state was found behind exits.
    pub leaving_seconds: f64,
    /// Code by partial evaluation.
    pub specialised: CompilerStats,
    /// Code from recorded runs.
    pub traced: CompilerStats,
    /// Threaded code.
    pub threaded: CompilerStats,
    /// The instructions that threaded code was made of, each for all places that have it.
    pub stencils: u64,
    /// The places of the guest program that run as threaded code.
    pub threads: u64,
    /// Bytes of what differs between these places.
    pub thread_bytes: u64,
    /// Times that there was something to compile, and compiling had already cost too much.
    pub waits: u64,
    /// Times that code was not entered for a while, since it was left too soon after each entry.
    pub rests: u64,
    /// Places whose code is made by partial evaluation, since tracing did not suit them.
    pub settled: u64,
    /// Places that are left to the interpreter, since no code that was made for them was worth to
    /// be entered.
    pub left_alone: u64,
}

/// What the second compiler made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SpecialisedStats {
    /// Pieces of code: those of hot places, and those of what follows exits.
    pub pieces: u64,
    /// Operations that the optimiser was given for them.
    pub operations: u64,
    /// Labels in them: places of the guest program, each as often as it was compiled for another
    /// shape of what comes there.
    pub labels: u64,
    /// Exits that were left to the interpreter, by reason.
    pub left: BTreeMap<String, u64>,
}

/// The collector's work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CollectorStats {
    /// Collections so far.
    pub collections: u64,
    /// Collections of what had been allocated since the last one.
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
    /// The longest collection of what had been allocated since the last one.
    pub longest_young_pause_seconds: f64,
}

/// What the JIT holds at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LiveStats {
    /// Loops and other traces that the interpreter can enter, each with its versions and bridges.
    pub trees: u64,
    /// Bridges.
    pub bridges: u64,
    /// Guards, with the data to leave through them.
    pub guards: u64,
    /// Loops of the guest program that something is known of: that they have code, or that they
    /// could not be compiled.
    pub cells: u64,
    /// Objects that compiled code and cells keep alive.
    pub pinned: u64,
    /// Quasi-immutable fields, each as often as there are traces that assume what it holds.
    pub watched: u64,
}

/// A piece of code, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CodeStats {
    /// Its number, as in titles.
    pub trace: u32,
    /// What it is, as the log says it.
    pub title: String,
    /// `loop`, `version` (of a loop), `entry` (of a loop or function), `bridge` or `instruction`.
    pub kind: &'static str,
    /// `specialised`, `traced` or `threaded`.
    pub maker: &'static str,
    /// Where it is in the guest program, if the guest language says that.
    #[serde(serialize_with = "location")]
    pub location: Option<Location>,
    /// The trace that a bridge starts from.
    pub from: Option<u32>,
    /// Operations as recorded; 0 if nothing was.
    pub recorded: u64,
    /// Operations as optimised.
    pub optimised: u64,
    /// Bytes of machine code.
    pub code_bytes: u64,
    /// What it has taken to make it, in seconds.
    pub seconds: f64,
    /// How often native code has entered it; none if it is entered from other code alone, or by
    /// records of threaded code.
    pub entries: Option<u64>,
    /// Failures of its guards that came out of compiled code.
    pub guard_failures: u64,
}

/// Attempts to make code that were given up at one place, for one reason.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AbortStats {
    /// Where they started: a header with its greens, or a guard.
    pub place: String,
    /// Where that is in the guest program, if the guest language says it.
    #[serde(serialize_with = "location")]
    pub location: Option<Location>,
    /// Why, as [`Stats::aborts`] counts it.
    pub reason: String,
    /// The reason of the last one in words, and what can be done about it.
    pub detail: String,
    /// How many.
    pub times: u64,
    /// What they have taken, in seconds.
    pub seconds: f64,
    /// Whether there it is not tried again.
    pub blocked: bool,
}

/// A location as an object with what is known of it.
fn location<S: Serializer>(location: &Option<Location>, out: S) -> Result<S::Ok, S::Error> {
    let Some(location) = location else {
        return out.serialize_none();
    };
    let numbers = [
        ("line", location.line.map(u64::from)),
        ("column", location.column.map(u64::from)),
        ("offset", location.offset),
    ];
    let texts = [("file", &location.file), ("function", &location.function)];
    let numbers = numbers
        .into_iter()
        .filter_map(|(key, number)| Some((key, number?.into())));
    let texts = texts
        .into_iter()
        .filter_map(|(key, text)| Some((key, text.clone()?.into())));
    out.collect_map(
        numbers
            .chain(texts)
            .collect::<BTreeMap<_, serde_json::Value>>(),
    )
}

/// What a VM has done so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// The backend in use.
    pub backend: String,
    /// Compiled traces that the interpreter can enter: loops, ways into loops, traces that end in a
    /// return.
    pub traces: u64,
    /// Of these, those that close a loop of their own.
    pub loops: u64,
    /// Compiled bridges.
    pub bridges: u64,
    /// Attempts that were given up, by reason.
    pub aborts: BTreeMap<String, u64>,
    /// Loops and guards that are not tried again after too many aborts.
    pub blocked: u64,
    /// Trees that were freed because they went unused (`loop_longevity`).
    pub freed: u64,
    /// Trees that were freed because there was too much code (`code_budget`).
    pub evicted: u64,
    /// Times that guest code was interrupted.
    pub interrupts: u64,
    /// What there is now.
    pub alive: LiveStats,
    /// Operations of all recorded traces that were compiled.
    pub recorded: OpCounts,
    /// Operations of the same traces after optimisation.
    pub optimised: OpCounts,
    /// What the second compiler made.
    pub specialised: SpecialisedStats,
    /// Guards in compiled code.
    pub guards: u64,
    /// Their failures.
    pub guard_failures: GuardFailures,
    /// What compiled traces could not keep out of memory, by reason ([`verdigris_opt::MissedOptimisation`]): the
    /// log's stage `lost` says what and where.
    pub lost: BTreeMap<String, u64>,
    /// How often other code looked at what suspended code kept to itself, without disturbing it.
    pub looks: u64,
    /// How often compiled code had to give back the virtualizable places that it kept, and was left
    /// behind its call.
    pub forced: u64,
    /// Writes to quasi-immutable fields that invalidated code.
    pub invalidations: u64,
    /// The traces that they invalidated.
    pub invalidated: u64,
    /// Times that compiled code was entered from Rust.
    pub entries: u64,
    /// Bytes of machine code.
    pub machine_code_bytes: u64,
    /// Bytes of the data by which the interpreter goes on where a guard fails.
    pub guard_bytes: u64,
    /// The JIT's own time.
    pub seconds: JitSeconds,
    /// How the guest program was run.
    pub tiers: TierStats,
    /// The collector's work.
    pub heap: CollectorStats,
    /// The pieces of code by place, in the order in which they were made; none unless
    /// [`crate::Options::keep_places`] asks for them.
    pub locations: Vec<CodeStats>,
    /// What was given up, by place and reason; likewise.
    pub given_up: Vec<AbortStats>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_counted_by_kind() {
        let mut counts = OpCounts::default();
        let kinds = [
            Opcode::Data(DataOp::IntAdd),
            Opcode::Data(DataOp::New),
            Opcode::Data(DataOp::GetFieldI),
            Opcode::Data(DataOp::ArrayLen),
            Opcode::GuardTrue,
            Opcode::Call,
            Opcode::Jump,
        ];
        for opcode in kinds {
            *counts.kind(opcode).expect("no marker") += 1;
        }
        assert!(counts.kind(Opcode::Label).is_none());
        assert!(counts.kind(Opcode::MergePoint).is_none());
        let expected = OpCounts {
            new: 1,
            guards: 1,
            getset: 2,
            calls: 1,
            pure: 1,
            ends: 1,
        };
        assert_eq!(counts, expected);
        assert_eq!(counts.total(), 7);
    }
}
