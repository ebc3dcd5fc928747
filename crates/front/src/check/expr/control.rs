//! `if`, `match`, conditions with `let`, labelled blocks, `return`.
//!
//! In: syntax. Out: [`Kind::If`] and [`Kind::Match`]; a chain of conditions and `let`s becomes
//! nested ones inside a block that the innermost leaves. Invariant: whether code behind is
//! reachable is known after each of them.

use crate::check::fcx::{FnCx, Frame, FrameKind, Join};
use crate::check::hir::{Arm, Expr, Kind, Pat, PatKind};
use crate::check::take_notes::fits_all;
use crate::sabotage::Sabotage;
use crate::source::diag::DiagCode;
use crate::tast::Span;
use crate::types::ty::Ty;
use syn::visit::Visit;

/// One part of a condition.
pub(in crate::check) enum Clause<'e> {
    Let(&'e syn::Pat, &'e syn::Expr),
    Cond(&'e syn::Expr),
}

/// The parts of a condition; one part unless there is a `let` in it.
pub(in crate::check) fn clauses(cond: &syn::Expr) -> Vec<Clause<'_>> {
    fn split<'e>(cond: &'e syn::Expr, out: &mut Vec<Clause<'e>>) -> bool {
        match cond {
            syn::Expr::Let(e) => {
                out.push(Clause::Let(&e.pat, &e.expr));
                true
            }
            syn::Expr::Binary(e) if matches!(e.op, syn::BinOp::And(_)) => {
                let left = split(&e.left, out);
                let right = split(&e.right, out);
                left || right
            }
            _ => {
                out.push(Clause::Cond(cond));
                false
            }
        }
    }
    let mut out = Vec::new();
    match split(cond, &mut out) {
        true => out,
        false => vec![Clause::Cond(cond)],
    }
}

pub(in crate::check) fn wild(span: Span) -> Pat {
    Pat {
        kind: PatKind::Wild,
        span,
    }
}

