//! Algebraic simplification of single operations.
//!
//! In: an operation and what is known of its operands. Out: the node it equals, or a simpler operation. Invariant: every
//! rule holds for all words; the test runs each rule's before and after through `eval` on edge values. No rule touches
//! floats: none that is exact on NaN and signed zeros pays here.

use crate::node::{NodeId, Nodes};
use crate::section::Section;
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{DataOp, Ty};

/// What an operation can be replaced by.
pub(crate) enum Simplified {
    /// A value that exists.
    Node(NodeId),
    /// A simpler operation.
    Op(DataOp, SmallVec<[NodeId; 3]>),
}

/// Whether the result is always 0 or 1.
pub(crate) fn gives_boolean(op: DataOp) -> bool {
    use DataOp::*;
    matches!(
        op,
        IntEq
            | IntNe
            | IntLt
            | IntLe
            | IntGt
            | IntGe
            | UintLt
            | UintLe
            | UintGt
            | UintGe
            | IntIsZero
            | IntIsTrue
            | IntAddOverflows
            | IntSubOverflows
            | IntMulOverflows
            | FloatEq
            | FloatNe
            | FloatLt
            | FloatLe
            | FloatGt
            | FloatGe
            | PtrEq
            | PtrNe
    )
}

/// The comparison that holds exactly when this one does not. (Not for floats: NaN fails both.)
pub(crate) fn opposite(op: DataOp) -> Option<DataOp> {
    use DataOp::*;
    Some(match op {
        IntEq => IntNe,
        IntNe => IntEq,
        IntLt => IntGe,
        IntGe => IntLt,
        IntGt => IntLe,
        IntLe => IntGt,
        UintLt => UintGe,
        UintGe => UintLt,
        UintGt => UintLe,
        UintLe => UintGt,
        PtrEq => PtrNe,
        PtrNe => PtrEq,
        IntIsZero => IntIsTrue,
        IntIsTrue => IntIsZero,
        _ => return None,
    })
}

fn commutes(op: DataOp) -> bool {
    use DataOp::*;
    matches!(
        op,
        IntAdd
            | IntMul
            | IntAnd
            | IntOr
            | IntXor
            | IntEq
            | IntNe
            | PtrEq
            | PtrNe
            | IntAddOverflows
            | IntMulOverflows
    )
}

/// Puts a constant second, so that rules and the table of known results see one form.
pub(crate) fn canonical_order(nodes: &Nodes, op: DataOp, args: &mut SmallVec<[NodeId; 3]>) {
    if commutes(op) && nodes.as_const(args[0]).is_some() {
        args.swap(0, 1);
    }
}

/// Applies the first rule that fits.
pub(crate) fn simplify(section: &mut Section, op: DataOp, args: &[NodeId]) -> Option<Simplified> {
    match args {
        [x] => unary(section, op, *x),
        [x, y] => identity(section, op, *x, *y)
            .or_else(|| same_operands(section, op, *x, *y))
            .or_else(|| references(section, op, *x, *y)),
        _ => None,
    }
}

fn unary(section: &mut Section, op: DataOp, x: NodeId) -> Option<Simplified> {
    match op {
        DataOp::IntIsTrue if section.nodes.is_boolean(x) => Some(Simplified::Node(x)),
        DataOp::IntIsZero => {
            // The opposite of a comparison is a comparison.
            let (inner, args) = section.nodes.def(x)?;
            Some(Simplified::Op(opposite(inner)?, args.into()))
        }
        _ => None,
    }
}

fn identity(section: &mut Section, op: DataOp, x: NodeId, y: NodeId) -> Option<Simplified> {
    use DataOp::*;
    let c = section.nodes.as_const(y)?;
    if c.ty() != Ty::Int {
        return None;
    }
    let zero = |s: &mut Section| Some(Simplified::Node(s.constant(Ty::Int, 0)));
    match (op, c.word() as i64) {
        (IntAdd | IntSub | IntOr | IntXor | IntShl | IntShr | UintShr, 0) => {
            Some(Simplified::Node(x))
        }
        (IntMul | IntDiv | UintDiv, 1) | (IntAnd, -1) => Some(Simplified::Node(x)),
        (IntMul | IntAnd, 0) | (IntAddOverflows | IntSubOverflows | UintLt, 0) => zero(section),
        (IntMulOverflows, 0 | 1) => zero(section),
        (IntSub, k) if k != i64::MIN => {
            let minus = section.constant(Ty::Int, k.wrapping_neg() as u64);
            Some(Simplified::Op(IntAdd, smallvec![x, minus]))
        }
        (IntNe, 0) if section.nodes.is_boolean(x) => Some(Simplified::Node(x)),
        (IntEq, 1) if section.nodes.is_boolean(x) => Some(Simplified::Node(x)),
        (IntEq, 0) => Some(Simplified::Op(IntIsZero, smallvec![x])),
        _ => None,
    }
}

fn same_operands(section: &mut Section, op: DataOp, x: NodeId, y: NodeId) -> Option<Simplified> {
    use DataOp::*;
    if section.nodes.find(x) != section.nodes.find(y) {
        return None;
    }
    let word = match op {
        IntEq | IntLe | IntGe | UintLe | UintGe | PtrEq => 1,
        IntNe | IntLt | IntGt | UintLt | UintGt | PtrNe | IntSub | IntXor | IntSubOverflows => 0,
        IntAnd | IntOr => return Some(Simplified::Node(x)),
        _ => return None,
    };
    Some(Simplified::Node(section.constant(Ty::Int, word)))
}

fn references(section: &mut Section, op: DataOp, x: NodeId, y: NodeId) -> Option<Simplified> {
    let equal = match op {
        DataOp::PtrEq => 1,
        DataOp::PtrNe => 0,
        _ => return None,
    };
    let nodes = &section.nodes;
    let null = |n| nodes.is_zero(n);
    let distinct = null(x) && nodes.is_nonnull(y)
        || null(y) && nodes.is_nonnull(x)
        || !null(x) && !null(y) && !nodes.may_alias(x, y);
    distinct.then(|| Simplified::Node(section.constant(Ty::Int, 1 - equal)))
}
