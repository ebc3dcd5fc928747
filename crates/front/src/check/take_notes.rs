//! Which functions the calls in a function's source mean, noted while it is checked.
//!
//! In: callees as the checker finds them. Out: their descriptions ([`crate::callees`]), in the order in which they were found.
//! Invariants: a call in the source is noted once, however often what it is in is checked: the body of a closure is where it is
//! inlined first; calls that the source does not have, but the checker makes of something else, are not noted. Nothing is noted
//! unless somebody has asked for it.

use crate::callee::{self, Noted as Found};
use crate::check::fcx::FnCx;
use crate::check::notes::{Noted, Skipped};
use crate::check::terms::Callee;
use crate::types::generics::Inst;
use crate::types::ty::Ty;
use quote::ToTokens;

impl FnCx<'_> {
    fn note(&mut self, noted: impl FnOnce() -> Noted) {
        if self.cx.callees.is_some() && self.notes.quiet == 0 {
            let in_guard = self.notes.guards > 0;
            self.notes.list.push((noted(), in_guard));
        }
    }

    pub(super) fn note_function(&mut self, callee: Callee<'_>) {
        self.note(|| Noted::Function(callee.item, callee.subst, callee.by));
    }

    pub(super) fn note_value(&mut self, callee: Callee<'_>) {
        self.note(|| Noted::Value(callee.item, callee.subst, callee.by));
    }

    /// Takes note of a method, or a function, that a type has without the crate's doing.
    pub(super) fn note_member(&mut self, ty: &Ty, name: &str) {
        self.note(|| Noted::Member(ty.clone(), name.to_owned()));
    }

    pub(super) fn note_operator(&mut self, ty: &Ty, of_trait: &'static str, name: &'static str) {
        self.note(|| Noted::Operator(ty.clone(), of_trait, name));
    }

    pub(super) fn note_path(&mut self, (of, name): (&str, &str)) {
        self.note(|| Noted::Path(format!("{of}::{name}")));
    }

    /// Checks something whose calls are not the source's.
    pub(super) fn quietly<R>(&mut self, check: impl FnOnce(&mut Self) -> R) -> R {
        self.notes.quiet += 1;
        let checked = check(self);
        self.notes.quiet -= 1;
        checked
    }

    /// Takes note of what a branch calls that traced code never takes, so that it is not looked at.
    pub(super) fn note_skipped(&mut self, visit: impl FnOnce(&mut Skipped)) {
        if self.cx.callees.is_some() && self.notes.quiet == 0 {
            visit(&mut self.notes.skipped);
        }
    }

    /// Checks the guard of an arm, which rustc may have for each alternative of the pattern.
    pub(super) fn noted_in_guard<R>(
        &mut self,
        pat: &syn::Pat,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let noting = self.cx.callees.is_some();
        let alternatives = noting && pat.to_token_stream().to_string().contains('|');
        self.notes.guards += u32::from(alternatives);
        let checked = check(self);
        self.notes.guards -= u32::from(alternatives);
        checked
    }

    /// Checks the body of a closure, whose calls are noted the first time.
    pub(super) fn noted_once<R>(
        &mut self,
        closure: &syn::ExprClosure,
        check: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let place = std::ptr::from_ref(closure) as usize;
        if self.notes.closures.contains(&place) {
            return self.quietly(check);
        }
        self.notes.closures.push(place);
        check(self)
    }

    /// Hands over what has been noted, at the end.
    pub(super) fn hand_over_notes(&mut self) {
        let Some(func) = self.func.filter(|_| self.cx.callees.is_some()) else {
            return;
        };
        let notes = std::mem::take(&mut self.notes.list);
        let mut found: Vec<Found> = Vec::new();
        for (noted, in_guard) in notes {
            let mut called = None;
            let is_value = matches!(noted, Noted::Value(..));
            let callee = match noted {
                Noted::Function(item, subst, by) | Noted::Value(item, subst, by) => {
                    let subst = self.cx.substs.get(subst).deep(&self.infer);
                    let subst = self.cx.substs.intern(subst);
                    called = Some(Inst { item, subst });
                    crate::callees::function(self.cx, (item, subst, by), &mut self.infer)
                }
                Noted::Member(ty, name) => {
                    let ty = self.infer.deep(&ty);
                    Some(crate::callees::member(self.cx, &ty, &name))
                }
                Noted::Operator(ty, of_trait, name) => {
                    let ty = self.infer.deep(&ty);
                    Some(crate::callees::operator(self.cx, &ty, of_trait, name))
                }
                Noted::Path(path) => Some(callee::Callee::Path(path)),
            };
            found.extend(callee.map(|callee| Found {
                callee,
                called,
                is_value,
                in_guard,
            }));
        }
        let skipped = std::mem::take(&mut self.notes.skipped.0);
        if let Some(all) = &mut self.cx.callees {
            all.insert(func, callee::Notes { found, skipped });
        }
    }
}
