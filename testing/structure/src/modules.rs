//! The modules of one package, and the paths that their code names. Test code is left out.
//!
//! A path is resolved as rustc would resolve it among the package's own modules: through `use`,
//! `pub use` and glob imports, to the file that *defines* the item. Names of other packages, and
//! methods, which need no import, are not seen.

use crate::repository::{read, root};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::visit::Visit;
use syn::{Attribute, Item, UseTree};

/// What a name of a module stands for.
enum Definition {
    /// An item that the module defines.
    Here,
    /// A module below.
    Child(usize),
    /// Another path, by `use`.
    Alias(Vec<String>),
}

/// A module: a file, or a block `mod name { .. }` in one.
struct Module {
    file: String,
    parent: Option<usize>,
    names: BTreeMap<String, Definition>,
    globs: Vec<Vec<String>>,
    /// The paths that its code names, beginning in this module.
    paths: Vec<Vec<String>>,
}

/// The modules of one target of a package; the first one is its root.
pub struct Modules(Vec<Module>);

/// An import: the file whose code names an item, the file that defines it, and the item's path as
/// it was written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Import {
    pub from: String,
    pub to: String,
    pub path: String,
}

impl Modules {
    /// Reads a target from its root file (`crates/opt/src/lib.rs`).
    ///
    /// # Panics
    /// If a file is missing or is no Rust.
    pub fn read(file: &str) -> Modules {
        let mut modules = Modules(Vec::new());
        let folder = Path::new(file).parent().expect("a folder").to_path_buf();
        modules.add_file(file, None, &folder);
        modules
    }

    /// All imports between two files, sorted, each once.
    pub fn imports(&self) -> Vec<Import> {
        let mut imports = Vec::new();
        for (at, module) in self.0.iter().enumerate() {
            for path in &module.paths {
                let Some(to) = self.resolve(at, path, 0) else {
                    continue;
                };
                if self.0[to].file != module.file {
                    imports.push(Import {
                        from: module.file.clone(),
                        to: self.0[to].file.clone(),
                        path: path.join("::"),
                    });
                }
            }
        }
        imports.sort();
        imports.dedup_by(|a, b| (&a.from, &a.to) == (&b.from, &b.to));
        imports
    }

    fn add_file(&mut self, file: &str, parent: Option<usize>, folder: &Path) -> usize {
        let text = read(&root().join(file));
        let syntax = syn::parse_file(&text).unwrap_or_else(|e| panic!("{file}: {e}"));
        self.add(file, parent, folder, &syntax.items)
    }

    /// Adds a module whose child modules' files lie in `folder`.
    fn add(&mut self, file: &str, parent: Option<usize>, folder: &Path, items: &[Item]) -> usize {
        let at = self.0.len();
        self.0.push(Module {
            file: file.to_string(),
            parent,
            names: BTreeMap::new(),
            globs: Vec::new(),
            paths: Vec::new(),
        });
        for item in items.iter().filter(|item| !is_for_tests(item)) {
            match item {
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    let below = folder.join(&name);
                    let index = match &child.content {
                        Some((_, items)) => self.add(file, Some(at), &below, items),
                        None => {
                            let (path, below) = child_file(file, folder, &name, &child.attrs);
                            self.add_file(&slashes(&path), Some(at), &below)
                        }
                    };
                    self.0[at].names.insert(name, Definition::Child(index));
                }
                Item::Use(item) => self.add_use(at, &mut Vec::new(), &item.tree),
                _ => {
                    if let Some(name) = name_of(item) {
                        // A macro may be called as a module is.
                        self.0[at].names.entry(name).or_insert(Definition::Here);
                    }
                    let mut paths = Paths::default();
                    paths.visit_item(item);
                    self.0[at].paths.extend(paths.0);
                }
            }
        }
        at
    }

    fn add_use(&mut self, at: usize, prefix: &mut Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_use(at, prefix, &path.tree);
                prefix.pop();
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_use(at, prefix, tree);
                }
            }
            UseTree::Glob(_) => self.0[at].globs.push(prefix.clone()),
            UseTree::Name(name) => self.alias(at, prefix, &name.ident, &name.ident),
            UseTree::Rename(rename) => self.alias(at, prefix, &rename.ident, &rename.rename),
        }
    }

    fn alias(&mut self, at: usize, prefix: &[String], name: &syn::Ident, alias: &syn::Ident) {
        let mut path = prefix.to_vec();
        if name != "self" {
            path.push(name.to_string());
        }
        let alias = match alias == "self" {
            true => path.last().cloned().unwrap_or_default(),
            false => alias.to_string(),
        };
        self.0[at].paths.push(path.clone());
        self.0[at].names.insert(alias, Definition::Alias(path));
    }

    /// The module that defines the item that a path leads to. None for a module, and for what lies
    /// in another package.
    fn resolve(&self, at: usize, path: &[String], depth: usize) -> Option<usize> {
        // Aliases that lead in a circle, as two globs of each other do.
        if depth > 16 {
            return None;
        }
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.resolve_in(0, rest, depth),
            "self" => self.resolve_in(at, rest, depth),
            "super" => {
                let parent = self.0[at].parent?;
                match rest.first().is_some_and(|next| next == "super") {
                    true => self.resolve(parent, rest, depth + 1),
                    false => self.resolve_in(parent, rest, depth),
                }
            }
            _ => self.resolve_in(at, path, depth),
        }
    }

    /// Whether a path begins with a name of this package, and not with that of another.
    fn is_own(&self, at: usize, path: &[String]) -> bool {
        let is_keyword = |name: &str| matches!(name, "crate" | "self" | "super");
        let first = path.first();
        first.is_some_and(|name| is_keyword(name) || self.0[at].names.contains_key(name))
    }

    fn resolve_in(&self, at: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        match self.0[at].names.get(first) {
            Some(Definition::Here) => Some(at),
            Some(Definition::Child(child)) => self.resolve_in(*child, rest, depth),
            Some(Definition::Alias(target)) => {
                let mut whole = target.clone();
                // `use name;` of another package.
                if whole.len() == 1 && whole[0] == *first {
                    return None;
                }
                whole.extend_from_slice(rest);
                self.resolve(at, &whole, depth + 1)
            }
            None => {
                let globs = self.0[at].globs.iter();
                let mut own = globs.filter(|glob| self.is_own(at, glob));
                own.find_map(|glob| {
                    let whole: Vec<String> = glob.iter().chain(path).cloned().collect();
                    self.resolve(at, &whole, depth + 1)
                })
            }
        }
    }
}

