//! Matches, from inference to the typed program: the part of [`crate::check::finish`] for patterns.
//!
//! In: matches whose types are solved. Out: typed matches, of which it is known that an arm fits
//! every value. Invariant: as of [`crate::check::finish`].

use crate::check::exhaust;
use crate::check::finish::Finish;
use crate::check::hir::{self, End, Kind, Op, PatKind};
use crate::source::diag::DiagCode;
use crate::tast::{Arm, Expr, ExprKind, IntTy, Pat, Span, Type};
use crate::types::ty::{Ty, int_range};

impl Finish<'_, '_> {
    pub fn match_expr(
        &mut self,
        value: hir::Expr,
        arms: Vec<hir::Arm>,
        ty: Type,
        span: Span,
    ) -> Expr {
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
            self.err(DiagCode::NotExhaustive, value.span, &[&missing]);
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
            PatKind::Error => {
                self.fcx.cx.diags.has_errors = true;
                Pat::Wild
            }
            PatKind::Wild => Pat::Wild,
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
            self.err(
                DiagCode::UnsupportedPattern,
                span,
                &["an empty range", help],
            );
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
