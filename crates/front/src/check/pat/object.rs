//! Struct patterns of heap classes, as in `let Pair { a, b } = *pair`.
//!
//! In: a pattern that always fits, and the pointer. Out: the fields that it names, read in the
//! order of the pattern. Invariant: the pointer is evaluated once, and only the fields that the
//! pattern names are read.

use crate::check::expr::path::Val;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Op};
use crate::check::terms::Subject;
use crate::cx::sources::{ClassSrc, FieldSrc};
use crate::items::Def;
use crate::source::cfg;
use crate::source::diag::DiagCode;
use crate::source::syntax::member_name;
use crate::tast::Span;
use crate::types::ty::Ty;
use verdigris_ops::ClassId;

impl FnCx<'_> {
    /// Takes an object apart, if the pattern is one with the fields of a class; `value` is a
    /// pointer to an object of this class.
    pub(in crate::check) fn object_parts(
        &mut self,
        pat: &syn::PatStruct,
        (value, class): (Expr, ClassId),
        span: Span,
    ) -> Expr {
        let at = self.span(&pat.path);
        let item = match &self.cx.interned.classes[class] {
            ClassSrc::Struct { item, .. } => Some(*item),
            ClassSrc::Array { .. } => None,
        };
        let named = match self.struct_def(&pat.path, pat.qself.as_ref()) {
            Some(Val::Def(Def::Struct(named))) => Some(named),
            _ => None,
        };
        if item.is_none() || item != named {
            let words = [self.cx.text(at), self.show(&Ty::Gc(class))];
            self.err(DiagCode::Mismatch, at, &[&words[0], &words[1]]);
            return self.no_parts(pat, span);
        }
        let fields = self.cx.class_fields(class);
        let object = self.temp("object", value.ty.clone(), span);
        let mut list = vec![Expr::bind(object, value)];
        let parts = pat.fields.iter().filter(|part| cfg::enabled(&part.attrs));
        let parts: Vec<&syn::FieldPat> = parts.collect();
        for part in &parts {
            let name = member_name(&part.member);
            let object = self.read(object, span);
            let value = match fields.iter().find(|field| field.name == name) {
                Some(field) => self.part_of_object(field, object, part),
                None => {
                    let shown = self.show(&Ty::Gc(class));
                    let at = self.span(&part.member);
                    self.bad(DiagCode::NoField, at, &[&name, &shown])
                }
            };
            list.push(self.destructure(&part.pat, Subject::of(value), span));
        }
        let is_named = |field: &&FieldSrc| {
            let mut named = parts.iter().map(|part| member_name(&part.member));
            named.any(|name| name == field.name)
        };
        let missing = fields.iter().find(|field| !is_named(field));
        if let Some(field) = missing.filter(|_| pat.rest.is_none()) {
            let what = format!("a pattern without the field `{}`", field.name);
            let words = [what.as_str(), "add it, or `..`"];
            self.err(DiagCode::UnsupportedPattern, span, &words);
        }
        Expr::block(list, Ty::Unit, span)
    }

    /// What a field holds for the pattern of it.
    fn part_of_object(&mut self, field: &FieldSrc, object: Expr, part: &syn::FieldPat) -> Expr {
        let at = self.span(&part.member);
        if field.held.is_cell() && !matches!(*part.pat, syn::Pat::Wild(_)) {
            let words = [
                "a pattern for a field that can be changed",
                "leave it to `..`, and read it with `.get()` where its value is needed",
            ];
            self.err(DiagCode::UnsupportedPattern, at, &words);
            return Expr::error(at);
        }
        match &field.ty {
            Ty::Error => Expr::error(at),
            ty => Expr::op(Op::GetField(field.id), vec![object], ty.clone(), at),
        }
    }

    /// Declares the names in a struct pattern that has been complained about.
    pub(in crate::check) fn no_parts(&mut self, pat: &syn::PatStruct, span: Span) -> Expr {
        for part in &pat.fields {
            self.pat(&part.pat, &Ty::Error);
        }
        Expr::error(span)
    }
}
