//! What the tables of the crate do not keep of its items, but the effects of functions depend on.
//!
//! In: every item that exists, as written, with its module. Out: a [`Survey`]. Invariant: a crate
//! that is not refused consists of the code that can be read: no macro, attribute or derive has
//! added methods or trait impls to it, and no code is called without being named. Where other
//! crates come in, [`super::foreign_crates`] says.

use crate::collect::attrs::has;
use crate::items::tables::{Head, Provided, Static, Survey};
use crate::items::{Crate, ModId, PlainPath};
use crate::source::known_names::{DERIVES, ROOTED, is_our_attribute};
use crate::source::syntax::{name_of, plain};
use proc_macro2::{TokenStream, TokenTree};
use rustc_hash::FxHashSet;
use std::rc::Rc;
use syn::visit::{self, Visit};

/// Attributes of Rust that change nothing of what a function does to the heap.
const ATTRIBUTES: &[&str] = &[
    "allow",
    "cfg",
    "cold",
    "default",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "inline",
    "must_use",
    "non_exhaustive",
    "path",
    "repr",
    "test",
    "track_caller",
    "warn",
];
/// Macros that can stand anywhere.
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "can_enter_jit",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include_bytes",
    "include_jit",
    "include_str",
    "line",
    "macro_rules",
    "matches",
    "merge_point",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];
/// Words that let a macro add items to the crate, or register something with the
/// process.
const WORDS: &[&str] = &[
    "derive", "extern", "impl", "include", "mod", "set_hook", "trait", "use",
];
/// Crates that know nothing of guest heaps, so that they come back through trait impls and closures
/// alone; and ours, whose items are looked at one by one.
const CRATES: &[&str] = &[
    "alloc",
    "bitflags",
    "core",
    "either",
    "hashbrown",
    "indexmap",
    "itertools",
    "itoa",
    "libm",
    "memchr",
    "num_bigint",
    "num_integer",
    "num_traits",
    "rustc_hash",
    "rustix",
    "ryu",
    "smallvec",
    "std",
    "unicode_xid",
    "verdigris",
];

impl Survey {
    /// Looks at an item; at a module without what is in it.
    pub fn see(&mut self, module: ModId, item: &syn::Item) {
        let mut look = Look {
            survey: self,
            module,
            generics: FxHashSet::default(),
            paths: Vec::new(),
            depth: 0,
        };
        match item {
            syn::Item::Mod(item) => item.attrs.iter().for_each(|a| look.visit_attribute(a)),
            _ => look.visit_item(item),
        }
    }
}

/// The crate that a path leads to, if it is another one that may know guest heaps.
pub(crate) fn foreign(krate: &Crate, module: ModId, path: &PlainPath) -> Option<String> {
    krate
        .crate_of(module, path)
        .filter(|name| !is_tame_crate(name))
        .filter(|_| !is_root(krate, module, &path.segs))
}

/// Whether a crate comes back through trait impls and closures alone; ours is looked at name by
/// name.
pub(crate) fn is_tame_crate(name: &str) -> bool {
    CRATES.contains(&name)
}

struct Look<'a> {
    survey: &'a mut Survey,
    module: ModId,
    /// Type parameters of the item.
    generics: FxHashSet<String>,
    /// Paths at the head of what is looked at.
    paths: Vec<PlainPath>,
    /// Enclosing blocks.
    depth: u32,
}

