//! Where code of other crates comes in, of those that may know guest heaps.
//!
//! In: the crate, with what its items say at their heads. Out: the modules and names behind which
//! there is such a crate ([`ForeignCrates`]). Invariant: a body that is in none of these modules,
//! and has none of these names in it, runs no code of such a crate, and gets hold of no value whose
//! type is one of theirs.
//!
//! The argument. Such code is called by a path to it, by a method, or unseen, by operators and
//! drops. A path is resolved where it is written ([`super::body`]). A method is that of a trait,
//! which has to be in scope, so that the module imports it; or that of a value's own type. A value
//! that has something of a type of theirs is made by a function, or lies in a field, a constant or
//! a static, and whatever gives it has that type at its head, or a type of this crate which has it
//! in it, and so on. What is found by operators alone are associated types, so these count for all
//! bodies. Panic hooks are expected to leave guest heaps alone.

use crate::effects::survey::{foreign, is_tame_crate};
use crate::items::{Crate, Def, ImplItem, ModId, Ns, PlainPath};
use crate::names::resolve::STD_PRELUDE;
use crate::source::syntax::{name_of, plain};
use proc_macro2::{TokenStream, TokenTree};
use rustc_hash::FxHashMap;
use syn::visit::{self, Visit};

/// Where other crates come in.
#[derive(Default)]
pub(crate) struct ForeignCrates {
    /// Why everything may come to one.
    everywhere: Option<String>,
    /// Modules that have something of one in scope, with its name.
    modules: FxHashMap<ModId, String>,
    /// Types and traits with something of one in them.
    types: FxHashMap<String, String>,
    /// All names that lead to one, those of types among them.
    names: FxHashMap<String, String>,
}

impl ForeignCrates {
    pub fn of(krate: &Crate) -> ForeignCrates {
        let mut abroad = ForeignCrates::default();
        abroad.find_modules(krate);
        abroad.find_names(krate);
        abroad
    }

    /// What makes it impossible to say anything about any function of the crate.
    pub fn refusal(&self) -> Option<String> {
        let name = self.everywhere.as_ref()?;
        Some(format!(
            "a trait or an associated type of the crate names the crate `{name}`"
        ))
    }

