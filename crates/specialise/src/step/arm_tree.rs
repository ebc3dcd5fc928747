//! Promotions with many values. In: the arm for one more. Out: in front of its comparison, a choice
//! between two halves of all values, if there are many arms already. Invariant: what goes to the
//! other half leaves there, and grows arms of its own.
//!
//! The arms of a promotion are compared one after the other, as they came. From some number on that
//! takes longer than to look for the arm: the rest of the arms is a tree, in which a bit of a hash
//! of the value decides, another bit at each depth. The bits of a hash are as good for addresses as
//! for small integers, and the order in which the values come does not matter. An object that is a
//! constant of the code stays at its address; any other may go to a half where it is not, and
//! leaves.
//!
//! Source: "Automatic Generation of JIT Compilers for Dynamic Languages in .NET" (2009), section 4,
//! compares in a row.

use crate::specialiser::Specialiser;
use crate::state::path::Path;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Arg, Const, Descr, Opcode};

/// So many arms are compared in a row.
const ROW: u32 = 8;

/// An odd number whose products have well mixed high bits: the golden ratio's fraction.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Specialiser<'_> {
    /// A value is about to be compared with this constant, which it is.
    pub fn search(&mut self, way: &mut Path, value: Arg, constant: Const) {
        let Some(bit) = bit(way.compared) else { return };
        let trace = &mut way.section.trace;
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
        self.guard_arm(way, half, is_upper);
    }
}

/// The bit that decides behind so many comparisons; none if there are too few, or too many.
fn bit(compared: u32) -> Option<u32> {
    (u64::BITS - 1).checked_sub(compared.checked_sub(ROW)?)
}
