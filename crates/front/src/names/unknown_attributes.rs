//! What may make rustc read an item differently: attributes and derives of other crates, calls of
//! macro calls whose expansion is unknown, conditions that are not decided.
//!
//! In: items as they are collected. Out: diagnostics about those that traced code has reached.
//! Invariant: an item that is not reached is not judged; of one that is, every attribute is either
//! known to change nothing, or one of the translator's.

use crate::cx::Cx;
use crate::cx::sources::{ClassSrc, Target};
use crate::expand::failed_call;
use crate::items::tables::{Note, Reached};
use crate::items::{Crate, FnItemId, ModId, PlainPath, TraitKey, TypeKey};
use crate::source::cfg;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::known_names::{DERIVES, is_our_attribute};
use crate::source::load::span_of;
use crate::source::syntax::{name_of, plain};
use crate::types::generics::Inst;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Token};

/// Attributes of rustc that change nothing of what an item means to traced code.
const ATTRIBUTES: &[&str] = &[
    "allow",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "export_name",
    "forbid",
    "ignore",
    "inline",
    "link_section",
    "macro_export",
    "macro_use",
    "must_use",
    "no_mangle",
    "non_exhaustive",
    "path",
    "repr",
    "should_panic",
    "target_feature",
    "test",
    "track_caller",
    "unsafe",
    "used",
    "warn",
];
/// Calls at the place of an item whose names say what they declare.
const MACROS: &[&str] = &["compile_error", "include_jit", "thread_local"];

impl Crate {
    /// Takes note of what attributes of an item may hide.
    pub fn see_attributes(&mut self, item: Reached, module: ModId, attrs: &[Attribute]) {
        let file = self.modules[module].file;
        let attrs = cfg::expand(attrs.to_vec());
        if crate::collect::attrs::has(&attrs, crate::source::known_names::ROOTED) {
            self.rooted.insert(item);
        }
        for attr in attrs {
            let path = plain(attr.path());
            let names: Vec<&str> = path.segs.iter().map(String::as_str).collect();
            let mut note = |path: PlainPath, at: proc_macro2::Span, what: String| {
                let note = Note {
                    code: DiagCode::UnknownAttribute,
                    at: span_of(file, at),
                    module,
                    path,
                    words: [what, String::new()],
                };
                self.hidden.0.entry(item).or_default().push(note);
            };
            match names.as_slice() {
                ["rustfmt" | "clippy" | "diagnostic", ..] => {}
                ["derive"] => {
                    let list = Punctuated::<syn::Path, Token![,]>::parse_terminated;
                    for derive in attr.parse_args_with(list).into_iter().flatten() {
                        let what = format!("the derive `{}`", plain(&derive).segs.join("::"));
                        note(plain(&derive), derive.span(), what);
                    }
                }
                [name] if ATTRIBUTES.contains(name) => {}
                _ => {
                    let what = format!("the attribute `#[{}]`", names.join("::"));
                    let at = attr.path().span();
                    note(path, at, what);
                }
            }
        }
    }

    /// Records an unexpanded macro call among the members of an `impl` or a trait.
    pub fn see_member_call(&mut self, of: Reached, module: ModId, mac: &syn::Macro) {
        let file = self.modules[module].file;
        let name = mac.path.segments.last();
        let name = name.map_or(String::new(), |s| name_of(&s.ident));
        let (code, words) = match failed_call(&name) {
            Some((name, number)) => {
                let why = self.expansions.failures[number].why.clone();
                (DiagCode::BadExpansion, [name.to_owned(), why])
            }
            None => (DiagCode::UnsupportedMacro, [name, String::new()]),
        };
        let note = Note {
            code,
            at: span_of(file, mac.span()),
            module,
            path: plain(&mac.path),
            words,
        };
        self.hidden.0.entry(of).or_default().push(note);
    }

    /// Records the undecided conditions in attributes of an item.
    pub fn see_conditions(&mut self, item: Reached, module: ModId, attrs: &[Attribute]) {
        let file = self.modules[module].file;
        for (name, at) in attrs.iter().flat_map(cfg::undecided) {
            let note = Note {
                code: DiagCode::UnknownCfg,
                at: span_of(file, at),
                module,
                path: PlainPath {
                    global: false,
                    segs: Vec::new(),
                },
                words: [name.clone(), name],
            };
            self.hidden.0.entry(item).or_default().push(note);
        }
    }

    /// Whether a path of an attribute or a derive leads to what its last segment says.
    fn is_known_attribute(&self, module: ModId, path: &PlainPath) -> bool {
        let Some(last) = path.segs.last().map(String::as_str) else {
            return false;
        };
        let ours = |krate: &str| krate == "verdigris" && is_our_attribute(last);
        let std =
            |krate: &str| matches!(krate, "std" | "core" | "alloc") && DERIVES.contains(&last);
        if path.segs.len() > 1 {
            let krate = self.crate_of(module, path);
            return krate.is_some_and(|krate| ours(&krate) || std(&krate));
        }
        let mut from = Some(module);
        while let Some(module) = from {
            let here = &self.modules[module];
            for import in here.imports.get(last).into_iter().flatten() {
                let krate = self.crate_of(module, import);
                if krate.is_some_and(|krate| !ours(&krate) && !std(&krate)) {
                    return false;
                }
            }
            from = here.parent.filter(|_| here.block);
        }
        is_our_attribute(last) || DERIVES.contains(&last)
    }
}

