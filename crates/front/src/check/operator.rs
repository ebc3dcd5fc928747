//! Operators on types of the user: the methods of the standard library's traits.
//!
//! In: an operator and its checked operands. Out: the call of the implementation. Invariant: operators on primitive types and
//! references, and derived comparisons, are never calls.

use super::FnCx;
use super::generic::Callee;
use super::traits::{Found, Member};
use crate::hir::{Expr, Op};
use crate::infer::Ty;
use crate::items::{Assoc, TraitKey};
use crate::tast::{BinOp, Span, UnOp};

impl FnCx<'_> {
    /// Whether an operator on values of this type may be a method.
    pub(super) fn is_overloaded(&self, ty: &Ty) -> bool {
        match self.infer.shallow(ty) {
            Ty::Gc(_) | Ty::Object(_) | Ty::Array(_) | Ty::Tuple(_) | Ty::Adt(_) => true,
            ty @ Ty::Var(_) => self.infer.parts(&ty).is_some(),
            _ => false,
        }
    }

    /// A binary operator, which may be a method.
    pub(super) fn overloaded(
        &mut self,
        op: BinOp,
        (left, right): (Expr, Expr),
        (span, at): (Span, Span),
    ) -> Expr {
        if !self.is_overloaded(&left.ty) && !self.is_overloaded(&right.ty) {
            return self.binary(op, left, right, span, at);
        }
        let (of_trait, method) = binary_method(op);
        let Some(callee) = self.operator(of_trait, method, (&left, Some(&right)), at) else {
            return match op {
                // What the trait provides.
                BinOp::Ne => match self.operator("PartialEq", "eq", (&left, Some(&right)), at) {
                    Some(eq) => {
                        let equal = self.call_operands(eq, vec![left, right], (span, at));
                        Expr::op(Op::Unary(UnOp::Not), vec![equal], Ty::Bool, span)
                    }
                    None => self.binary(op, left, right, span, at),
                },
                op => self.binary(op, left, right, span, at),
            };
        };
        self.call_operands(callee, vec![left, right], (span, at))
    }

    /// The method that a unary operator is, if it is one.
    pub(super) fn overloaded_unary(
        &mut self,
        op: UnOp,
        operand: &Expr,
        at: Span,
    ) -> Option<Callee<'static>> {
        if !self.is_overloaded(&operand.ty) {
            return None;
        }
        let (of_trait, method) = match op {
            UnOp::Neg => ("Neg", "neg"),
            UnOp::Not => ("Not", "not"),
        };
        self.operator(of_trait, method, (operand, None), at)
    }

    /// The method of an operator's trait.
    fn operator(
        &mut self,
        of_trait: &str,
        method: &str,
        (left, right): (&Expr, Option<&Expr>),
        at: Span,
    ) -> Option<Callee<'static>> {
        let key = TraitKey::Std(of_trait.to_owned());
        let args: Vec<Ty> = right.iter().map(|r| self.infer.shallow(&r.ty)).collect();
        let ty = self.infer.shallow(&left.ty);
        match self.member_of(&key, (&ty, &args), method, at) {
            Found::One(Member {
                assoc: Assoc::Fn(item),
                subst,
            }) => Some(Callee {
                item,
                subst,
                turbofish: None,
            }),
            _ => None,
        }
    }
}

/// The trait and the method of an operator.
fn binary_method(op: BinOp) -> (&'static str, &'static str) {
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
