//! What `for` loops run over besides whole ranges: every n-th value of a range, the items of
//! arrays, iterators of the crate.
//!
//! In: the state of a range; an array by value or a table; a value with a `next`. Out: the steps of
//! the loop. Invariant: the step is made before the body, so that `continue` needs no special case,
//! and never past the end.

use crate::check::call::ref_impls::Around;
use crate::check::expr::aggregate::SOME;
use crate::check::expr::loops::Counter;
use crate::check::fcx::{FnCx, FrameKind};
use crate::check::hir::{Arm, Expr, Kind, Op, Pat, PatKind};
use crate::check::terms::{CallAt, Callee, Place, Subject};
use crate::cx::sources::{ClassSrc, ConstValue};
use crate::source::diag::DiagCode;
use crate::tast::{BinOp, IntTy, LocalId, LoopId, Span};
use crate::types::ty::{Head, Ty};

impl FnCx<'_> {
    /// As [`FnCx::step`], with the `by`th value being the next one: if there is none, the range
    /// becomes empty.
    pub(in crate::check) fn stride(
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

    /// `for` over something that is no range: an array, a table, or a value with an `Iterator` or
    /// `IntoIterator`.
    pub(in crate::check) fn for_items(
        &mut self,
        e: &syn::ExprForLoop,
        id: LoopId,
        span: Span,
    ) -> Expr {
        let (mut base, mut counted) = peel(&e.expr);
        if matches!(*e.expr, syn::Expr::MethodCall(_))
            && let Some(item) = self.plain_items(base)
        {
            let whole = self.expr(base, None);
            self.note_member(&whole.ty, "iter");
            return self.for_array(e, Array::Heap(whole, item), counted, (id, span));
        }
        let table = self.table(base);
        if table.is_none() && !matches!(self.local_ty(base), Some(Ty::Fixed(..))) {
            (base, counted) = (&e.expr, false);
        }
        if let Some((value, ty)) = table {
            return self.for_array(e, Array::Table(value, ty), counted, (id, span));
        }
        let known = self.cx.diags.list.len();
        let mut whole = self.expr(base, None);
        let at = whole.span;
        self.note_operator(&whole.ty, "IntoIterator", "into_iter");
        if let Some(into) = self.operator(
            "IntoIterator",
            "into_iter",
            (&whole.ty, None),
            &Around::default(),
            at,
        ) {
            whole = self.quietly(|fcx| fcx.call_operands(into, vec![whole], CallAt::whole(at)));
        }
        let ty = self.infer.shallow(&whole.ty);
        if let Ty::Fixed(..) = ty {
            return self.for_array(e, Array::Value(whole), counted, (id, span));
        }
        match self.operator("Iterator", "next", (&ty, None), &Around::default(), at) {
            Some(next) => self.for_iterator(e, whole, next, (id, span)),
            None if ty == Ty::Error && self.cx.diags.list.len() > known && !is_method(base) => {
                Expr::error(span)
            }
            // What it goes over has been complained about.
            None if ty == Ty::Error && known > 0 && known == self.cx.diags.list.len() => {
                Expr::error(span)
            }
            None if self.cx.diags.list[known..]
                .iter()
                .any(|d| d.code == DiagCode::NativeOnly) =>
            {
                Expr::error(span)
            }
            None => {
                // Methods like `iter` are no mistakes of their own.
                self.cx.diags.list.truncate(known);
                let help = "loop over a range of integers `a..b`, an array, or a value of a type with an `impl Iterator`, or use `while`";
                let what = "`for` over something else than a range";
                let at = self.span(&e.expr);
                self.bad(DiagCode::UnsupportedWithHelp, at, &[what, help])
            }
        }
    }

    /// The type of the items, if a local, or a part of one, is a `GcArray` of plain items.
    fn plain_items(&mut self, base: &syn::Expr) -> Option<Ty> {
        let ty = self.local_ty(base)?;
        match (&ty, self.infer.parts(&ty)) {
            (Ty::Array(class), _) => match &self.cx.interned.classes[*class] {
                ClassSrc::Array {
                    item, cell: false, ..
                } => Some(item.clone()),
                _ => None,
            },
            (_, Some((Head::Array(false, _), items))) => Some(items[0].clone()),
            _ => None,
        }
    }

    /// `for x in iterator`, whose `next` is called before each round.
    fn for_iterator(
        &mut self,
        e: &syn::ExprForLoop,
        whole: Expr,
        next: Callee<'_>,
        (id, span): (LoopId, Span),
    ) -> Expr {
        let iterator = self.temp("iterator", whole.ty.clone(), whole.span);
        let first = Expr::bind(iterator, whole);
        let keyword = self.span(&e.for_token);
        let (body, _) = self.in_loop(&e.label, FrameKind::While, id, keyword, |fcx| {
            fcx.scoped(|fcx| {
                let operands = vec![fcx.read(iterator, span)];
                let place = Some(Place::of(iterator));
                let next = fcx.call_lending(next, operands, place, CallAt::whole(span));
                let item_ty = match fcx.infer.shallow(&next.ty) {
                    Ty::Option(item) => *item,
                    _ => return Expr::error(span),
                };
                let item = fcx.temp("item", item_ty, span);
                let value = fcx.read(item, span);
                let round = vec![
                    fcx.destructure(&e.pat, Subject::of(value), span),
                    fcx.unit_block(&e.body),
                ];
                let round = Expr::block(round, Ty::Unit, span);
                let leave = Expr::new(Kind::Break(id, None), Ty::Never, span);
                let bind = Pat {
                    kind: PatKind::Bind(item, None),
                    span,
                };
                let arm = |kind, body| Arm {
                    pat: Pat { kind, span },
                    guard: None,
                    body,
                };
                let arms = vec![
                    arm(PatKind::Variant(SOME, vec![bind]), round),
                    arm(PatKind::Wild, leave),
                ];
                Expr::new(Kind::Match(Box::new(next), arms), Ty::Unit, span)
            })
        });
        let kind = Kind::Loop {
            id,
            body: Box::new(body),
            once: false,
        };
        Expr::block(vec![first, Expr::new(kind, Ty::Unit, span)], Ty::Unit, span)
    }

    /// `for x in [a, b, c]`, or in `items.iter()` of a `GcArray`, with the items' numbers if they
    /// are counted.
    fn for_array(
        &mut self,
        e: &syn::ExprForLoop,
        array: Array,
        counted: bool,
        (id, span): (LoopId, Span),
    ) -> Expr {
        let ty = match &array {
            Array::Table(_, ty) => ty.clone(),
            Array::Value(whole) | Array::Heap(whole, _) => self.infer.shallow(&whole.ty),
        };
        let (item, len) = match (ty.clone(), &array) {
            (Ty::Fixed(item, len), _) => (*item, Some(len)),
            (_, Array::Heap(_, item)) => (item.clone(), None),
            _ => return Expr::error(span),
        };
        let usize_ty = Ty::Int(IntTy::Usize);
        let mut list = Vec::new();
        let temp = self.temp("array", ty, span);
        let table = match array {
            Array::Table(value, _) => Some(value),
            Array::Value(whole) | Array::Heap(whole, _) => {
                list.push(Expr::bind(temp, whole));
                None
            }
        };
        let at = self.temp("at", usize_ty.clone(), span);
        let zero = Expr::new(Kind::Value(0), usize_ty.clone(), span);
        list.push(Expr::bind(at, zero));
        let keyword = self.span(&e.for_token);
        let (body, _) = self.in_loop(&e.label, FrameKind::While, id, keyword, |fcx| {
            fcx.scoped(|fcx| {
                let mut value = match (&table, len) {
                    (Some(value), _) => fcx.table_item(value, &item, at, span),
                    (None, Some(len)) => fcx.fixed_item(temp, &item, len, at, span),
                    (None, None) => {
                        let operands = vec![fcx.read(temp, span), fcx.read(at, span)];
                        Expr::op(Op::GetItem, operands, item.clone(), span)
                    }
                };
                if counted {
                    let ty = Ty::Tuple(vec![usize_ty.clone(), item.clone()]);
                    let number = fcx.read(at, span);
                    value = fcx.make(0, vec![number, value], ty, span);
                }
                let limit = match len {
                    Some(len) => fcx.fixed_len(len, span),
                    None => {
                        let array = vec![fcx.read(temp, span)];
                        Expr::op(Op::ArrayLen, array, usize_ty.clone(), span)
                    }
                };
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
        Expr::block(list, Ty::Unit, span)
    }
}

/// What a loop goes through.
enum Array {
    Value(Expr),
    Table(ConstValue, Ty),
    /// A `GcArray` of plain items of this type.
    Heap(Expr, Ty),
}

/// What an iterator is one of the items of, and whether it counts them: `&items`,
/// `items.iter().enumerate()`.
fn peel(expr: &syn::Expr) -> (&syn::Expr, bool) {
    match expr {
        syn::Expr::Paren(e) => peel(&e.expr),
        syn::Expr::Reference(e) if e.mutability.is_none() => peel(&e.expr),
        syn::Expr::MethodCall(e) if e.args.is_empty() => match e.method.to_string().as_str() {
            "iter" | "into_iter" | "copied" | "cloned" => peel(&e.receiver),
            "enumerate" => match peel(&e.receiver) {
                (base, false) => (base, true),
                _ => (expr, false),
            },
            _ => (expr, false),
        },
        _ => (expr, false),
    }
}

fn is_method(expr: &syn::Expr) -> bool {
    matches!(expr, syn::Expr::MethodCall(_) | syn::Expr::Reference(_))
}