/// Complains about what the items that have been reached hide.
pub(crate) fn check(cx: &mut Cx) {
    let mut reached: Vec<(Reached, ModId)> = Vec::new();
    let insts: Vec<Inst> = cx.queue.func_items.values().copied().collect();
    for inst in insts {
        let item = &cx.krate.fns[inst.item];
        reached.push((Reached::Fn(inst.item), item.module));
        reached.extend(item.owner.map(|owner| (Reached::Impl(owner), item.module)));
    }
    let adts = cx.interned.adt_src.values().map(|adt| adt.key);
    let objects = cx
        .interned
        .object_src
        .values()
        .map(|id| TypeKey::Object(*id));
    let classes = cx
        .interned
        .classes
        .values()
        .filter_map(|class| match class {
            ClassSrc::Struct { item, .. } => Some(TypeKey::Struct(*item)),
            ClassSrc::Array { .. } => None,
        });
    for key in adts.chain(objects).chain(classes) {
        let declared = match key {
            TypeKey::Object(id) => TypeKey::Enum(id),
            key => key,
        };
        reached.push((Reached::Type(declared), cx.krate.key_module(key)));
    }
    let types: FxHashSet<Reached> = reached.iter().map(|(item, _)| *item).collect();
    for (id, block) in &cx.krate.impls {
        let is_reached = |target| match target {
            TypeKey::Object(id) => types.contains(&Reached::Type(TypeKey::Enum(id))),
            key => types.contains(&Reached::Type(key)),
        };
        let for_reached = block.target.map(is_reached);
        if for_reached == Some(true) {
            reached.push((Reached::Members(id), block.module));
        }
        if let (Some(true) | None, Some(TraitKey::User(of))) = (for_reached, &block.key) {
            reached.push((Reached::Trait(*of), cx.krate.traits[*of].module));
        }
    }
    let consts = cx.interned.consts.keys().map(|(id, _)| *id);
    reached.extend(consts.map(|id| (Reached::Const(id), cx.krate.consts[id].module)));
    let mut items: BTreeSet<(u8, u32)> = BTreeSet::new();
    let mut found = called(cx);
    for (item, module) in reached {
        let around = std::iter::successors(Some(module), |m| cx.krate.modules[*m].parent);
        let around: Vec<Reached> = around.map(Reached::Mod).collect();
        for item in std::iter::once(item).chain(around) {
            if items.insert(number(item)) {
                found.extend(cx.krate.hidden.0.get(&item).into_iter().flatten().cloned());
            }
        }
    }
    for note in found {
        let is_attribute = note.code == DiagCode::UnknownAttribute;
        if is_attribute && cx.krate.is_known_attribute(note.module, &note.path) {
            continue;
        }
        let [first, second] = &note.words;
        cx.err(note.code, note.at, &[first, second]);
    }
    unexpanded(cx);
}

/// Of functions that are called, not traced, native code has the truth; but it must be our
/// attribute that says so.
fn called(cx: &Cx) -> Vec<Note> {
    let called = cx
        .queue
        .targets
        .iter()
        .filter(|(_, target)| matches!(target, Target::Called(_)));
    let items: BTreeSet<FnItemId> = called.map(|(inst, _)| inst.item).collect();
    let notes = items
        .into_iter()
        .filter_map(|id| cx.krate.hidden.0.get(&Reached::Fn(id)));
    let is_ours = |note: &&Note| note.path.segs.last().is_some_and(|n| is_our_attribute(n));
    notes.flatten().filter(is_ours).cloned().collect()
}

fn number(item: Reached) -> (u8, u32) {
    match item {
        Reached::Mod(id) => (0, id.as_u32()),
        Reached::Fn(id) => (1, id.as_u32()),
        Reached::Type(TypeKey::Struct(id)) => (2, id.as_u32()),
        Reached::Type(TypeKey::Enum(id) | TypeKey::Object(id)) => (3, id.as_u32()),
        Reached::Impl(id) => (4, id.as_u32()),
        Reached::Const(id) => (5, id.as_u32()),
        Reached::Members(id) => (6, id.as_u32()),
        Reached::Trait(id) => (7, id.as_u32()),
        Reached::Alias(id) => (8, id.as_u32()),
    }
}

/// Complains about calls of macros that may declare what has been taken from a glob import.
fn unexpanded(cx: &mut Cx) {
    let taken = cx.krate.glob_uses.take().unwrap_or_default();
    let mut modules: FxHashMap<ModId, &str> = FxHashMap::default();
    for (module, name) in &taken {
        modules.entry(*module).or_insert(name);
    }
    let mut found = Vec::new();
    for (module, name) in modules {
        for (mac, at) in &cx.krate.modules[module].unexpanded {
            found.push(match failed_call(mac) {
                Some((mac, number)) => {
                    let failure = &cx.krate.expansions.failures[number];
                    let d = Diagnostic::new(DiagCode::BadExpansion, *at, &[mac, &failure.why]);
                    d.at(failure.defined, "the macro")
                }
                None => Diagnostic::new(DiagCode::Unexpanded, *at, &[mac, name]),
            });
        }
    }
    found.into_iter().for_each(|d| cx.report(d));
}

/// The name of a call at the place of an item; none if it is known what it declares.
pub(crate) fn unknown_call(mac: &syn::Macro) -> Option<String> {
    let last = name_of(&mac.path.segments.last()?.ident);
    let from = plain(&mac.path);
    let is_std =
        from.segs.len() == 1 || matches!(from.segs[0].as_str(), "std" | "core" | "verdigris");
    (!is_std || !MACROS.contains(&last.as_str())).then_some(last)
}
