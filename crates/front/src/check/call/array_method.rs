//! The methods of `GcArray` that read items, or say whether there are any.
//!
//! In: an array on the heap, a name and arguments. Out: what the user could have written with `len`
//! and an index. Invariant: items that a method gives are plain, so that what it has read stays
//! true; of items in `Cell`s, the place would have to be given.

use crate::check::expr::aggregate::{NONE, SOME};
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::terms::{Args, CallAt};
use crate::cx::sources::ClassSrc;
use crate::source::diag::DiagCode;
use crate::tast::{BinOp, IntTy, LocalId};
use crate::types::ty::Ty;
use verdigris_ops::ClassId;

/// Which item a method gives.
enum Which {
    First,
    Last,
    At(LocalId),
}

impl FnCx<'_> {
    /// Whether a class of arrays has a method of this name here.
    pub(super) fn has_array_method(&self, class: ClassId, name: &str) -> bool {
        let ClassSrc::Array { cell, .. } = &self.cx.interned.classes[class] else {
            return false;
        };
        match name {
            "is_empty" => true,
            "first" | "get" | "last" => !cell,
            _ => false,
        }
    }

    /// One of these methods.
    pub(super) fn array_method(
        &mut self,
        (array, class): (Expr, ClassId),
        name: &str,
        args: &Args<'_>,
        at: CallAt,
    ) -> Expr {
        let span = at.call;
        let ClassSrc::Array { item, .. } = self.cx.interned.classes[class].clone() else {
            return self.give_up(args, span);
        };
        let usize_ty = Ty::Int(IntTy::Usize);
        let temp = self.temp("array", array.ty.clone(), span);
        let mut list = vec![Expr::bind(temp, array)];
        let which = match (name, args.as_slice()) {
            ("first" | "is_empty", []) => Which::First,
            ("last", []) => Which::Last,
            ("get", [index]) => {
                let index = self.coerced(index, &usize_ty);
                let local = self.temp("at", usize_ty.clone(), span);
                list.push(Expr::bind(local, index));
                Which::At(local)
            }
            _ => {
                let takes = if name == "get" {
                    "1 argument"
                } else {
                    "0 arguments"
                };
                let given = format!("{} are", args.len());
                self.err(DiagCode::ArgCount, at.callee, &[name, takes, &given]);
                return self.give_up(args, span);
            }
        };
        let number = |value| Expr::new(Kind::Value(value), usize_ty.clone(), span);
        let len = |fcx: &Self| {
            let array = vec![fcx.read(temp, span)];
            Expr::op(Op::ArrayLen, array, usize_ty.clone(), span)
        };
        if name == "is_empty" {
            let operands = vec![len(self), number(0)];
            list.push(Expr::op(Op::Binary(BinOp::Eq), operands, Ty::Bool, span));
            return Expr::block(list, Ty::Bool, span);
        }
        let (least, index) = match which {
            Which::First => (number(0), number(0)),
            Which::Last => {
                let operands = vec![len(self), number(1)];
                let last = Op::Binary(BinOp::Sub);
                (number(0), Expr::op(last, operands, usize_ty.clone(), span))
            }
            Which::At(local) => (self.read(local, span), self.read(local, span)),
        };
        let is_there = vec![least, len(self)];
        let is_there = Expr::op(Op::Binary(BinOp::Lt), is_there, Ty::Bool, span);
        let operands = vec![self.read(temp, span), index];
        let ty = item.clone().option();
        let found = Expr::op(Op::GetItem, operands, item, span);
        let found = self.make(SOME, vec![found], ty.clone(), span);
        let none = self.make(NONE, Vec::new(), ty.clone(), span);
        list.push(Expr::if_else(is_there, found, none, ty.clone(), span));
        Expr::block(list, ty, span)
    }
}
