//! Loops, and what leaves them.
//!
//! In: `loop`, `while`, `for`, `break`, `continue`. Out: [`Kind::Loop`]. Invariant: a `for` steps
//! its counter before the body, so that `continue` needs no special case, and never past the end of
//! its range, so that nothing overflows.

use crate::check::expr::control::{Clause, clauses, wild};
use crate::check::fcx::{FnCx, Frame, FrameKind};
use crate::check::hir::{Arm, Expr, Kind, Op};
use crate::sabotage::Sabotage;
use crate::source::diag::DiagCode;
use crate::tast::{BinOp, IntTy, LocalId, LoopId, Span};
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// Checks a loop's body with the loop around it; the answer is whether a `break` leaves it.
    pub(in crate::check) fn in_loop<R>(
        &mut self,
        label: &Option<syn::Label>,
        kind: FrameKind,
        id: LoopId,
        at: Span,
        body: impl FnOnce(&mut Self) -> R,
    ) -> (R, bool) {
        let first = self.site.first_loop.get().unwrap_or(at);
        self.site.first_loop.set(Some(first));
        self.frames.push(Frame {
            label: label.as_ref().map(|l| l.name.ident.to_string()),
            id,
            kind,
            left: false,
        });
        let before = self.diverges;
        let result = body(self);
        self.diverges = before;
        let left = self.frames.pop().is_some_and(|f| f.left);
        (result, left)
    }

    pub(in crate::check) fn loop_expr(
        &mut self,
        e: &syn::ExprLoop,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let id = self.new_loop();
        let ty = expect.cloned().unwrap_or_else(|| self.hole(span));
        let at = self.span(&e.loop_token);
        let (body, left) = self.in_loop(&e.label, FrameKind::Loop(ty.clone()), id, at, |fcx| {
            let body = fcx.loop_body(&e.body, id);
            fcx.coerce(body, &Ty::Unit)
        });
        let ty = if left { ty } else { Ty::Never };
        Expr::new(
            Kind::Loop {
                id,
                body: Box::new(body),
                once: false,
            },
            ty,
            span,
        )
    }

    /// The body of a `loop`, with the merge point if it begins with one.
    fn loop_body(&mut self, body: &syn::Block, id: LoopId) -> Expr {
        let first = body
            .stmts
            .first()
            .and_then(crate::source::syntax::stmt_macro);
        let module = self.site.env.module;
        let is_point = |m: &&syn::Macro| {
            crate::source::syntax::is_macro(m, "merge_point")
                && self.cx.krate.is_known_macro(module, m)
        };
        let Some(mac) = first.filter(is_point) else {
            return self.block(body, Some(&Ty::Unit));
        };
        let point = self.merge_point(mac, id);
        let rest = syn::Block {
            brace_token: body.brace_token,
            stmts: body.stmts[1..].to_vec(),
        };
        let mut rest = self.block(&rest, Some(&Ty::Unit));
        if let (Kind::Block(list), Some(point)) = (&mut rest.kind, point) {
            list.insert(0, point);
        }
        rest
    }

    pub(in crate::check) fn while_expr(&mut self, e: &syn::ExprWhile, span: Span) -> Expr {
        let id = self.new_loop();
        let at = self.span(&e.while_token);
        let (body, _) = self.in_loop(&e.label, FrameKind::While, id, at, |fcx| {
            fcx.scoped(|fcx| fcx.while_body(e, id, span))
        });
        Expr::new(
            Kind::Loop {
                id,
                body: Box::new(body),
                once: false,
            },
            Ty::Unit,
            span,
        )
    }

    fn while_body(&mut self, e: &syn::ExprWhile, id: LoopId, span: Span) -> Expr {
        let leave = Expr::new(Kind::Break(id, None), Ty::Never, span);
        let parts = clauses(&e.cond);
        match parts.as_slice() {
            [Clause::Cond(cond)] => {
                let cond = self.coerced(cond, &Ty::Bool);
                let body = self.unit_block(&e.body);
                Expr::if_else(cond, body, leave, Ty::Unit, span)
            }
            [Clause::Let(pat, value)] => {
                let subject = self.subject(value);
                let pat = self.pat_on(pat, &subject, &subject.value.ty);
                let body = self.unit_block(&e.body);
                let arms = vec![
                    Arm {
                        pat,
                        guard: None,
                        body,
                    },
                    Arm {
                        pat: wild(span),
                        guard: None,
                        body: leave,
                    },
                ];
                Expr::new(Kind::Match(Box::new(subject.value), arms), Ty::Unit, span)
            }
            parts => {
                let chain = self.chain(parts, span, &mut |fcx| {
                    let body = fcx.unit_block(&e.body);
                    let again = Expr::new(Kind::Continue(id), Ty::Never, span);
                    Expr::block(vec![body, again], Ty::Never, span)
                });
                Expr::block(vec![chain, leave], Ty::Never, span)
            }
        }
    }

    pub(in crate::check) fn unit_block(&mut self, block: &syn::Block) -> Expr {
        let body = self.block(block, Some(&Ty::Unit));
        self.coerce(body, &Ty::Unit)
    }

    pub(in crate::check) fn for_expr(&mut self, e: &syn::ExprForLoop, span: Span) -> Expr {
        let id = self.new_loop();
        let at = self.span(&e.for_token);
        let Some((range, rev, by)) = range_of(&e.expr) else {
            return self.for_items(e, id, span);
        };
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            let help = "give the range both ends, or use `loop`";
            return self.bad(
                DiagCode::UnsupportedWithHelp,
                at,
                &["`for` over an open range", help],
            );
        };
        let start = self.expr(start, None);
        let ty = start.ty.clone();
        let end = self.coerced(end, &ty);
        if self.infer.shallow(&ty) == Ty::Char {
            let help = "loop over the numbers, `a as u32..=b as u32`, and use `char::from_u32`";
            let what = "`for` over characters";
            return self.bad(DiagCode::UnsupportedWithHelp, at, &[what, help]);
        }
        let by = by.map(|by| self.coerced(by, &Ty::Int(IntTy::Usize)));
        let by_local = by
            .as_ref()
            .map(|by| self.temp("step", Ty::Int(IntTy::Usize), by.span));
        let low = self.temp("low", ty.clone(), start.span);
        let inclusive =
            matches!(range.limits, syn::RangeLimits::Closed(_)) && !Sabotage::OpenRange.is_on();
        let counter = Counter {
            low,
            high: self.temp("high", ty.clone(), end.span),
            more: if inclusive {
                self.temp("more", Ty::Bool, span)
            } else {
                low
            },
            inclusive,
            rev,
            by: by_local,
            ty,
            span,
        };
        let mut list = vec![
            Expr::bind(counter.low, start),
            Expr::bind(counter.high, end),
        ];
        if let (Some(by), Some(local)) = (by, counter.by) {
            list.push(Expr::bind(local, by));
            let zero = Expr::new(Kind::Lit(0), Ty::Int(IntTy::Usize), span);
            let operands = vec![self.read(local, span), zero];
            let is_some = Expr::op(Op::Binary(BinOp::Ne), operands, Ty::Bool, span);
            let fail = Expr::panic("assertion failed: step != 0", span);
            list.push(Expr::if_else(
                is_some,
                Expr::unit(span),
                fail,
                Ty::Unit,
                span,
            ));
        }
        if counter.inclusive {
            let any = self.compare(&counter, BinOp::Le);
            list.push(Expr::bind(counter.more, any));
        }
        let (body, _) = self.in_loop(&e.label, FrameKind::While, id, at, |fcx| {
            fcx.scoped(|fcx| {
                let more = match counter.inclusive {
                    true => fcx.read(counter.more, span),
                    false => fcx.compare(&counter, BinOp::Lt),
                };
                let mut steps = fcx.step(&counter, &e.pat);
                steps.push(fcx.unit_block(&e.body));
                let round = Expr::block(steps, Ty::Unit, span);
                let leave = Expr::new(Kind::Break(id, None), Ty::Never, span);
                Expr::if_else(more, round, leave, Ty::Unit, span)
            })
        });
        list.push(Expr::new(
            Kind::Loop {
                id,
                body: Box::new(body),
                once: false,
            },
            Ty::Unit,
            span,
        ));
        Expr::block(list, Ty::Unit, span)
    }

    /// Declares the loop's variable with the next value and takes that from the range.
    fn step(&mut self, counter: &Counter, pat: &syn::Pat) -> Vec<Expr> {
        let span = counter.span;
        let (moving, op) = match counter.rev {
            true => (counter.high, BinOp::Sub),
            false => (counter.low, BinOp::Add),
        };
        let one = Expr::new(Kind::Lit(1), counter.ty.clone(), span);
        let value = self.read(moving, span);
        let stepped = Expr::op(Op::Binary(op), vec![value, one], counter.ty.clone(), span);
        let step = Expr::assign(moving, stepped);
        let value = self.read(moving, span);
        let variable = match self.for_name(pat) {
            Some(name) => {
                let at = self.span(pat);
                self.declare(name, counter.ty.clone(), at)
            }
            None => self.temp("_", counter.ty.clone(), span),
        };
        if let Some(by) = counter.by {
            return self.stride(counter, by, variable);
        }
        let take = Expr::bind(variable, value);
        match (counter.inclusive, counter.rev) {
            (false, false) => vec![take, step],
            // The end of a half-open range is not in it: step first.
            (false, true) => vec![step, take],
            (true, _) => {
                let room = self.compare(counter, BinOp::Lt);
                let no = Expr::new(Kind::Value(0), Ty::Bool, span);
                let stop = Expr::assign(counter.more, no);
                vec![take, Expr::if_else(room, step, stop, Ty::Unit, span)]
            }
        }
    }

    fn for_name(&mut self, pat: &syn::Pat) -> Option<String> {
        match pat {
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                Some(crate::source::syntax::name_of(&p.ident))
            }
            syn::Pat::Wild(_) => None,
            _ => {
                let span = self.span(pat);
                let help = "the variable of a range is an integer";
                self.err(
                    DiagCode::UnsupportedPattern,
                    span,
                    &["this pattern in `for`", help],
                );
                None
            }
        }
    }

    /// `low op high`
    fn compare(&mut self, counter: &Counter, op: BinOp) -> Expr {
        let span = counter.span;
        let operands = vec![self.read(counter.low, span), self.read(counter.high, span)];
        Expr::op(Op::Binary(op), operands, Ty::Bool, span)
    }

    /// The loop or block that a `break` or `continue` is about.
    fn frame(&mut self, label: &Option<syn::Lifetime>, what: &str, span: Span) -> Option<usize> {
        let found = match label {
            None => self
                .frames
                .iter()
                .rposition(|f| !matches!(f.kind, FrameKind::Block(_))),
            Some(label) => {
                let name = label.ident.to_string();
                self.frames
                    .iter()
                    .rposition(|f| f.label.as_deref() == Some(&name))
            }
        };
        if found.is_none() {
            let message = match label {
                None => format!("`{what}` outside of a loop"),
                Some(label) => format!("there is no loop labelled `{label}` around this"),
            };
            self.err(DiagCode::NoLoop, span, &[&message]);
        }
        found
    }

    pub(in crate::check) fn break_expr(&mut self, e: &syn::ExprBreak, span: Span) -> Expr {
        let Some(index) = self.frame(&e.label, "break", span) else {
            if let Some(value) = &e.expr {
                self.expr(value, None);
            }
            return Expr::new(Kind::Error, Ty::Never, span);
        };
        let innermost = self.frames.len() - 1;
        let is_while = |index: usize| self.frames[index].kind == FrameKind::While;
        let index = match Sabotage::WrongLabel.is_on() && is_while(index) && is_while(innermost) {
            true => innermost,
            false => index,
        };
        self.frames[index].left = true;
        let id = self.frames[index].id;
        let kind = self.frames[index].kind.clone();
        let value = match (&kind, &e.expr) {
            (FrameKind::Loop(ty) | FrameKind::Block(ty), Some(value)) => {
                Some(Box::new(self.coerced(value, ty)))
            }
            (FrameKind::Loop(ty) | FrameKind::Block(ty), None) => {
                let unit = Expr::unit(span);
                self.coerce(unit, ty);
                None
            }
            (FrameKind::While, None) => None,
            (FrameKind::While, Some(value)) => {
                self.expr(value, None);
                self.err(
                    DiagCode::NoLoop,
                    span,
                    &["`break` with a value is only possible in `loop`"],
                );
                None
            }
        };
        Expr::new(Kind::Break(id, value), Ty::Never, span)
    }

    pub(in crate::check) fn continue_expr(&mut self, e: &syn::ExprContinue, span: Span) -> Expr {
        let frame = self.frame(&e.label, "continue", span);
        match frame.map(|i| &self.frames[i]) {
            Some(frame) if !matches!(frame.kind, FrameKind::Block(_)) => {
                Expr::new(Kind::Continue(frame.id), Ty::Never, span)
            }
            Some(_) => {
                self.err(
                    DiagCode::NoLoop,
                    span,
                    &["`continue` of a block that is not a loop"],
                );
                Expr::new(Kind::Error, Ty::Never, span)
            }
            None => Expr::new(Kind::Error, Ty::Never, span),
        }
    }
}

