//! Patterns.
//!
//! In: a pattern and the type of what it is matched against. Out: a pattern of the subset; its
//! names are declared in the current scope. Invariant: a name that means a constant is not bound.

pub(crate) mod object;
pub(crate) mod parts;
pub(crate) mod scalar;

use crate::check::expr::aggregate::NONE;
use crate::check::expr::path::Val;
use crate::check::fcx::FnCx;
use crate::check::hir::{Pat, PatKind};
use crate::check::terms::{Borrowed, Matched, Name, Place, Step, Subject};
use crate::items::*;
use crate::source::diag::DiagCode;
use crate::source::syntax::name_of;
use crate::tast::{LocalId, Span};
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// A pattern for a value that may be in a local, or be a `&mut` to one.
    pub(super) fn pat_on(&mut self, pat: &syn::Pat, subject: &Subject, ty: &Ty) -> Pat {
        let matched = Matched {
            place: subject.place.clone(),
            borrowed: subject.borrowed,
        };
        let outer = std::mem::replace(&mut self.pat.matched, matched);
        let pat = self.pat(pat, ty);
        self.pat.matched = outer;
        pat
    }

    /// A pattern for a field of what is matched.
    pub(super) fn field_pat(
        &mut self,
        variant: Option<u32>,
        field: u32,
        pat: &syn::Pat,
        ty: &Ty,
    ) -> Pat {
        let step = Step {
            variant,
            field,
            ty: ty.clone(),
        };
        let inner = Matched {
            place: self.pat.matched.place.as_ref().map(|p| p.part(step)),
            borrowed: match self.pat.matched.borrowed {
                Borrowed::No => Borrowed::No,
                Borrowed::Whole | Borrowed::Parts => Borrowed::Whole,
            },
        };
        let outer = std::mem::replace(&mut self.pat.matched, inner);
        let pat = self.pat(pat, ty);
        self.pat.matched = outer;
        pat
    }

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
            syn::Pat::Or(p) => return self.or_pat(p, ty, span),
            syn::Pat::Tuple(p) => self.tuple_parts(p, ty, span),
            syn::Pat::Slice(p) => self.slice_pat(p, ty, span),
            syn::Pat::Struct(p) => self.struct_pat(p, ty, span),
            syn::Pat::TupleStruct(p) => return self.tuple_pat(p, ty, span),
            // What is behind a reference is taken by value.
            syn::Pat::Reference(p) => {
                let outer = std::mem::take(&mut self.pat.matched.borrowed);
                let inner = self.pat(&p.pat, ty);
                self.pat.matched.borrowed = outer;
                return inner;
            }
            _ => return self.unsupported_pat(ty, span),
        };
        Pat { kind, span }
    }

    fn unsupported_pat(&mut self, ty: &Ty, span: Span) -> Pat {
        if *ty == Ty::Error {
            return Pat {
                kind: PatKind::Error,
                span,
            };
        }
        let words = [
            "this pattern",
            "use literals, constants, ranges, names, tuples, structs and variants",
        ];
        self.bad_pat(DiagCode::UnsupportedPattern, span, &words)
    }

    /// A name: a constant or variant of that name, or a new variable.
    fn ident_pat(&mut self, p: &syn::PatIdent, ty: &Ty, span: Span) -> Pat {
        let name = name_of(&p.ident);
        if p.subpat.is_none() && p.by_ref.is_none() && p.mutability.is_none() {
            let item = crate::expand::tokens::unmarked(&name).to_owned();
            let found = self.cx.krate.resolve(
                self.site.env.module,
                false,
                std::slice::from_ref(&item),
                Ns::Values,
            );
            if let Some((
                def @ (Def::Const(_)
                | Def::Struct(_)
                | Def::Variant(..)
                | Def::Builtin(Builtin::None)),
                _,
            )) = found
            {
                let value = self.def_value(def, None, span);
                return self.def_pat(value, ty, span);
            }
        }
        let inner = p.subpat.as_ref();
        let inner = inner.map(|(_, inner)| Box::new(self.pat(inner, ty)));
        if let Ty::Kind(_) = self.infer.shallow(ty) {
            let words = [
                "a name for a `kind()`",
                "write `_`, and use the object itself",
            ];
            return self.bad_pat(DiagCode::UnsupportedPattern, span, &words);
        }
        let by_ref_mut = p.by_ref.is_some() && p.mutability.is_some();
        if self.pat.matched.borrowed != Borrowed::No || by_ref_mut {
            return self.alias_pat(name, inner, ty, span);
        }
        let local = self.bind_name(name, ty, span);
        Pat {
            kind: PatKind::Bind(local, inner),
            span,
        }
    }

    /// A name that becomes a `&mut` to what it matches: nothing is bound when the pattern matches.
    fn alias_pat(&mut self, name: String, inner: Option<Box<Pat>>, ty: &Ty, span: Span) -> Pat {
        let local = self.bind_name(name, ty, span);
        let whole = self.pat.matched.borrowed != Borrowed::Parts;
        let place = self.pat.matched.place.clone().filter(|_| whole);
        let same = |old: &Place| place.as_ref().is_some_and(|p| p.finish() == old.finish());
        let fits = match &self.locals[local].name_is {
            Name::Alias(old) => same(old),
            Name::Value | Name::Lent | Name::Closure(_) => place.is_some(),
        };
        if !fits {
            let words = [
                "a `&mut` to what is in no variable, or to different places in different alternatives",
                "put the value into a variable, and write one arm for each place",
            ];
            return self.bad_pat(DiagCode::UnsupportedPattern, span, &words);
        }
        if let Some(place) = place {
            self.locals[local].name_is = Name::Alias(place);
        }
        let kind = inner.map_or(PatKind::Wild, |inner| inner.kind);
        Pat { kind, span }
    }

    fn path_pat(&mut self, p: &syn::ExprPath, ty: &Ty, span: Span) -> Pat {
        let value = self.value(p);
        self.def_pat(value, ty, span)
    }

    /// A path that stands for a value.
    pub(super) fn def_pat(&mut self, value: Val, ty: &Ty, span: Span) -> Pat {
        let kind = match value {
            Val::Error => PatKind::Error,
            Val::Def(Def::Builtin(Builtin::None)) => {
                let inner = self.hole(span);
                self.equate(ty, &inner.option(), span);
                PatKind::Variant(NONE, Vec::new())
            }
            Val::Make(found, variant) => self.adt_pat((found, variant), &[], ty, span),
            Val::Def(Def::Variant(e, index)) => {
                let item = &self.cx.krate.enums[e];
                let name = name_of(&item.variants[index].ident);
                let help = format!("write `{name}(_)`");
                return self.bad_pat(
                    DiagCode::UnsupportedPattern,
                    span,
                    &["a variant without its field", &help],
                );
            }
            Val::Def(Def::Const(_)) | Val::Assoc(..) | Val::Def(Def::Extern(_)) => {
                let expr = self.val_expr(value, span);
                self.const_pat(expr, ty, span)
            }
            _ => {
                let words = ["this path as a pattern", "match on literals and constants"];
                return self.bad_pat(DiagCode::UnsupportedPattern, span, &words);
            }
        };
        Pat { kind, span }
    }

    /// Alternatives. The first one declares the names; the others bind the same variables.
    fn or_pat(&mut self, p: &syn::PatOr, ty: &Ty, span: Span) -> Pat {
        let mark = self.site.scope.len();
        let mut names: Option<Vec<(String, LocalId)>> = None;
        let mut cases = Vec::new();
        for case in &p.cases {
            let mut known = self.pat.alternatives.clone().unwrap_or_default();
            known.extend(names.clone().unwrap_or_default());
            let outer = self.pat.alternatives.replace(known);
            cases.push(self.pat(case, ty));
            self.pat.alternatives = outer;
            let bound = self.site.scope.split_off(mark);
            names.get_or_insert(bound);
        }
        for (name, local) in names.unwrap_or_default() {
            self.site.scope.push(&name, local);
        }
        Pat {
            kind: PatKind::Or(cases),
            span,
        }
    }

    /// Declares the variable that a pattern binds, or finds it if an alternative before has
    /// declared it.
    pub(super) fn bind_name(&mut self, name: String, ty: &Ty, span: Span) -> LocalId {
        let shared = self.pat.alternatives.iter().flatten();
        let known = shared.rev().find(|(n, _)| *n == name).map(|(_, l)| *l);
        match known {
            Some(local) => {
                let declared = self.locals[local].ty.clone();
                self.equate(&declared, ty, span);
                self.site.scope.push(&name, local);
                local
            }
            None => {
                let local = self.declare(name, ty.clone(), span);
                self.locals[local].of_field = self.pat.in_fields;
                local
            }
        }
    }
}
