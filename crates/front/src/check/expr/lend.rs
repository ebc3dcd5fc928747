//! References to values that are held in locals.
//!
//! In: `&x`, `&mut x`, `*x`, and what is matched or called on. Out: values and places. A shared
//! reference is the value that it refers to: that cannot change while the reference lives, and
//! traced code has no way to ask for its address. A mutable one is a place, a local or a part of
//! one, that is known when the source is read: `let r = &mut x.y` makes `r` another name of `x.y`,
//! a `&mut` parameter is a local of the callee that starts with what the place holds and is
//! assigned to the place when the callee returns. That means the same because the borrow is
//! exclusive.
//!
//! Invariant: a mutable reference is nowhere a value; where its place is not known there is a
//! diagnostic.

use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Op};
use crate::check::terms::{Borrowed, Name, Place, Step, Subject};
use crate::items::TypeKey;
use crate::source::diag::DiagCode;
use crate::source::syntax::{bare, name_of};
use crate::tast::{LocalId, Span};
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// The local that an expression names.
    pub(in crate::check) fn named(&self, expr: &syn::Expr) -> Option<LocalId> {
        match bare(expr) {
            syn::Expr::Path(e) if e.qself.is_none() => {
                let name = e.path.get_ident().map(name_of)?;
                self.lookup(&name)
            }
            _ => None,
        }
    }

    /// Whether a local's name is a `&mut`.
    pub(in crate::check) fn is_lent(&self, local: LocalId) -> bool {
        matches!(self.locals[local].name_is, Name::Lent | Name::Alias(_))
    }

    /// What a local's name stands for, or refers to.
    pub(in crate::check) fn place_named(&self, local: LocalId) -> Place {
        match &self.locals[local].name_is {
            Name::Alias(place) => place.clone(),
            Name::Value | Name::Lent | Name::Closure(_) => Place::of(local),
        }
    }

    /// Whether a type is an enum of the crate.
    pub(in crate::check) fn is_enum(&self, ty: &Ty) -> bool {
        matches!(self.key_of(ty), Some((TypeKey::Enum(_), _)))
    }

    pub(in crate::check) fn place_ty(&self, place: &Place) -> Ty {
        let last = place.path.last();
        last.map_or_else(|| self.locals[place.local].ty.clone(), |s| s.ty.clone())
    }

    pub(in crate::check) fn read_place(&self, place: &Place, span: Span) -> Expr {
        let mut value = Expr::local(place.local, self.locals[place.local].ty.clone(), span);
        for step in &place.path {
            let op = match step.variant {
                None => Op::Part(step.field),
                Some(variant) => Op::Payload(variant, step.field),
            };
            value = Expr::op(op, vec![value], step.ty.clone(), span);
        }
        value
    }

    /// The place of a local, of a part of one, or of what a reference to one refers to; without
    /// complaints.
    pub(in crate::check) fn find_place(&mut self, expr: &syn::Expr) -> Option<Place> {
        match bare(expr) {
            syn::Expr::Path(_) => Some(self.place_named(self.named(expr)?)),
            syn::Expr::Field(e) => {
                let base = self.find_place(&e.base)?;
                let whole = self.place_ty(&base);
                let (field, ty) = self.part_of(&whole, &e.member)?;
                Some(base.part(Step {
                    variant: None,
                    field,
                    ty,
                }))
            }
            syn::Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => self.find_place(&e.expr),
            _ => None,
        }
    }

    /// The place that a `&mut` expression refers to, and what has to be done first; none if it is
    /// not one.
    pub(in crate::check) fn lent_place(
        &mut self,
        expr: &syn::Expr,
    ) -> Option<(Option<Expr>, Place)> {
        match bare(expr) {
            syn::Expr::Reference(e) if e.mutability.is_some() => Some(self.borrow(&e.expr)),
            syn::Expr::Path(_) => {
                let local = self.named(expr)?;
                let lent = self.is_lent(local);
                lent.then(|| (None, self.place_named(local)))
            }
            _ => None,
        }
    }

    /// What `&mut inner` refers to; a value that is in no place gets a variable.
    fn borrow(&mut self, inner: &syn::Expr) -> (Option<Expr>, Place) {
        if let Some(place) = self.find_place(inner) {
            self.check_frozen(&place, inner);
            return (None, place);
        }
        let span = self.span(inner);
        if self.is_item(inner) || self.indexed(inner).is_some() {
            let what = "a `&mut` of an item in this place";
            let help = "copy the item with `let`, change the copy, and assign it back";
            self.err(DiagCode::UnsupportedWithHelp, span, &[what, help]);
        }
        let value = self.place(inner, None);
        if let Ty::Cell(_) = value.ty {
            self.err(DiagCode::CellByValue, span, &[]);
        }
        let temp = self.temp("lent", value.ty.clone(), span);
        (Some(Expr::bind(temp, value)), Place::of(temp))
    }

    /// An argument for a `&mut` parameter: its value now, and where it goes back to.
    pub(in crate::check) fn lend(&mut self, expr: &syn::Expr, ty: &Ty) -> (Expr, Option<Place>) {
        let span = self.span(expr);
        if let syn::Expr::Reference(e) = bare(expr)
            && self.is_item(&e.expr)
        {
            return match self.lend_item(&e.expr) {
                Some((value, place, back)) => {
                    self.after.push(back);
                    (self.coerce(value, ty), Some(place))
                }
                None => (Expr::error(span), None),
            };
        }
        let Some((first, place)) = self.lent_place(expr) else {
            return (self.not_a_place(expr), None);
        };
        let value = self.read_place(&place, span);
        let value = self.coerce(value, ty);
        match first {
            None => (value, Some(place)),
            Some(first) => {
                let ty = value.ty.clone();
                (Expr::block(vec![first, value], ty, span), Some(place))
            }
        }
    }

    /// An item of a local array in a variable of its own: its value, the variable, and what writes
    /// it back.
    pub(in crate::check) fn lend_item(&mut self, item: &syn::Expr) -> Option<(Expr, Place, Expr)> {
        let span = self.span(item);
        let mut list = Vec::new();
        let place = self.item_place(item, &mut list)?;
        let value = self.read_item(&place, &mut list, span);
        let ty = value.ty.clone();
        let lent = self.temp("lent", ty.clone(), span);
        list.push(Expr::bind(lent, value));
        list.push(self.read(lent, span));
        let mut back = Vec::new();
        self.write_item(place, &mut back, span, |fcx, _| fcx.read(lent, span))?;
        let back = Expr::block(back, Ty::Unit, span);
        Some((Expr::block(list, ty, span), Place::of(lent), back))
    }

    /// A value, and then what is done behind the call that gave it.
    pub(in crate::check) fn and_then(&mut self, value: Expr, after: Vec<Expr>, span: Span) -> Expr {
        if after.is_empty() || matches!(value.ty, Ty::Never | Ty::Error) {
            return value;
        }
        let ty = value.ty.clone();
        let result = self.temp("result", ty.clone(), span);
        let mut list = vec![Expr::bind(result, value)];
        list.extend(after);
        list.push(self.read(result, span));
        Expr::block(list, ty, span)
    }

    /// The first argument of a method that is called by its path.
    pub(in crate::check) fn receiver_of(&mut self, arg: &syn::Expr) -> (Expr, Option<Place>) {
        let span = self.span(arg);
        match self.lent_place(arg) {
            None => (self.base(crate::source::syntax::strip_ref(arg)), None),
            Some((first, place)) => {
                let value = self.read_place(&place, span);
                let ty = value.ty.clone();
                let list = first.into_iter().chain([value]).collect();
                (Expr::block(list, ty, span), Some(place))
            }
        }
    }

    /// A receiver for `&mut self`, whose place is known if it is in a local.
    pub(in crate::check) fn lend_receiver(
        &mut self,
        value: Expr,
        place: Option<Place>,
    ) -> (Expr, Place) {
        if let Some(place) = place {
            // What a `&mut` refers to is the same inside of the closure.
            if matches!(self.locals[place.local].name_is, Name::Value) {
                self.check_frozen_at(&place, value.span);
            }
            return (value, place);
        }
        let (ty, span) = (value.ty.clone(), value.span);
        let temp = self.temp("lent", ty.clone(), span);
        let read = self.read(temp, span);
        let list = vec![Expr::bind(temp, value), read];
        (Expr::block(list, ty, span), Place::of(temp))
    }

    /// Complains about a `&mut` of which it is not known what it refers to.
    pub(in crate::check) fn not_a_place(&mut self, expr: &syn::Expr) -> Expr {
        let span = self.span(expr);
        let help = "write `&mut variable` or `&mut variable.field` here: what a reference refers to must be known when the source is read";
        let what = "a `&mut` reference that is computed";
        let known = self.cx.diags.list.len();
        let value = self.place(expr, None);
        match (self.cx.diags.list.len() > known, value.ty) {
            (true, _) | (_, Ty::Error) => Expr::error(span),
            _ => self.bad(DiagCode::UnsupportedWithHelp, span, &[what, help]),
        }
    }

    /// What is matched, and where it is.
    pub(in crate::check) fn subject(&mut self, expr: &syn::Expr) -> Subject {
        let span = self.span(expr);
        if let Some((first, place)) = self.lent_place(expr) {
            let mut value = self.read_place(&place, span);
            if let Some(first) = first {
                let ty = value.ty.clone();
                value = Expr::block(vec![first, value], ty, span);
            }
            return Subject {
                value,
                place: Some(place),
                borrowed: Borrowed::Whole,
            };
        }
        if let Some(place) = self.as_mut(expr) {
            return Subject {
                value: self.read_place(&place, span),
                place: Some(place),
                borrowed: Borrowed::Parts,
            };
        }
        let place = self.find_place(expr);
        Subject {
            value: self.expr(expr, None),
            place,
            borrowed: Borrowed::No,
        }
    }

    /// The place of an option or result whose payload `x.as_mut()` borrows.
    fn as_mut(&mut self, expr: &syn::Expr) -> Option<Place> {
        match bare(expr) {
            syn::Expr::MethodCall(e) if e.method == "as_mut" && e.args.is_empty() => {
                let place = self.find_place(&e.receiver)?;
                let ty = self.infer.shallow(&self.place_ty(&place));
                let is_either = matches!(ty, Ty::Option(_) | Ty::Result(..));
                if is_either {
                    self.note_member(&ty, "as_mut");
                }
                is_either.then_some(place)
            }
            _ => None,
        }
    }

    /// Complains if a `move` closure changes its copy of a variable: here there is only one.
    pub(in crate::check) fn check_frozen(&mut self, place: &Place, at: &syn::Expr) {
        let at = self.span(at);
        self.check_frozen_at(place, at);
    }

    fn check_frozen_at(&mut self, place: &Place, span: Span) {
        if let Some(first) = self.site.frozen
            && place.local < first
        {
            let help = "leave out `move`, or copy the variable with `let` inside the closure";
            let what = "a `move` closure that changes a variable of its function";
            self.err(DiagCode::UnsupportedWithHelp, span, &[what, help]);
        }
    }

    /// `&x`: the value of `x`.
    pub(in crate::check) fn reference(
        &mut self,
        e: &syn::ExprReference,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        if let Some(inner) = crate::source::syntax::deref(&e.expr)
            && self.is_foreign_local(inner)
        {
            return self.lend_on(e, span);
        }
        if e.mutability.is_some() {
            let help = "a `&mut` can be passed to a function, matched, or named by `let`; otherwise return the new value";
            let what = "a `&mut` reference as a value";
            return self.bad(DiagCode::UnsupportedWithHelp, span, &[what, help]);
        }
        match self.named(&e.expr) {
            Some(_) => self.base(&e.expr),
            None => self.expr(&e.expr, expect),
        }
    }

    /// Whether this names a reference to data that traced code only hands on.
    fn is_foreign_local(&self, expr: &syn::Expr) -> bool {
        let syn::Expr::Path(path) = expr else {
            return false;
        };
        let name = path.path.get_ident().map(crate::source::syntax::name_of);
        let local = name.and_then(|name| self.lookup(&name));
        local.is_some_and(|l| matches!(self.infer.shallow(&self.locals[l].ty), Ty::Foreign(_)))
    }

    /// `*x`: what the reference refers to.
    pub(in crate::check) fn deref(&mut self, inner: &syn::Expr) -> Expr {
        match self.named(inner) {
            Some(_) => self.base(inner),
            None => self.expr(inner, None),
        }
    }
}
