//! The items of the crate: modules and what they declare, as written.
//!
//! In: syntax trees. Out: [`Crate`], a table per kind of item. Invariant: nothing in here has been
//! judged: items that the portal never reaches may be any Rust.

pub(crate) mod by_name;
mod declared;
pub(crate) mod ids;
pub(crate) mod tables;

pub(crate) use declared::*;
pub(crate) use ids::*;

use crate::expand::record::Expansions;
use crate::items::tables::{Answers, Hidden, Named, Reached, Shape, Survey};
use crate::tast::{FileId, SourceFile};
use crate::types::generics::Generics;
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What imports and globs bring into modules, by name; none for what they do not.
type Imported = FxHashMap<(ModId, Ns), FxHashMap<String, Option<Def>>>;

/// Everything the crate declares.
#[derive(Clone)]
pub(crate) struct Crate {
    pub files: PrimaryMap<FileId, SourceFile>,
    /// What has become of the macros of the crate.
    pub expansions: Expansions,
    pub modules: PrimaryMap<ModId, Module>,
    /// The root of the library, if it has been read.
    pub library: Option<ModId>,
    pub structs: PrimaryMap<StructId, Rc<StructItem>>,
    pub enums: PrimaryMap<EnumId, Rc<EnumItem>>,
    pub fns: PrimaryMap<FnItemId, Rc<FnItem>>,
    pub consts: PrimaryMap<ConstId, Rc<ConstItem>>,
    pub aliases: PrimaryMap<AliasId, Rc<AliasItem>>,
    pub impls: PrimaryMap<ImplId, ImplItem>,
    pub traits: PrimaryMap<TraitId, Rc<TraitItem>>,
    /// The modules of the standard library that our own texts have, by their names in `core`.
    pub texts: Vec<(&'static str, ModId)>,
    /// The traits of the standard library that our own texts have, by their names.
    pub std_traits: Vec<(String, TraitId)>,
    /// The traits that declare a member of this name.
    pub trait_members: FxHashMap<String, Vec<TraitId>>,
    /// The traits of the standard library that are implemented with a member of this name.
    pub std_members: FxHashMap<String, BTreeSet<TraitKey>>,
    /// The implementations of a trait for types that begin like this; none for any type.
    pub trait_impls: FxHashMap<(TraitKey, Option<Shape>), Vec<ImplId>>,
    /// The traits that are implemented for references.
    pub lent_traits: FxHashSet<TraitKey>,
    /// What the tables do not keep, for the effects of functions.
    pub survey: Survey,
    /// Members of inherent `impl`s.
    pub assoc: FxHashMap<(TypeKey, String), Vec<Assoc>>,
    /// Members of trait `impl`s, and the trait.
    pub trait_assoc: FxHashMap<(TypeKey, String), String>,
    /// Whether `#[macro_use] extern crate` brings macros of another crate everywhere.
    pub brings_macros: bool,
    /// The items that are marked `#[rooted_elsewhere]`.
    pub rooted: FxHashSet<Reached>,
    /// What attributes and conditions of items may hide.
    pub hidden: Hidden,
    /// The names that modules with calls of unknown macros have glob_uses from globs, once traced
    /// code is looked at.
    pub glob_uses: RefCell<Option<BTreeSet<(ModId, String)>>>,
    pub(super) named: RefCell<Named>,
    /// Of names of functions: the depth of what these give, if all agree.
    pub(super) depths: RefCell<Answers<Option<u32>>>,
    /// The members of modules asked for during the current look-up: against cycles and repetitions
    /// of globs and imports. The inner `None` means that there is no such member, or that it is
    /// still being looked for.
    pub(super) looking: RefCell<FxHashMap<(ModId, Ns, String), Option<Def>>>,
    /// What imports and globs have brought into a module, as far as that has been asked since
    /// something was last declared.
    pub(super) imported: RefCell<Imported>,
}

impl Crate {
    /// A crate without items.
    pub fn new() -> Crate {
        Crate {
            files: PrimaryMap::new(),
            expansions: Expansions::default(),
            modules: PrimaryMap::new(),
            library: None,
            structs: PrimaryMap::new(),
            enums: PrimaryMap::new(),
            fns: PrimaryMap::new(),
            consts: PrimaryMap::new(),
            aliases: PrimaryMap::new(),
            impls: PrimaryMap::new(),
            traits: PrimaryMap::new(),
            texts: Vec::new(),
            std_traits: Vec::new(),
            trait_members: FxHashMap::default(),
            std_members: FxHashMap::default(),
            trait_impls: FxHashMap::default(),
            lent_traits: FxHashSet::default(),
            survey: Survey::default(),
            assoc: FxHashMap::default(),
            trait_assoc: FxHashMap::default(),
            brings_macros: false,
            rooted: FxHashSet::default(),
            hidden: Hidden::default(),
            glob_uses: RefCell::default(),
            named: RefCell::default(),
            depths: RefCell::default(),
            looking: RefCell::default(),
            imported: RefCell::default(),
        }
    }

