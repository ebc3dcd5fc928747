//! The state of the compilation of one trace.

use crate::asm::Asm;
use crate::asm::operands::Mem;
use crate::exits::{ColdPaths, Exits};
use crate::line_table::{LineTable, Mark};
use crate::locations::{Loc, ValueLoc, slot_mem};
use crate::lower::frame::FrameLayout;
use crate::lower::labels::TraceLabels;
use crate::lower::links::Links;
use crate::regalloc::RegAlloc;
use crate::regalloc::moves::ParallelMoves;
use std::ops::RangeInclusive;
use verdigris_backend::barriers::Barriers;
use verdigris_trace::ValRef;

/// Tables whose memory the next compilation uses again.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) regs: RegAlloc,
    pub(crate) moves: ParallelMoves,
    pub(crate) exits: Exits,
    pub(crate) cold: ColdPaths,
    pub(crate) barriers: Barriers,
    pub(crate) lines: LineTable,
    /// The arguments of a jump.
    pub(crate) jump_args: Vec<ValueLoc>,
}

impl Work {
    /// The code since the mark belongs to these operations.
    pub(crate) fn add_lines(&mut self, since: Mark, ops: RangeInclusive<u32>) {
        let (cold, stubs) = (self.cold.list.len(), self.exits.stubs.len());
        self.lines.add(since, ops, cold, stubs, &mut self.regs.asm);
    }
}

/// Compiles one trace. Its methods are in the files of `lower` and `exits`.
pub(crate) struct Lower<'a> {
    pub(crate) links: &'a Links<'a>,
    pub(crate) work: &'a mut Work,
    pub(crate) labels: TraceLabels,
    pub(crate) frame: FrameLayout,
    /// The record of the last call that keeps something.
    pub(crate) record: Option<SuspendedRecord>,
    /// The last small array of constant length that was made, and its length.
    pub(crate) small_array: Option<(ValRef, u32)>,
}

impl<'a> Lower<'a> {
    pub(crate) fn new(links: &'a Links<'a>, work: &'a mut Work, labels: TraceLabels) -> Lower<'a> {
        Lower {
            links,
            work,
            labels,
            frame: FrameLayout::default(),
            record: None,
            small_array: None,
        }
    }

    pub(crate) fn regs(&mut self) -> &mut RegAlloc {
        &mut self.work.regs
    }

    pub(crate) fn asm(&mut self) -> &mut Asm {
        &mut self.work.regs.asm
    }
}

/// A [`Suspended`](verdigris_heap::Suspended) in slots of the frame.
#[derive(Clone, Copy)]
pub(crate) struct SuspendedRecord {
    /// The slot with the lowest address, which has the highest number.
    pub(crate) first: Loc,
    pub(crate) words: u32,
}

impl SuspendedRecord {
    /// The memory `offset` bytes behind its start.
    pub(crate) fn at(self, offset: i32) -> Mem {
        let Mem::At(base, start) = slot_mem(self.first) else {
            unreachable!("slots lie behind the frame pointer")
        };
        Mem::At(base, start + offset)
    }

    /// The slot of a word of it.
    pub(crate) fn slot(self, word: u32) -> Loc {
        Loc::slot((self.first.slot_number() - word) as u16)
    }
}
