//! Expansion: the crate without the macros that it defines with `macro_rules!`.
//!
//! In: the files of a crate, as they are. Out: its modules and items, in which every call of a
//! macro of the crate is replaced by what it stands for; a call for which that is not possible has
//! a name that says why ([`Failure`]). Invariants: an expansion is what rustc makes of the call, or
//! there is none; tokens of an expansion that come from the macro have the place of the outermost
//! call; a variable or label that a macro brings has the same name as one of the caller's only if
//! they are the same ([`tokens`]).

mod blocks;
mod def;
mod fragment;
mod macros;
mod matcher;
mod names;
pub(crate) mod record;
mod scope;
pub(crate) mod tokens;
mod transcribe;

use crate::expand::macros::Macros;
use crate::expand::scope::{Meaning, Scope};
use crate::source::cfg;
use crate::source::diag::Diagnostic;
use crate::source::load::{Loader, ModDir, Parsed, span_of};
use crate::source::syntax::{name_of, plain};
use crate::tast::FileId;
use proc_macro2::TokenTree;
use quote::ToTokens;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use syn::Item;
use syn::parse::{ParseStream, Parser};

pub(crate) use record::{Expansions, Places, failed_call};

/// A module that has been read.
pub(crate) struct Tree {
    pub file: FileId,
    pub nodes: Vec<Node>,
}

/// What a module has in it.
#[expect(clippy::large_enum_variant, reason = "nearly all are items")]
pub(crate) enum Node {
    Item(Item),
    /// A module; its items are in the tree.
    Mod(syn::ItemMod, Tree),
}

/// What is in a module while calls are still to be expanded.
#[expect(clippy::large_enum_variant, reason = "nearly all are items")]
enum Part {
    Item(Item, Scope),
    Mod(syn::ItemMod, Inner),
    Call(usize),
}

struct Inner {
    module: usize,
    file: FileId,
    parts: Vec<Part>,
}

/// A call at the place of an item.
struct Call {
    item: syn::ItemMacro,
    place: Place,
    depth: usize,
    before: Scope,
    behind: Rc<RefCell<Option<Scope>>>,
    parts: Option<Vec<Part>>,
}

/// Where items stand.
#[derive(Clone)]
struct Place {
    module: usize,
    file: FileId,
    dir: ModDir,
}

/// The crate while it is expanded.
pub(crate) struct Stage<'a, 'l> {
    loader: Option<&'a mut Loader<'l>>,
    diags: &'a mut Vec<Diagnostic>,
    macros: Macros,
    calls: Vec<Call>,
}

/// Reads the crate with this root.
pub(crate) fn expand(
    loader: &mut Loader<'_>,
    root: &Path,
    places: Places,
    diags: &mut Vec<Diagnostic>,
) -> Option<(Tree, Expansions)> {
    let parsed = match loader.root(root) {
        Ok(parsed) => parsed,
        Err(d) => {
            diags.push(*d);
            return None;
        }
    };
    let mut stage = Stage {
        loader: Some(loader),
        diags,
        macros: Macros::new(places),
        calls: Vec::new(),
    };
    let module = stage.macros.mods.add(None, false);
    let Parsed { file, dir, items } = parsed;
    let place = Place { module, file, dir };
    let mut scope = None;
    let parts = stage.items(items, &place, &mut scope, 0);
    if let Some(loader) = &mut stage.loader {
        loader.close();
    }
    stage.pending();
    let tree = stage.tree(Inner {
        module,
        file,
        parts,
    });
    if let (Places::Definitions, Some(loader)) = (places, &mut stage.loader) {
        stage.macros.out.files = std::mem::take(&mut loader.names);
    }
    Some((tree, stage.macros.out))
}

