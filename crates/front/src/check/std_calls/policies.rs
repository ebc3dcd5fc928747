//! What the portal's attribute says about calls of the portal:
//! `#[portal(can_never_inline = rare)]`.
//!
//! In: the attribute's options, the checked merge point. Out: the functions that the tracer asks.
//! Invariant: each of them is called, not traced, takes the greens of the merge point and answers
//! with a `bool`. Source: RPython's `JitDriver`.

use crate::check::expr::path::Val;
use crate::check::fcx::FnCx;
use crate::cx::sources::Target;
use crate::items::{Def, FnItemId};
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::Span;
use crate::types::generics::Inst;
use crate::types::ty::Ty;

/// The options whose functions are no part of traced code: the engine calls them as rustc has
/// compiled them.
const ASKED: [&str; 2] = ["tier", "location"];

fn is_asked((name, _): &&(String, syn::ExprPath)) -> bool {
    ASKED.contains(&name.as_str())
}

impl FnCx<'_> {
    /// Takes note of the functions that the engine asks.
    pub(in crate::check) fn note_asked(&mut self, portal: FnItemId) {
        let policies = self.cx.krate.fns[portal].policies.clone();
        for (_, path) in policies.iter().filter(is_asked) {
            self.note_engine_asks(path);
        }
    }

    /// Finds the functions that the portal's attribute names. The types of all variables are known.
    pub(in crate::check) fn policies(&mut self, portal: FnItemId) {
        let item = self.cx.krate.fns[portal].clone();
        let greens: Vec<Ty> = self
            .portal
            .greens
            .iter()
            .map(|&local| self.infer.deep(&self.locals[local].ty))
            .collect();
        for (name, path) in item.policies.iter().filter(|p| !is_asked(p)) {
            let at = self.span(path);
            let function = match self.value(path) {
                Val::Error => continue,
                Val::Def(Def::Fn(id)) => self.policy(name, id, &greens, at),
                _ => {
                    let words = [
                        &*format!("`{name}` is to be a function"),
                        "name a function outside any `impl`, marked `#[elidable]` or `#[opaque]`, which takes the greens",
                    ];
                    self.err(DiagCode::BadAttribute, at, &words);
                    continue;
                }
            };
            if let Some(slot) = self.cx.descrs.policies.by_name(name) {
                *slot = function;
            }
        }
    }

    /// The function that answers for a policy, if it can be asked.
    fn policy(
        &mut self,
        name: &str,
        id: FnItemId,
        greens: &[Ty],
        at: Span,
    ) -> Option<verdigris_ops::FnId> {
        let item = self.cx.krate.fns[id].clone();
        let path = self.cx.krate.fn_path(id);
        let called = item.attrs.elidable || item.attrs.opaque;
        if item.attrs.portal || !called || !item.generics.is_empty() {
            let message =
                format!("`{path}`, which is to be `{name}`, cannot be called by the tracer");
            let help = "mark it `#[elidable]`, or `#[opaque]` if it looks at what changes";
            let d = Diagnostic::new(DiagCode::BadAttribute, at, &[&message, help]);
            self.cx.report(d.at(item.span, "declared here"));
            return None;
        }
        let inst = Inst::plain(id);
        let sig = self.cx.signature(inst);
        if sig.params != greens || sig.ret != Ty::Bool {
            let types: Vec<String> = greens.iter().map(|ty| self.cx.show(ty)).collect();
            let message = format!("`{path}`, which is to be `{name}`, does not take the greens");
            let help = format!("declare it with the types `({}) -> bool`", types.join(", "));
            let d = Diagnostic::new(DiagCode::BadAttribute, at, &[&message, &help]);
            self.cx.report(d.at(item.span, "declared here"));
            return None;
        }
        match self.cx.target(inst, self.func, at) {
            Target::Called(id) => Some(id),
            Target::Traced(_) | Target::Error => None,
        }
    }
}
