//! The public API of the crate `verdigris` as a text: what it re-exports, with the declarations.
//! Macros that declare items are shown as they are written, since nothing is expanded here.

use crate::modules::is_for_tests;
use crate::repository::{files, read, root};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use syn::{Attribute, Fields, ImplItem, Item, UseTree, Visibility};

/// The parsed files of a crate's `src`.
struct Crate(Vec<syn::File>);

impl Crate {
    /// The crate of this name in paths, such as `verdigris_heap`.
    fn named(name: &str) -> Option<Crate> {
        let folder = format!("crates/{}/src/", name.strip_prefix("verdigris_")?);
        let sources = files().into_iter();
        let sources = sources.filter(|f| f.starts_with(&folder) && f.ends_with(".rs"));
        let parse = |file: String| {
            let text = read(&root().join(&file));
            syn::parse_file(&text).unwrap_or_else(|e| panic!("{file}: {e}"))
        };
        Some(Crate(sources.map(parse).collect()))
    }

    fn items(&self) -> impl Iterator<Item = &Item> {
        let items = self.0.iter().flat_map(|file| &file.items);
        items.filter(|item| !is_for_tests(item))
    }

    /// The public names at the crate's root.
    fn root_names(&self) -> BTreeSet<String> {
        let is_root = |file: &&syn::File| {
            let mut items = file.items.iter();
            items.any(|item| matches!(item, Item::Mod(m) if m.content.is_none()))
        };
        let mut names = Vec::new();
        for item in self.0.iter().filter(is_root).flat_map(|f| &f.items) {
            if let Item::Use(item) = item
                && is_public(&item.vis)
            {
                leaves(&item.tree, &mut String::new(), &mut names);
            }
        }
        names.into_iter().map(|(_, _, name)| name).collect()
    }

    /// The declaration of a public name, and the public functions of its type.
    fn show(&self, name: &str, out: &mut String) {
        let mut lines = BTreeSet::new();
        for item in self.items() {
            match item {
                Item::Impl(block) if block.trait_.is_none() && is_type(&block.self_ty, name) => {
                    for item in &block.items {
                        if let ImplItem::Fn(f) = item
                            && is_public(&f.vis)
                        {
                            lines.insert(format!("    {}", text(&f.sig)));
                        }
                        if let ImplItem::Const(c) = item
                            && is_public(&c.vis)
                        {
                            lines.insert(format!("    const {}: {}", c.ident, text(&c.ty)));
                        }
                    }
                }
                item => self.declaration(item, name, out),
            }
        }
        lines
            .iter()
            .for_each(|line| writeln!(out, "{line}").unwrap());
    }

    fn declaration(&self, item: &Item, name: &str, out: &mut String) {
        match item {
            Item::Struct(s) if s.ident == name && is_public(&s.vis) => {
                let generics = text(&s.generics);
                writeln!(out, "{}struct {name}{generics}", non_exhaustive(&s.attrs)).unwrap();
                fields(&s.fields, "    ", out);
            }
            Item::Enum(e) if e.ident == name && is_public(&e.vis) => {
                writeln!(out, "{}enum {name}", non_exhaustive(&e.attrs)).unwrap();
                for variant in &e.variants {
                    writeln!(out, "    {}", text(&without_docs(variant.clone()))).unwrap();
                }
            }
            Item::Trait(t) if t.ident == name && is_public(&t.vis) => {
                writeln!(out, "trait {name}{}", text(&t.generics)).unwrap();
                for item in &t.items {
                    let line = match item {
                        syn::TraitItem::Fn(f) => text(&f.sig),
                        syn::TraitItem::Const(c) => format!("const {}: {}", c.ident, text(&c.ty)),
                        syn::TraitItem::Type(t) => format!("type {}", t.ident),
                        _ => continue,
                    };
                    writeln!(out, "    {line}").unwrap();
                }
            }
            Item::Fn(f) if f.sig.ident == name && is_public(&f.vis) => {
                writeln!(out, "{}", text(&f.sig)).unwrap();
            }
            Item::Type(t) if t.ident == name && is_public(&t.vis) => {
                writeln!(out, "type {name}{} = {}", text(&t.generics), text(&t.ty)).unwrap();
            }
            Item::Const(c) if c.ident == name && is_public(&c.vis) => {
                writeln!(out, "const {name}: {}", text(&c.ty)).unwrap();
            }
            Item::Macro(m) if self.is_declared_by(m, name) => {
                writeln!(out, "macro that declares {name}").unwrap();
                for row in rows(&m.mac.tokens.to_string()) {
                    writeln!(out, "    {row}").unwrap();
                }
            }
            _ => {}
        }
    }

