//! Which macro a call means.
//!
//! In: the order of the text, the modules with their imports, and a path. Out: the macro of the
//! crate that the path leads to, if it is one. Invariants: a `macro_rules!` is in sight behind its
//! definition, until its block or module ends, and goes before what has been imported; while a call
//! that may define macros has not been expanded, names behind it that could be its are not decided.

use crate::items::PlainPath;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The macros in sight by the order of the text, the last first.
pub(super) type Scope = Option<Rc<Seen>>;

pub(super) struct Seen {
    what: What,
    before: Scope,
}

enum What {
    Macro(String, usize),
    /// A call at the place of an item, and what is in sight behind its expansion.
    Call(Rc<RefCell<Option<Scope>>>),
}

/// A scope with a macro more.
pub(super) fn with(before: &Scope, name: &str, def: usize) -> Scope {
    let what = What::Macro(name.to_owned(), def);
    let before = before.clone();
    Some(Rc::new(Seen { what, before }))
}

/// A scope behind a call that has not been expanded.
pub(super) fn behind(before: &Scope, call: &Rc<RefCell<Option<Scope>>>) -> Scope {
    let what = What::Call(call.clone());
    let before = before.clone();
    Some(Rc::new(Seen { what, before }))
}

/// What a path means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Own(usize),
    /// What a call that has not been expanded defines decides it.
    Open,
    /// Nothing of this crate.
    Other,
}

fn textual(scope: &Scope, name: &str) -> Meaning {
    let mut at = scope.clone();
    while let Some(seen) = at {
        at = match &seen.what {
            What::Macro(known, def) if known == name => return Meaning::Own(*def),
            What::Macro(..) => seen.before.clone(),
            What::Call(call) => match &*call.borrow() {
                Some(inner) => inner.clone(),
                None => return Meaning::Open,
            },
        };
    }
    Meaning::Other
}

/// An import.
pub(super) struct Use {
    pub local: String,
    pub path: PlainPath,
    pub scope: Scope,
}

/// A module, or a block with imports in it.
#[derive(Default)]
pub(super) struct Mod {
    pub parent: Option<usize>,
    pub block: bool,
    pub children: FxHashMap<String, usize>,
    pub uses: Vec<Use>,
    pub globs: Vec<PlainPath>,
}

/// All modules, the root first.
#[derive(Default)]
pub(super) struct Mods {
    pub list: Vec<Mod>,
    /// Macros with `#[macro_export]`.
    pub exported: FxHashMap<String, usize>,
}

/// How long a chain of imports may be.
const MAX_CHAIN: usize = 24;

impl Mods {
    pub fn add(&mut self, parent: Option<usize>, block: bool) -> usize {
        self.list.push(Mod {
            parent,
            block,
            ..Mod::default()
        });
        self.list.len() - 1
    }

    /// Takes note of the names that an import gives a module.
    pub fn import(&mut self, module: usize, item: &syn::ItemUse, scope: &Scope) {
        let prefix = PlainPath {
            global: item.leading_colon.is_some(),
            segs: Vec::new(),
        };
        self.tree(module, &item.tree, &prefix, scope);
    }

    fn tree(&mut self, module: usize, tree: &syn::UseTree, prefix: &PlainPath, scope: &Scope) {
        let with = |ident: &syn::Ident| {
            let mut path = prefix.clone();
            if ident != "self" || path.segs.is_empty() {
                path.segs.push(crate::source::syntax::name_of(ident));
            }
            path
        };
        let (local, path) = match tree {
            syn::UseTree::Path(p) => return self.tree(module, &p.tree, &with(&p.ident), scope),
            syn::UseTree::Group(g) => {
                g.items
                    .iter()
                    .for_each(|t| self.tree(module, t, prefix, scope));
                return;
            }
            syn::UseTree::Glob(_) => return self.list[module].globs.push(prefix.clone()),
            syn::UseTree::Name(n) => {
                let path = with(&n.ident);
                (path.segs.last().cloned().unwrap_or_default(), path)
            }
            syn::UseTree::Rename(r) => (crate::source::syntax::name_of(&r.rename), with(&r.ident)),
        };
        let scope = scope.clone();
        self.list[module].uses.push(Use { local, path, scope });
    }

    /// What the path of a call means.
    pub fn meaning(&self, module: usize, path: &PlainPath, scope: &Scope) -> Meaning {
        self.macro_at(module, path, scope, 0)
    }

    fn macro_at(&self, module: usize, path: &PlainPath, scope: &Scope, chain: usize) -> Meaning {
        let Some((name, before)) = path.segs.split_last() else {
            return Meaning::Other;
        };
        if chain > MAX_CHAIN || path.global {
            return Meaning::Other;
        }
        if !before.is_empty() {
            return match self.module_at(module, before, chain + 1) {
                Some(module) => self.member(module, name, chain + 1),
                None => Meaning::Other,
            };
        }
        match textual(scope, name) {
            Meaning::Other => {}
            found => return found,
        }
        let mut module = module;
        loop {
            match self.member(module, name, chain + 1) {
                Meaning::Other => {}
                found => return found,
            }
            match self.list[module].parent {
                Some(parent) if self.list[module].block => module = parent,
                _ => return Meaning::Other,
            }
        }
    }

    /// A macro that a module has.
    fn member(&self, module: usize, name: &str, chain: usize) -> Meaning {
        if chain > MAX_CHAIN {
            return Meaning::Other;
        }
        if module == 0
            && let Some(def) = self.exported.get(name)
        {
            return Meaning::Own(*def);
        }
        let here = &self.list[module];
        for import in here.uses.iter().filter(|u| u.local == name) {
            match self.macro_at(module, &import.path, &import.scope, chain + 1) {
                Meaning::Other => {}
                found => return found,
            }
        }
        for glob in &here.globs {
            if let Some(from) = self.module_at(module, &glob.segs, chain + 1)
                && from != module
                && let found @ (Meaning::Own(_) | Meaning::Open) =
                    self.member(from, name, chain + 1)
            {
                return found;
            }
        }
        Meaning::Other
    }

    fn real(&self, mut module: usize) -> usize {
        while let (true, Some(parent)) = (self.list[module].block, self.list[module].parent) {
            module = parent;
        }
        module
    }

    fn module_at(&self, module: usize, segs: &[String], chain: usize) -> Option<usize> {
        let (first, rest) = segs.split_first()?;
        let up = |module| self.list[self.real(module)].parent.map(|m| self.real(m));
        let mut at = match first.as_str() {
            "crate" => 0,
            "self" => self.real(module),
            "super" => up(module)?,
            name => {
                let mut from = module;
                loop {
                    if let Some(found) = self.child(from, name, chain) {
                        break found;
                    }
                    if !self.list[from].block {
                        return None;
                    }
                    from = self.list[from].parent?;
                }
            }
        };
        for seg in rest {
            at = match seg.as_str() {
                "super" => up(at)?,
                name => self.child(at, name, chain)?,
            };
        }
        Some(at)
    }

    fn child(&self, module: usize, name: &str, chain: usize) -> Option<usize> {
        let here = &self.list[module];
        if let Some(child) = here.children.get(name) {
            return Some(*child);
        }
        if chain > MAX_CHAIN {
            return None;
        }
        let imports = here.uses.iter().filter(|u| u.local == name);
        let same = |u: &&Use| !matches!(&u.path.segs[..], [only] if only == name);
        let mut imports = imports.filter(same);
        imports.find_map(|u| self.module_at(module, &u.path.segs, chain + 1))
    }
}
