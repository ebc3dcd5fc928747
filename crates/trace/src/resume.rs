//! What a guard knows of the interpreter's state: snapshots while recording, resume data after optimising.
//!
//! Source: RPython's resume data; "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), section 4
//! for virtual objects in exits.

use crate::trace::{Const, Val, ValRef};
use cranelift_entity::entity_impl;
use verdigris_ops::{ClassId, FieldId};

/// A snapshot within a recorded trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SnapshotId(u32);
entity_impl!(SnapshotId, "s");

/// A suspended or current frame: which jitcode, where, and the values of its live registers.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameSnap {
    /// Raw `CodeId` of the jitcode.
    pub code: u32,
    /// The innermost frame: the instruction to execute again. An outer frame: its call instruction, which gets its
    /// result and continues behind.
    pub pc: u32,
    /// Live registers and their values. For an outer frame: those live behind the call, without the call's result.
    pub regs: Vec<(u16, Val)>,
}

/// The frames at a guard of a recorded trace: the innermost, and the snapshot of the frames that it returns to.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The innermost frame.
    pub frame: FrameSnap,
    /// The frames outside it.
    pub parent: Option<SnapshotId>,
}

/// Where a value comes from when a guard has failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Src {
    /// Index in [`Resume::fail_args`].
    Fail(u16),
    /// A constant.
    Const(Const),
    /// Index in [`Resume::virtuals`]: an object to be made. The same index is the same object.
    Virtual(u16),
}

/// The shape of an object that was never allocated.
#[derive(Clone, PartialEq, Debug)]
pub enum VirtualKind {
    /// An object; fields not listed are zero.
    Struct {
        /// Fields and their values.
        fields: Vec<(FieldId, Src)>,
    },
    /// An array with these items.
    Array {
        /// The items.
        items: Vec<Src>,
    },
}

/// An object to be made when the guard fails. Objects may refer to each other, and to themselves, in any order.
#[derive(Clone, PartialEq, Debug)]
pub struct VirtualInfo {
    /// Its class.
    pub class: ClassId,
    /// Its contents.
    pub kind: VirtualKind,
}

/// A store that the optimiser has delayed past the guard: to be done when the guard fails, in order.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PendingStore {
    /// `object.field = value`.
    Field {
        /// The object.
        object: Src,
        /// The field.
        field: FieldId,
        /// The value.
        value: Src,
    },
    /// `array[index] = value`.
    Item {
        /// The array.
        array: Src,
        /// The array's class.
        class: ClassId,
        /// The constant index.
        index: u32,
        /// The value.
        value: Src,
    },
}

/// A frame in terms of [`Src`].
#[derive(Clone, Debug, PartialEq)]
pub struct ResumeFrame {
    /// Raw `CodeId`.
    pub code: u32,
    /// As in [`FrameSnap::pc`].
    pub pc: u32,
    /// Live registers and where their values come from.
    pub regs: Vec<(u16, Src)>,
}

/// How to rebuild the interpreter's state when a guard fails: make the virtuals, do the pending stores, fill the frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resume {
    /// The values that compiled code hands over, no value twice.
    pub fail_args: Vec<ValRef>,
    /// Objects to be made.
    pub virtuals: Vec<VirtualInfo>,
    /// Stores to be done after that.
    pub pending: Vec<PendingStore>,
    /// The frames, innermost first.
    pub frames: Vec<ResumeFrame>,
}
