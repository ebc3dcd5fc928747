//! The methods of `Option` that change the option they are called on, which must be in a local.
//!
//! In: calls, as in [`crate::check::std_calls::option_methods`]. Out: assignments. Invariant: what is put in is computed before the old value is
//! read, as the borrow checker has it; where Rust gives a reference to what is inside, the value is its value.

use crate::check::expr::aggregate::{NONE, SOME};
use crate::check::fcx::FnCx;
use crate::check::hir::Expr;
use crate::check::std_calls::option_methods::{Call, Case, constant, payload};
use crate::check::terms::Place;
use crate::tast::{LocalId, Span};
use crate::types::ty::Ty;

impl<'a> FnCx<'a> {
    /// One of the methods.
    pub(in crate::check) fn change(&mut self, call: Call<'_>, inner: Ty) -> Expr {
        let (span, ty) = (call.span, inner.clone().option());
        let Some(place) = call.place.clone() else {
            // What is not in a variable cannot be looked at afterwards.
            return self.no_such_method(call);
        };
        let args = call.args.clone();
        match (call.name.as_str(), args.as_slice()) {
            ("take", []) => {
                let none = self.make(NONE, Vec::new(), ty, span);
                self.put(call.receiver, place, none, span)
            }
            ("replace", [value]) => {
                let value = self.coerced(value, &inner);
                let some = self.make(SOME, vec![value], ty, span);
                self.put(call.receiver, place, some, span)
            }
            ("insert", [value]) => {
                let value = self.coerced(value, &inner);
                let fresh = self.temp("new", inner.clone(), span);
                let read = self.read(fresh, span);
                let some = self.make(SOME, vec![read], ty, span);
                let write = self.write_place(place, some, span);
                let value = vec![Expr::bind(fresh, value), write, self.read(fresh, span)];
                Expr::block(value, inner, span)
            }
            ("take_if", [test]) => self.take_if(call, place, inner, test),
            ("get_or_insert", [value]) => {
                let value = self.coerced(value, &inner);
                let fresh = self.temp("new", inner.clone(), span);
                let first = Expr::bind(fresh, value);
                let new = constant(self.read(fresh, span));
                let choice = self.get_or(call.receiver, place, inner.clone(), new, span);
                Expr::block(vec![first, choice], inner, span)
            }
            ("get_or_insert_with", [f]) => {
                let new = self.called(f, Some(inner.clone()), None, span);
                self.get_or(call.receiver, place, inner, new, span)
            }
            ("get_or_insert_default", []) => match self.default_of(&inner, span) {
                Some(value) => self.get_or(call.receiver, place, inner, constant(value), span),
                None => self.no_such_method(call),
            },
            _ => self.no_such_method(call),
        }
    }

    /// Puts a new value into a place; the value is the old one.
    fn put(&mut self, receiver: Expr, place: Place, new: Expr, span: Span) -> Expr {
        let ty = receiver.ty.clone();
        let (fresh, old) = (
            self.temp("new", ty.clone(), span),
            self.temp("old", ty.clone(), span),
        );
        let value = self.read(fresh, span);
        let list = vec![
            Expr::bind(fresh, new),
            Expr::bind(old, receiver),
            self.write_place(place, value, span),
            self.read(old, span),
        ];
        Expr::block(list, ty, span)
    }

    /// What is in an option, where `new` is put if there is nothing.
    fn get_or(
        &mut self,
        receiver: Expr,
        place: Place,
        inner: Ty,
        new: Case<'_, 'a>,
        span: Span,
    ) -> Expr {
        let ty = inner.clone();
        let fill: Case<'_, 'a> = Box::new(move |fcx, none| {
            let value = new(fcx, none);
            let value = fcx.coerce(value, &ty);
            let fresh = fcx.temp("new", ty.clone(), span);
            let read = fcx.read(fresh, span);
            let some = fcx.make(SOME, vec![read], ty.clone().option(), span);
            let list = vec![
                Expr::bind(fresh, value),
                fcx.write_place(place, some, span),
                fcx.read(fresh, span),
            ];
            Expr::block(list, ty, span)
        });
        self.cases(receiver, [fill, payload()], Some(inner), span)
    }

    /// `option.take_if(test)`; the test gets a `&mut`, which is refused where it is used as one.
    fn take_if(&mut self, call: Call<'_>, place: Place, inner: Ty, test: &syn::Expr) -> Expr {
        let (span, ty) = (call.span, inner.clone().option());
        let none = |fcx: &mut Self| fcx.make(NONE, Vec::new(), ty.clone(), span);
        let empty = constant(none(self));
        let (emptied, kept) = (none(self), none(self));
        let ask: Case<'_, 'a> = Box::new(move |fcx, payload| {
            let value = payload.unwrap_or_else(|| Expr::error(span));
            let local: LocalId = fcx.temp("taken", inner, span);
            let first = Expr::bind(local, value);
            let asked = fcx.read(local, span);
            let test = fcx.apply(test, vec![asked], Some(&Ty::Bool));
            let test = fcx.coerce(test, &Ty::Bool);
            let taken = fcx.read(local, span);
            let ty = kept.ty.clone();
            let some = fcx.make(SOME, vec![taken], ty.clone(), span);
            let write = fcx.write_place(place, emptied, span);
            let take = Expr::block(vec![write, some], ty.clone(), span);
            let choice = Expr::if_else(test, take, kept, ty.clone(), span);
            Expr::block(vec![first, choice], ty, span)
        });
        self.cases(call.receiver, [empty, ask], None, span)
    }
}
