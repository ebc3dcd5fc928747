//! Comparisons: as values, and as the branches of guards.

use crate::instructions::*;
use verdigris_ops::DataOp;

/// The instructions for a comparison whose operands are on the stack.
pub(super) struct Comparison {
    /// Branches if it holds.
    pub(super) branch_if: Op,
    /// Branches if it does not.
    pub(super) branch_unless: Op,
    /// Leaves an `int32`.
    value: Op,
    /// Whether that is 1 if the comparison does not hold.
    inverted: bool,
}

impl Comparison {
    const fn new(branch_if: Op, branch_unless: Op, value: Op, inverted: bool) -> Comparison {
        Comparison {
            branch_if,
            branch_unless,
            value,
            inverted,
        }
    }

    /// Leaves an `int64` that is 1 or 0.
    pub(super) fn emit_value(&self, code: &mut crate::code::Code) {
        code.op(self.value);
        if self.inverted {
            code.short(0);
            code.op(CEQ);
        }
        code.op(CONV_U8);
    }
}

/// Whether an operation compares, so that it can be a branch.
pub(super) fn is_comparison(data: DataOp) -> bool {
    matches!(data, DataOp::IntIsZero | DataOp::IntIsTrue) || comparison(data).is_some()
}

/// The comparison of two operands that an operation is. With doubles that are not ordered, the
/// forms `.un` branch, and the others do not.
pub(super) fn comparison(data: DataOp) -> Option<Comparison> {
    use DataOp::*;
    let (straight, inverted) = (false, true);
    Some(match data {
        IntEq | PtrEq | FloatEq => Comparison::new(BEQ, BNE_UN, CEQ, straight),
        IntNe | PtrNe | FloatNe => Comparison::new(BNE_UN, BEQ, CEQ, inverted),
        IntLt => Comparison::new(BLT, BGE, CLT, straight),
        IntLe => Comparison::new(BLE, BGT, CGT, inverted),
        IntGt => Comparison::new(BGT, BLE, CGT, straight),
        IntGe => Comparison::new(BGE, BLT, CLT, inverted),
        UintLt => Comparison::new(BLT_UN, BGE_UN, CLT_UN, straight),
        UintLe => Comparison::new(BLE_UN, BGT_UN, CGT_UN, inverted),
        UintGt => Comparison::new(BGT_UN, BLE_UN, CGT_UN, straight),
        UintGe => Comparison::new(BGE_UN, BLT_UN, CLT_UN, inverted),
        FloatLt => Comparison::new(BLT, BGE_UN, CLT, straight),
        FloatLe => Comparison::new(BLE, BGT_UN, CGT_UN, inverted),
        FloatGt => Comparison::new(BGT, BLE_UN, CGT, straight),
        FloatGe => Comparison::new(BGE, BLT_UN, CLT_UN, inverted),
        _ => return None,
    })
}
