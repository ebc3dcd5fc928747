//! The meaning of the pure operations, on raw words.
//!
//! Total (never panics), and the same as rustc's meaning of the source expression wherever the
//! operation's precondition holds.

use crate::DataOp;

/// Computes a pure operation on raw words: integers as themselves, references as addresses, floats
/// as bit patterns. Returns `None` for operations that are not pure.
///
/// # Panics
/// If `args` is shorter than the operation's parameters.
pub fn eval(op: DataOp, args: &[u64]) -> Option<u64> {
    use DataOp::*;
    let a = |n: usize| args[n] as i64;
    let u = |n: usize| args[n];
    let f = |n: usize| f64::from_bits(args[n]);
    let int = |v: i64| v as u64;
    let bit = |v: bool| v as u64;
    let float = |v: f64| v.to_bits();
    Some(match op {
        IntAdd => int(a(0).wrapping_add(a(1))),
        IntSub => int(a(0).wrapping_sub(a(1))),
        IntMul => int(a(0).wrapping_mul(a(1))),
        IntDiv => int(if a(1) == 0 {
            0
        } else {
            a(0).wrapping_div(a(1))
        }),
        IntRem => int(if a(1) == 0 {
            0
        } else {
            a(0).wrapping_rem(a(1))
        }),
        UintDiv => u(0).checked_div(u(1)).unwrap_or(0),
        UintRem => u(0).checked_rem(u(1)).unwrap_or(0),
        IntAnd => u(0) & u(1),
        IntOr => u(0) | u(1),
        IntXor => u(0) ^ u(1),
        IntShl => u(0).wrapping_shl(u(1) as u32),
        IntShr => int(a(0).wrapping_shr(u(1) as u32)),
        UintShr => u(0).wrapping_shr(u(1) as u32),
        IntNeg => int(a(0).wrapping_neg()),
        IntNot => !u(0),
        IntSext8 => int(a(0) as i8 as i64),
        IntSext16 => int(a(0) as i16 as i64),
        IntSext32 => int(a(0) as i32 as i64),
        IntEq | PtrEq => bit(u(0) == u(1)),
        IntNe | PtrNe => bit(u(0) != u(1)),
        IntLt => bit(a(0) < a(1)),
        IntLe => bit(a(0) <= a(1)),
        IntGt => bit(a(0) > a(1)),
        IntGe => bit(a(0) >= a(1)),
        UintLt => bit(u(0) < u(1)),
        UintLe => bit(u(0) <= u(1)),
        UintGt => bit(u(0) > u(1)),
        UintGe => bit(u(0) >= u(1)),
        IntIsZero => bit(u(0) == 0),
        IntIsTrue => bit(u(0) != 0),
        IntAddOverflows => bit(a(0).checked_add(a(1)).is_none()),
        IntSubOverflows => bit(a(0).checked_sub(a(1)).is_none()),
        IntMulOverflows => bit(a(0).checked_mul(a(1)).is_none()),
        UintAtMost => u(0).min(u(1)),
        UintMulOverflows => bit(u(0).checked_mul(u(1)).is_none()),
        IntLeadingZeros => u64::from(u(0).leading_zeros()),
        IntTrailingZeros => u64::from(u(0).trailing_zeros()),
        IntCountOnes => u64::from(u(0).count_ones()),
        IntSwapBytes => u(0).swap_bytes(),
        FloatAdd => float(f(0) + f(1)),
        FloatSub => float(f(0) - f(1)),
        FloatMul => float(f(0) * f(1)),
        FloatDiv => float(f(0) / f(1)),
        FloatNeg => u(0) ^ (1 << 63),
        FloatAbs => u(0) & !(1 << 63),
        FloatSqrt => float(f(0).sqrt()),
        FloatFloor => float(f(0).floor()),
        FloatCeil => float(f(0).ceil()),
        FloatTrunc => float(f(0).trunc()),
        FloatNearest => float(f(0).round_ties_even()),
        FloatEq => bit(f(0) == f(1)),
        FloatNe => bit(f(0) != f(1)),
        FloatLt => bit(f(0) < f(1)),
        FloatLe => bit(f(0) <= f(1)),
        FloatGt => bit(f(0) > f(1)),
        FloatGe => bit(f(0) >= f(1)),
        IntToFloat => float(a(0) as f64),
        FloatToInt => int(f(0) as i64),
        FloatBits | FloatFromBits | WordFromInt | WordFromRef | WordFromFloat | IntFromWord
        | RefFromWord | FloatFromWord => u(0),
        GetFieldI | GetFieldR | GetFieldF | GetFieldW | SetFieldI | SetFieldR | SetFieldF
        | SetFieldW | GetItemI | GetItemR | GetItemF | GetItemW | Invalidate | Reclaim
        | HasClass | SetItemI | SetItemR | SetItemF | SetItemW | FillItemsI | FillItemsR
        | FillItemsF | FillItemsW | ArrayLen | New | NewArray => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pure_is_exactly_what_eval_defines() {
        for &op in DataOp::ALL {
            let args = vec![1u64; op.params().len()];
            assert_eq!(eval(op, &args).is_some(), op.is_pure(), "{op}");
        }
    }

    #[test]
    fn edges_are_total() {
        assert_eq!(eval(DataOp::IntDiv, &[5, 0]), Some(0));
        assert_eq!(
            eval(DataOp::IntDiv, &[i64::MIN as u64, -1i64 as u64]),
            Some(i64::MIN as u64)
        );
        assert_eq!(eval(DataOp::FloatToInt, &[f64::NAN.to_bits()]), Some(0));
        assert_eq!(
            eval(DataOp::FloatToInt, &[f64::INFINITY.to_bits()]),
            Some(i64::MAX as u64)
        );
        assert_eq!(
            eval(DataOp::IntMulOverflows, &[i64::MAX as u64, 2]),
            Some(1)
        );
    }
}
