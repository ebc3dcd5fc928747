//! From inference to the typed program: types become final, literals get their values, and what could only be judged
//! with final types is judged.
//!
//! In: [`hir`] and the solved holes. Out: [`tast`]. Invariant: if no diagnostic was made, neither here nor
//! before, then the result satisfies what [`tast`] promises; otherwise it is never looked at.

mod op;

use crate::check::{FnCx, int_range};
use crate::diag::Code;
use crate::exhaust;
use crate::hir::{self, End, Kind, Op, PatKind};
use crate::infer::Ty;
use crate::tast::{Arm, Expr, ExprKind, IntTy, Local, LocalId, Pat, Span, Type};
use cranelift_entity::PrimaryMap;

/// The final form of a function's locals and body.
pub(crate) fn finish(fcx: &mut FnCx<'_>, body: hir::Expr) -> (PrimaryMap<LocalId, Local>, Expr) {
    let mut finish = Finish { fcx };
    let body = finish.expr(body);
    let mut locals = PrimaryMap::new();
    for id in finish.fcx.locals.keys().collect::<Vec<_>>() {
        let info = &finish.fcx.locals[id];
        let (name, ty, span) = (info.name.clone(), info.ty.clone(), info.span);
        let ty = finish.ty(&ty, span);
        locals.push(Local { name, ty });
    }
    (locals, body)
}

/// A type without holes.
pub(crate) fn plain(ty: &Ty) -> Type {
    match ty {
        Ty::Never => Type::Never,
        Ty::Bool => Type::Bool,
        Ty::Char => Type::Char,
        Ty::Int(int) => Type::Int(*int),
        Ty::F64 => Type::F64,
        Ty::Gc(c) => Type::Gc(*c),
        Ty::Array(c) => Type::Array(*c),
        Ty::Object(o) => Type::Object(*o),
        Ty::Kind(o) => Type::Kind(*o),
        Ty::Option(inner) => Type::Option(Box::new(plain(inner))),
        Ty::Result(ok, err) => Type::Result(Box::new(plain(ok)), Box::new(plain(err))),
        Ty::Tuple(parts) => Type::Tuple(parts.iter().map(plain).collect()),
        Ty::Adt(id) => Type::Adt(*id),
        Ty::Foreign(foreign) => Type::Foreign { fat: foreign.fat },
        Ty::Fixed(item, len) => Type::Fixed(Box::new(plain(item)), *len),
        Ty::Unit | Ty::Error | Ty::Var(_) | Ty::Cell(_) | Ty::Class(_) | Ty::Const(..) => {
            Type::Unit
        }
    }
}

struct Finish<'f, 'a> {
    fcx: &'f mut FnCx<'a>,
}

impl Finish<'_, '_> {
    fn err(&mut self, code: Code, span: Span, words: &[&str]) {
        self.fcx.cx.err(code, span, words);
    }

    /// The final type; complains about holes.
    fn ty(&mut self, ty: &Ty, span: Span) -> Type {
        let ty = self.fcx.infer.deep(ty);
        self.no_holes(&ty, "value", span);
        plain(&ty)
    }

    /// Complains about holes; `what` is what they are the type of.
    fn no_holes(&mut self, ty: &Ty, what: &str, span: Span) {
        match ty {
            Ty::Var(var) => {
                let origin = self.fcx.infer.origin(*var);
                self.err(Code::Annotate, origin, &[what]);
            }
            Ty::Option(inner) => self.no_holes(inner, "option", span),
            Ty::Fixed(item, _) => self.no_holes(item, "array", span),
            Ty::Result(ok, err) => {
                self.no_holes(ok, "result", span);
                self.no_holes(err, "result", span);
            }
            Ty::Tuple(parts) => parts.iter().for_each(|p| self.no_holes(p, "tuple", span)),
            Ty::Cell(_) => self.err(Code::CellByValue, span, &[]),
            _ => {}
        }
    }