impl FnCx<'_> {
    pub(in crate::check) fn if_expr(
        &mut self,
        e: &syn::ExprIf,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let parts = clauses(&e.cond);
        match parts.as_slice() {
            [Clause::Cond(cond)] => self.plain_if(cond, e, expect, span),
            [Clause::Let(written, value)] => {
                let subject = self.subject(value);
                let before = self.diverges;
                let mut join = Join::new(else_expect(e, expect));
                let (pat, then) = self.scoped(|fcx| {
                    let pat = fcx.pat_on(written, &subject, &subject.value.ty);
                    let then = fcx.block(&e.then_branch, else_expect(e, expect));
                    (pat, join.add(fcx, then))
                });
                let then_diverges = std::mem::replace(&mut self.diverges, before);
                self.site.dead += u32::from(fits_all(written));
                let other = self.else_branch(e, expect, span);
                self.site.dead -= u32::from(fits_all(written));
                let other = join.add(self, other);
                self.diverges = before || (then_diverges && self.diverges);
                let ty = join.finish(&[&then, &other]);
                let arms = vec![
                    Arm {
                        pat,
                        guard: None,
                        body: then,
                    },
                    Arm {
                        pat: wild(span),
                        guard: None,
                        body: other,
                    },
                ];
                Expr::new(Kind::Match(Box::new(subject.value), arms), ty, span)
            }
            _ => self.if_chain(&parts, e, expect, span),
        }
    }

    fn plain_if(
        &mut self,
        cond: &syn::Expr,
        e: &syn::ExprIf,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let cond = self.coerced(cond, &Ty::Bool);
        // What is not for the JIT, as under `if !we_are_jitted()`, need not be in the subset.
        match known(&cond) {
            Some(true) if let Some((_, other)) = &e.else_branch => {
                self.note_skipped(|names| names.visit_expr(other));
                return self.block(&e.then_branch, expect);
            }
            Some(true) => {
                let then = self.block(&e.then_branch, Some(&Ty::Unit));
                return self.coerce(then, &Ty::Unit);
            }
            Some(false) => {
                self.note_skipped(|names| names.visit_block(&e.then_branch));
                return self.else_branch(e, expect, span);
            }
            None => {}
        }
        let before = self.diverges;
        let mut join = Join::new(else_expect(e, expect));
        let then = self.block(&e.then_branch, else_expect(e, expect));
        let then = join.add(self, then);
        let then_diverges = std::mem::replace(&mut self.diverges, before);
        let other = self.else_branch(e, expect, span);
        let other = join.add(self, other);
        self.diverges = before || (then_diverges && self.diverges);
        let ty = join.finish(&[&then, &other]);
        Expr::if_else(cond, then, other, ty, span)
    }

    /// What is done if the condition does not hold: nothing without `else`.
    fn else_branch(&mut self, e: &syn::ExprIf, expect: Option<&Ty>, span: Span) -> Expr {
        match &e.else_branch {
            Some((_, other)) => self.expr(other, expect),
            None => Expr::unit(span),
        }
    }

    /// `if a && let P = b && ..`: a block that the innermost branch leaves with its value.
    fn if_chain(
        &mut self,
        parts: &[Clause<'_>],
        e: &syn::ExprIf,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let out = self.new_loop();
        let before = self.diverges;
        let mut join = Join::new(else_expect(e, expect));
        let chain = self.scoped(|fcx| {
            fcx.chain(parts, span, &mut |fcx| {
                let then = fcx.block(&e.then_branch, else_expect(e, expect));
                let then = join.add(fcx, then);
                Expr::new(Kind::Break(out, Some(Box::new(then))), Ty::Never, span)
            })
        });
        self.diverges = before;
        let other = self.else_branch(e, expect, span);
        let other = join.add(self, other);
        self.diverges = before;
        let ty = join.ty.unwrap_or(Ty::Never);
        let body = Expr::block(vec![chain, other], ty.clone(), span);
        Expr::new(
            Kind::Loop {
                id: out,
                body: Box::new(body),
                once: true,
            },
            ty,
            span,
        )
    }

    /// Nested conditions around what `inner` makes; the value is `()`.
    pub(in crate::check) fn chain(
        &mut self,
        parts: &[Clause<'_>],
        span: Span,
        inner: &mut dyn FnMut(&mut Self) -> Expr,
    ) -> Expr {
        let Some((first, rest)) = parts.split_first() else {
            return inner(self);
        };
        match first {
            Clause::Cond(cond) => {
                let cond = self.coerced(cond, &Ty::Bool);
                let then = self.chain(rest, span, inner);
                Expr::if_else(cond, then, Expr::unit(span), Ty::Unit, span)
            }
            Clause::Let(pat, value) => {
                let subject = self.subject(value);
                let pat = self.pat_on(pat, &subject, &subject.value.ty);
                let then = self.chain(rest, span, inner);
                let arms = vec![
                    Arm {
                        pat,
                        guard: None,
                        body: then,
                    },
                    Arm {
                        pat: wild(span),
                        guard: None,
                        body: Expr::unit(span),
                    },
                ];
                Expr::new(Kind::Match(Box::new(subject.value), arms), Ty::Unit, span)
            }
        }
    }

    pub(in crate::check) fn match_expr(
        &mut self,
        e: &syn::ExprMatch,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let subject = self.subject(&e.expr);
        let before = self.diverges;
        let mut all_diverge = true;
        let mut join = Join::new(expect);
        let mut arms = Vec::new();
        let mut dead = 0;
        for arm in e
            .arms
            .iter()
            .filter(|a| crate::source::cfg::enabled(&a.attrs))
        {
            self.diverges = before;
            let pat = &arm.pat;
            let arm = self.scoped(|fcx| {
                let pat = fcx.pat_on(&arm.pat, &subject, &subject.value.ty);
                let guard = arm.guard.as_ref().map(|(_, guard)| {
                    fcx.noted_in_guard(&arm.pat, |fcx| fcx.coerced(guard, &Ty::Bool))
                });
                let guard = guard.filter(|_| !Sabotage::WrongArm.is_on());
                let body = fcx.expr(&arm.body, expect);
                let body = join.add(fcx, body);
                Arm { pat, guard, body }
            });
            all_diverge &= self.diverges;
            // No value is left for the next.
            let attribute_spans = u32::from(arm.guard.is_none() && fits_all(pat));
            dead += attribute_spans;
            self.site.dead += attribute_spans;
            arms.push(arm);
        }
        self.site.dead -= dead;
        self.diverges = before || all_diverge;
        let bodies: Vec<&Expr> = arms.iter().map(|a| &a.body).collect();
        let ty = join.finish(&bodies);
        Expr::new(Kind::Match(Box::new(subject.value), arms), ty, span)
    }

    /// A block, labelled or not.
    pub(in crate::check) fn block_expr(
        &mut self,
        e: &syn::ExprBlock,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let Some(label) = &e.label else {
            return self.block(&e.block, expect);
        };
        let id = self.new_loop();
        let ty = expect.cloned().unwrap_or_else(|| self.hole(span));
        self.frames.push(Frame {
            label: Some(label.name.ident.to_string()),
            id,
            kind: FrameKind::Block(ty.clone()),
            left: false,
        });
        let before = self.diverges;
        let body = self.block(&e.block, Some(&ty));
        let body = self.coerce(body, &ty);
        let left = self.frames.pop().is_some_and(|f| f.left);
        let ty = if body.ty == Ty::Never && !left {
            Ty::Never
        } else {
            ty
        };
        self.diverges = before || ty == Ty::Never;
        Expr::new(
            Kind::Loop {
                id,
                body: Box::new(body),
                once: true,
            },
            ty,
            span,
        )
    }

    pub(in crate::check) fn return_expr(&mut self, e: &syn::ExprReturn, span: Span) -> Expr {
        let ret = self.ret.clone();
        let value = match &e.expr {
            Some(value) => Some(self.coerced(value, &ret)),
            None => {
                let unit = Expr::unit(span);
                self.coerce(unit, &ret);
                None
            }
        };
        if self.func.is_none() {
            return self.bad(DiagCode::BadConst, span, &["`return` in a constant"]);
        }
        self.leave_with(value, span)
    }
}

/// The value of a condition that is known.
fn known(cond: &Expr) -> Option<bool> {
    use crate::check::hir::Op;
    use crate::tast::UnOp;
    match &cond.kind {
        Kind::Value(value) => Some(*value != 0),
        Kind::Op(Op::Unary(UnOp::Not), operands) => known(&operands[0]).map(|v| !v),
        _ => None,
    }
}

/// Without `else`, the value is `()`.
fn else_expect<'t>(e: &syn::ExprIf, expect: Option<&'t Ty>) -> Option<&'t Ty> {
    match e.else_branch {
        Some(_) => expect,
        None => Some(&Ty::Unit),
    }
}
