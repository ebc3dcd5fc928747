//! Binary operators. In: an operator as it is written. Out: the operation, the trait and the method
//! that it means on types of the crate. Invariant: these are tables; they know nothing of the
//! function that is checked.

use crate::tast::BinOp;

/// Our operation, and whether it assigns; none for `&&` and `||`.
pub(in crate::check) fn bin_op(op: &syn::BinOp) -> Option<(BinOp, bool)> {
    use syn::BinOp as B;
    Some(match op {
        B::Add(_) => (BinOp::Add, false),
        B::Sub(_) => (BinOp::Sub, false),
        B::Mul(_) => (BinOp::Mul, false),
        B::Div(_) => (BinOp::Div, false),
        B::Rem(_) => (BinOp::Rem, false),
        B::BitAnd(_) => (BinOp::And, false),
        B::BitOr(_) => (BinOp::Or, false),
        B::BitXor(_) => (BinOp::Xor, false),
        B::Shl(_) => (BinOp::Shl, false),
        B::Shr(_) => (BinOp::Shr, false),
        B::Eq(_) => (BinOp::Eq, false),
        B::Ne(_) => (BinOp::Ne, false),
        B::Lt(_) => (BinOp::Lt, false),
        B::Le(_) => (BinOp::Le, false),
        B::Gt(_) => (BinOp::Gt, false),
        B::Ge(_) => (BinOp::Ge, false),
        B::AddAssign(_) => (BinOp::Add, true),
        B::SubAssign(_) => (BinOp::Sub, true),
        B::MulAssign(_) => (BinOp::Mul, true),
        B::DivAssign(_) => (BinOp::Div, true),
        B::RemAssign(_) => (BinOp::Rem, true),
        B::BitAndAssign(_) => (BinOp::And, true),
        B::BitOrAssign(_) => (BinOp::Or, true),
        B::BitXorAssign(_) => (BinOp::Xor, true),
        B::ShlAssign(_) => (BinOp::Shl, true),
        B::ShrAssign(_) => (BinOp::Shr, true),
        _ => return None,
    })
}

/// The trait and the method of an operator.
pub(in crate::check) fn binary_method(op: BinOp) -> (&'static str, &'static str) {
    match op {
        BinOp::Add => ("Add", "add"),
        BinOp::Sub => ("Sub", "sub"),
        BinOp::Mul => ("Mul", "mul"),
        BinOp::Div => ("Div", "div"),
        BinOp::Rem => ("Rem", "rem"),
        BinOp::And => ("BitAnd", "bitand"),
        BinOp::Or => ("BitOr", "bitor"),
        BinOp::Xor => ("BitXor", "bitxor"),
        BinOp::Shl => ("Shl", "shl"),
        BinOp::Shr => ("Shr", "shr"),
        BinOp::Eq => ("PartialEq", "eq"),
        BinOp::Ne => ("PartialEq", "ne"),
        BinOp::Lt => ("PartialOrd", "lt"),
        BinOp::Le => ("PartialOrd", "le"),
        BinOp::Gt => ("PartialOrd", "gt"),
        BinOp::Ge => ("PartialOrd", "ge"),
    }
}