impl Stage<'_, '_> {
    /// Looks through items, and expands calls among them of macros that are in sight by the order
    /// of the text.
    fn items(
        &mut self,
        items: Vec<Item>,
        place: &Place,
        scope: &mut Scope,
        depth: usize,
    ) -> Vec<Part> {
        let mut parts = Vec::new();
        for mut item in items {
            names::plain_head(&mut item);
            if !cfg::enabled(crate::source::syntax::attributes(&item)) {
                // Collection notes the condition.
                parts.push(Part::Item(item, None));
                continue;
            }
            match item {
                Item::Macro(item) if item.ident.is_some() => {
                    let def = self.macros.define(&item, place.file, false);
                    let attrs = cfg::expand(item.attrs.clone());
                    if attrs.iter().any(|a| a.path().is_ident("macro_export")) {
                        self.macros
                            .mods
                            .exported
                            .insert(self.macros.defs[def].name.clone(), def);
                    }
                    *scope = scope::with(scope, &self.macros.defs[def].name, def);
                }
                Item::Macro(item) => {
                    let behind = Rc::new(RefCell::new(None));
                    self.calls.push(Call {
                        item,
                        place: place.clone(),
                        depth,
                        before: scope.clone(),
                        behind: behind.clone(),
                        parts: None,
                    });
                    let call = self.calls.len() - 1;
                    let path = plain(&self.calls[call].item.mac.path);
                    let is_name = path.segs.len() == 1;
                    match self.macros.mods.meaning(place.module, &path, scope) {
                        Meaning::Own(def) if is_name => {
                            self.call(call, def);
                        }
                        _ => {}
                    }
                    *scope = match &*behind.borrow() {
                        Some(inside) => inside.clone(),
                        None => scope::behind(scope, &behind),
                    };
                    parts.push(Part::Call(call));
                }
                Item::Mod(item) => parts.extend(self.module(item, place, scope, depth)),
                Item::Use(item) => {
                    self.macros.mods.import(place.module, &item, scope);
                    parts.push(Part::Item(Item::Use(item), scope.clone()));
                }
                item => parts.push(Part::Item(item, scope.clone())),
            }
        }
        parts
    }

    fn module(
        &mut self,
        mut item: syn::ItemMod,
        place: &Place,
        scope: &mut Scope,
        depth: usize,
    ) -> Option<Part> {
        let name = name_of(&item.ident);
        let attrs = cfg::expand(item.attrs.clone());
        let path = crate::source::syntax::path_attribute(&attrs);
        let module = self.macros.mods.add(Some(place.module), false);
        self.macros.mods.list[place.module]
            .children
            .insert(name.clone(), module);
        let content = item.content.take();
        let is_file = content.is_none();
        let (items, file, dir) = match content {
            Some((_, items)) => (items, place.file, place.dir.inline(&name, path.as_deref())),
            None => {
                let at = span_of(place.file, item.ident.span());
                let loader = self.loader.as_mut()?;
                match loader.module(&place.dir, &name, path.as_deref(), at) {
                    Ok(parsed) => (parsed.items, parsed.file, parsed.dir),
                    Err(d) => {
                        self.diags.push(*d);
                        return None;
                    }
                }
            }
        };
        let inner = Place { module, file, dir };
        let mut inside = scope.clone();
        let parts = self.items(items, &inner, &mut inside, depth);
        if let (true, Some(loader)) = (is_file, &mut self.loader) {
            loader.close();
        }
        if attrs.iter().any(|a| a.path().is_ident("macro_use")) {
            *scope = inside;
        }
        Some(Part::Mod(
            item,
            Inner {
                module,
                file,
                parts,
            },
        ))
    }

    /// Expands a call at the place of an item.
    fn call(&mut self, call: usize, def: usize) {
        let Call {
            item,
            place,
            depth,
            before,
            behind,
            ..
        } = &self.calls[call];
        let (mut item, place, depth) = (item.clone(), place.clone(), *depth);
        let (mut scope, behind) = (before.clone(), behind.clone());
        let expanded = self.macros.expansion(def, &item.mac, place.file, depth);
        let items = expanded.and_then(|tokens| self.macros.parsed(def, tokens, all_items));
        let parts = match items {
            Ok(items) => self.items(items, &place, &mut scope, depth + 1),
            Err(failure) => {
                self.macros.fail(&mut item.mac, failure);
                vec![Part::Item(Item::Macro(item), scope.clone())]
            }
        };
        *behind.borrow_mut() = Some(scope);
        self.calls[call].parts = Some(parts);
    }

