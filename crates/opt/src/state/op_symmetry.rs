//! Symmetries of operations that passes share: opposites, mirrors, casts to words.

use super::node::{NodeId, Nodes};
use smallvec::SmallVec;
use verdigris_ops::DataOp;
use verdigris_trace::Opcode;

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

/// The operation that gives the same with its operands swapped.
pub(crate) const fn mirror(op: DataOp) -> Option<DataOp> {
    use DataOp::*;
    Some(match op {
        IntLt => IntGt,
        IntGt => IntLt,
        IntLe => IntGe,
        IntGe => IntLe,
        UintLt => UintGt,
        UintGt => UintLt,
        UintLe => UintGe,
        UintGe => UintLe,
        FloatLt => FloatGt,
        FloatGt => FloatLt,
        FloatLe => FloatGe,
        FloatGe => FloatLe,
        _ if commutes(op) => op,
        _ => return None,
    })
}

/// Whether the operands may be swapped. (Not those of float arithmetic: of two NaNs, the first
/// comes out.)
pub(crate) const fn commutes(op: DataOp) -> bool {
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
            | FloatEq
            | FloatNe
            | IntAddOverflows
            | IntMulOverflows
            | UintMulOverflows
    )
}

/// Puts a constant second, and of two variables the greater one, so that rules and the table of
/// known results see one form.
pub(crate) fn canonical(nodes: &Nodes, op: DataOp, args: &mut SmallVec<[NodeId; 3]>) -> DataOp {
    use DataOp::*;
    let &[x, y] = &args[..] else { return op };
    let mirrored = match (nodes.as_const(x), nodes.as_const(y)) {
        (Some(_), None) => match op {
            FloatAdd | FloatMul if !is_nan(nodes, x) => Some(op),
            _ => mirror(op),
        },
        (None, None) if matches!(op, IntGt | IntGe | UintGt | UintGe | FloatGt | FloatGe) => {
            mirror(op)
        }
        _ => None,
    };
    if mirrored.is_some() {
        args.swap(0, 1);
    }
    mirrored.unwrap_or(op)
}

fn is_nan(nodes: &Nodes, n: NodeId) -> bool {
    nodes
        .as_const(n)
        .is_some_and(|c| f64::from_bits(c.word()).is_nan())
}

/// Whether an operation is a cast to a word.
pub(crate) fn makes_word(opcode: Opcode) -> bool {
    use DataOp::{WordFromFloat, WordFromInt, WordFromRef};
    matches!(
        opcode,
        Opcode::Data(WordFromInt | WordFromRef | WordFromFloat)
    )
}
