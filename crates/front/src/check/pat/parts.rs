//! Patterns that take values apart: tuples, arrays, structs, variants.
//!
//! In: a pattern with others inside, and the type of what it is matched against. Out: a pattern for
//! each field. Invariant: `..` stands for as many fields as there are; fields are numbered as they
//! are declared.

use crate::check::expr::aggregate::{ERR, OK, SOME, result_ty};
use crate::check::expr::control::wild;
use crate::check::expr::path::Val;
use crate::check::fcx::FnCx;
use crate::check::hir::{Pat, PatKind};
use crate::items::*;
use crate::source::diag::DiagCode;
use crate::source::syntax::{member_name, name_of};
use crate::tast::Span;
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// `(p, q, ..)`
    pub(in crate::check) fn tuple_parts(
        &mut self,
        p: &syn::PatTuple,
        ty: &Ty,
        span: Span,
    ) -> PatKind {
        let pats: Vec<&syn::Pat> = p.elems.iter().collect();
        if p.elems.is_empty() {
            self.equate(ty, &Ty::Unit, span);
            return PatKind::Wild;
        }
        let rest = pats.iter().any(|p| matches!(p, syn::Pat::Rest(_)));
        let parts = match self.infer.shallow(ty) {
            Ty::Tuple(parts) => parts,
            Ty::Error => vec![Ty::Error; pats.len()],
            _ if rest => {
                self.err(DiagCode::Annotate, span, &["tuple"]);
                return PatKind::Error;
            }
            _ => pats.iter().map(|_| self.hole(span)).collect(),
        };
        let whole = Ty::Tuple(parts.clone());
        self.equate(ty, &whole, span);
        match self.with_rest(&pats, &parts, None, span) {
            Some(fields) => PatKind::Variant(0, fields),
            None => PatKind::Error,
        }
    }

    /// `[p, q, ..]`
    pub(in crate::check) fn slice_pat(
        &mut self,
        p: &syn::PatSlice,
        ty: &Ty,
        span: Span,
    ) -> PatKind {
        let pats: Vec<&syn::Pat> = p.elems.iter().collect();
        let rest = pats.iter().any(|p| matches!(p, syn::Pat::Rest(_)));
        let (item, len) = match self.infer.shallow(ty) {
            Ty::Fixed(item, len) => (*item, len),
            Ty::Error => (Ty::Error, pats.len() as u32),
            Ty::Var(_) if !rest => {
                let item = self.hole(span);
                let whole = Ty::Fixed(Box::new(item.clone()), pats.len() as u32);
                self.equate(ty, &whole, span);
                (item, pats.len() as u32)
            }
            _ => {
                let words = [
                    "this pattern",
                    "arrays `[T; N]` are matched so, and nothing else: of a `GcArray`, compare `items.len()`, and take `items[0]`",
                ];
                let bad = self
                    .bad_pat(DiagCode::UnsupportedPattern, span, &words)
                    .kind;
                // The names in it are there, whatever they are.
                for pat in pats {
                    if !matches!(pat, syn::Pat::Rest(_)) {
                        self.pat(pat, &Ty::Error);
                    }
                }
                return bad;
            }
        };
        let types = vec![item; len as usize];
        match self.with_rest(&pats, &types, None, span) {
            Some(fields) => PatKind::Variant(0, fields),
            None => PatKind::Error,
        }
    }

    /// Patterns for all fields, where `..` stands for any number.
    fn with_rest(
        &mut self,
        pats: &[&syn::Pat],
        types: &[Ty],
        variant: Option<u32>,
        span: Span,
    ) -> Option<Vec<Pat>> {
        let is_rest = |p: &&syn::Pat| matches!(p, syn::Pat::Rest(_));
        let at = pats.iter().position(is_rest);
        let given = pats.len() - usize::from(at.is_some());
        let skipped = types.len().checked_sub(given);
        let Some(skipped) = skipped.filter(|s| at.is_some() || *s == 0) else {
            let wanted = format!("{} fields", types.len());
            let message = format!("{given} patterns for {wanted}");
            let words = [message.as_str(), "give one pattern for each, or `..`"];
            self.err(DiagCode::UnsupportedPattern, span, &words);
            pats.iter().filter(|p| !is_rest(p)).for_each(|p| {
                self.pat(p, &Ty::Error);
            });
            return None;
        };
        let mut out = Vec::new();
        for pat in pats {
            match is_rest(pat) {
                true => out.extend((0..skipped).map(|_| wild(span))),
                false => {
                    let ty = types[out.len()].clone();
                    out.push(self.field_pat(variant, out.len() as u32, pat, &ty));
                }
            }
        }
        Some(out)
    }

    /// `Point { x, .. }`, `Shape::Rect { w, h }`
    pub(in crate::check) fn struct_pat(
        &mut self,
        p: &syn::PatStruct,
        ty: &Ty,
        span: Span,
    ) -> PatKind {
        let at = self.span(&p.path);
        let found = self.struct_def(&p.path, p.qself.as_ref());
        let found = match found {
            Some(Val::Make(found, variant)) => Some((found, variant)),
            Some(Val::Error) => None,
            Some(_) => {
                let words = [
                    "the pattern of a heap class in a `match`",
                    "take the object apart with `let`, or read its fields",
                ];
                let bad = self.bad_pat(DiagCode::UnsupportedPattern, span, &words);
                self.no_parts(p, span);
                return bad.kind;
            }
            None => {
                let text = crate::source::syntax::plain(&p.path).segs.join("::");
                self.err(DiagCode::UnknownName, at, &[&text]);
                None
            }
        };
        if let Some((found, _)) = &found {
            self.equate(ty, found, span);
        }
        let src = found
            .as_ref()
            .and_then(|(found, variant)| self.variant_src(found, *variant));
        let (Some((found, variant)), Some(src)) = (found, src) else {
            p.fields.iter().for_each(|f| {
                self.pat(&f.pat, &Ty::Error);
            });
            return PatKind::Error;
        };
        let outer = self.pat.in_fields;
        self.pat.in_fields |= self.holds_no_references(&found);
        let step = self.is_enum(&found).then_some(variant);
        let mut fields: Vec<Option<Pat>> = src.fields.iter().map(|_| None).collect();
        for field in p
            .fields
            .iter()
            .filter(|f| crate::source::cfg::enabled(&f.attrs))
        {
            let name = member_name(&field.member);
            match src.fields.iter().position(|f| f.0 == name) {
                Some(index) => {
                    let (part, ty) = (index as u32, &src.fields[index].1);
                    fields[index] = Some(self.field_pat(step, part, &field.pat, ty));
                }
                None => {
                    let shown = self.show(&found);
                    self.err(
                        DiagCode::NoField,
                        self.span(&field.member),
                        &[&name, &shown],
                    );
                    self.pat(&field.pat, &Ty::Error);
                }
            }
        }
        self.pat.in_fields = outer;
        let missing = fields.iter().position(Option::is_none);
        if let Some(index) = missing.filter(|_| p.rest.is_none()) {
            let what = format!("a pattern without the field `{}`", src.fields[index].0);
            let words = [what.as_str(), "add it, or `..`"];
            self.err(DiagCode::UnsupportedPattern, span, &words);
        }
        let fields = fields.into_iter().map(|f| f.unwrap_or_else(|| wild(span)));
        PatKind::Variant(variant, fields.collect())
    }

    /// A struct or variant with its fields in parentheses.
    pub(in crate::check) fn adt_pat(
        &mut self,
        (found, variant): (Ty, u32),
        fields: &[&syn::Pat],
        ty: &Ty,
        span: Span,
    ) -> PatKind {
        self.equate(ty, &found, span);
        let Some(src) = self.variant_src(&found, variant) else {
            fields.iter().for_each(|f| {
                self.pat(f, &Ty::Error);
            });
            return PatKind::Error;
        };
        let types: Vec<Ty> = src.fields.into_iter().map(|f| f.1).collect();
        let step = self.is_enum(&found).then_some(variant);
        let outer = self.pat.in_fields;
        self.pat.in_fields |= self.holds_no_references(&found);
        let checked = self.with_rest(fields, &types, step, span);
        self.pat.in_fields = outer;
        match checked {
            Some(fields) => PatKind::Variant(variant, fields),
            None => PatKind::Error,
        }
    }

    /// Whether the fields of a type are what their declaration says, which has no references.
    fn holds_no_references(&self, ty: &Ty) -> bool {
        let key = self.key_of(ty);
        key.is_some_and(|(key, _)| self.cx.krate.key_generics(key).is_empty())
    }

    /// `Some(p)`, `Ok(p)`, structs and variants with their fields in parentheses.
    pub(in crate::check) fn tuple_pat(
        &mut self,
        p: &syn::PatTupleStruct,
        ty: &Ty,
        span: Span,
    ) -> Pat {
        let path = syn::ExprPath {
            attrs: Vec::new(),
            qself: p.qself.clone(),
            path: p.path.clone(),
        };
        let fields: Vec<&syn::Pat> = p.elems.iter().collect();
        let value = self.value(&path);
        if let Val::Make(found, variant) = value {
            let kind = self.adt_pat((found, variant), &fields, ty, span);
            return Pat { kind, span };
        }
        let kind = match (value, fields.as_slice()) {
            (Val::Def(Def::Builtin(Builtin::Some)), [inner]) => {
                let hole = self.hole(span);
                let whole = hole.clone().option();
                self.equate(ty, &whole, span);
                PatKind::Variant(SOME, vec![self.field_pat(Some(SOME), 0, inner, &hole)])
            }
            (Val::Def(Def::Builtin(which @ (Builtin::Ok | Builtin::Err))), [inner]) => {
                let variant = if which == Builtin::Ok { OK } else { ERR };
                let hole = self.hole(span);
                let whole = result_ty(&mut self.infer, variant, hole.clone(), span);
                self.equate(ty, &whole, span);
                PatKind::Variant(
                    variant,
                    vec![self.field_pat(Some(variant), 0, inner, &hole)],
                )
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
                    "use literals, constants, ranges, names, tuples, structs and variants",
                ];
                self.err(DiagCode::UnsupportedPattern, span, &words);
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
                Some(self.bind_name(name_of(&p.ident), &field_ty, at))
            }
            _ => {
                let words = ["a pattern inside a variant", "bind the `Gc` to a name"];
                self.err(DiagCode::UnsupportedPattern, at, &words);
                return PatKind::Error;
            }
        };
        match class {
            Some(class) => PatKind::Class(class, local),
            None => PatKind::Error,
        }
    }
}