    /// The root module; there is one as soon as collection has begun.
    pub fn root(&self) -> ModId {
        ModId::from_u32(0)
    }

    /// The nearest module that is not a block.
    pub fn real_module(&self, mut module: ModId) -> ModId {
        while self.modules[module].block {
            match self.modules[module].parent {
                Some(parent) => module = parent,
                None => break,
            }
        }
        module
    }

    /// The names of the modules from the root to this one, `name` last, joined by `::`; the root
    /// has no name.
    pub fn path(&self, module: ModId, name: &str) -> String {
        let mut names = vec![name.to_owned()];
        let mut at = Some(module);
        while let Some(m) = at {
            let module = &self.modules[m];
            if module.parent.is_some() && !module.block {
                names.push(module.name.clone());
            }
            at = module.parent;
        }
        if self.is_library(module) {
            names.push(crate::source::known_names::LIBRARY_PATH.to_owned());
        }
        names.reverse();
        names.join("::")
    }

    /// The path of a type with methods.
    pub fn key_path(&self, key: TypeKey) -> String {
        match key {
            TypeKey::Struct(s) => self.path(self.structs[s].module, &self.structs[s].name),
            TypeKey::Enum(e) => self.path(self.enums[e].module, &self.enums[e].name),
            TypeKey::Object(e) => self.path(self.enums[e].module, self.object_name(e)),
        }
    }

    /// The name of an object enum's thin pointer.
    pub fn object_name(&self, id: EnumId) -> &str {
        let item = &self.enums[id];
        item.object.as_deref().unwrap_or(&item.name)
    }

    /// The generic parameters of a type with methods.
    pub fn key_generics(&self, key: TypeKey) -> &Generics {
        match key {
            TypeKey::Struct(s) => &self.structs[s].generics,
            TypeKey::Enum(e) | TypeKey::Object(e) => &self.enums[e].generics,
        }
    }

    /// Whether a trait is derived for a type with methods.
    pub fn derives(&self, key: TypeKey, name: &str) -> bool {
        match key {
            TypeKey::Struct(s) => self.structs[s].derives(name),
            TypeKey::Enum(e) => self.enums[e].derives(name),
            // A pointer is not the enum.
            TypeKey::Object(_) => false,
        }
    }

    /// The module that declares a type with methods.
    pub fn key_module(&self, key: TypeKey) -> ModId {
        match key {
            TypeKey::Struct(s) => self.structs[s].module,
            TypeKey::Enum(e) | TypeKey::Object(e) => self.enums[e].module,
        }
    }

    /// The path of a function, as `object::IntObj::add`.
    pub fn fn_path(&self, id: FnItemId) -> String {
        let item = &self.fns[id];
        if let Some(of_trait) = item.of_trait {
            let of_trait = &self.traits[of_trait];
            let path = self.path(of_trait.module, &of_trait.name);
            return format!("{path}::{}", item.name);
        }
        match item.owner.and_then(|o| self.impls[o].target) {
            Some(key) => format!("{}::{}", self.key_path(key), item.name),
            None => self.path(item.module, &item.name),
        }
    }
}
