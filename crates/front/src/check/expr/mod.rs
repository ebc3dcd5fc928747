//! Expressions: literals, operators, casts, assignments; the rest is passed on.
//!
//! In: syntax and the type that is wanted. Out: typed expressions. Invariant: operands are checked
//! in the order of evaluation, as later ones may depend on the types of earlier ones.

pub(crate) mod aggregate;
pub(crate) mod array;
pub(crate) mod assign;
pub(crate) mod block;
pub(crate) mod closure;
pub(crate) mod compound;
pub(crate) mod control;
pub(crate) mod convert;
pub(crate) mod fields;
pub(crate) mod index;
pub(crate) mod iterate;
pub(crate) mod lend;
pub(crate) mod loops;
pub(crate) mod operator;
pub(crate) mod path;
pub(crate) mod pointer;

use crate::check::binary::bin_op;
use crate::check::call::ref_impls::Around;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::terms::CallAt;
use crate::names::written::prim_ty;
use crate::sabotage::Sabotage;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::deref;
use crate::tast::{BinOp, Span, UnOp, is_comparison, symbol};
use crate::types::infer::VarKind;
use crate::types::ty::{Foreign, Ty};

impl FnCx<'_> {
    /// An expression as a value.
    pub(super) fn expr(&mut self, expr: &syn::Expr, expect: Option<&Ty>) -> Expr {
        let checked = self.place(expr, expect);
        self.value_of(checked)
    }

    /// The value of an expression that may be a `Cell`, which is a mistake.
    pub(super) fn value_of(&mut self, expr: Expr) -> Expr {
        match expr.ty {
            Ty::Cell(_) => {
                let help = format!("write `{}.get()`", self.cx.text(expr.span));
                let d = Diagnostic::new(DiagCode::CellByValue, expr.span, &[]);
                self.cx.report(d.help(help));
                Expr::error(expr.span)
            }
            _ => expr,
        }
    }

    /// An expression as a value or a `Cell` in the heap.
    pub(super) fn place(&mut self, expr: &syn::Expr, expect: Option<&Ty>) -> Expr {
        self.noted_call(expr, |fcx| {
            let checked = fcx.any_expr(expr, expect);
            fcx.settle();
            if checked.ty == Ty::Never {
                fcx.diverges = true;
            }
            checked
        })
    }

    fn any_expr(&mut self, expr: &syn::Expr, expect: Option<&Ty>) -> Expr {
        let choice = match expr {
            syn::Expr::If(e) => Some(&*e.cond),
            syn::Expr::Match(e) => Some(&*e.expr),
            syn::Expr::While(e) => Some(&*e.cond),
            syn::Expr::Binary(e) if bin_op(&e.op).is_none() => Some(&*e.left),
            _ => None,
        };
        self.noted_under((expr, choice), |fcx| fcx.kind_of_expr(expr, expect))
    }

    fn kind_of_expr(&mut self, expr: &syn::Expr, expect: Option<&Ty>) -> Expr {
        let span = self.span(expr);
        match expr {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::ByteStr(text),
                ..
            }) if let Some(Ty::Foreign(_)) = expect.map(|ty| self.infer.shallow(ty)) => {
                let bytes = self.cx.bytes_literal(&text.value());
                let ty = Ty::Foreign(Foreign::bytes());
                Expr::op(Op::CallFn(bytes), Vec::new(), ty, span)
            }
            syn::Expr::Lit(e) => self.literal(&e.lit, span),
            syn::Expr::Path(e) => self.path_expr(e, expect, span),
            syn::Expr::Paren(e) => self.place(&e.expr, expect),
            syn::Expr::Group(e) => self.place(&e.expr, expect),
            syn::Expr::Binary(e) => self.binary_expr(e, span),
            syn::Expr::Unary(e) => self.unary_expr(e, span),
            syn::Expr::Cast(e) => self.cast(e, span),
            syn::Expr::Assign(e) => self.assign(e, span),
            syn::Expr::Call(e) => self.call_expr(e, expect, span),
            syn::Expr::MethodCall(e) => self.method_expr(e, expect, span),
            syn::Expr::Field(e) => self.field_expr(e, span),
            syn::Expr::Index(e) => self.index_expr(e, span),
            syn::Expr::If(e) => self.if_expr(e, expect, span),
            syn::Expr::Match(e) => self.match_expr(e, expect, span),
            syn::Expr::Loop(e) => self.loop_expr(e, expect, span),
            syn::Expr::While(e) => self.while_expr(e, span),
            syn::Expr::ForLoop(e) => self.for_expr(e, span),
            syn::Expr::Block(e) => self.block_expr(e, expect, span),
            // Where it is computed makes no difference, except that rustc has shown that it does
            // not panic.
            syn::Expr::Const(e) => self.block(&e.block, expect),
            syn::Expr::Break(e) => self.break_expr(e, span),
            syn::Expr::Continue(e) => self.continue_expr(e, span),
            syn::Expr::Return(e) => self.return_expr(e, span),
            syn::Expr::Try(e) => self.try_expr(e, span),
            syn::Expr::Reference(e) => self.reference(e, expect, span),
            syn::Expr::Macro(e) => self.macro_expr(&e.mac, expect),
            syn::Expr::Struct(e) => self.struct_expr(e, expect, span),
            syn::Expr::Array(e) => self.array_expr(e, expect, span),
            syn::Expr::Repeat(e) => self.repeat_expr(e, expect, span),
            syn::Expr::Closure(e)
                if let Some(Ty::Fn(sig)) = expect.map(|ty| self.infer.shallow(ty)) =>
            {
                self.closure_pointer(e, &sig, span)
            }
            syn::Expr::Tuple(e) if e.elems.is_empty() => Expr::unit(span),
            syn::Expr::Tuple(e) => self.tuple_expr(e, expect, span),
            _ => self.unsupported(expr, span),
        }
    }

    fn unsupported(&mut self, expr: &syn::Expr, span: Span) -> Expr {
        let what = match expr {
            syn::Expr::Let(_) => {
                let help =
                    "`let` is only possible in the condition of `if` and `while`, joined by `&&`";
                return self.bad(
                    DiagCode::UnsupportedWithHelp,
                    span,
                    &["`let` in this place", help],
                );
            }
            syn::Expr::Range(_) => {
                let help = "write a loop `for i in a..b`, or compare with both ends";
                return self.bad(
                    DiagCode::UnsupportedWithHelp,
                    span,
                    &["a range as a value", help],
                );
            }
            syn::Expr::Async(_) | syn::Expr::Await(_) => "`async`",
            syn::Expr::Closure(_) => {
                let help = "call it where it is written, give it a name with `let`, or pass it to a function or method that takes a closure (`impl Fn(..)`); otherwise write a function";
                let words = ["a closure in this place", help];
                return self.bad(DiagCode::UnsupportedWithHelp, span, &words);
            }
            syn::Expr::Unsafe(e) => match self.hint_in(&e.block) {
                Some(hint) => return self.expr(hint, None),
                None => "an `unsafe` block",
            },
            syn::Expr::RawAddr(_) => "a raw pointer",
            _ => "this expression",
        };
        self.bad(DiagCode::Unsupported, span, &[what])
    }

    /// `&*x` and `&mut *x` of a reference that is handed on.
    pub(super) fn lend_on(&mut self, e: &syn::ExprReference, span: Span) -> Expr {
        let lent = match deref(&e.expr) {
            Some(inner) => self.expr(inner, None),
            None => Expr::error(span),
        };
        match self.infer.shallow(&lent.ty) {
            Ty::Foreign(foreign) => {
                let unique = e.mutability.is_some();
                let ty = Ty::Foreign(Foreign { unique, ..foreign });
                Expr { ty, ..lent }
            }
            Ty::Error => lent,
            _ => {
                let help = "pass the value: integers, `Gc` and `GcArray` are copied";
                self.bad(DiagCode::UnsupportedWithHelp, span, &["a reference", help])
            }
        }
    }

    pub(super) fn literal(&mut self, lit: &syn::Lit, span: Span) -> Expr {
        match lit {
            syn::Lit::Int(lit) => {
                let suffix = lit.suffix();
                if suffix == "f64" {
                    let value = lit.base10_digits().parse().unwrap_or(0.0);
                    return Expr::new(Kind::Float(value), Ty::F64, span);
                }
                let ty = match suffix {
                    "" => Some(self.infer.var(VarKind::Int, span)),
                    name => prim_ty(name),
                };
                // As a generic argument, a literal has its sign.
                let digits = lit.base10_digits();
                let positive = digits.trim_start_matches('-');
                match (ty, positive.parse()) {
                    (None, _) => self.bad(DiagCode::BadType, span, &[suffix]),
                    (Some(ty), Ok(value)) => {
                        let number = Expr::new(Kind::Lit(value), ty.clone(), span);
                        match positive.len() < digits.len() {
                            true => Expr::op(Op::Unary(UnOp::Neg), vec![number], ty, span),
                            false => number,
                        }
                    }
                    (Some(_), Err(_)) => self.bad(DiagCode::LiteralRange, span, &["i64"]),
                }
            }
            syn::Lit::Float(lit) => match (lit.suffix(), lit.base10_parse::<f64>()) {
                ("" | "f64", Ok(value)) => Expr::new(Kind::Float(value), Ty::F64, span),
                _ => self.bad(DiagCode::BadType, span, &[lit.suffix()]),
            },
            syn::Lit::Bool(lit) => Expr::new(Kind::Value(i64::from(lit.value)), Ty::Bool, span),
            syn::Lit::Byte(lit) => {
                let ty = prim_ty("u8").unwrap_or(Ty::Error);
                Expr::new(Kind::Value(i64::from(lit.value())), ty, span)
            }
            syn::Lit::Char(lit) => {
                let word = i64::from(u32::from(lit.value()));
                Expr::new(Kind::Value(word), Ty::Char, span)
            }
            syn::Lit::Str(lit) => {
                let text = self.cx.text_literal(&lit.value());
                let ty = Ty::Foreign(Foreign::text());
                Expr::op(Op::CallFn(text), Vec::new(), ty, span)
            }
            // An array, which a reference to it is, too.
            syn::Lit::ByteStr(text) => {
                let byte = || Ty::Int(crate::tast::IntTy::U8);
                let items = text.value().into_iter();
                let items: Vec<Expr> = items
                    .map(|b| Expr::new(Kind::Value(i64::from(b)), byte(), span))
                    .collect();
                let ty = Ty::Fixed(Box::new(byte()), items.len() as u32);
                match self.small_enough(&ty, span) {
                    true => self.make(0, items, ty, span),
                    false => Expr::error(span),
                }
            }
            _ => self.bad(DiagCode::BadType, span, &["&str"]),
        }
    }

    fn binary_expr(&mut self, e: &syn::ExprBinary, span: Span) -> Expr {
        let at = self.span(&e.op);
        match bin_op(&e.op) {
            Some((op, true)) => self.compound(op, &e.left, &e.right, span),
            Some((op, false)) => {
                // What is expected of the result says nothing about the operands of operators that
                // are methods.
                let left = self.expr(&e.left, None);
                let right = self.operand(op, &left.ty, &e.right);
                let around = self.around_operands(&e.left, &e.right);
                self.overloaded(op, (left, right), &around, CallAt::new(span, at))
            }
            None => {
                let left = self.coerced(&e.left, &Ty::Bool);
                // What the right side does is done only sometimes.
                let before = self.diverges;
                let right = self.coerced(&e.right, &Ty::Bool);
                self.diverges = before;
                let kind = match e.op {
                    syn::BinOp::And(_) if Sabotage::NoShortCircuit.is_on() => {
                        Kind::Op(Op::Binary(BinOp::And), vec![left, right])
                    }
                    syn::BinOp::And(_) => Kind::AndAlso(Box::new(left), Box::new(right)),
                    _ => Kind::OrElse(Box::new(left), Box::new(right)),
                };
                Expr::new(kind, Ty::Bool, span)
            }
        }
    }

    /// The right operand, whose type is that of the left one except for shifts and where the
    /// operator may be a method.
    pub(super) fn operand(&mut self, op: BinOp, left: &Ty, right: &syn::Expr) -> Expr {
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        let free = shift || (self.is_overloaded(left) && !is_comparison(op));
        let hint = (!free && *left != Ty::Never).then_some(left);
        self.expr(right, hint)
    }

    /// A binary operation on checked operands.
    pub(super) fn binary(
        &mut self,
        op: BinOp,
        left: Expr,
        right: Expr,
        span: Span,
        at: Span,
    ) -> Expr {
        let mut ty = left.ty.clone();
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        if ty == Ty::Never {
            ty = right.ty.clone();
        } else if !shift && right.ty != Ty::Never && !self.infer.unify(&left.ty, &right.ty) {
            let (l, r) = (self.show(&left.ty), self.show(&right.ty));
            self.err(DiagCode::Mismatch, right.span, &[&l, &r]);
            return Expr::error(span);
        }
        let (left, right) = match op == BinOp::Sub && Sabotage::SwapOperands.is_on() {
            true => (right, left),
            false => (left, right),
        };
        if let Some(d) = self.operator_misuse(op, &left.ty, at) {
            self.cx.report(d);
            return Expr::error(span);
        }
        if shift && !self.is_shifted_by(op, &right) {
            return Expr::error(span);
        }
        if op == BinOp::Rem && self.infer.shallow(&ty) == Ty::F64 {
            return self.scalar_call(&Ty::F64, "rem", vec![left, right], span);
        }
        let ty = if is_comparison(op) { Ty::Bool } else { ty };
        Expr::op(Op::Binary(op), vec![left, right], ty, span)
    }

    /// Complains about the right operand of a shift if it is known to be no integer. Every type of
    /// integer will do.
    pub(super) fn is_shifted_by(&mut self, op: BinOp, right: &Expr) -> bool {
        match self.infer.shallow(&right.ty) {
            Ty::Int(_) | Ty::Error | Ty::Var(_) | Ty::Never => true,
            ty => {
                let shown = self.show(&ty);
                let words = [symbol(op), &shown, "shift by an integer"];
                self.err(DiagCode::BadOperator, right.span, &words);
                false
            }
        }
    }

    /// What is wrong with an operator on values of a type that is known to be wrong already.
    fn operator_misuse(&self, op: BinOp, ty: &Ty, at: Span) -> Option<Diagnostic> {
        let ty = self.infer.shallow(ty);
        let symbol = symbol(op);
        let shown = self.show(&ty);
        let identity = matches!(op, BinOp::Eq | BinOp::Ne);
        let help = match &ty {
            Ty::Int(_) | Ty::Error | Ty::Var(_) | Ty::Never => return None,
            Ty::F64 => match op {
                BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => "",
                _ => return None,
            },
            Ty::Char => match op {
                _ if is_comparison(op) => return None,
                _ => "cast it with `as u32` first",
            },
            Ty::Bool => match op {
                _ if is_comparison(op) => return None,
                BinOp::And | BinOp::Or | BinOp::Xor => return None,
                _ => "",
            },
            Ty::Foreign(_) if is_comparison(op) => {
                "compare in a function marked `#[elidable]` that takes both"
            }
            // References compare by identity.
            Ty::Gc(_) | Ty::Array(_) | Ty::Object(_) if identity => return None,
            ty if ty.is_aggregate() && identity => self.cx.no_equality(ty)?,
            ty if ty.is_aggregate() && is_comparison(op) => {
                "write `#[derive(PartialOrd)]`, or compare the parts"
            }
            Ty::Fn(_) if is_comparison(op) => self.cx.no_equality(&ty)?,
            _ => "",
        };
        Some(Diagnostic::new(
            DiagCode::BadOperator,
            at,
            &[symbol, &shown, help],
        ))
    }

    fn unary_expr(&mut self, e: &syn::ExprUnary, span: Span) -> Expr {
        let op = match e.op {
            syn::UnOp::Neg(_) => UnOp::Neg,
            syn::UnOp::Not(_) => UnOp::Not,
            _ => return self.deref(&e.expr),
        };
        let operand = self.expr(&e.expr, None);
        let around = Around {
            this: self.around(&e.expr),
            arg: None,
        };
        if let Some(callee) = self.overloaded_unary(op, &operand, &around, span) {
            return self.call_operands(callee, vec![operand], CallAt::whole(span));
        }
        let ty = self.infer.shallow(&operand.ty);
        let symbol = if op == UnOp::Neg { "-" } else { "!" };
        let fits = match ty {
            Ty::Int(int) => op == UnOp::Not || int.signed(),
            Ty::F64 => op == UnOp::Neg,
            Ty::Bool => op == UnOp::Not,
            Ty::Error | Ty::Var(_) | Ty::Never => true,
            _ => false,
        };
        if !fits {
            let shown = self.show(&ty);
            return self.bad(DiagCode::BadOperator, span, &[symbol, &shown, ""]);
        }
        Expr::op(Op::Unary(op), vec![operand], ty, span)
    }

    fn cast(&mut self, e: &syn::ExprCast, span: Span) -> Expr {
        let to = self.cx.lower(&e.ty, self.site.env, Some(&mut self.infer));
        if let Ty::Fn(_) = to {
            return self.coerced(&e.expr, &to);
        }
        let value = match self.discriminant(&e.expr) {
            Some(value) => value,
            None => self.expr(&e.expr, None),
        };
        let value = self.number_of(value, span);
        // The type of a literal that is cast is the target if it can be.
        if is_literal(&e.expr)
            && matches!(to, Ty::Int(_))
            && self.infer.hole(&value.ty) == Some(VarKind::Int)
        {
            self.infer.unify(&to, &value.ty);
        }
        if matches!(value.ty, Ty::Error) || to == Ty::Error {
            return Expr::new(Kind::Error, to, span);
        }
        Expr::op(Op::Cast, vec![value], to, span)
    }
}

/// An integer literal, possibly negative, possibly in parentheses.
fn is_literal(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(_) => true,
        syn::Expr::Paren(e) => is_literal(&e.expr),
        syn::Expr::Unary(e) => is_literal(&e.expr),
        _ => false,
    }
}
