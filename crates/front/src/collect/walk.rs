//! The walk over the items of a module.
//!
//! In: syntax trees of items. Out: entries of the tables of [`Crate`]. Invariant: what the
//! configuration leaves out leaves no trace.

use crate::collect::attrs::{
    advice, declared, derives, drop_disabled, exclusive, has, is, native_only, policies_of,
};
use crate::collect::effect_args::{names_self, touched};
use crate::collect::modules::new_module;
use crate::collect::split::{LOOK_INSIDE, PROMOTE, Split, split};
use crate::expand::Node;
use crate::items::tables::Reached;
use crate::items::*;
use crate::names::unknown_attributes::unknown_call;
use crate::source::cfg;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::known_names::ROOTED;
use crate::source::load::span_of;
use crate::source::syntax::{attributes, name_of, plain};
use crate::tast::{FileId, Span};
use crate::types::generics::Generics;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Attribute, Item, Visibility};

/// A walk over the items of a module and those inside.
pub(super) struct Walk<'a> {
    pub krate: &'a mut Crate,
    pub diags: &'a mut Vec<Diagnostic>,
    pub module: ModId,
}

impl Walk<'_> {
    pub fn items(&mut self, items: Vec<Item>) {
        for item in items {
            self.item(item);
        }
    }

    /// Items and modules that have been expanded.
    pub fn nodes(&mut self, nodes: Vec<Node>) {
        for node in nodes {
            match node {
                Node::Item(item) => self.item(item),
                Node::Mod(item, tree) => {
                    let item = Item::Mod(item);
                    self.see(&item);
                    let outer = self.module;
                    (self.krate).see_conditions(Reached::Mod(outer), outer, attributes(&item));
                    if let Item::Mod(item) = item
                        && let Some(module) = self.mod_item(&item, Some(tree.file))
                    {
                        self.inside(module).nodes(tree.nodes);
                    }
                }
            }
        }
    }

    fn span(&self, node: &impl Spanned) -> Span {
        let (file, at) = (self.krate.modules[self.module].file, node.span());
        span_of(self.krate.expansions.file_of(at).unwrap_or(file), at)
    }

    /// The module, to declare something in it: from then on, paths may mean something else.
    fn here(&mut self) -> &mut Module {
        self.krate.forget_imports();
        &mut self.krate.modules[self.module]
    }

    fn define(&mut self, ns: Ns, name: String, def: Def) {
        self.here().items.declare(ns, name, def);
    }

    /// The module within which something declared here with this visibility can be named.
    fn visibility(&self, vis: &Visibility) -> ModId {
        let here = self.module;
        let root = self.krate.root();
        match vis {
            Visibility::Public(_) => root,
            Visibility::Inherited => here,
            Visibility::Restricted(restricted) => {
                let segs: Vec<String> = restricted
                    .path
                    .segments
                    .iter()
                    .map(|s| name_of(&s.ident))
                    .collect();
                match self.krate.resolve(here, false, &segs, Ns::Types) {
                    Some((Def::Mod(m), used)) if used == segs.len() => m,
                    _ => here,
                }
            }
        }
    }

    /// Takes note of an item, whatever it is.
    fn see(&mut self, item: &Item) {
        if cfg::enabled(attributes(item)) {
            self.krate.survey.see(self.module, item);
            if let Some((Visibility::Public(_), name)) = declared(item) {
                self.here().exports.insert(name);
            }
        }
    }

    fn item(&mut self, item: Item) {
        self.see(&item);
        let module = self.module;
        (self.krate).see_conditions(Reached::Mod(module), module, attributes(&item));
        match item {
            Item::Mod(mut item) => {
                let content = item.content.take();
                if let Some(module) = self.mod_item(&item, None) {
                    let items = content.map_or(Vec::new(), |(_, items)| items);
                    self.inside(module).items(items);
                }
            }
            Item::Use(item) if cfg::enabled(&item.attrs) => {
                let global = item.leading_colon.is_some();
                if matches!(item.vis, Visibility::Public(_)) {
                    self.export_tree(&item.tree);
                }
                self.use_tree(
                    &item.tree,
                    &PlainPath {
                        global,
                        segs: Vec::new(),
                    },
                );
            }
            Item::Struct(item) if cfg::enabled(&item.attrs) => self.struct_item(item),
            Item::Enum(item) if cfg::enabled(&item.attrs) => self.enum_item(item),
            Item::Fn(item) if cfg::enabled(&item.attrs) => {
                let name = name_of(&item.sig.ident);
                let id = self.fn_item(&item.attrs, item.sig, *item.block, (None, None));
                self.define(Ns::Values, name, Def::Fn(id));
            }
            Item::Impl(item) if cfg::enabled(&item.attrs) => self.impl_item(item),
            Item::Const(item) if cfg::enabled(&item.attrs) => {
                let name = name_of(&item.ident);
                let id = self.const_item(&item.ident, *item.ty, *item.expr, None);
                (self.krate).see_attributes(Reached::Const(id), self.module, &item.attrs);
                self.define(Ns::Values, name, Def::Const(id));
            }
            Item::Type(item) if cfg::enabled(&item.attrs) => {
                let id = self.krate.aliases.push(Rc::new(AliasItem {
                    module: self.module,
                    generics: Generics::of(&item.generics),
                    ty: *item.ty,
                }));
                if has(&cfg::expand(item.attrs), ROOTED) {
                    self.krate.rooted.insert(Reached::Alias(id));
                }
                self.define(Ns::Types, name_of(&item.ident), Def::Alias(id));
            }
            Item::ExternCrate(item) if cfg::enabled(&item.attrs) => {
                let name = name_of(&item.ident);
                let local = item.rename.map_or(name.clone(), |(_, n)| name_of(&n));
                self.krate.brings_macros |= has(&cfg::expand(item.attrs), "macro_use")
                    && !matches!(name.as_str(), "std" | "core" | "alloc" | "verdigris");
                self.define(Ns::Types, local, Def::Extern(name));
            }
            Item::Static(item) if cfg::enabled(&item.attrs) => {
                let name = name_of(&item.ident);
                let def = match item.mutability {
                    syn::StaticMutability::None => {
                        let id = self.const_item(&item.ident, *item.ty, *item.expr, None);
                        (self.krate).see_attributes(Reached::Const(id), self.module, &item.attrs);
                        Def::Static(id)
                    }
                    _ => Def::Other("a `static`"),
                };
                self.define(Ns::Values, name, def);
            }
            Item::Trait(item) if cfg::enabled(&item.attrs) => self.trait_item(item),
            Item::Union(item) if cfg::enabled(&item.attrs) => {
                self.define(Ns::Types, name_of(&item.ident), Def::Other("a union"));
            }
            // Macros of this crate have been expanded.
            Item::Macro(item) if item.ident.is_none() => {
                let call = self.span(&item.mac);
                if let Some(name) = unknown_call(&item.mac).filter(|_| cfg::enabled(&item.attrs)) {
                    let here = &mut self.krate.modules[self.module];
                    here.unexpanded.push((name, call));
                }
            }
            _ => {}
        }
    }

    /// Declares a module; in the file of this one, if it has none of its own.
    fn mod_item(&mut self, item: &syn::ItemMod, file: Option<FileId>) -> Option<ModId> {
        if !cfg::enabled(&item.attrs) {
            return None;
        }
        let name = name_of(&item.ident);
        let vis = self.visibility(&item.vis);
        let file = file.unwrap_or(self.krate.modules[self.module].file);
        let parent = Some(self.module);
        let module = new_module(self.krate, parent, &name, file, Some(vis), false);
        (self.krate).see_attributes(Reached::Mod(module), self.module, &item.attrs);
        self.define(Ns::Types, name, Def::Mod(module));
        Some(module)
    }

    /// The same walk in another module.
    fn inside(&mut self, module: ModId) -> Walk<'_> {
        Walk {
            krate: self.krate,
            diags: self.diags,
            module,
        }
    }

    fn use_tree(&mut self, tree: &syn::UseTree, prefix: &PlainPath) {
        let with = |name: String| {
            let mut path = prefix.clone();
            // `use a::{self}` is `use a`.
            if name != "self" || path.segs.is_empty() {
                path.segs.push(name);
            }
            path
        };
        match tree {
            syn::UseTree::Path(p) => {
                let path = with(name_of(&p.ident));
                self.use_tree(&p.tree, &path);
            }
            syn::UseTree::Name(n) => {
                let path = with(name_of(&n.ident));
                if let Some(local) = path.segs.last().cloned() {
                    self.import(local, path);
                }
            }
            syn::UseTree::Rename(r) => {
                let path = with(name_of(&r.ident));
                self.import(name_of(&r.rename), path);
            }
            syn::UseTree::Glob(_) => {
                self.here().globs.push(prefix.clone());
            }
            syn::UseTree::Group(g) => {
                for tree in &g.items {
                    self.use_tree(tree, prefix);
                }
            }
        }
    }

    /// Takes note of the names that a `pub use` gives a module.
    fn export_tree(&mut self, tree: &syn::UseTree) {
        let name = match tree {
            syn::UseTree::Path(p) => return self.export_tree(&p.tree),
            syn::UseTree::Group(g) => return g.items.iter().for_each(|t| self.export_tree(t)),
            syn::UseTree::Name(n) => &n.ident,
            syn::UseTree::Rename(r) => &r.rename,
            syn::UseTree::Glob(_) => return,
        };
        self.here().exports.insert(name_of(name));
    }

    fn import(&mut self, local: String, path: PlainPath) {
        let imports = &mut self.here().imports;
        imports.entry(local).or_default().push(path);
    }

    fn struct_item(&mut self, mut item: syn::ItemStruct) {
        item.attrs = cfg::expand(item.attrs);
        let name = name_of(&item.ident);
        let value = !matches!(item.fields, syn::Fields::Named(_));
        let fields: Vec<Vec<Attribute>> = item.fields.iter().map(|f| f.attrs.clone()).collect();
        let id = self.krate.structs.next_key();
        let new = StructItem {
            name: name.clone(),
            module: self.module,
            vis: self.visibility(&item.vis),
            span: self.span(&item.ident),
            gc: has(&item.attrs, "gc"),
            generics: Generics::of(&item.generics),
            derives: derives(&item.attrs),
            value: has(&item.attrs, "value"),
            repr: item.attrs.iter().any(|a| is(a, "repr") && !is_repr_c(a)),
            fields: item.fields,
        };
        self.krate.structs.push(Rc::new(new));
        let this = Reached::Type(TypeKey::Struct(id));
        (self.krate).see_attributes(this, self.module, &item.attrs);
        for attrs in &fields {
            self.krate.see_conditions(this, self.module, attrs);
        }
        self.define(Ns::Types, name.clone(), Def::Struct(id));
        if value {
            self.define(Ns::Values, name, Def::Struct(id));
        }
    }

    fn enum_item(&mut self, mut item: syn::ItemEnum) {
        item.attrs = cfg::expand(item.attrs);
        let name = name_of(&item.ident);
        let span = self.span(&item.ident);
        let mut object = None;
        if let Some(attr) = item.attrs.iter().find(|a| is(a, "object")) {
            match attr.parse_args::<syn::Ident>() {
                Ok(ident) => object = Some(name_of(&ident)),
                Err(_) => {
                    let message =
                        "`#[object(..)]` names the type of a pointer to any of the classes";
                    let at = self.span(attr);
                    self.diags
                        .push(Diagnostic::new(DiagCode::BadObjectEnum, at, &[message]));
                }
            }
        }
        let gc = item.attrs.iter().find(|a| is(a, "gc"));
        if let Some(attr) = gc {
            let at = self.span(attr);
            self.diags
                .push(Diagnostic::new(DiagCode::GcEnum, at, &[&name]));
        }
        let gc = gc.is_some();
        let parts: Vec<Vec<Attribute>> = (item.variants.iter())
            .flat_map(|v| std::iter::once(&v.attrs).chain(v.fields.iter().map(|f| &f.attrs)))
            .cloned()
            .collect();
        let variants = item.variants.into_iter();
        let variants: Vec<syn::Variant> = variants.filter(|v| cfg::enabled(&v.attrs)).collect();
        let numbers = variants.iter().map(|v| name_of(&v.ident)).enumerate();
        let new = EnumItem {
            name: name.clone(),
            module: self.module,
            vis: self.visibility(&item.vis),
            span,
            object: object.clone(),
            gc,
            generics: Generics::of(&item.generics),
            derives: derives(&item.attrs),
            value: has(&item.attrs, "value"),
            repr: has(&item.attrs, "repr"),
            numbers: numbers.map(|(number, name)| (name, number)).collect(),
            variants,
        };
        let id = self.krate.enums.push(Rc::new(new));
        let this = Reached::Type(TypeKey::Enum(id));
        (self.krate).see_attributes(this, self.module, &item.attrs);
        for attrs in &parts {
            self.krate.see_conditions(this, self.module, attrs);
        }
        self.define(Ns::Types, name, Def::Enum(id));
        if let Some(object) = object {
            self.define(Ns::Types, object, Def::Object(id));
        }
    }

    fn fn_item(
        &mut self,
        attrs: &[Attribute],
        sig: syn::Signature,
        body: syn::Block,
        (owner, of_trait): (Option<ImplId>, Option<TraitId>),
    ) -> FnItemId {
        let attrs = &cfg::expand(attrs.to_vec());
        let mut sig = sig;
        drop_disabled(&mut sig);
        crate::types::generics::name_impl_params(&mut sig);
        let split = split(attrs, &sig, &body, owner.is_some());
        let hint = split.as_ref().map(|split| split.hint);
        let (touched, exclusive) = (touched(attrs), exclusive(attrs));
        let mut new = FnItem {
            name: name_of(&sig.ident),
            module: self.module,
            owner,
            of_trait,
            span: self.span(&sig.ident),
            attrs: FnAttrs {
                portal: has(attrs, "portal"),
                exclusive: exclusive.first().copied(),
                opaque: exclusive.iter().any(|a| a.opaque),
                conditional: has(attrs, "conditional_call"),
                readonly: has(attrs, "readonly") || has(attrs, "loop_invariant"),
                loop_invariant: has(attrs, "loop_invariant"),
                elidable: has(attrs, "elidable"),
                unroll_safe: has(attrs, "unroll_safe") || hint == Some(LOOK_INSIDE),
                hint,
                clash: exclusive.len() > 1,
                with_self: exclusive.iter().any(|ours| {
                    let takes_self = ours.in_impl == Some("Self");
                    takes_self && attrs.iter().any(|a| is(a, ours.name) && names_self(a))
                }),
            },
            reads: touched.reads,
            writes: touched.writes,
            native_only: native_only(attrs).map(Rc::from),
            advice: advice(attrs).map(Rc::from),
            policies: policies_of(attrs),
            generics: Generics::of(&sig.generics),
            sig,
            body,
        };
        if let Some(split) = split {
            self.called_part(&new, &split);
            new.body = split.traced;
        }
        let conditions = conditions_in(&new.sig, &new.body);
        let id = self.krate.fns.push(Rc::new(new));
        (self.krate).see_attributes(Reached::Fn(id), self.module, attrs);
        (self.krate).see_conditions(Reached::Fn(id), self.module, &conditions);
        id
    }

    /// Declares the function that is called where one with a hint is not looked into.
    fn called_part(&mut self, whole: &FnItem, split: &Split) {
        let mut called = whole.clone();
        called.attrs = FnAttrs {
            opaque: split.hint == LOOK_INSIDE,
            elidable: split.hint == PROMOTE,
            hint: Some(split.hint),
            exclusive: whole.attrs.exclusive,
            with_self: split.with_self,
            ..FnAttrs::default()
        };
        let id = self.krate.fns.push(Rc::new(called));
        match whole.owner {
            Some(owner) => {
                let members = &mut self.krate.impls[owner].members;
                members.push((split.name.clone(), Assoc::Fn(id)));
            }
            None => self.define(Ns::Values, split.name.clone(), Def::Fn(id)),
        }
    }

    fn const_item(
        &mut self,
        ident: &syn::Ident,
        ty: syn::Type,
        value: syn::Expr,
        owner: Option<ImplId>,
    ) -> ConstId {
        let new = ConstItem {
            name: name_of(ident),
            module: self.module,
            owner,
            ty,
            value,
        };
        self.krate.consts.push(Rc::new(new))
    }

    fn impl_item(&mut self, item: syn::ItemImpl) {
        let of_trait = item.trait_.as_ref().map(|(_, path, _)| {
            let last = path.segments.last();
            last.map_or(String::new(), |s| name_of(&s.ident))
        });
        let is_inherent = item.trait_.is_none();
        let first = item.unsafety.as_ref().map(|token| token.span);
        let first = first.unwrap_or(item.impl_token.span);
        let id = self.krate.impls.push(ImplItem {
            module: self.module,
            span: span_of(self.krate.modules[self.module].file, first),
            ty: *item.self_ty,
            of_trait,
            trait_path: item.trait_.as_ref().map(|(_, path, _)| plain(path)),
            trait_args: item
                .trait_
                .and_then(|(_, path, _)| path.segments.last().cloned()),
            types: Vec::new(),
            key: None,
            generics: Generics::of(&item.generics),
            members: Vec::new(),
            target: None,
        });
        (self.krate).see_attributes(Reached::Impl(id), self.module, &item.attrs);
        for member in item.items {
            (self.krate).see_conditions(Reached::Impl(id), self.module, member_attributes(&member));
            let (name, member) = match member {
                syn::ImplItem::Fn(f) if cfg::enabled(&f.attrs) => {
                    let name = name_of(&f.sig.ident);
                    let new = self.fn_item(&f.attrs, f.sig, f.block, (Some(id), None));
                    if is_inherent && matches!(f.vis, syn::Visibility::Inherited) {
                        self.krate.survey.private.insert(new);
                    }
                    (name, Assoc::Fn(new))
                }
                syn::ImplItem::Const(c) if cfg::enabled(&c.attrs) => {
                    let new = self.const_item(&c.ident, c.ty, c.expr, Some(id));
                    (self.krate).see_attributes(Reached::Const(new), self.module, &c.attrs);
                    (name_of(&c.ident), Assoc::Const(new))
                }
                syn::ImplItem::Type(t) if cfg::enabled(&t.attrs) => {
                    let types = &mut self.krate.impls[id].types;
                    types.push((name_of(&t.ident), t.ty));
                    continue;
                }
                syn::ImplItem::Macro(m) if cfg::enabled(&m.attrs) => {
                    let of = Reached::Members(id);
                    self.krate.see_member_call(of, self.module, &m.mac);
                    continue;
                }
                _ => continue,
            };
            self.krate.impls[id].members.push((name, member));
        }
    }

    fn trait_item(&mut self, item: syn::ItemTrait) {
        let name = name_of(&item.ident);
        let supers = item.supertraits.iter().filter_map(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => Some(bound.path.clone()),
            _ => None,
        });
        let id = self.krate.traits.next_key();
        let mut new = TraitItem {
            name: name.clone(),
            module: self.module,
            generics: Generics::of(&item.generics),
            supers: supers.collect(),
            members: FxHashMap::default(),
        };
        (self.krate).see_attributes(Reached::Trait(id), self.module, &item.attrs);
        for member in item.items {
            let attrs = declared_attributes(&member);
            (self.krate).see_conditions(Reached::Trait(id), self.module, attrs);
            let (name, member) = match member {
                syn::TraitItem::Fn(f) if cfg::enabled(&f.attrs) => {
                    let name = name_of(&f.sig.ident);
                    let provided = f.default.is_some();
                    let body = f.default.unwrap_or_else(|| syn::parse_quote!({}));
                    let method = self.fn_item(&f.attrs, f.sig, body, (None, Some(id)));
                    (name, TraitMember::Fn(method, provided))
                }
                syn::TraitItem::Const(c) if cfg::enabled(&c.attrs) => {
                    let value = c.default.map(|(_, value)| value);
                    let value = value.map(|value| self.const_item(&c.ident, c.ty, value, None));
                    if let Some(new) = value {
                        (self.krate).see_attributes(Reached::Const(new), self.module, &c.attrs);
                    }
                    (name_of(&c.ident), TraitMember::Const(value))
                }
                syn::TraitItem::Type(t) if cfg::enabled(&t.attrs) => {
                    let default = t.default.map(|(_, ty)| Rc::new(ty));
                    (name_of(&t.ident), TraitMember::Type(default))
                }
                syn::TraitItem::Macro(m) if cfg::enabled(&m.attrs) => {
                    self.krate
                        .see_member_call(Reached::Trait(id), self.module, &m.mac);
                    continue;
                }
                _ => continue,
            };
            let declared = self.krate.trait_members.entry(name.clone()).or_default();
            declared.push(id);
            new.members.insert(name, member);
        }
        self.krate.traits.push(Rc::new(new));
        self.define(Ns::Types, name, Def::Trait(id));
    }
}

