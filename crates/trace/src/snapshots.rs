//! Snapshots: the interpreter's frames at a guard of a recorded trace.
//!
//! A frame is suspended or current. Outer frames stand in front of inner ones in the table, where
//! guards share them; the registers of all frames lie in one table, so that a snapshot is an
//! append.

use crate::constants::{Constants, Val};
use crate::exits::{ExitId, ExitTable};
use crate::trace::{RecordedTrace, Trace};
use crate::value::Arg;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use std::rc::Rc;

/// A snapshot within a recorded trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SnapshotId(u32);
entity_impl!(SnapshotId, "s");

/// The table of exits of a recorded trace.
#[derive(Clone, Debug, Default)]
pub struct Snapshots {
    /// Of a trace that ends in a jump to another loop: the frames at that loop's merge point, so
    /// that guards can be put in front of the jump.
    pub arrival: Option<SnapshotId>,
    /// For each operation the frames in which it was recorded; empty unless asked for.
    /// Texts do not have it, and traces that differ in nothing else are equal.
    pub origins: Vec<OpOrigin>,
    /// For each operation in how many activations of the portal it was recorded, in the same way.
    pub activations: Vec<u32>,
    pub(crate) guards: PrimaryMap<ExitId, SnapshotId>,
    frames: PrimaryMap<SnapshotId, Frame>,
    regs: Vec<(u16, Val)>,
}

/// Where an operation comes from: the jitcode and the instruction of each frame, innermost first.
/// The outer ones are at their calls.
pub type OpOrigin = Rc<[(u32, u32)]>;

/// A frame as the table stores it.
#[derive(Clone, Debug)]
struct Frame {
    code: u32,
    pc: u32,
    parent: Option<SnapshotId>,
    /// Where its registers start in the table of them, and how many they are.
    regs: (u32, u32),
}

impl Snapshots {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether origins are kept.
    pub fn keeps_origins(&self) -> bool {
        !self.origins.is_empty() || !self.activations.is_empty()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }
}

impl ExitTable for Snapshots {
    type Exit = SnapshotId;

    fn add(&mut self, exit: SnapshotId) -> ExitId {
        self.guards.push(exit)
    }

    fn count(&self) -> usize {
        self.guards.len()
    }

    fn same(trace: &RecordedTrace, other: &RecordedTrace) -> bool {
        let (own, others) = (&trace.exits, &other.exits);
        let frames = |t| RecordedTrace::snapshots(t, 0).map(|(_, snapshot)| snapshot);
        own.guards == others.guards
            && own.arrival == others.arrival
            && frames(trace).eq(frames(other))
    }
}

/// The frames at a guard, to be looked at: the innermost, and the snapshot of the frames that it
/// returns to.
#[derive(Clone, Copy)]
pub struct Snapshot<'t> {
    /// Raw `CodeId` of the jitcode.
    pub code: u32,
    /// The innermost frame: the instruction to execute again. An outer frame: its call instruction,
    /// which gets its result and continues behind.
    pub pc: u32,
    /// The frames outside it.
    pub parent: Option<SnapshotId>,
    regs: &'t [(u16, Val)],
    constants: &'t Constants,
}

impl<'t> Snapshot<'t> {
    /// Live registers and their values. For an outer frame: those live behind the call, without the
    /// call's result.
    pub fn regs(self) -> impl ExactSizeIterator<Item = (u16, Arg)> + Clone + 't {
        let Snapshot {
            regs, constants, ..
        } = self;
        regs.iter()
            .map(move |&(reg, val)| (reg, constants.arg(val)))
    }
}

impl PartialEq for Snapshot<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.code, self.pc, self.parent) == (other.code, other.pc, other.parent)
            && self.regs().eq(other.regs())
    }
}

impl Trace<Snapshots> {
    /// The snapshot of a frame; `parent` is that of the frames outside it.
    pub fn push_snapshot(
        &mut self,
        (code, pc): (u32, u32),
        regs: impl Iterator<Item = (u16, Arg)>,
        parent: Option<SnapshotId>,
    ) -> SnapshotId {
        let table = &mut self.exits;
        let start = table.regs.len() as u32;
        let constants = &mut self.constants;
        table
            .regs
            .extend(regs.map(|(reg, arg)| (reg, constants.val(arg))));
        table.frames.push(Frame {
            code,
            pc,
            parent,
            regs: (start, table.regs.len() as u32 - start),
        })
    }

    /// A snapshot.
    ///
    /// # Panics
    /// If there is none with this number.
    pub fn snapshot(&self, id: SnapshotId) -> Snapshot<'_> {
        let frame = &self.exits.frames[id];
        let (start, len) = (frame.regs.0 as usize, frame.regs.1 as usize);
        Snapshot {
            code: frame.code,
            pc: frame.pc,
            parent: frame.parent,
            regs: &self.exits.regs[start..start + len],
            constants: &self.constants,
        }
    }

    /// The snapshots from the `first` on.
    pub fn snapshots(
        &self,
        first: usize,
    ) -> impl ExactSizeIterator<Item = (SnapshotId, Snapshot<'_>)> {
        let ids = first..self.exits.len();
        ids.map(SnapshotId::new).map(|id| (id, self.snapshot(id)))
    }
}
