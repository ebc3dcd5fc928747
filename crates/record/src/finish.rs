//! Turns a stopped recorder into [`Recorded`].
//!
//! Headers gave the reds new values. Those of the header that the loop is cut at become its inputs;
//! all others are renamed back.

use crate::end::Halt;
use crate::end::{Recorded, TraceEnd};
use crate::state::headers::Headers;
use crate::state::recorder::Recorder;
use cranelift_entity::{EntityRef, SecondaryMap};
use smallvec::SmallVec;
use verdigris_report::AbortReason;
use verdigris_trace::{Arg, Opcode, RecordedOp, RecordedTrace, SnapshotId, ValRef};

impl Recorder<'_> {
    /// Cuts and renames the trace as its end requires.
    pub fn finish(mut self, halt: Halt) -> Recorded {
        let culprit = match &halt {
            Halt::Abort(AbortReason::TraceTooLong) => self.culprit(),
            _ => None,
        };
        let Recorder {
            trace,
            pins,
            headers,
            frames,
            unit,
            ..
        } = self;
        let cut = match &halt {
            Halt::Close { header, .. } => *header,
            _ => None,
        };
        let trace = rename(trace, &headers, cut);
        let end = match halt {
            Halt::Close { state, header } => TraceEnd::Loop {
                state,
                cut: header.is_some(),
            },
            Halt::Jump { target, state } => TraceEnd::JumpTo { target, state },
            Halt::Cut { state } => TraceEnd::Cut { state },
            Halt::Finish(words) => TraceEnd::Finish(words),
            Halt::Panicked(payload) => TraceEnd::Panicked(payload),
            Halt::Abort(reason) => TraceEnd::Aborted {
                reason,
                frames,
                culprit,
            },
            Halt::Exhausted => TraceEnd::Exhausted,
            Halt::Lost => TraceEnd::Lost,
        };
        if cfg!(debug_assertions)
            && matches!(
                end,
                TraceEnd::Loop { .. }
                    | TraceEnd::JumpTo { .. }
                    | TraceEnd::Cut { .. }
                    | TraceEnd::Finish(_)
            )
        {
            let checked = verdigris_trace::verify(&unit.descrs, &trace);
            assert!(
                checked.is_ok(),
                "{checked:?}\n{}",
                verdigris_trace::print(&unit.descrs, &trace)
            );
        }
        Recorded { trace, end, pins }
    }
}

/// Drops everything before the header with index `cut`, and renames the reds of other headers.
fn rename(trace: RecordedTrace, headers: &Headers, cut: Option<usize>) -> RecordedTrace {
    if headers.met.is_empty() {
        return trace;
    }
    let header = cut.map(|n| &headers.met[n]);
    let mut renaming = Renaming {
        to: SecondaryMap::with_default(Arg::NULL),
        ops: header.map_or(0, |h| h.ops),
        snapshots: header.map_or(0, |h| h.snapshots),
        out: RecordedTrace::default(),
    };
    let inputs = header.map_or(&trace.inputs, |h| &h.reds);
    renaming.number(
        &trace,
        header.map_or(0, |h| h.values),
        inputs,
        &headers.renamed,
    );
    renaming.rewrite(&trace);
    renaming.out
}

/// Whether an operation is a guard on constants: it held in this execution, so it always does.
fn holds(op: RecordedOp<'_>, args: &[Arg]) -> bool {
    let constant = args.iter().all(|arg| matches!(arg, Arg::Const(_)));
    op.opcode().is_guard() && op.opcode() != Opcode::GuardSame && !args.is_empty() && constant
}

struct Renaming {
    to: SecondaryMap<ValRef, Arg>,
    /// How many operations and snapshots are dropped.
    ops: usize,
    snapshots: usize,
    out: RecordedTrace,
}

impl Renaming {
    /// Renumbers the values from `first` on, without the renamed ones that are no inputs.
    fn number(
        &mut self,
        trace: &RecordedTrace,
        first: usize,
        inputs: &[ValRef],
        renamed: &[(ValRef, Arg)],
    ) {
        let mut renamed = renamed
            .iter()
            .skip_while(|(value, _)| value.index() < first)
            .peekable();
        for (value, &ty) in trace.types.iter().skip(first) {
            let old = renamed
                .next_if(|(new, _)| *new == value)
                .map(|(_, old)| *old);
            self.to[value] = match old {
                Some(old) if !inputs.contains(&value) => self.arg(old),
                _ => Arg::Ref(self.out.value(ty)),
            };
        }
        self.out.inputs = inputs.iter().map(|&input| self.value(input)).collect();
    }

    fn rewrite(&mut self, trace: &RecordedTrace) {
        for (_, snapshot) in trace.snapshots(self.snapshots) {
            let parent = snapshot.parent.map(|id| self.snapshot(id));
            let to = &self.to;
            let regs = snapshot.regs();
            let regs = regs.map(|(reg, arg)| (reg, renamed(to, arg)));
            let place = (snapshot.code, snapshot.pc);
            self.out.push_snapshot(place, regs, parent);
        }
        self.out.exits.arrival = trace.exits.arrival.map(|id| self.snapshot(id));
        let ops = trace.ops().skip_to(self.ops);
        self.out.reserve(ops.len());
        let mut origins = trace.exits.origins.iter().skip(self.ops);
        let mut activations = trace.exits.activations.iter().skip(self.ops);
        for op in ops.iter() {
            self.op(op);
            // A guard that holds is left out.
            let kept = self.out.ops().len();
            if let Some(origin) = origins.next() {
                self.out.exits.origins.resize(kept, origin.clone());
            }
            if let Some(&activations) = activations.next() {
                self.out.exits.activations.resize(kept, activations);
            }
        }
    }

    fn op(&mut self, op: RecordedOp<'_>) {
        let args: SmallVec<[Arg; 8]> = op.args().iter().map(|arg| self.arg(arg)).collect();
        if let Some(snapshot) = op.snapshot() {
            if !holds(op, &args) {
                let snapshot = self.snapshot(snapshot);
                self.out
                    .push_guard(op.opcode(), &args, op.descr(), snapshot);
            }
            return;
        }
        match op.result() {
            // The results of a call are consecutive: no header stands among them.
            Some(first) => {
                let (first, count) = (self.value(first), op.definitions().len());
                self.out
                    .push_defining(op.opcode(), &args, op.descr(), first, count);
            }
            None => self.out.push(op.opcode(), &args, op.descr()),
        }
    }

    fn arg(&self, arg: Arg) -> Arg {
        renamed(&self.to, arg)
    }

    fn value(&self, value: ValRef) -> ValRef {
        self.to[value]
            .as_ref()
            .expect("inputs and results are not renamed to constants")
    }

    fn snapshot(&self, id: SnapshotId) -> SnapshotId {
        SnapshotId::new(id.index() - self.snapshots)
    }
}

fn renamed(to: &SecondaryMap<ValRef, Arg>, arg: Arg) -> Arg {
    match arg {
        Arg::Ref(value) => to[value],
        Arg::Const(_) => arg,
    }
}
