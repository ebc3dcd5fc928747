//! Patterns for scalars and constants: literals, ranges, and the values of constants.
//!
//! In: a pattern and the type of what it is matched against. Out: the pattern with the ends as they
//! are written, since literals get their values with their types. Invariant: a constant is compared
//! part by part.

use crate::check::fcx::FnCx;
use crate::check::hir::{End, Expr, Kind, Op, Pat, PatKind};
use crate::names::written::prim_ty;
use crate::source::diag::DiagCode;
use crate::tast::Span;
use crate::types::infer::VarKind;
use crate::types::ty::Ty;

impl FnCx<'_> {
    pub(in crate::check) fn const_pat(&mut self, expr: Expr, ty: &Ty, span: Span) -> PatKind {
        match expr.kind {
            Kind::Error => PatKind::Error,
            _ if self.cx.holds_pointer(&self.infer.deep(&expr.ty)) => {
                let words = [
                    "a function pointer as a pattern",
                    "match on an integer that says which function is meant",
                ];
                self.bad_pat(DiagCode::UnsupportedPattern, span, &words)
                    .kind
            }
            kind => match self.equate(ty, &expr.ty, span) {
                true => self.value_pat(kind, span),
                false => PatKind::Error,
            },
        }
    }

    /// The pattern that accepts the value of a constant, which is compared part by part.
    fn value_pat(&mut self, value: Kind, span: Span) -> PatKind {
        match value {
            Kind::Value(value) => PatKind::Int(End::Value(value)),
            Kind::Unit => PatKind::Wild,
            Kind::Op(Op::Make(variant, _), fields) => {
                let fields = fields.into_iter().map(|field| Pat {
                    kind: self.value_pat(field.kind, span),
                    span,
                });
                PatKind::Variant(variant, fields.collect())
            }
            _ => self.float_pat(span),
        }
    }

    fn float_pat(&mut self, span: Span) -> PatKind {
        let words = ["a float pattern", "compare with `==` in an arm guard"];
        self.bad_pat(DiagCode::UnsupportedPattern, span, &words)
            .kind
    }

    /// A literal in a pattern.
    pub(in crate::check) fn lit_end(&mut self, lit: &syn::Lit, ty: &Ty, span: Span) -> Option<End> {
        match lit {
            syn::Lit::Int(lit) => {
                let found = match lit.suffix() {
                    "" => Some(self.infer.var(VarKind::Int, span)),
                    name => prim_ty(name),
                };
                let digits = lit.base10_digits();
                let (negative, digits) = match digits.strip_prefix('-') {
                    Some(rest) => (true, rest),
                    None => (false, digits),
                };
                match (found, digits.parse()) {
                    (Some(found), Ok(value)) => self
                        .equate(ty, &found, span)
                        .then_some(End::Lit(negative, value)),
                    (None, _) => {
                        self.err(DiagCode::BadType, span, &[lit.suffix()]);
                        None
                    }
                    (_, Err(_)) => {
                        self.err(DiagCode::LiteralRange, span, &["i64"]);
                        None
                    }
                }
            }
            syn::Lit::Bool(lit) => self
                .equate(ty, &Ty::Bool, span)
                .then_some(End::Value(i64::from(lit.value))),
            syn::Lit::Byte(lit) => {
                let byte = prim_ty("u8").unwrap_or(Ty::Error);
                self.equate(ty, &byte, span)
                    .then_some(End::Value(i64::from(lit.value())))
            }
            syn::Lit::Float(_) => {
                self.float_pat(span);
                None
            }
            syn::Lit::Char(lit) => self
                .equate(ty, &Ty::Char, span)
                .then_some(End::Value(i64::from(u32::from(lit.value())))),
            syn::Lit::ByteStr(_) => {
                self.err(DiagCode::BadType, span, &["&[u8]"]);
                None
            }
            _ => {
                self.err(DiagCode::BadType, span, &["&str"]);
                None
            }
        }
    }

    pub(in crate::check) fn range_pat(&mut self, p: &syn::PatRange, ty: &Ty) -> PatKind {
        let inclusive = matches!(p.limits, syn::RangeLimits::Closed(_));
        let mut ends = [None, None];
        for (end, expr) in ends.iter_mut().zip([&p.start, &p.end]) {
            let Some(expr) = expr else { continue };
            let at = self.span(&**expr);
            *end = match &**expr {
                syn::Expr::Lit(e) => self.lit_end(&e.lit, ty, at),
                syn::Expr::Path(e) => {
                    let value = self.value(e);
                    match self.def_pat(value, ty, at).kind {
                        PatKind::Int(end) => Some(end),
                        _ => None,
                    }
                }
                _ => {
                    let words = ["this end of a range", "use literals and constants"];
                    self.err(DiagCode::UnsupportedPattern, at, &words);
                    None
                }
            };
            if end.is_none() {
                return PatKind::Error;
            }
        }
        PatKind::Range(ends[0], ends[1], inclusive)
    }
}