/// The state of a `for`.
pub(in crate::check) struct Counter {
    pub low: LocalId,
    pub high: LocalId,
    /// Whether there is another value, if the end is included; else not used.
    pub more: LocalId,
    pub inclusive: bool,
    pub rev: bool,
    /// The distance of two values, if it is not 1.
    pub by: Option<LocalId>,
    pub ty: Ty,
    pub span: Span,
}

/// The range that a `for` runs over, whether backwards, and the distance of two values if there is
/// one.
fn range_of(expr: &syn::Expr) -> Option<(&syn::ExprRange, bool, Option<&syn::Expr>)> {
    match expr {
        syn::Expr::Range(range) => Some((range, false, None)),
        syn::Expr::Paren(e) => range_of(&e.expr),
        syn::Expr::MethodCall(e) if e.method == "rev" && e.args.is_empty() => {
            match range_of(&e.receiver)? {
                (range, rev, None) => Some((range, !rev, None)),
                // Which values those are depends on the length.
                (_, _, Some(_)) => None,
            }
        }
        syn::Expr::MethodCall(e) if e.method == "step_by" && e.args.len() == 1 => {
            match range_of(&e.receiver)? {
                (range, rev, None) => Some((range, rev, e.args.first())),
                (_, _, Some(_)) => None,
            }
        }
        _ => None,
    }
}
