//! Guards and their snapshots.
//!
//! The frames around the innermost one cannot change while it runs, so their snapshots are made
//! once per call and shared by all guards in it.

use crate::state::recorder::Recorder;
use crate::state::value::TracedValue;
use verdigris_jitcode::{JitCode, Pc};
use verdigris_trace::{Arg, Descr, Opcode, SnapshotId};

impl Recorder<'_> {
    /// Records a guard that re-executes the instruction at `pc` of the innermost frame if it fails.
    pub fn guard(&mut self, opcode: Opcode, args: &[Arg], descr: Descr, pc: Pc) {
        let snapshot = self.snapshot(pc);
        self.guard_at(opcode, args, descr, snapshot);
    }

    /// Records a guard with a snapshot made before.
    pub fn guard_at(&mut self, opcode: Opcode, args: &[Arg], descr: Descr, snapshot: SnapshotId) {
        self.trace.push_guard(opcode, args, descr, snapshot);
    }

    /// Guards that results are the same words each time the trace runs.
    pub fn check_same(&mut self, results: &[(Arg, Arg)]) {
        let behind = self.snapshot(self.frames.top().pc);
        for &(now, before) in results {
            self.guard_at(Opcode::GuardSame, &[now, before], Descr::None, behind);
        }
    }

    /// Makes a value the constant that it is in this execution, behind a guard if necessary.
    pub fn promote(&mut self, known: TracedValue, pc: Pc) -> TracedValue {
        let Arg::Ref(value) = known.val else {
            return known;
        };
        // A constant is an object that exists.
        self.knowledge.escapes(known.word);
        let constant = self.constant(self.trace.types[value], known.word);
        self.guard(
            Opcode::GuardValue,
            &[known.val, constant.val],
            Descr::None,
            pc,
        );
        self.replace(value, constant.val);
        constant
    }

    /// The frames as they are now; the innermost continues at `pc`.
    pub fn snapshot(&mut self, pc: Pc) -> SnapshotId {
        let (parent, outside) = self.outer_snapshots();
        let base = self.base();
        let live = self.code().live_at(pc);
        self.overfull |= outside + live.len() > self.limits.live_limit;
        let regs = live.iter();
        let regs = regs.map(|r| (r.0, self.values[base + usize::from(r.0)]));
        let place = (self.frames.top().code.as_u32(), pc.0);
        self.trace.push_snapshot(place, regs, parent)
    }

    /// The snapshot of the frames outside the innermost one, and how many values they hold.
    fn outer_snapshots(&mut self) -> (Option<SnapshotId>, usize) {
        let outer = self.frame_values.len() - 1;
        let known = self.frame_values[..outer]
            .iter()
            .rposition(|l| l.suspended.is_some());
        let (mut parent, mut count) = match known.and_then(|n| self.frame_values[n].suspended) {
            Some((snapshot, count)) => (Some(snapshot), count),
            None => (None, 0),
        };
        for depth in known.map_or(0, |n| n + 1)..outer {
            let (snapshot, held) = self.suspended_frame(depth, parent);
            count += held;
            parent = Some(snapshot);
            self.frame_values[depth].suspended = Some((snapshot, count));
        }
        (parent, count)
    }

    /// The snapshot of a frame at its call, and how many values it holds: those live behind the
    /// call, without its results.
    fn suspended_frame(&mut self, depth: usize, parent: Option<SnapshotId>) -> (SnapshotId, usize) {
        let frame = &self.frames.frames()[depth];
        let code: &JitCode = &self.unit.codes[frame.code];
        let results = code.insns[frame.pc.0 as usize].dsts();
        let base = self.frame_values[depth].base;
        let behind = Pc(frame.pc.0 + 1);
        let live = code
            .live_at(behind)
            .iter()
            .filter(|&r| !results.contains(r));
        let count = live.clone().count();
        let regs = live.map(|r| (r.0, self.values[base + usize::from(r.0)]));
        let place = (frame.code.as_u32(), frame.pc.0);
        (self.trace.push_snapshot(place, regs, parent), count)
    }
}