    /// Why a body may run code of another crate, if it may.
    pub fn of_body(&self, module: ModId, body: impl FnOnce(&mut Mentions<'_>)) -> Option<String> {
        if let Some(name) = self.modules.get(&module) {
            return Some(format!("its module uses the crate `{name}`"));
        }
        if self.names.is_empty() {
            return None;
        }
        let mut mentions = Mentions {
            names: &self.names,
            found: None,
        };
        body(&mut mentions);
        let (name, other) = mentions.found?;
        Some(format!(
            "the name `{name}`, behind which is the crate `{other}`"
        ))
    }

    /// Whether the members of an `impl` block can only be called by code of such a crate, or with a
    /// value of one of its types.
    pub fn has_members_of(&self, krate: &Crate, block: &ImplItem) -> bool {
        let mut paths = Paths::default();
        paths.visit_type(&block.ty);
        if let Some(args) = &block.trait_args {
            paths.visit_path_segment(args);
        }
        paths.found.extend(block.trait_path.clone());
        (paths.found.iter()).any(|path| self.leads_to(krate, block.module, path).is_some())
    }

    /// The modules that import something of another crate, by name or through a glob.
    fn find_modules(&mut self, krate: &Crate) {
        for (id, module) in &krate.modules {
            let named = module.imports.values().flatten();
            let found = named
                .chain(&module.globs)
                .find_map(|path| leads_abroad(krate, id, path));
            self.modules.extend(found.map(|name| (id, name)));
        }
        loop {
            let before = self.modules.len();
            for (id, module) in &krate.modules {
                let mut globs = module.globs.iter();
                let found = globs.find_map(|path| {
                    match krate.resolve(id, path.global, &path.segs, Ns::Types)? {
                        (Def::Mod(from), _) => self.modules.get(&from).cloned(),
                        _ => None,
                    }
                });
                if let Some(name) = found {
                    self.modules.entry(id).or_insert(name);
                }
            }
            if self.modules.len() == before {
                return;
            }
        }
    }

    /// The names of items that have something of another crate at their heads, or of a type that
    /// has.
    fn find_names(&mut self, krate: &Crate) {
        let mut left: Vec<_> = krate.survey.heads.iter().collect();
        loop {
            let before = left.len();
            left.retain(|head| {
                let mut paths = head.paths.iter();
                let Some(other) = paths.find_map(|path| self.leads_to(krate, head.module, path))
                else {
                    return true;
                };
                for name in &head.names {
                    self.names.insert(name.clone(), other.clone());
                }
                match head.names.first() {
                    None => self.everywhere = Some(other),
                    Some(name) if head.is_type => {
                        self.types.insert(name.clone(), other);
                    }
                    Some(_) => {}
                }
                false
            });
            if left.len() == before && !self.rename(krate) {
                return;
            }
        }
    }

    /// Adds the names that imports give to what has one of these. Whether there was a new one.
    fn rename(&mut self, krate: &Crate) -> bool {
        let before = self.names.len();
        let imports = krate.modules.values().flat_map(|module| &module.imports);
        for (new, paths) in imports {
            let mut old = paths.iter().filter_map(|path| path.segs.last());
            if let Some(old) = old.find(|old| self.names.contains_key(*old)) {
                let other = self.names[old].clone();
                if self.types.contains_key(old) {
                    self.types.insert(new.clone(), other.clone());
                }
                self.names.entry(new.clone()).or_insert(other);
            }
        }
        self.names.len() > before
    }

    /// The other crate that a path in a head leads to, by way of types of this crate, too.
    fn leads_to(&self, krate: &Crate, module: ModId, path: &PlainPath) -> Option<String> {
        if let Some(name) = path.segs.iter().find_map(|seg| self.types.get(seg)) {
            return Some(name.clone());
        }
        // An unknown name alone comes through a glob, which is one of theirs only if the
        // module imports something of them.
        let is_alone = path.segs.len() == 1 && !path.global;
        let is_unknown = |ns| krate.resolve(module, false, &path.segs, ns).is_none();
        match is_alone && [Ns::Types, Ns::Values].into_iter().all(is_unknown) {
            true => self.modules.get(&module).cloned(),
            false => leads_abroad(krate, module, path),
        }
    }
}

/// The other crate that a path leads to, by way of imports, too.
fn leads_abroad(krate: &Crate, module: ModId, path: &PlainPath) -> Option<String> {
    let resolve = |ns| krate.resolve(module, path.global, &path.segs, ns);
    let found = [Ns::Types, Ns::Values].map(resolve);
    if found.iter().all(Option::is_none) {
        return foreign(krate, module, path);
    }
    found.into_iter().flatten().find_map(|(def, _)| match def {
        Def::Extern(path) => {
            let name = path.split("::").next().unwrap_or_default();
            let is_known = is_tame_crate(name) || STD_PRELUDE.contains(&name);
            (!is_known).then(|| name.to_owned())
        }
        _ => None,
    })
}

/// Looks for names in a body.
pub(crate) struct Mentions<'a> {
    names: &'a FxHashMap<String, String>,
    /// The first one, and the crate behind it.
    found: Option<(String, String)>,
}

impl Mentions<'_> {
    fn name(&mut self, ident: &proc_macro2::Ident) {
        let name = name_of(ident);
        if self.found.is_none()
            && let Some(other) = self.names.get(&name)
        {
            self.found = Some((name, other.clone()));
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(ident) => self.name(&ident),
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
        self.name(ident);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.tokens(mac.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

/// Collects paths.
#[derive(Default)]
struct Paths {
    found: Vec<PlainPath>,
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.found.push(plain(path));
        visit::visit_path(self, path);
    }
}
