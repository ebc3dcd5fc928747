//! Gaps between what a body assumes and what an arriving section knows, and how they are closed.

use super::words::Load;
use crate::section::{Cx, Section};
use crate::state::guard_table::Guard;
use crate::state::node::NodeId;
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{ClassId, DataOp, Ty};
use verdigris_trace::{Const, Descr, Opcode};

/// Operations that a trace may spend on getting into a body. The loop's entry would run an
/// unspecialised iteration, which costs more than a few loads and guards, but not more than any
/// number of them.
pub(super) const MAX_REPAIRS: usize = 24;

/// Something that the body assumes and the section does not know.
pub(super) enum Gap {
    /// The contents of a slot of an object.
    Load {
        base: NodeId,
        class: ClassId,
        load: Load,
    },
    /// The result of a pure operation.
    Compute(DataOp, SmallVec<[NodeId; 3]>),
    /// An object's class.
    Class(NodeId, ClassId),
    /// That a value is this constant.
    Value(NodeId, Const),
    /// That a word of a value is of this type.
    View(NodeId, Ty),
    /// That a reference is not null.
    NonNull(NodeId),
    /// That an integer is at least, or at most, this.
    AtLeast(NodeId, i64),
    AtMost(NodeId, i64),
}

impl Gap {
    /// Emits what closes the gap.
    pub fn close(self, cx: &mut Cx<'_>, section: &mut Section) -> Option<()> {
        match self {
            Gap::Load { base, class, load } => {
                let mut args: SmallVec<[NodeId; 3]> = smallvec![base];
                if let Some(index) = load.index {
                    let index = section.constant(Ty::Int, u64::from(index));
                    section.check_index(cx, class, base, index)?;
                    args.push(index);
                }
                section.load_nodes(cx, load.op, load.descr, args);
            }
            Gap::Compute(DataOp::Reclaim, args) => section.reclaim(cx, args[0]),
            Gap::Compute(op, args) => {
                section.pure_as_is(cx, op, args);
            }
            Gap::Class(n, class) => {
                section.arrival_guard(cx, Opcode::GuardClass, class.into(), &[n], None)?;
            }
            Gap::Value(n, c) if section.nodes.is_boolean(n) => {
                let opcode = match c.word() {
                    0 => Opcode::GuardFalse,
                    _ => Opcode::GuardTrue,
                };
                section.arrival_guard(cx, opcode, Descr::None, &[n], None)?;
            }
            Gap::Value(n, c) => {
                section.arrival_guard(cx, Opcode::GuardValue, Descr::None, &[n], Some(c))?;
            }
            Gap::View(n, ty) => {
                let view = section.view(n, ty);
                section.nodes.forward(n, view);
            }
            Gap::NonNull(n) => {
                let null = section.constant(Ty::Ref, 0);
                section.arrival_check(cx, DataOp::PtrNe, n, null)?;
            }
            Gap::AtLeast(n, least) => {
                let least = section.constant(Ty::Int, least as u64);
                section.arrival_check(cx, DataOp::IntGe, n, least)?;
            }
            Gap::AtMost(n, most) => {
                let most = section.constant(Ty::Int, most as u64);
                section.arrival_check(cx, DataOp::IntLe, n, most)?;
            }
        }
        Some(())
    }
}

impl Section {
    /// A guard that resumes at the merge point behind the jump.
    fn arrival_guard(
        &mut self,
        cx: &mut Cx<'_>,
        opcode: Opcode,
        descr: Descr,
        args: &[NodeId],
        constant: Option<Const>,
    ) -> Option<()> {
        let Some(snapshot) = cx.trace.exits.arrival else {
            cov_mark::hit!(arrival_has_no_frames);
            return None;
        };
        let guard = Guard {
            opcode,
            descr,
            snapshot,
        };
        let mut args: SmallVec<[NodeId; 3]> = SmallVec::from_slice(args);
        args.extend(constant.map(|c| self.nodes.constant(c)));
        self.guard_nodes(cx, guard, &args).ok()
    }

    /// A comparison, and a guard that it holds.
    fn arrival_check(&mut self, cx: &mut Cx<'_>, op: DataOp, a: NodeId, b: NodeId) -> Option<()> {
        let holds = self.pure_nodes(cx, op, smallvec![a, b]);
        self.arrival_guard(cx, Opcode::GuardTrue, Descr::None, &[holds], None)
    }

    /// Checks that an array has an item at this index.
    fn check_index(
        &mut self,
        cx: &mut Cx<'_>,
        class: ClassId,
        array: NodeId,
        index: NodeId,
    ) -> Option<()> {
        let len = self.load_nodes(cx, DataOp::ArrayLen, class.into(), smallvec![array]);
        let (index, len) = (index, self.nodes.find(len));
        if let (Some(index), Some(len)) = (self.nodes.as_const(index), self.nodes.as_const(len)) {
            return (index.word() < len.word()).then_some(());
        }
        self.arrival_check(cx, DataOp::UintLt, index, len)
    }
}