/// The file of a child module, and the folder of the files of its own children.
fn child_file(
    file: &str,
    folder: &Path,
    name: &str,
    attributes: &[Attribute],
) -> (PathBuf, PathBuf) {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("path")) {
        let syn::Meta::NameValue(pair) = &attribute.meta else {
            continue;
        };
        if let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(path),
            ..
        }) = &pair.value
        {
            let beside = Path::new(file).parent().expect("a folder");
            let path = beside.join(path.value());
            let below = path.parent().expect("a folder").to_path_buf();
            return (path, below);
        }
    }
    let below = folder.join(name);
    let flat = folder.join(format!("{name}.rs"));
    match root().join(&flat).exists() {
        true => (flat, below),
        false => (below.join("mod.rs"), below),
    }
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(i) => &i.ident,
        Item::Enum(i) => &i.ident,
        Item::Fn(i) => &i.sig.ident,
        Item::Macro(i) => i.ident.as_ref()?,
        Item::Static(i) => &i.ident,
        Item::Struct(i) => &i.ident,
        Item::Trait(i) => &i.ident,
        Item::Type(i) => &i.ident,
        Item::Union(i) => &i.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// Whether an item is compiled for tests alone.
pub(crate) fn is_for_tests(item: &Item) -> bool {
    let attributes = match item {
        Item::Const(i) => &i.attrs,
        Item::Enum(i) => &i.attrs,
        Item::Fn(i) => &i.attrs,
        Item::Impl(i) => &i.attrs,
        Item::Macro(i) => &i.attrs,
        Item::Mod(i) => &i.attrs,
        Item::Static(i) => &i.attrs,
        Item::Struct(i) => &i.attrs,
        Item::Trait(i) => &i.attrs,
        Item::Type(i) => &i.attrs,
        Item::Use(i) => &i.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|path| path.is_ident("test"))
    })
}

/// The paths of an item, those in the tokens of macro calls among them.
#[derive(Default)]
struct Paths(Vec<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(item) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter().map(|s| s.ident.to_string());
        self.0.push(segments.collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.visit_tokens(call.tokens.clone());
    }
}

impl Paths {
    fn visit_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.end(&mut path);
                    }
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.end(&mut path);
                    self.visit_tokens(group.stream());
                    colons = 0;
                }
                _ => {
                    self.end(&mut path);
                    colons = 0;
                }
            }
        }
        self.end(&mut path);
    }

    /// Keeps a path of tokens if it cannot be the name of a local: one of several segments.
    fn end(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.0.push(path);
        }
    }
}
