//! What calling a function of the crate means: tracing it, or a residual call.
//!
//! In: a function that traced code calls. Out: its identity among the traced or the called
//! functions. Invariant: a function that is called, not traced, has a signature and a place that
//! the attribute macros can make a descriptor for.

use crate::cx::Cx;
use crate::cx::sources::Target;
use crate::items::{FnAttrs, FnItem, FnItemId};
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::known_names::OUR_ATTRIBUTES;
use crate::tast::{FuncId, Span};
use crate::types::generics::{Inst, SubstId};
use crate::types::ty::Ty;
use verdigris_ops::{Effects, FnInfo, FnKind};

/// The largest number of parameters a descriptor can have, `self` included.
const MAX_PARAMS: usize = 10;

impl Cx {
    /// What calling a function means; the function is checked later if it is traced.
    pub fn target(&mut self, inst: Inst, from: Option<FuncId>, at: Span) -> Target {
        if let Some(&target) = self.queue.targets.get(&inst) {
            return target;
        }
        let item = self.krate.fns[inst.item].clone();
        // Recursive signatures cannot happen, but a function may be asked for while it is being
        // entered.
        self.queue.targets.insert(inst, Target::Error);
        let asked = from.map(|from| (from, at));
        let target = match self.check_head(&item) && self.ends(inst, asked) {
            false => Target::Error,
            true if item.attrs.portal || item.attrs.opaque || item.attrs.elidable => {
                self.new_fn(inst, &item)
            }
            true => {
                let func = self.queue.func_items.push(inst);
                self.queue.first_caller.push(asked);
                self.queue.unchecked.push_back(func);
                Target::Traced(func)
            }
        };
        self.queue.targets.insert(inst, target);
        target
    }

    /// Whether the instances of a generic function that ask for others of it come to an end;
    /// complains if not.
    fn ends(&mut self, inst: Inst, mut asked: Option<(FuncId, Span)>) -> bool {
        /// Instances of one function on the way to another.
        const MAX_CHAIN: usize = 16;
        if inst.subst == SubstId::EMPTY {
            return true;
        }
        let mut chain = Vec::new();
        while let Some((func, at)) = asked {
            if self.queue.func_items[func].item == inst.item {
                chain.push((func, at));
            }
            asked = self.queue.first_caller[func];
        }
        if chain.len() < MAX_CHAIN {
            return true;
        }
        let item = &self.krate.fns[inst.item];
        let message = format!(
            "`{}` asks for ever more instances of itself",
            self.krate.fn_path(inst.item)
        );
        let mut d = Diagnostic::new(DiagCode::EndlessInstances, item.span, &[&message]);
        // The first ones say it best: the last ones have long names.
        for (func, at) in chain.into_iter().rev().take(2) {
            let name = self.inst_path(self.queue.func_items[func]);
            d = d.at(at, format!("asked for by `{name}`"));
        }
        self.report(d);
        false
    }

    /// Whether a function is of a kind that traced code can call.
    fn check_head(&mut self, item: &FnItem) -> bool {
        let attrs = [item.attrs.portal, item.attrs.opaque, item.attrs.elidable];
        if item.attrs.clash {
            let message = format!("`{}` has attributes that exclude each other", item.name);
            let names = OUR_ATTRIBUTES.iter().filter(|a| a.exclusive);
            let names: Vec<String> = names.map(|a| format!("`#[{}]`", a.name)).collect();
            let help = format!("a function has at most one of these: {}", names.join(", "));
            self.err(DiagCode::BadAttribute, item.span, &[&message, &help]);
        }
        let traced = !attrs.contains(&true);
        if traced && (item.sig.asyncness.is_some() || item.sig.unsafety.is_some()) {
            let (what, help) = match item.sig.asyncness {
                Some(_) => (
                    "an `async` function",
                    "write it without `async`; what waits can be done in a function marked `#[opaque]`",
                ),
                None => (
                    "an `unsafe` function",
                    "call it in a function marked `#[opaque]`, which is not `unsafe` itself",
                ),
            };
            self.err(DiagCode::UnsupportedWithHelp, item.span, &[what, help]);
            return false;
        }
        true
    }

    /// Makes the portal the first function to check.
    pub fn enter(&mut self, portal: FnItemId) {
        let item = self.krate.fns[portal].clone();
        self.check_head(&item);
        if !item.generics.is_empty() {
            let words = [
                "the portal cannot be generic",
                "write it for the types that it is used with, and call generic functions in it",
            ];
            self.err(DiagCode::BadAttribute, item.span, &words);
            return;
        }
        let what = format!("function `{}`", item.name);
        self.need_module(item.module, &what, item.span);
        let glue = (self.krate).path(item.module, &format!("__vd_portal_{}", item.name));
        self.glue.portal = self.krate.glue_path(&glue);
        let inst = Inst::plain(portal);
        self.check_called(inst, &item);
        let func = self.queue.func_items.push(inst);
        self.queue.first_caller.push(None);
        self.queue.unchecked.push_back(func);
    }

