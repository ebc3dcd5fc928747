//! Division by a constant without dividing. In: a division or remainder with a constant divisor.
//! Out: multiplication and shifts, or nothing if there is no better way than dividing. Cranelift
//! would do this only at an optimisation level that we do not use. `verdigris_backend::magic` has
//! the numbers.

use crate::lower::Lower;
use cranelift_codegen::ir::{InstBuilder, Value};
use verdigris_backend::magic::{signed_magic, unsigned_magic};
use verdigris_ops::DataOp;
use verdigris_trace::Arg;

impl Lower<'_, '_> {
    /// The quotient or remainder of `x` by a constant.
    pub(crate) fn divide_by_constant(
        &mut self,
        data: DataOp,
        x: Arg,
        divisor: i64,
    ) -> Option<Value> {
        if divisor == 0 {
            return None;
        }
        let x = self.value(x);
        match data {
            DataOp::IntDiv => Some(self.signed_quotient(x, divisor)),
            DataOp::UintDiv => self.unsigned_quotient(x, divisor as u64),
            DataOp::IntRem => {
                let quotient = self.signed_quotient(x, divisor);
                Some(self.remainder(x, quotient, divisor))
            }
            _ => {
                let unsigned = divisor as u64;
                if unsigned.is_power_of_two() {
                    return Some(self.b.ins().band_imm_s(x, (unsigned - 1) as i64));
                }
                let quotient = self.unsigned_quotient(x, unsigned)?;
                Some(self.remainder(x, quotient, divisor))
            }
        }
    }

    fn remainder(&mut self, x: Value, quotient: Value, divisor: i64) -> Value {
        let product = self.b.ins().imul_imm_s(quotient, divisor);
        self.b.ins().isub(x, product)
    }

    fn signed_quotient(&mut self, x: Value, divisor: i64) -> Value {
        let magnitude = divisor.unsigned_abs();
        let quotient = if magnitude == 1 {
            x
        } else if magnitude.is_power_of_two() {
            self.signed_shift(x, magnitude.trailing_zeros())
        } else {
            return self.signed_multiply(x, divisor);
        };
        match divisor < 0 {
            true => self.b.ins().ineg(quotient),
            false => quotient,
        }
    }

    /// `x / 2^k` towards zero, `k > 0`: negative dividends are moved up by `2^k - 1` first.
    fn signed_shift(&mut self, x: Value, k: u32) -> Value {
        let sign = self.b.ins().sshr_imm_s(x, i64::from(k) - 1);
        let excess = self.b.ins().ushr_imm_s(sign, 64 - i64::from(k));
        let moved = self.b.ins().iadd(x, excess);
        self.b.ins().sshr_imm_s(moved, i64::from(k))
    }

    fn signed_multiply(&mut self, x: Value, divisor: i64) -> Value {
        let (multiplier, shift) = signed_magic(divisor);
        let factor = self.int(multiplier);
        let mut high = self.b.ins().smulhi(x, factor);
        // The multiplier does not fit in a signed word: it lacks 2^64, that is, one dividend.
        if divisor > 0 && multiplier < 0 {
            high = self.b.ins().iadd(high, x);
        } else if divisor < 0 && multiplier > 0 {
            high = self.b.ins().isub(high, x);
        }
        if shift > 0 {
            high = self.b.ins().sshr_imm_s(high, i64::from(shift));
        }
        // The quotient was rounded down; negative ones need one more.
        let sign = self.b.ins().ushr_imm_s(high, 63);
        self.b.ins().iadd(high, sign)
    }

    fn unsigned_quotient(&mut self, x: Value, divisor: u64) -> Option<Value> {
        if divisor.is_power_of_two() {
            return Some(
                self.b
                    .ins()
                    .ushr_imm_s(x, i64::from(divisor.trailing_zeros())),
            );
        }
        let (multiplier, shift, wide) = unsigned_magic(divisor)?;
        let factor = self.int(multiplier as i64);
        let high = self.b.ins().umulhi(x, factor);
        if !wide {
            return Some(match shift {
                0 => high,
                _ => self.b.ins().ushr_imm_s(high, i64::from(shift)),
            });
        }
        // The multiplier has 65 bits; its top bit adds one dividend, halved so that the sum fits.
        let rest = self.b.ins().isub(x, high);
        let half = self.b.ins().ushr_imm_s(rest, 1);
        let sum = self.b.ins().iadd(half, high);
        Some(self.b.ins().ushr_imm_s(sum, i64::from(shift) - 1))
    }
}
