//! Assignments.
//!
//! In: `=`. Out: assignments of locals and of parts of locals. Invariant: as in Rust, what is
//! assigned is evaluated before the place is.

use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind};
use crate::check::terms::{Place, Step, Subject};
use crate::source::diag::DiagCode;
use crate::source::syntax::{member_name, name_of};
use crate::tast::{self, LocalId, Span};
use crate::types::ty::Ty;

impl FnCx<'_> {
    pub(in crate::check) fn assign(&mut self, e: &syn::ExprAssign, span: Span) -> Expr {
        match &*e.left {
            syn::Expr::Infer(_) => {
                let value = self.expr(&e.right, None);
                Expr::block(vec![value, Expr::unit(span)], Ty::Unit, span)
            }
            syn::Expr::Tuple(_)
            | syn::Expr::Array(_)
            | syn::Expr::Struct(_)
            | syn::Expr::Call(_) => self.assign_parts(e, span),
            target if self.is_item(target) => self.assign_item(target, &e.right, span),
            target => {
                if let Some(item) = self.indexed(target) {
                    return self.assign_indexed(item, &e.right, span);
                }
                let Some(place) = self.assign_target(target) else {
                    self.expr(&e.right, None);
                    return Expr::error(span);
                };
                let ty = self.place_ty(&place);
                let value = self.coerced(&e.right, &ty);
                self.write_place(place, value, span)
            }
        }
    }

    /// An assignment to an item of a local array. As in Rust, the value is computed before the
    /// indices are.
    fn assign_item(&mut self, target: &syn::Expr, value: &syn::Expr, span: Span) -> Expr {
        let ty = self.local_ty(target).unwrap_or(Ty::Error);
        let value = self.coerced(value, &ty);
        let value_ty = match self.infer.shallow(&value.ty) {
            Ty::Never => ty,
            found => found,
        };
        let temp = self.temp("value", value_ty, span);
        let mut list = vec![Expr::bind(temp, value)];
        let Some(place) = self.item_place(target, &mut list) else {
            return Expr::error(span);
        };
        match self.write_item(place, &mut list, span, |fcx, _| fcx.read(temp, span)) {
            Some(()) => Expr::block(list, Ty::Unit, span),
            None => Expr::error(span),
        }
    }

    /// Assigns a field of a local.
    pub(in crate::check) fn assign_field(
        &self,
        local: LocalId,
        index: u32,
        value: Expr,
        span: Span,
    ) -> Expr {
        let place = tast::LocalPlace {
            local,
            path: vec![(0, index)],
        };
        let kind = Kind::AssignPart(place, Box::new(value));
        Expr::new(kind, Ty::Unit, span)
    }

    /// Assigns a local or a part of one.
    pub(in crate::check) fn assign_place(
        &mut self,
        target: &syn::Expr,
        value: Expr,
        span: Span,
    ) -> Option<Expr> {
        let place = self.assign_target(target)?;
        Some(self.write_place(place, value, span))
    }

    /// `(a, b) = value`: as in Rust, a `let` of the same form, and then an assignment for each name
    /// in it.
    fn assign_parts(&mut self, e: &syn::ExprAssign, span: Span) -> Expr {
        let value = self.expr(&e.right, None);
        let mut targets = Vec::new();
        let Some(pat) = pattern_of(&e.left, &mut targets) else {
            let help =
                "what is assigned to are variables, `_`, and tuples, arrays and structs of these";
            let at = self.span(&*e.left);
            return self.bad(DiagCode::AssignTarget, at, &[help]);
        };
        self.scoped(|fcx| {
            let mut list = vec![fcx.destructure(&pat, Subject::of(value), span)];
            for (name, target) in targets {
                let assign: syn::ExprAssign = syn::parse_quote!(#target = #name);
                list.push(fcx.assign(&assign, span));
            }
            list.push(Expr::unit(span));
            Expr::block(list, Ty::Unit, span)
        })
    }

    pub(in crate::check) fn write_place(&self, place: Place, value: Expr, span: Span) -> Expr {
        let value = Box::new(value);
        let kind = match place.path.is_empty() {
            true => Kind::Assign(place.local, value),
            false => Kind::AssignPart(place.finish(), value),
        };
        Expr::new(kind, Ty::Unit, span)
    }

    /// What is assigned; anything but a local or a part of one is a mistake.
    pub(in crate::check) fn assign_target(&mut self, target: &syn::Expr) -> Option<Place> {
        if let Some(local) = self.named(target)
            && self.is_lent(local)
        {
            let name = self.locals[local].name.clone();
            let help = format!(
                "a `&mut` refers to the same variable all its life: assign `*{name}`, or use another name"
            );
            self.err(DiagCode::AssignTarget, self.span(target), &[&help]);
            return None;
        }
        let place = self.target(target)?;
        self.check_frozen(&place, target);
        Some(place)
    }

    /// Complains about a field or item of the heap that is assigned, unless there is a complaint
    /// about it already.
    fn heap_target(&mut self, target: &syn::Expr, span: Span) {
        let found = self.place(target, None);
        let text = self.cx.text(span);
        let help = match self.infer.shallow(&found.ty) {
            Ty::Error => return,
            Ty::Cell(_) => format!("write `{text}.set(..)`"),
            _ => format!(
                "plain fields and items never change; make it a `Cell`, and write `{text}.set(..)`"
            ),
        };
        self.err(DiagCode::AssignTarget, span, &[&help]);
    }

    /// As [`FnCx::assign_target`], where a name may be a reference.
    fn target(&mut self, target: &syn::Expr) -> Option<Place> {
        let span = self.span(target);
        let help = match target {
            syn::Expr::Paren(e) => return self.target(&e.expr),
            syn::Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => {
                if let Some((_, place)) = self.lent_place(&e.expr) {
                    return Some(place);
                }
                "what is not a local variable or a part of one is assigned through `Cell`s: `.set(..)`"
            }
            syn::Expr::Path(e) if e.qself.is_none() => {
                if let Some(ident) = e.path.get_ident() {
                    let name = name_of(ident);
                    let Some(local) = self.lookup(&name) else {
                        self.err(DiagCode::UnknownName, span, &[&name]);
                        return None;
                    };
                    return Some(self.place_named(local));
                }
                "only local variables can be assigned; state that lives longer is a `Cell` field of a `#[gc]` struct"
            }
            syn::Expr::Field(e) if self.is_part(&e.base) => return self.part_target(e),
            syn::Expr::Field(_) | syn::Expr::Index(_) => {
                self.heap_target(target, span);
                return None;
            }
            _ => "assign local variables one by one",
        };
        self.err(DiagCode::AssignTarget, span, &[help]);
        None
    }

    /// Whether an expression is a local held by value, or a part of one.
    fn is_part(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Paren(e) => self.is_part(&e.expr),
            syn::Expr::Unary(e) => self.is_part(&e.expr),
            syn::Expr::Field(e) => self.is_part(&e.base),
            syn::Expr::Path(e) => {
                let local = e.path.get_ident().and_then(|i| self.lookup(&name_of(i)));
                local.is_some_and(|l| self.infer.shallow(&self.locals[l].ty).is_aggregate())
            }
            _ => false,
        }
    }

    fn part_target(&mut self, e: &syn::ExprField) -> Option<Place> {
        let place = self.target(&e.base)?;
        let base = self.place_ty(&place);
        let part = self.part_of(&base, &e.member);
        if part.is_none() {
            let (at, shown) = (self.span(&e.member), self.show(&base));
            let name = member_name(&e.member);
            self.err(DiagCode::NoField, at, &[&name, &shown]);
        }
        let (field, ty) = part?;
        Some(place.part(Step {
            variant: None,
            field,
            ty,
        }))
    }
}