    /// Expands the calls of macros that are found by paths, and what waits for these.
    fn pending(&mut self) {
        loop {
            let before = self.macros.count;
            let mut call = 0;
            while call < self.calls.len() {
                let open = &self.calls[call];
                if open.parts.is_none() {
                    let path = plain(&open.item.mac.path);
                    if let Meaning::Own(def) =
                        self.macros
                            .mods
                            .meaning(open.place.module, &path, &open.before)
                    {
                        self.call(call, def);
                    }
                }
                call += 1;
            }
            if self.macros.count == before {
                break;
            }
        }
        // Nothing in this crate says what the others are. They define no macros that are used by
        // the order of the text.
        for call in &mut self.calls {
            if call.parts.is_none() {
                call.parts = Some(vec![Part::Item(
                    Item::Macro(call.item.clone()),
                    call.before.clone(),
                )]);
                *call.behind.borrow_mut() = Some(call.before.clone());
            }
        }
    }

    /// Expands the calls inside of items.
    fn tree(&mut self, inner: Inner) -> Tree {
        let mut nodes = Vec::new();
        self.nodes(inner.parts, inner.module, inner.file, &mut nodes);
        Tree {
            file: inner.file,
            nodes,
        }
    }

    fn nodes(&mut self, parts: Vec<Part>, module: usize, file: FileId, nodes: &mut Vec<Node>) {
        for part in parts {
            match part {
                Part::Call(call) => {
                    let parts = self.calls[call].parts.take().unwrap_or_default();
                    self.nodes(parts, module, file, nodes);
                }
                Part::Mod(item, inner) => {
                    let tree = self.tree(inner);
                    nodes.push(Node::Mod(item, tree));
                }
                Part::Item(mut item, scope) => {
                    let enabled = cfg::enabled(crate::source::syntax::attributes(&item));
                    if enabled && !self.macros.defs.is_empty() {
                        blocks::expand(&mut self.macros, &mut item, module, file, scope);
                    }
                    nodes.push(Node::Item(item));
                }
            }
        }
    }
}

/// A macro of the standard library that stands for a text, with its arguments, if rustc shows them
/// as they are: tokens that stand alone, and such macros of these.
pub(crate) fn shown(mac: &syn::Macro) -> Option<String> {
    let plain = tokens::plain_tokens(mac.tokens.clone(), true);
    let all: Vec<TokenTree> = plain.clone().into_iter().collect();
    let name = mac.path.segments.last()?.ident.to_string();
    let simple = |t: &TokenTree| matches!(t, TokenTree::Ident(_) | TokenTree::Literal(_));
    let shows = match name.as_str() {
        "stringify" => matches!(&all[..], [one] if simple(one)),
        _ => {
            let list = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
            let list = list.parse2(plain.clone()).ok()?;
            list.iter().all(|e| match e {
                syn::Expr::Lit(_) => true,
                syn::Expr::Macro(e) => shown(&e.mac).is_some(),
                _ => false,
            })
        }
    };
    shows.then(|| format!("{}!({plain})", mac.path.to_token_stream()))
}

/// The number of a macro that is defined in a function.
pub(crate) fn local_macro(item: &Item) -> Option<usize> {
    let Item::Macro(item) = item else { return None };
    let name = item.ident.as_ref()?.to_string();
    let (_, number) = name.split_once(tokens::MARK)?;
    number.strip_prefix('m')?.parse().ok()
}

fn all_items(input: ParseStream<'_>) -> syn::Result<Vec<Item>> {
    let mut items = Vec::new();
    while !input.is_empty() {
        // A semicolon too many is only a warning.
        if input.parse::<Option<syn::Token![;]>>()?.is_none() {
            items.push(input.parse()?);
        }
    }
    Ok(items)
}