    fn boxed(&mut self, expr: hir::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn exprs(&mut self, list: Vec<hir::Expr>) -> Vec<Expr> {
        list.into_iter().map(|e| self.expr(e)).collect()
    }

    fn expr(&mut self, e: hir::Expr) -> Expr {
        let span = e.span;
        let ty = self.ty(&e.ty, span);
        let kind = match e.kind {
            Kind::Error | Kind::Unit => ExprKind::Unit,
            Kind::Lit(value) => ExprKind::Int(self.int(false, value, &ty, span)),
            Kind::Value(value) => ExprKind::Int(value),
            Kind::Float(value) => ExprKind::Float(value),
            Kind::Local(local) => ExprKind::Local(local),
            Kind::Let(local, value) => ExprKind::Let(local, self.boxed(*value)),
            Kind::Declare(local) => ExprKind::Declare(local),
            Kind::Assign(local, value) => ExprKind::Assign(local, self.boxed(*value)),
            Kind::AssignPart(place, value) => ExprKind::AssignPart(place, self.boxed(*value)),
            Kind::Op(op, operands) => return self.op(op, operands, ty, span),
            Kind::AndAlso(a, b) => ExprKind::AndAlso(self.boxed(*a), self.boxed(*b)),
            Kind::OrElse(a, b) => ExprKind::OrElse(self.boxed(*a), self.boxed(*b)),
            Kind::If(c, a, b) => ExprKind::If(self.boxed(*c), self.boxed(*a), self.boxed(*b)),
            Kind::Match(value, arms) => return self.match_expr(*value, arms, ty, span),
            Kind::Loop { id, body, once } => ExprKind::Loop {
                id,
                body: self.boxed(*body),
                once,
            },
            Kind::Break(id, value) => ExprKind::Break(id, value.map(|v| self.boxed(*v))),
            Kind::Continue(id) => ExprKind::Continue(id),
            Kind::Return(value) => ExprKind::Return(value.map(|v| self.boxed(*v))),
            Kind::Block(list) => ExprKind::Block(self.exprs(list)),
            Kind::Panic(message) => ExprKind::Panic(message),
            Kind::MergePoint { greens, reds } => ExprKind::MergePoint { greens, reds },
            Kind::CanEnterJit(id) => ExprKind::CanEnterJit(id),
        };
        Expr { kind, ty, span }
    }

    /// The word for an integer literal of this type.
    fn int(&mut self, negative: bool, value: u128, ty: &Type, span: Span) -> i64 {
        let Type::Int(int) = ty else {
            // There has been a complaint: literals are integers.
            return 0;
        };
        let (min, max) = int_range(*int);
        let limit = match (negative, int.signed()) {
            (true, true) => min.unsigned_abs(),
            (true, false) => 0,
            (false, _) => max as u64,
        };
        if value > u128::from(limit) {
            self.err(Code::LiteralRange, span, &[crate::names::int_name(*int)]);
            return 0;
        }
        let word = value as u64 as i64;
        if negative { word.wrapping_neg() } else { word }
    }

    fn match_expr(&mut self, value: hir::Expr, arms: Vec<hir::Arm>, ty: Type, span: Span) -> Expr {
        let value = self.scrutinee(value);
        if value.ty == Type::Never {
            return value;
        }
        let on = value.ty.clone();
        let mut done = Vec::new();
        for arm in arms {
            done.push(Arm {
                pat: self.pat(arm.pat, &on),
                guard: arm.guard.map(|g| self.expr(g)),
                body: self.expr(arm.body),
            });
        }
        let missing = exhaust::missing(&on, &done, self.fcx.cx);
        if let Some(missing) = missing
            && on != Type::Unit
        {
            self.err(Code::NotExhaustive, value.span, &[&missing]);
        }
        Expr {
            kind: ExprKind::Match(Box::new(value), done),
            ty,
            span,
        }
    }

    /// What is matched: the only place for a `kind()`.
    fn scrutinee(&mut self, value: hir::Expr) -> Expr {
        match value.kind {
            Kind::Op(Op::Kind, mut operands) => {
                let ty = self.ty(&value.ty, value.span);
                let object = operands.pop().unwrap_or(hir::Expr::error(value.span));
                let kind = ExprKind::Kind(Box::new(self.expr(object)));
                Expr {
                    kind,
                    ty,
                    span: value.span,
                }
            }
            // Several objects at once: `match (a.kind(), b.kind())`.
            Kind::Op(Op::Make(0, order), operands)
                if matches!(self.fcx.infer.shallow(&value.ty), Ty::Tuple(_)) =>
            {
                let ty = self.ty(&value.ty, value.span);
                let parts = operands.into_iter().map(|part| self.scrutinee(part));
                let parts = order.into_iter().zip(parts.collect::<Vec<_>>()).collect();
                Expr {
                    kind: ExprKind::Make(0, parts),
                    ty,
                    span: value.span,
                }
            }
            _ => self.expr(value),
        }
    }

    fn pat(&mut self, pat: hir::Pat, ty: &Type) -> Pat {
        let span = pat.span;
        match pat.kind {
            PatKind::Error | PatKind::Wild => Pat::Wild,
            PatKind::Bind(local, inner) => {
                Pat::Bind(local, inner.map(|inner| Box::new(self.pat(*inner, ty))))
            }
            PatKind::Int(end) => Pat::Int(self.end(end, ty, span)),
            PatKind::Range(lo, hi, inclusive) => self.range(lo, hi, inclusive, ty, span),
            PatKind::Or(cases) => {
                Pat::Or(cases.into_iter().map(|case| self.pat(case, ty)).collect())
            }
            PatKind::Class(class, local) => Pat::Class(class, local),
            PatKind::Variant(index, fields) => {
                let of = ty.clone();
                let types = self.fcx.cx.field_types(&of, index);
                if types.len() != fields.len() {
                    // There has been a complaint: the type is not what the pattern is for.
                    return Pat::Wild;
                }
                let fields = fields.into_iter().zip(&types);
                let fields = fields.map(|(field, ty)| self.pat(field, ty)).collect();
                Pat::Variant(of, index, fields)
            }
        }
    }

    fn end(&mut self, end: End, ty: &Type, span: Span) -> i64 {
        match end {
            End::Lit(negative, value) => self.int(negative, value, ty, span),
            End::Value(value) => value,
        }
    }

    fn range(
        &mut self,
        lo: Option<End>,
        hi: Option<End>,
        inclusive: bool,
        ty: &Type,
        span: Span,
    ) -> Pat {
        let int = match ty {
            Type::Int(int) => int,
            Type::Char => &IntTy::U32,
            _ => return Pat::Wild,
        };
        let (min, max) = match ty {
            Type::Char => (0, i64::from(u32::from(char::MAX))),
            _ => int_range(*int),
        };
        let lo = lo.map_or(min, |lo| self.end(lo, ty, span));
        let mut last = hi.map_or(max, |hi| self.end(hi, ty, span));
        let mut empty = less(last, lo, *int);
        if hi.is_some() && !inclusive {
            empty |= last == lo;
            last = last.wrapping_sub(1);
        }
        if empty {
            let help = "the lower end must not be above the upper end";
            self.err(Code::UnsupportedPattern, span, &["an empty range", help]);
        }
        Pat::Range(lo, last)
    }
}

/// `a < b` for words of an integer type.
fn less(a: i64, b: i64, int: IntTy) -> bool {
    match int.signed() {
        true => a < b,
        false => (a as u64) < (b as u64),
    }
}
