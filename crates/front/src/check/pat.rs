//! Patterns.
//!
//! In: a pattern and the type of what it is matched against. Out: a pattern of the subset; its names are declared in
//! the current scope. Invariant: a name that means a constant is not bound.

use super::FnCx;
use super::path::Val;
use crate::collect::name_of;
use crate::diag::Code;
use crate::hir::{End, Expr, Kind, Pat, PatKind};
use crate::infer::{Ty, VarKind};
use crate::items::*;
use crate::names::prim_ty;
use crate::tast::Span;

impl FnCx<'_> {
    pub(super) fn pat(&mut self, pat: &syn::Pat, ty: &Ty) -> Pat {
        let span = self.span(pat);
        let kind = match pat {
            syn::Pat::Wild(_) => PatKind::Wild,
            syn::Pat::Paren(p) => return self.pat(&p.pat, ty),
            syn::Pat::Ident(p) => return self.ident_pat(p, ty, span),
            syn::Pat::Lit(p) => match self.lit_end(&p.lit, ty, span) {
                Some(end) => PatKind::Int(end),
                None => PatKind::Error,
            },
            syn::Pat::Path(p) => return self.path_pat(p, ty, span),
            syn::Pat::Range(p) => self.range_pat(p, ty),
            syn::Pat::Or(p) => {
                let mark = self.scope.len();
                let cases = p.cases.iter().map(|case| self.pat(case, ty)).collect();
                if self.scope.len() > mark {
                    let help = "write an arm for each alternative";
                    return self.bad_pat(
                        Code::UnsupportedPattern,
                        span,
                        &["alternatives that bind names", help],
                    );
                }
                PatKind::Or(cases)
            }
            syn::Pat::TupleStruct(p) => return self.tuple_pat(p, ty, span),
            _ => return self.unsupported_pat(pat, ty, span),
        };
        Pat { kind, span }
    }

    fn unsupported_pat(&mut self, pat: &syn::Pat, ty: &Ty, span: Span) -> Pat {
        if *ty == Ty::Error {
            return Pat {
                kind: PatKind::Error,
                span,
            };
        }
        let words = match pat {
            syn::Pat::Tuple(_) => ["a tuple pattern", "match the values one after the other"],
            syn::Pat::Struct(_) => ["a struct pattern", "bind the `Gc` and read its fields"],
            syn::Pat::Reference(_) => [
                "a reference pattern",
                "integers, `Gc` and `GcArray` are copied: leave out the `&`",
            ],
            _ => [
                "this pattern",
                "use literals, constants, ranges, names, `Some`, `None` and object variants",
            ],
        };
        self.bad_pat(Code::UnsupportedPattern, span, &words)
    }

    /// A name: a constant or variant of that name, or a new variable.
    fn ident_pat(&mut self, p: &syn::PatIdent, ty: &Ty, span: Span) -> Pat {
        let name = name_of(&p.ident);
        if p.subpat.is_none() && p.by_ref.is_none() && p.mutability.is_none() {
            let found = self.cx.krate.resolve(
                self.env.module,
                false,
                std::slice::from_ref(&name),
                Ns::Values,
            );
            if let Some((
                def @ (Def::Const(_) | Def::Variant(..) | Def::Builtin(Builtin::None)),
                _,
            )) = found
            {
                return self.def_pat(Val::Def(def), ty, span);
            }
        }
        if p.by_ref.is_some() {
            let words = [
                "`ref`",
                "integers, `Gc` and `GcArray` are copied: leave it out",
            ];
            return self.bad_pat(Code::UnsupportedPattern, span, &words);
        }
        let inner = match &p.subpat {
            Some((_, inner)) => {
                let mark = self.scope.len();
                let inner = self.pat(inner, ty);
                if self.scope.len() > mark {
                    let words = [
                        "a name inside an `@` pattern",
                        "match the value again in the arm",
                    ];
                    return self.bad_pat(Code::UnsupportedPattern, span, &words);
                }
                Some(Box::new(inner))
            }
            None => None,
        };
        if let Ty::Kind(_) = self.infer.shallow(ty) {
            let words = [
                "a name for a `kind()`",
                "write `_`, and use the object itself",
            ];
            return self.bad_pat(Code::UnsupportedPattern, span, &words);
        }
        let local = self.declare(name, ty.clone(), span);
        Pat {
            kind: PatKind::Bind(local, inner),
            span,
        }
    }

    fn path_pat(&mut self, p: &syn::ExprPath, ty: &Ty, span: Span) -> Pat {
        let value = self.value(p);
        self.def_pat(value, ty, span)
    }

    /// A path that stands for a value.
    fn def_pat(&mut self, value: Val, ty: &Ty, span: Span) -> Pat {
        let kind = match value {
            Val::Error => PatKind::Error,
            Val::Def(Def::Builtin(Builtin::None)) => {
                let inner = self.hole(span);
                self.equate(ty, &inner.option(), span);
                PatKind::None
            }
            Val::Def(Def::Variant(e, index)) => {
                let item = &self.cx.krate.enums[e];
                let name = name_of(&item.variants[index].ident);
                if item.object.is_some() {
                    let help = format!("write `{name}(_)`");
                    return self.bad_pat(
                        Code::UnsupportedPattern,
                        span,
                        &["a variant without its field", &help],
                    );
                }
                let what = format!("the enum `{}`", item.name);
                let help = "represent it as an integer, and match on constants";
                return self.bad_pat(Code::UnsupportedPattern, span, &[&what, help]);
            }
            Val::Def(Def::Const(_)) | Val::Assoc(..) | Val::Def(Def::Extern(_)) => {
                let expr = self.val_expr(value, span);
                self.const_pat(expr, ty, span)
            }
            _ => {
                let words = ["this path as a pattern", "match on literals and constants"];
                return self.bad_pat(Code::UnsupportedPattern, span, &words);
            }
        };
        Pat { kind, span }
    }

    fn const_pat(&mut self, expr: Expr, ty: &Ty, span: Span) -> PatKind {
        match expr.kind {
            Kind::Error => PatKind::Error,
            Kind::Value(value) => match self.equate(ty, &expr.ty, span) {
                true => PatKind::Int(End::Value(value)),
                false => PatKind::Error,
            },
            _ => self.float_pat(span),
        }
    }

    fn float_pat(&mut self, span: Span) -> PatKind {
        let words = ["a float pattern", "compare with `==` in an arm guard"];
        self.bad_pat(Code::UnsupportedPattern, span, &words).kind
    }

    /// A literal in a pattern.
    fn lit_end(&mut self, lit: &syn::Lit, ty: &Ty, span: Span) -> Option<End> {
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
                        self.err(Code::BadType, span, &[lit.suffix()]);
                        None
                    }
                    (_, Err(_)) => {
                        self.err(Code::LiteralRange, span, &["i64"]);
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
            syn::Lit::Char(_) => {
                self.err(Code::BadType, span, &["char"]);
                None
            }
            _ => {
                self.err(Code::BadType, span, &["&str"]);
                None
            }
        }
    }

    fn range_pat(&mut self, p: &syn::PatRange, ty: &Ty) -> PatKind {
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
                    self.err(Code::UnsupportedPattern, at, &words);
                    None
                }
            };
            if end.is_none() {
                return PatKind::Error;
            }
        }
        PatKind::Range(ends[0], ends[1], inclusive)
    }

    /// `Some(p)` and variants of object enums.
    fn tuple_pat(&mut self, p: &syn::PatTupleStruct, ty: &Ty, span: Span) -> Pat {
        let path = syn::ExprPath {
            attrs: Vec::new(),
            qself: p.qself.clone(),
            path: p.path.clone(),
        };
        let fields: Vec<&syn::Pat> = p.elems.iter().collect();
        let kind = match (self.value(&path), fields.as_slice()) {
            (Val::Def(Def::Builtin(Builtin::Some)), [inner]) => {
                let hole = self.hole(span);
                self.equate(ty, &hole.clone().option(), span);
                let inner = self.pat(inner, &hole);
                PatKind::Some(Box::new(inner))
            }
            (Val::Def(Def::Variant(e, index)), [field])
                if self.cx.krate.enums[e].object.is_some() =>
            {
                self.variant_pat(e, index, field, ty, span)
            }
            (Val::Error, _) => {
                self.error_names(p);
                PatKind::Error
            }
            _ => {
                self.error_names(p);
                let words = [
                    "this pattern",
                    "use literals, constants, ranges, names, `Some`, `None` and object variants",
                ];
                self.err(Code::UnsupportedPattern, span, &words);
                PatKind::Error
            }
        };
        Pat { kind, span }
    }

    /// Declares the names in a pattern that has been complained about.
    fn error_names(&mut self, p: &syn::PatTupleStruct) {
        for elem in &p.elems {
            if let syn::Pat::Ident(ident) = elem {
                let span = self.span(ident);
                self.declare(name_of(&ident.ident), Ty::Error, span);
            }
        }
    }

    /// `ObjKind::Int(i)`
    fn variant_pat(
        &mut self,
        e: EnumId,
        index: usize,
        field: &syn::Pat,
        ty: &Ty,
        span: Span,
    ) -> PatKind {
        let object = self.cx.object(e);
        self.equate(ty, &Ty::Kind(object), span);
        let class = self.cx.object_variant(e, index).map(|(_, class)| class);
        let field_ty = class.map_or(Ty::Error, Ty::Gc);
        let at = self.span(field);
        let local = match field {
            syn::Pat::Wild(_) | syn::Pat::Rest(_) => None,
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                Some(self.declare(name_of(&p.ident), field_ty, at))
            }
            _ => {
                let words = ["a pattern inside a variant", "bind the `Gc` to a name"];
                self.err(Code::UnsupportedPattern, at, &words);
                return PatKind::Error;
            }
        };
        match class {
            Some(class) => PatKind::Class(class, local),
            None => PatKind::Error,
        }
    }
}
