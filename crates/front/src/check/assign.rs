//! Assignments.
//!
//! In: `=` and `+=` and their like. Out: assignments of locals and of parts of locals. Invariant: as in Rust, what is
//! assigned is evaluated before the old value is read.

use super::FnCx;
use crate::collect::name_of;
use crate::diag::Code;
use crate::hir::{Expr, Kind, Op};
use crate::infer::Ty;
use crate::tast::{BinOp, LocalId, Span};

/// What is assigned: a local, or a part (of a part ..) of it.
pub(super) struct Place {
    local: LocalId,
    /// From the outside in; the type of each part.
    path: Vec<(u32, Ty)>,
}

impl FnCx<'_> {
    /// `x += value`. As in Rust, the value of a primitive type is computed before `x` is read.
    pub(super) fn compound(
        &mut self,
        op: BinOp,
        target: &syn::Expr,
        value: &syn::Expr,
        span: Span,
    ) -> Expr {
        let Some(place) = self.assign_target(target) else {
            self.expr(value, None);
            return Expr::error(span);
        };
        let at = self.span(target);
        let left = self.read_place(&place, at);
        let right = self.operand(op, &left.ty, value);
        let early = right.assigns().then(|| {
            let temp = self.temp("value", right.ty.clone(), right.span);
            (temp, right.ty.clone())
        });
        match early {
            Some((temp, ty)) if ty != Ty::Never => {
                let first = Expr::bind(temp, right);
                let value = self.read(temp, span);
                let sum = self.binary(op, left, value, span, at);
                let second = self.write_place(place, sum, span);
                Expr::block(vec![first, second], Ty::Unit, span)
            }
            _ => {
                let sum = self.binary(op, left, right, span, at);
                self.write_place(place, sum, span)
            }
        }
    }

    pub(super) fn assign(&mut self, e: &syn::ExprAssign, span: Span) -> Expr {
        match &*e.left {
            syn::Expr::Infer(_) => {
                let value = self.expr(&e.right, None);
                Expr::block(vec![value, Expr::unit(span)], Ty::Unit, span)
            }
            syn::Expr::Tuple(targets) => {
                let value = self.expr(&e.right, None);
                self.assign_parts(targets, value, span)
            }
            target => {
                let Some(place) = self.assign_target(target) else {
                    self.expr(&e.right, None);
                    return Expr::error(span);
                };
                let ty = self.place_ty(&place);
                let value = self.coerced(&e.right, &ty);
                self.write_place(place, value, span)
            }
        }
    }

    /// `(a, b) = value`
    fn assign_parts(&mut self, targets: &syn::ExprTuple, value: Expr, span: Span) -> Expr {
        if self.infer.shallow(&value.ty) == Ty::Error {
            return Expr::error(span);
        }
        let parts: Vec<Ty> = targets.elems.iter().map(|_| self.hole(span)).collect();
        let value = self.coerce(value, &Ty::Tuple(parts.clone()));
        let temp = self.temp("tuple", Ty::Tuple(parts.clone()), span);
        let mut list = vec![Expr::bind(temp, value)];
        for (n, (target, ty)) in targets.elems.iter().zip(parts).enumerate() {
            let tuple = self.read(temp, span);
            let part = Expr::op(Op::Part(n as u32), vec![tuple], ty, span);
            match target {
                syn::Expr::Infer(_) => {}
                syn::Expr::Tuple(inner) => list.push(self.assign_parts(inner, part, span)),
                target => {
                    let Some(place) = self.assign_target(target) else {
                        return Expr::error(span);
                    };
                    let ty = self.place_ty(&place);
                    let part = self.coerce(part, &ty);
                    list.push(self.write_place(place, part, span));
                }
            }
        }
        list.push(Expr::unit(span));
        Expr::block(list, Ty::Unit, span)
    }

    fn place_ty(&self, place: &Place) -> Ty {
        let last = place.path.last();
        last.map_or_else(|| self.locals[place.local].ty.clone(), |(_, ty)| ty.clone())
    }

    fn read_place(&self, place: &Place, span: Span) -> Expr {
        let mut value = self.read(place.local, span);
        for (index, ty) in &place.path {
            value = Expr::op(Op::Part(*index), vec![value], ty.clone(), span);
        }
        value
    }

    fn write_place(&self, place: Place, value: Expr, span: Span) -> Expr {
        let value = Box::new(value);
        let path: Vec<u32> = place.path.iter().map(|p| p.0).collect();
        let kind = match path.is_empty() {
            true => Kind::Assign(place.local, value),
            false => Kind::AssignPart(place.local, path, value),
        };
        Expr::new(kind, Ty::Unit, span)
    }

    /// What is assigned; anything but a local or a part of one is a mistake.
    fn assign_target(&mut self, target: &syn::Expr) -> Option<Place> {
        let span = self.span(target);
        let help = match target {
            syn::Expr::Paren(e) => return self.assign_target(&e.expr),
            syn::Expr::Path(e) if e.qself.is_none() => {
                if let Some(ident) = e.path.get_ident() {
                    let name = name_of(ident);
                    let Some(local) = self.lookup(&name) else {
                        self.err(Code::UnknownName, span, &[&name]);
                        return None;
                    };
                    return Some(Place {
                        local,
                        path: Vec::new(),
                    });
                }
                "only local variables can be assigned; state that lives longer is a `Cell` field of a `#[gc]` struct"
            }
            syn::Expr::Field(e) if self.is_part(&e.base) => return self.part_target(e),
            syn::Expr::Field(_) | syn::Expr::Index(_) => {
                "the heap is written with `.set(..)`, and the field or item must be a `Cell`: plain ones never change"
            }
            _ => "assign local variables one by one",
        };
        self.err(Code::AssignTarget, span, &[help]);
        None
    }

    /// Whether an expression is a local held by value, or a part of one.
    fn is_part(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Paren(e) => self.is_part(&e.expr),
            syn::Expr::Field(e) => self.is_part(&e.base),
            syn::Expr::Path(e) => {
                let local = e.path.get_ident().and_then(|i| self.lookup(&name_of(i)));
                local.is_some_and(|l| self.infer.shallow(&self.locals[l].ty).is_aggregate())
            }
            _ => false,
        }
    }

    fn part_target(&mut self, e: &syn::ExprField) -> Option<Place> {
        let mut place = self.assign_target(&e.base)?;
        let base = self.place_ty(&place);
        let part = self.part_of(&base, &e.member);
        if part.is_none() {
            let (at, shown) = (self.span(&e.member), self.show(&base));
            let name = member_name(&e.member);
            self.err(Code::NoField, at, &[&name, &shown]);
        }
        place.path.push(part?);
        Some(place)
    }
}

/// The name of a field as it is written.
pub(super) fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(ident) => name_of(ident),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}