    /// Whether a function that is called, not traced, has a signature that its thunk can have.
    fn check_called(&mut self, inst: Inst, item: &FnItem) {
        let sig = self.signature(inst);
        let path = self.inst_path(inst);
        let mut bad = None;
        if let Some(receiver) = item.sig.receiver()
            && receiver.colon_token.is_some()
        {
            bad = Some(format!(
                "`{path}` is called, not traced: it takes `&self`, or `self` if it is not a method of a class"
            ));
        }
        if sig.ret == Ty::Never {
            bad = Some(format!(
                "`{path}` is called, not traced, so it cannot return `!`"
            ));
        }
        if sig.params.len() > MAX_PARAMS {
            bad = Some(format!(
                "`{path}` has more than {MAX_PARAMS} parameters, but it is called, not traced"
            ));
        }
        let tests_first = sig.params.first() == Some(&Ty::Bool) && sig.ret == Ty::Unit;
        if item.attrs.conditional && !(tests_first && item.owner.is_none()) {
            bad = Some(format!(
                "`{path}` is called if its first parameter is true: it is a function outside `impl` blocks with a `bool` as the first parameter and without a result"
            ));
        }
        if let Some(message) = bad {
            self.err(DiagCode::BadSignature, item.span, &[&message]);
        }
        if item.owner.is_some() && !item.attrs.with_self && !mentions_self(item) {
            let ours = item.attrs.exclusive.filter(|a| a.in_impl.is_some());
            let name = ours.map_or("opaque", |a| a.name);
            let args = ours.and_then(|a| a.in_impl).unwrap_or("Self");
            let message = format!("`#[{name}]` cannot see that `{path}` is in an `impl` block");
            let help = format!("write `#[{name}({args})]`");
            self.err(DiagCode::BadAttribute, item.span, &[&message, &help]);
        }
    }

    fn new_fn(&mut self, inst: Inst, item: &FnItem) -> Target {
        self.check_called(inst, item);
        if item.attrs.portal {
            self.new_runner(item);
        }
        let path = self.inst_path(inst);
        let glue = self.fn_glue_path(inst, item);
        self.glue.fns.push(glue);
        let kind = match item.attrs {
            FnAttrs { portal: true, .. } => FnKind::Portal,
            FnAttrs { elidable: true, .. } if self.is_recorded(item) => FnKind::Recorded,
            FnAttrs { elidable: true, .. } => FnKind::Elidable,
            FnAttrs { readonly: true, .. } => FnKind::Readonly,
            FnAttrs {
                conditional: true, ..
            } => FnKind::Conditional,
            _ => FnKind::Opaque,
        };
        Target::Called(self.descrs.fns.push(unlinked(path, kind)))
    }

    /// What the library alone can ask for, because it looks at the answer: the value that a trace
    /// was recorded with.
    fn is_recorded(&self, item: &FnItem) -> bool {
        item.name == "as_recorded" && self.krate.is_library(item.module)
    }

    /// What `#[portal]` makes beside the portal: the way into it at the merge point, which a
    /// recursive portal needs.
    fn new_runner(&mut self, item: &FnItem) {
        let name = format!("__vd_from_{}", item.name);
        let glue = self.krate.path(item.module, &format!("__vd_fn_{name}"));
        self.glue.fns.push(self.krate.glue_path(&glue));
        let path = self.krate.path(item.module, &name);
        self.descrs.fns.push(unlinked(path, FnKind::Runner));
    }
}

/// A function whose signature is not known yet: see `signatures`, and for the runner, lowering.
fn unlinked(name: String, kind: FnKind) -> FnInfo {
    FnInfo {
        name,
        params: Vec::new(),
        ret: Vec::new(),
        kind,
        effects: Effects::of_kind(kind),
        target: 0,
        thunk: 0,
        invoke: 0,
    }
}

/// Whether the attribute macro on a function can tell from its text that it is an associated
/// function.
pub(crate) fn mentions_self(item: &FnItem) -> bool {
    use syn::visit::Visit;
    struct Search(bool);
    impl<'ast> Visit<'ast> for Search {
        fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
            self.0 |= ident == "Self";
        }
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut search = Search(item.sig.receiver().is_some());
    search.visit_signature(&item.sig);
    search.visit_block(&item.body);
    search.0
}
