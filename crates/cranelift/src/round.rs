//! Rounding doubles to integral ones. In: the operation and its operand. Out: an instruction where
//! the machine has one for it, else a call. Invariant: both give what [`verdigris_ops::eval`]
//! gives.

use crate::lower::{Lower, trusted_cast};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use verdigris_ops::DataOp;

/// Whether the machine rounds by one instruction; where it does not, Cranelift would call the C
/// library, which our code has no way to be linked with.
fn has_instruction() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("sse4.1");
    #[cfg(not(target_arch = "x86_64"))]
    true
}

extern "C" fn floor(bits: u64) -> u64 {
    f64::from_bits(bits).floor().to_bits()
}

extern "C" fn ceil(bits: u64) -> u64 {
    f64::from_bits(bits).ceil().to_bits()
}

extern "C" fn trunc(bits: u64) -> u64 {
    f64::from_bits(bits).trunc().to_bits()
}

extern "C" fn nearest(bits: u64) -> u64 {
    f64::from_bits(bits).round_ties_even().to_bits()
}

/// The function to call where there is no instruction.
fn function(op: DataOp) -> extern "C" fn(u64) -> u64 {
    match op {
        DataOp::FloatFloor => floor,
        DataOp::FloatCeil => ceil,
        DataOp::FloatTrunc => trunc,
        _ => nearest,
    }
}

impl Lower<'_, '_> {
    /// Lowers `float_floor`, `float_ceil`, `float_trunc` and `float_nearest`.
    pub(crate) fn round(&mut self, op: DataOp, x: Value) -> Value {
        if !has_instruction() {
            let bits = self.b.ins().bitcast(types::I64, trusted_cast(), x);
            let rounded = self.call_runtime(function(op) as *const () as usize, &[bits]);
            return self.b.ins().bitcast(types::F64, trusted_cast(), rounded);
        }
        match op {
            DataOp::FloatFloor => self.b.ins().floor(x),
            DataOp::FloatCeil => self.b.ins().ceil(x),
            DataOp::FloatTrunc => self.b.ins().trunc(x),
            _ => self.b.ins().nearest(x),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdigris_ops::eval;

    #[test]
    fn functions_round_as_the_table_says() {
        let ops = [
            DataOp::FloatFloor,
            DataOp::FloatCeil,
            DataOp::FloatTrunc,
            DataOp::FloatNearest,
        ];
        for op in ops {
            for x in [0.5, 1.5, -0.5, -2.5, 0.0, -0.0, 1e300, f64::INFINITY, -3.7] {
                assert_eq!(Some(function(op)(x.to_bits())), eval(op, &[x.to_bits()]));
            }
        }
    }
}
