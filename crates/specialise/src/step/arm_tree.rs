//! Promotions with many values: a binary tree of hash bits in front of the comparisons.
//!
//! The arms of a promotion are compared one after the other, in the order in which they came. From
//! the ninth on, a bit of a hash of the value selects a half of the remaining arms, another bit at
//! each depth. A value of the other half leaves there, and grows arms of its own. A hash works for
//! addresses and small integers alike; an object that is a constant of the code does not move, and
//! any other may leave.
//!
//! Source: "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009), section 4,
//! compares linearly.

use crate::specialiser::Specialiser;
use crate::state::path::Path;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Arg, Const, Descr, Opcode};

/// How many arms are compared one after the other.
const ROW: u32 = 8;

/// An odd number whose products have well mixed high bits: the golden ratio's fraction.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Specialiser<'_> {
    /// Adds the tree's tests in front of the comparison of a value with the constant that it is.
    pub fn search(&mut self, path: &mut Path, value: Arg, constant: Const) {
        let Some(bit) = bit(path.compared) else {
            return;
        };
        let trace = &mut path.section.trace;
        let mut push = |op, args: &[Arg], ty| {
            Arg::Ref(trace.push_def(Opcode::Data(op), args, Descr::None, ty))
        };
        let number = match constant.ty() {
            Ty::Int => value,
            Ty::Ref => {
                let word = push(DataOp::WordFromRef, &[value], Ty::Word);
                push(DataOp::IntFromWord, &[word], Ty::Int)
            }
            _ => return,
        };
        let product = push(DataOp::IntMul, &[number, Arg::int(FACTOR as i64)], Ty::Int);
        let shifted = push(DataOp::UintShr, &[product, Arg::int(bit.into())], Ty::Int);
        let half = push(DataOp::IntAnd, &[shifted, Arg::int(1)], Ty::Int);
        let is_upper = constant.word().wrapping_mul(FACTOR) >> bit & 1 != 0;
        self.guard_arm(path, half, is_upper);
    }
}

/// The hash bit that decides after this many comparisons; none if there are too few or too many.
fn bit(compared: u32) -> Option<u32> {
    (u64::BITS - 1).checked_sub(compared.checked_sub(ROW)?)
}