/// The attributes inside of a function.
fn conditions_in(sig: &syn::Signature, body: &syn::Block) -> Vec<Attribute> {
    struct Inside(Vec<Attribute>);
    impl<'ast> syn::visit::Visit<'ast> for Inside {
        fn visit_attribute(&mut self, attr: &'ast Attribute) {
            self.0.push(attr.clone());
        }

        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            if mac.path.is_ident("cfg") {
                let tokens = &mac.tokens;
                self.0.push(syn::parse_quote!(#[cfg(#tokens)]));
            }
        }

        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut inside = Inside(Vec::new());
    syn::visit::Visit::visit_signature(&mut inside, sig);
    syn::visit::Visit::visit_block(&mut inside, body);
    inside.0
}

fn member_attributes(member: &syn::ImplItem) -> &[Attribute] {
    match member {
        syn::ImplItem::Const(i) => &i.attrs,
        syn::ImplItem::Fn(i) => &i.attrs,
        syn::ImplItem::Macro(i) => &i.attrs,
        syn::ImplItem::Type(i) => &i.attrs,
        _ => &[],
    }
}

fn declared_attributes(member: &syn::TraitItem) -> &[Attribute] {
    match member {
        syn::TraitItem::Const(i) => &i.attrs,
        syn::TraitItem::Fn(i) => &i.attrs,
        syn::TraitItem::Macro(i) => &i.attrs,
        syn::TraitItem::Type(i) => &i.attrs,
        _ => &[],
    }
}

/// `#[repr(C)]`
fn is_repr_c(attr: &Attribute) -> bool {
    let repr = attr.parse_args::<syn::Ident>();
    repr.is_ok_and(|repr| repr == "C")
}