impl Look<'_> {
    fn refuse(&mut self, what: String) {
        self.survey.refusal.get_or_insert(what);
    }

    /// Takes note of what declares these names, which `look` looks at; nothing if it stands inside
    /// of a function.
    fn head(&mut self, names: Vec<String>, is_type: bool, look: impl FnOnce(&mut Self)) {
        let around = std::mem::take(&mut self.paths);
        look(self);
        let paths = std::mem::replace(&mut self.paths, around);
        if self.depth == 0 && !paths.is_empty() {
            self.survey.heads.push(Head {
                module: self.module,
                names,
                is_type,
                paths,
            });
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(ident) if WORDS.contains(&name_of(&ident).as_str()) => {
                    self.refuse(format!("the crate has a macro with `{ident}` in it"));
                }
                _ => {}
            }
        }
    }

    fn add_static(
        &mut self,
        attrs: &[syn::Attribute],
        ident: &syn::Ident,
        ty: syn::Type,
        value: syn::Expr,
    ) {
        let new = Static {
            module: self.module,
            name: ident.clone(),
            rooted: has(attrs, ROOTED),
            ty,
            value,
        };
        let statics = &mut self.survey.statics;
        statics
            .entry(name_of(ident))
            .or_default()
            .push(Rc::new(new));
    }

    fn derives(&mut self, attr: &syn::Attribute) {
        let paths = attr.parse_args_with(
            syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated,
        );
        for path in paths.into_iter().flatten() {
            let name = path.segments.last().map(|s| name_of(&s.ident));
            let name = name.unwrap_or_default();
            if !DERIVES.contains(&name.as_str()) {
                self.refuse(format!("the crate derives `{name}`"));
            }
        }
    }

    fn shown(&mut self, attrs: &[syn::Attribute], fields: &syn::Fields) {
        let derives_debug = |a: &syn::Attribute| {
            let syn::Meta::List(list) = &a.meta else {
                return false;
            };
            let mut tokens = list.tokens.clone().into_iter();
            list.path.is_ident("derive")
                && tokens.any(|t| matches!(t, TokenTree::Ident(i) if i == "Debug"))
        };
        if attrs.iter().any(derives_debug) {
            let names = fields.iter().filter_map(|f| f.ident.as_ref());
            self.survey.shown.extend(names.map(name_of));
        }
    }
}

