//! What `for` loops run over besides whole ranges: every n-th value of a range, and the items of arrays.
//!
//! In: the state of a range; an array by value or a table. Out: the steps of the loop. Invariant: the step is made before the
//! body, so that `continue` needs no special case, and never past the end.

use super::lend::Subject;
use super::loops::Counter;
use super::{FnCx, FrameKind};
use crate::hir::{Expr, Kind, Op};
use crate::infer::Ty;
use crate::tast::{BinOp, IntTy, LocalId, LoopId, Span};

impl FnCx<'_> {
    /// As [`FnCx::step`], with the `by`th value being the next one: if there is none, the range becomes empty.
    pub(super) fn stride(
        &mut self,
        counter: &Counter,
        by: LocalId,
        variable: LocalId,
    ) -> Vec<Expr> {
        let span = counter.span;
        let word = Ty::Int(IntTy::U64);
        let cast = |value: Expr, ty: &Ty| Expr::op(Op::Cast, vec![value], ty.clone(), span);
        let read = |fcx: &Self, local: LocalId| fcx.read(local, span);
        let (moving, fixed, op) = match counter.rev {
            true => (counter.high, counter.low, BinOp::Sub),
            false => (counter.low, counter.high, BinOp::Add),
        };
        let ends = vec![
            cast(read(self, counter.high), &word),
            cast(read(self, counter.low), &word),
        ];
        let room = Expr::op(Op::Binary(BinOp::Sub), ends, word.clone(), span);
        let enough = match counter.inclusive {
            true => BinOp::Ge,
            false => BinOp::Gt,
        };
        let operands = vec![room, cast(read(self, by), &word)];
        let more = Expr::op(Op::Binary(enough), operands, Ty::Bool, span);
        let distance = cast(read(self, by), &counter.ty);
        let operands = vec![read(self, moving), distance];
        let next = Expr::op(Op::Binary(op), operands, counter.ty.clone(), span);
        let stop = match counter.inclusive {
            true => Expr::assign(counter.more, Expr::new(Kind::Value(0), Ty::Bool, span)),
            false => Expr::assign(moving, read(self, fixed)),
        };
        let first = match (counter.rev, counter.inclusive) {
            (true, false) => {
                let one = Expr::new(Kind::Lit(1), counter.ty.clone(), span);
                let operands = vec![read(self, moving), one];
                Expr::op(Op::Binary(BinOp::Sub), operands, counter.ty.clone(), span)
            }
            _ => read(self, moving),
        };
        vec![
            Expr::bind(variable, first),
            Expr::if_else(more, Expr::assign(moving, next), stop, Ty::Unit, span),
        ]
    }

    /// `for x in [a, b, c]`, over an array by value or a table; none if it is something else.
    pub(super) fn for_array(
        &mut self,
        e: &syn::ExprForLoop,
        id: LoopId,
        span: Span,
    ) -> Option<Expr> {
        if matches!(
            &*e.expr,
            syn::Expr::Range(_) | syn::Expr::MethodCall(_) | syn::Expr::Reference(_)
        ) {
            return None;
        }
        let table = self.table(&e.expr);
        let whole = match table {
            Some(_) => None,
            None => Some(self.expr(&e.expr, None)),
        };
        let ty = match (&table, &whole) {
            (Some((_, ty)), _) => ty.clone(),
            (_, Some(whole)) => self.infer.shallow(&whole.ty),
            _ => return None,
        };
        let (item, len) = match ty.clone() {
            Ty::Fixed(item, len) => (*item, len),
            Ty::Error => return Some(Expr::error(span)),
            _ => return None,
        };
        let usize_ty = Ty::Int(IntTy::Usize);
        let mut list = Vec::new();
        let temp = self.temp("array", ty, span);
        list.extend(whole.map(|whole| Expr::bind(temp, whole)));
        let at = self.temp("at", usize_ty.clone(), span);
        let zero = Expr::new(Kind::Value(0), usize_ty.clone(), span);
        list.push(Expr::bind(at, zero));
        let keyword = self.span(&e.for_token);
        let (body, _) = self.in_loop(&e.label, FrameKind::While, id, keyword, |fcx| {
            fcx.scoped(|fcx| {
                let value = match &table {
                    Some((value, _)) => fcx.table_item(value, &item, at, span),
                    None => fcx.fixed_item(temp, &item, len, at, span),
                };
                let limit = fcx.fixed_len(len, span);
                let operands = vec![fcx.read(at, span), limit];
                let more = Expr::op(Op::Binary(BinOp::Lt), operands, Ty::Bool, span);
                let mut round = vec![fcx.destructure(&e.pat, Subject::of(value), span)];
                let one = Expr::new(Kind::Value(1), usize_ty.clone(), span);
                let operands = vec![fcx.read(at, span), one];
                let next = Expr::op(Op::Binary(BinOp::Add), operands, usize_ty.clone(), span);
                round.push(Expr::assign(at, next));
                round.push(fcx.unit_block(&e.body));
                let round = Expr::block(round, Ty::Unit, span);
                let leave = Expr::new(Kind::Break(id, None), Ty::Never, span);
                Expr::if_else(more, round, leave, Ty::Unit, span)
            })
        });
        let kind = Kind::Loop {
            id,
            body: Box::new(body),
            once: false,
        };
        list.push(Expr::new(kind, Ty::Unit, span));
        Some(Expr::block(list, Ty::Unit, span))
    }
}