/// The pattern that has a new name wherever an expression has something that is assigned to.
fn pattern_of<'e>(
    target: &'e syn::Expr,
    targets: &mut Vec<(syn::Ident, &'e syn::Expr)>,
) -> Option<syn::Pat> {
    let mut list = |elems: &'e syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>| {
        let pats = elems.iter().map(|elem| pattern_of(elem, targets));
        pats.collect::<Option<Vec<syn::Pat>>>()
    };
    Some(match target {
        syn::Expr::Infer(_) => syn::parse_quote!(_),
        syn::Expr::Range(e) if e.start.is_none() && e.end.is_none() => syn::parse_quote!(..),
        syn::Expr::Paren(e) => return pattern_of(&e.expr, targets),
        syn::Expr::Tuple(e) => {
            let pats = list(&e.elems)?;
            syn::parse_quote!((#(#pats,)*))
        }
        syn::Expr::Array(e) => {
            let pats = list(&e.elems)?;
            syn::parse_quote!([#(#pats,)*])
        }
        syn::Expr::Call(e) if matches!(&*e.func, syn::Expr::Path(_)) => {
            let (path, pats) = (&e.func, list(&e.args)?);
            syn::parse_quote!(#path(#(#pats,)*))
        }
        syn::Expr::Struct(e) if e.rest.is_none() => {
            let (path, rest) = (&e.path, e.dot2_token);
            let fields = e.fields.iter().map(|field| {
                let (member, pat) = (&field.member, pattern_of(&field.expr, targets)?);
                Some(syn::FieldPat {
                    attrs: Vec::new(),
                    member: member.clone(),
                    colon_token: Some(Default::default()),
                    pat: Box::new(pat),
                })
            });
            let fields = fields.collect::<Option<Vec<syn::FieldPat>>>()?;
            syn::parse_quote!(#path { #(#fields,)* #rest })
        }
        syn::Expr::Struct(_) | syn::Expr::Call(_) => return None,
        target => {
            let text = format!("__target_{}", targets.len());
            let name = syn::Ident::new(&text, syn::spanned::Spanned::span(target));
            targets.push((name.clone(), target));
            syn::parse_quote!(#name)
        }
    })
}

/// The type of the local that an expression names.
pub(in crate::check) fn type_of_local(fcx: &FnCx<'_>, expr: &syn::Expr) -> Option<Ty> {
    let syn::Expr::Path(e) = expr else {
        return None;
    };
    let local = e.path.get_ident().and_then(|i| fcx.lookup(&name_of(i)))?;
    Some(fcx.infer.shallow(&fcx.locals[local].ty))
}