impl<'ast> Visit<'ast> for Look<'_> {
    fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
        let segs = plain(attr.path()).segs;
        match segs
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .as_slice()
        {
            ["derive"] => self.derives(attr),
            ["rustfmt" | "clippy" | "diagnostic", ..] => {}
            [name] | ["verdigris", name] if ATTRIBUTES.contains(name) || is_our_attribute(name) => {
            }
            _ => self.refuse(format!("the crate has an attribute `{}`", segs.join("::"))),
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let segs = plain(&mac.path).segs;
        let name = segs.last().cloned().unwrap_or_default();
        // A macro of the crate that could not be expanded. Who calls it in a function, is refused
        // there.
        let last = mac.path.segments.last();
        let ours = self.depth > 0
            && last.is_some_and(|s| crate::expand::failed_call(&s.ident.to_string()).is_some());
        let from = segs.first().map(String::as_str);
        let known = MACROS.contains(&name.as_str())
            && (segs.len() == 1 || matches!(from, Some("std" | "core" | "verdigris")));
        if !known && !ours {
            self.refuse(format!("the crate uses the macro `{name}!`"));
        }
        self.tokens(mac.tokens.clone());
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        // Calls of macros of the crate have been expanded.
        if item.ident.is_some() {
            return;
        }
        item.attrs.iter().for_each(|a| self.visit_attribute(a));
        self.visit_macro(&item.mac);
        if item.mac.path.is_ident("thread_local") {
            match item.mac.parse_body::<Locals>() {
                Ok(locals) => locals.0.into_iter().for_each(|(name, ty, value)| {
                    self.head(vec![name_of(&name)], false, |look| look.visit_type(&ty));
                    self.add_static(&item.attrs, &name, ty, value);
                }),
                Err(_) => self.refuse("the crate has an unusual `thread_local!`".to_owned()),
            }
        }
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        if ident == "set_hook" {
            self.refuse("the crate sets a panic hook".to_owned());
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.depth += 1;
        visit::visit_block(self, block);
        self.depth -= 1;
    }

    fn visit_generics(&mut self, generics: &'ast syn::Generics) {
        let names = generics.type_params().map(|p| name_of(&p.ident));
        self.generics.extend(names);
        visit::visit_generics(self, generics);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let written = plain(path);
        let is_param = written
            .segs
            .first()
            .is_some_and(|s| self.generics.contains(s));
        if self.depth == 0 && !is_param {
            self.paths.push(written);
        }
        visit::visit_path(self, path);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let names = vec![name_of(&item.sig.ident)];
        self.head(names, false, |look| visit::visit_item_fn(look, item));
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        let names = vec![name_of(&item.ident)];
        self.head(names, false, |look| visit::visit_item_const(look, item));
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        let names = vec![name_of(&item.ident)];
        self.head(names, true, |look| visit::visit_item_type(look, item));
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if self.depth > 0 {
            self.refuse("the crate has an `impl` inside a function".to_owned());
        }
        self.visit_generics(&item.generics);
        visit::visit_item_impl(self, item);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let names = match item {
            syn::ImplItem::Fn(item) => vec![name_of(&item.sig.ident)],
            syn::ImplItem::Const(item) => vec![name_of(&item.ident)],
            _ => Vec::new(),
        };
        self.head(names, false, |look| visit::visit_impl_item(look, item));
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        let names = match item {
            syn::TraitItem::Fn(item) => vec![name_of(&item.sig.ident)],
            syn::TraitItem::Const(item) => vec![name_of(&item.ident)],
            _ => Vec::new(),
        };
        self.head(names, false, |look| visit::visit_trait_item(look, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        for member in &item.items {
            if let syn::TraitItem::Const(constant) = member
                && constant.default.is_some()
            {
                let what = "the crate has a trait that provides the constant";
                self.refuse(format!("{what} `{}`", constant.ident));
            }
            if let syn::TraitItem::Fn(method) = member
                && let Some(body) = &method.default
            {
                self.survey.provided.push(Rc::new(Provided {
                    module: self.module,
                    sig: method.sig.clone(),
                    body: body.clone(),
                }));
            }
        }
        // A value of the trait has the methods of its supertraits.
        self.head(Vec::new(), false, |look| {
            visit::visit_item_trait(look, item);
        });
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        let (ty, value) = ((*item.ty).clone(), (*item.expr).clone());
        self.add_static(&item.attrs, &item.ident, ty, value);
        let names = vec![name_of(&item.ident)];
        self.head(names, false, |look| visit::visit_item_static(look, item));
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        let name = name_of(&item.ident);
        if !CRATES.contains(&name.as_str()) && name != "self" {
            self.refuse(format!("the crate uses the crate `{name}`"));
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.shown(&item.attrs, &item.fields);
        let mut names = vec![name_of(&item.ident)];
        names.extend(
            item.fields
                .iter()
                .filter_map(|f| f.ident.as_ref().map(name_of)),
        );
        self.head(names, true, |look| visit::visit_item_struct(look, item));
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        for variant in &item.variants {
            self.shown(&item.attrs, &variant.fields);
        }
        let names = std::iter::once(&item.ident).chain(item.variants.iter().map(|v| &v.ident));
        let names = names.map(name_of).collect();
        self.head(names, true, |look| visit::visit_item_enum(look, item));
    }
}

/// The declarations in a `thread_local!`.
struct Locals(Vec<(syn::Ident, syn::Type, syn::Expr)>);

impl syn::parse::Parse for Locals {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Locals> {
        let mut found = Vec::new();
        while !input.is_empty() {
            input.call(syn::Attribute::parse_outer)?;
            input.parse::<syn::Visibility>()?;
            input.parse::<syn::Token![static]>()?;
            let name = input.parse()?;
            input.parse::<syn::Token![:]>()?;
            let ty = input.parse()?;
            input.parse::<syn::Token![=]>()?;
            // `const { .. }` is an expression already.
            found.push((name, ty, input.parse()?));
            if !input.is_empty() {
                input.parse::<syn::Token![;]>()?;
            }
        }
        Ok(Locals(found))
    }
}

/// Whether a path that the resolver does not know begins with the prelude's handle, whose object
/// does not change.
pub(crate) fn is_root(krate: &Crate, module: ModId, segs: &[String]) -> bool {
    let globs = &krate.modules[module].globs;
    let prelude = globs.iter().any(|p| p.segs == ["verdigris", "prelude"]);
    prelude && segs.first().is_some_and(|s| s == "Root")
}