    /// Whether this use of a macro declares the struct of this name.
    fn is_declared_by(&self, call: &syn::ItemMacro, name: &str) -> bool {
        call.ident.is_none()
            && self.items().any(|item| match item {
                Item::Macro(rules) => {
                    let declared = format!("struct {name} ");
                    rules.ident.as_ref() == call.mac.path.get_ident()
                        && rules.mac.tokens.to_string().contains(&declared)
                }
                _ => false,
            })
    }
}

/// The name before the first `:` or `,` and the type behind it, of each row of a macro's table.
fn rows(tokens: &str) -> Vec<String> {
    let file = tokens.replace("# [", "\n# [");
    let rows = file
        .lines()
        .filter_map(|line| match line.strip_prefix("# [doc") {
            Some(rest) => rest.rsplit_once("] ").map(|(_, row)| row),
            None => Some(line),
        });
    rows.map(|row| row.split(" = ").next().unwrap_or(row).trim().to_string())
        .filter(|row| !row.is_empty())
        .collect()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_type(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == name))
}

fn non_exhaustive(attrs: &[Attribute]) -> &'static str {
    match attrs.iter().any(|a| a.path().is_ident("non_exhaustive")) {
        true => "#[non_exhaustive] ",
        false => "",
    }
}

fn without_docs(mut variant: syn::Variant) -> syn::Variant {
    let keep = |attrs: &mut Vec<Attribute>| attrs.retain(|a| !a.path().is_ident("doc"));
    keep(&mut variant.attrs);
    variant.fields.iter_mut().for_each(|f| keep(&mut f.attrs));
    variant
}

fn fields(fields: &Fields, indent: &str, out: &mut String) {
    for (n, field) in fields.iter().enumerate() {
        if is_public(&field.vis) {
            let name = field
                .ident
                .as_ref()
                .map_or(n.to_string(), |i| i.to_string());
            writeln!(out, "{indent}{name}: {}", text(&field.ty)).unwrap();
        }
    }
}

/// The tokens, with the spaces that rustfmt would leave.
fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (spaced, tight) in [
        (" :: ", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" (", "("),
        ("& ", "&"),
        ("( ", "("),
        (" )", ")"),
        (" :", ":"),
        ("-> ", "-> "),
        (" ;", ";"),
    ] {
        text = text.replace(spaced, tight);
    }
    text.replace("->", " ->").replace("  ", " ")
}

/// The leaves of a `use`: the crate that it begins with, the name there, and the name here.
fn leaves(tree: &UseTree, krate: &mut String, found: &mut Vec<(String, String, String)>) {
    match tree {
        UseTree::Path(path) => {
            if krate.is_empty() {
                *krate = path.ident.to_string();
            }
            leaves(&path.tree, krate, found);
        }
        UseTree::Group(group) => {
            let first = krate.clone();
            group
                .items
                .iter()
                .for_each(|tree| leaves(tree, &mut first.clone(), found));
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            found.push((krate.clone(), name.clone(), name));
        }
        UseTree::Rename(name) => {
            let krate = if krate.is_empty() {
                name.ident.to_string()
            } else {
                krate.clone()
            };
            found.push((krate, name.ident.to_string(), name.rename.to_string()));
        }
        UseTree::Glob(_) => found.push((krate.clone(), "*".to_string(), "*".to_string())),
    }
}

/// The public API of `crates/verdigris`.
///
/// # Panics
/// If a source cannot be read.
pub fn public_api() -> String {
    let mut crates: BTreeMap<String, Option<Crate>> = BTreeMap::new();
    let mut out = String::new();
    for module in ["lib", "prelude"] {
        let file = read(&root().join(format!("crates/verdigris/src/{module}.rs")));
        let file = syn::parse_file(&file).expect("Rust");
        let mut names = Vec::new();
        for item in &file.items {
            match item {
                Item::Use(item) if is_public(&item.vis) => {
                    leaves(&item.tree, &mut String::new(), &mut names);
                }
                Item::Macro(m) if m.ident.is_some() => {
                    let name = m
                        .ident
                        .as_ref()
                        .map(ToString::to_string)
                        .unwrap_or_default();
                    names.push(("macro".to_string(), name.clone(), name));
                }
                _ => {}
            }
        }
        names.sort_by(|a, b| a.2.cmp(&b.2));
        for (krate, name, here) in names {
            if module == "prelude" {
                writeln!(out, "prelude::{here}").unwrap();
                continue;
            }
            let found = crates
                .entry(krate.clone())
                .or_insert_with(|| Crate::named(&krate));
            writeln!(out, "\n## {here}").unwrap();
            match found {
                Some(found) if name == krate => {
                    for name in found.root_names() {
                        writeln!(out, "# {here}::{name}").unwrap();
                        found.show(&name, &mut out);
                    }
                }
                Some(found) => found.show(&name, &mut out),
                None => writeln!(out, "{krate}").unwrap(),
            }
        }
    }
    out
}
