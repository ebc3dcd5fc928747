//! Operators on types of the user: the methods of the standard library's traits.
//!
//! In: an operator and its checked operands. Out: the call of the implementation. Invariant:
//! operators on primitive types and references, and `==` where it compares all parts of values, are
//! never calls.

use crate::check::binary::binary_method;
use crate::check::call::ref_impls::Around;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::terms::{CallAt, Callee, Found, Member, Place};
use crate::items::{Assoc, TraitKey};
use crate::tast::{BinOp, Span, UnOp, is_comparison};
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// Whether an operator on values of this type may be a method.
    pub(in crate::check) fn is_overloaded(&self, ty: &Ty) -> bool {
        match self.infer.shallow(ty) {
            Ty::Gc(_) | Ty::Object(_) | Ty::Array(_) | Ty::Tuple(_) | Ty::Adt(_) => true,
            ty @ Ty::Var(_) => self.infer.parts(&ty).is_some(),
            _ => false,
        }
    }

    /// A binary operator, which may be a method.
    pub(in crate::check) fn overloaded(
        &mut self,
        op: BinOp,
        (left, right): (Expr, Expr),
        around: &Around,
        at: CallAt,
    ) -> Expr {
        if is_comparison(op) {
            return self.comparison(op, (left, right), around, at);
        }
        if !self.is_overloaded(&left.ty) && !self.is_overloaded(&right.ty) {
            return self.binary(op, left, right, at.call, at.callee);
        }
        let (of_trait, method) = binary_method(op);
        match self.operator(
            of_trait,
            method,
            (&left.ty, Some(&right.ty)),
            around,
            at.callee,
        ) {
            Some(callee) => self.call_operands(callee, vec![left, right], at),
            None => self.binary(op, left, right, at.call, at.callee),
        }
    }

    /// A comparison. Equality of all parts is an operation; other comparisons of what is made of
    /// parts are methods.
    fn comparison(
        &mut self,
        op: BinOp,
        (left, right): (Expr, Expr),
        around: &Around,
        at: CallAt,
    ) -> Expr {
        let sides = [&left, &right].map(|side| self.infer.deep(&side.ty));
        let method = |ty: &Ty| ty.is_aggregate() || *ty == Ty::Unit || self.is_overloaded(ty);
        if !sides.iter().any(method) {
            return self.binary(op, left, right, at.call, at.callee);
        }
        let (of_trait, method) = binary_method(op);
        self.note_operator(&left.ty, of_trait, method);
        self.quietly(|fcx| fcx.compared(op, (left, right), (&sides, around), at))
    }

    /// A comparison that may be a method.
    fn compared(
        &mut self,
        op: BinOp,
        (left, right): (Expr, Expr),
        (sides, around): (&[Ty; 2], &Around),
        at: CallAt,
    ) -> Expr {
        let identity = matches!(op, BinOp::Eq | BinOp::Ne);
        if identity
            && self.cx.compares_parts(&sides[0])
            && self.infer.try_unify(&sides[0], &sides[1])
        {
            return self.binary(op, left, right, at.call, at.callee);
        }
        let (of_trait, method) = binary_method(op);
        // What is wrong is this operator, not what the standard library's method would do with the
        // parts.
        if !is_adt(&sides[0]) && !self.has_comparison(of_trait, &sides[0], at.callee) {
            return self.binary(op, left, right, at.call, at.callee);
        }
        let types = (&left.ty, Some(&right.ty));
        if let Some(callee) = self.operator(of_trait, method, types, around, at.callee) {
            return self.call_operands(callee, vec![left, right], at);
        }
        match self.operator(of_trait, "eq", types, around, at.callee) {
            // What the trait provides.
            Some(eq) if op == BinOp::Ne => {
                let equal = self.call_operands(eq, vec![left, right], at);
                Expr::op(Op::Unary(UnOp::Not), vec![equal], Ty::Bool, at.call)
            }
            _ => self.binary(op, left, right, at.call, at.callee),
        }
    }

    /// Whether values of a type have a comparison, as far as the type is known.
    fn has_comparison(&mut self, of_trait: &str, ty: &Ty, at: Span) -> bool {
        let equality = of_trait == "PartialEq";
        match ty {
            Ty::Gc(_) | Ty::Array(_) | Ty::Object(_) => equality,
            Ty::Foreign(_) | Ty::Kind(_) | Ty::Cell(_) | Ty::Class(_) => false,
            Ty::Adt(_) => {
                let method = if equality { "eq" } else { "partial_cmp" };
                self.operator(of_trait, method, (ty, Some(ty)), &Around::default(), at)
                    .is_some()
            }
            ty => {
                let parts: Vec<Ty> = ty.parts().into_iter().cloned().collect();
                parts.iter().all(|p| self.has_comparison(of_trait, p, at))
            }
        }
    }

    /// `(a..b).contains(&value)`
    pub(in crate::check) fn in_range(
        &mut self,
        range: &syn::ExprRange,
        value: &syn::Expr,
        at: CallAt,
    ) -> Expr {
        let mut list = Vec::new();
        let mut hint = None;
        let mut ends = Vec::new();
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        let last = if inclusive { BinOp::Le } else { BinOp::Lt };
        for (end, op) in [(&range.start, BinOp::Ge), (&range.end, last)] {
            let Some(end) = end else { continue };
            let end = self.expr(end, hint.as_ref());
            let temp = self.temp("end", end.ty.clone(), end.span);
            hint.get_or_insert(end.ty.clone());
            list.push(Expr::bind(temp, end));
            ends.push((temp, op));
        }
        let value = self.expr(crate::source::syntax::strip_ref(value), hint.as_ref());
        let held = self.temp("value", value.ty.clone(), value.span);
        list.push(Expr::bind(held, value));
        let kind = match (&range.start, inclusive, &range.end) {
            (Some(_), true, Some(_)) => "RangeInclusive",
            (Some(_), _, None) => "RangeFrom",
            (None, true, _) => "RangeToInclusive",
            (None, false, _) => "RangeTo",
            (Some(_), false, Some(_)) => "Range",
        };
        self.note_path((kind, "contains"));
        let mut inside = Expr::new(Kind::Value(1), Ty::Bool, at.call);
        for (end, op) in ends {
            let sides = (self.read(held, at.call), self.read(end, at.call));
            let test = self.quietly(|fcx| fcx.overloaded(op, sides, &Around::default(), at));
            let kind = Kind::AndAlso(Box::new(inside), Box::new(test));
            inside = Expr::new(kind, Ty::Bool, at.call);
        }
        list.push(inside);
        Expr::block(list, Ty::Bool, at.call)
    }

    /// What `op=` makes of a value: what the method of `AddAssign` or its like leaves there, else
    /// the result of the operator.
    pub(in crate::check) fn assigned(
        &mut self,
        op: BinOp,
        (left, right): (Expr, Expr),
        around: &Around,
        at: CallAt,
    ) -> Expr {
        if !self.is_overloaded(&left.ty) && !self.is_overloaded(&right.ty) {
            return self.binary(op, left, right, at.call, at.callee);
        }
        let (of_trait, method) = binary_method(op);
        let (of_trait, method) = (format!("{of_trait}Assign"), format!("{method}_assign"));
        let types = (&left.ty, Some(&right.ty));
        let Some(callee) = self.operator(&of_trait, &method, types, around, at.callee) else {
            return self.binary(op, left, right, at.call, at.callee);
        };
        let ty = left.ty.clone();
        let changed = self.temp("changed", ty.clone(), at.call);
        let first = Expr::bind(changed, left);
        let operands = vec![self.read(changed, at.call), right];
        let place = Some(Place::of(changed));
        let call = self.call_lending(callee, operands, place, at);
        let value = self.read(changed, at.call);
        Expr::block(vec![first, call, value], ty, at.call)
    }

    /// The method that a unary operator is, if it is one.
    pub(in crate::check) fn overloaded_unary(
        &mut self,
        op: UnOp,
        operand: &Expr,
        around: &Around,
        at: Span,
    ) -> Option<Callee<'static>> {
        if !self.is_overloaded(&operand.ty) {
            return None;
        }
        let (of_trait, method) = match op {
            UnOp::Neg => ("Neg", "neg"),
            UnOp::Not => ("Not", "not"),
        };
        self.operator(of_trait, method, (&operand.ty, None), around, at)
    }

    /// The method of an operator's trait.
    pub(in crate::check) fn operator(
        &mut self,
        of_trait: &str,
        method: &str,
        (left, right): (&Ty, Option<&Ty>),
        around: &Around,
        at: Span,
    ) -> Option<Callee<'static>> {
        let key = TraitKey::Std(of_trait.to_owned());
        let args: Vec<Ty> = right.iter().map(|ty| self.infer.shallow(ty)).collect();
        let ty = self.infer.shallow(left);
        match self.member_of(&key, (&ty, &args), around, method, at) {
            Found::One(Member {
                assoc: Assoc::Fn(item),
                subst,
                by,
            }) => Some(Callee {
                item,
                subst,
                by,
                turbofish: None,
            }),
            _ => None,
        }
    }
}

/// Whether a type is one of the crate.
fn is_adt(ty: &Ty) -> bool {
    matches!(ty, Ty::Adt(_) | Ty::Var(_))
}
