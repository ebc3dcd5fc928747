//! The items of the crate: modules and what they declare, as written.
//!
//! In: syntax trees. Out: [`Crate`], a table per kind of item. Invariant: nothing in here has been judged: items that
//! the portal never reaches may be any Rust.

use crate::effects::survey::Survey;
use crate::expand::Expansions;
use crate::generics::Generics;
use crate::hidden::Hidden;
use crate::named::{Answers, Named};
use crate::tast::{FileId, SourceFile, Span};
use crate::traits::Shape;
use cranelift_entity::{PrimaryMap, entity_impl};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $text:literal)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub(crate) struct $name(u32);
            entity_impl!($name, $text);
        )*
    };
}

ids! {
    /// A module, or a block with items in it.
    ModId "mod"
    /// A struct.
    StructId "struct"
    /// An enum.
    EnumId "enum"
    /// A function or method.
    FnItemId "fnitem"
    /// A constant.
    ConstId "const"
    /// A type alias.
    AliasId "alias"
    /// An `impl` block.
    ImplId "impl"
    /// A trait.
    TraitId "trait"
}

/// A namespace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ns {
    Types,
    Values,
}

/// Names of `verdigris::prelude` and `std` that the translator knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Builtin {
    Gc,
    GcArray,
    Cell,
    Quasi,
    Virtualizable,
    /// An item of an array that may have no value yet; only the library uses it.
    Slot,
    Register,
    Option,
    Some,
    None,
    Result,
    Ok,
    Err,
    Promote,
    /// `rt::at_most`; only the library uses it.
    AtMost,
    Concrete,
    WeAreJitted,
    RecordExactClass,
    IsConstant,
    IsVirtual,
}

impl Builtin {
    /// Whether it is a place in the heap whose content may change.
    pub fn is_place(self) -> bool {
        use Builtin::*;
        matches!(self, Cell | Slot | Quasi | Register | Virtualizable)
    }
}

/// What a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Def {
    Mod(ModId),
    Struct(StructId),
    Enum(EnumId),
    Variant(EnumId, usize),
    /// The thin pointer that `#[object(Name)]` on the enum declares.
    Object(EnumId),
    Fn(FnItemId),
    Const(ConstId),
    /// A `static` that is not `mut`: its value.
    Static(ConstId),
    Alias(AliasId),
    Trait(TraitId),
    /// An item that traced code cannot use: what it is.
    Other(&'static str),
    /// Something in another crate: its path.
    Extern(String),
    Builtin(Builtin),
    /// A primitive type.
    Prim(&'static str),
}

/// A path in a `use`, or any other path without generics.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlainPath {
    /// Starts with `::`.
    pub global: bool,
    pub segs: Vec<String>,
}

/// A module, or a block with items in it.
#[derive(Clone)]
pub(crate) struct Module {
    /// The enclosing module or block.
    pub parent: Option<ModId>,
    pub name: String,
    pub file: FileId,
    /// The module within which it can be named.
    pub vis: ModId,
    /// A block of a function.
    pub block: bool,
    pub items: HashMap<(Ns, String), Def>,
    pub imports: HashMap<String, Vec<PlainPath>>,
    pub globs: Vec<PlainPath>,
    /// The names that are declared or imported with `pub`.
    pub exports: HashSet<String>,
    /// Calls of macros at the place of items that stand for nobody knows what: names and places.
    pub unexpanded: Vec<(String, Span)>,
}

/// What can have inherent methods.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TypeKey {
    Struct(StructId),
    Enum(EnumId),
    Object(EnumId),
}

/// A member of an `impl`.
#[derive(Clone, Copy)]
pub(crate) enum Assoc {
    Fn(FnItemId),
    Const(ConstId),
}

pub(crate) struct StructItem {
    pub name: String,
    pub module: ModId,
    pub vis: ModId,
    pub span: Span,
    pub gc: bool,
    pub generics: Generics,
    /// The traits in `#[derive(..)]`.
    pub derives: Vec<String>,
    /// `#[value]`
    pub value: bool,
    /// `#[repr(..)]` other than `#[repr(C)]`
    pub repr: bool,
    pub fields: syn::Fields,
}

pub(crate) struct EnumItem {
    pub name: String,
    pub module: ModId,
    pub vis: ModId,
    pub span: Span,
    /// The argument of `#[object(..)]`.
    pub object: Option<String>,
    pub generics: Generics,
    /// The traits in `#[derive(..)]`.
    pub derives: Vec<String>,
    /// `#[value]`
    pub value: bool,
    /// `#[repr(..)]`
    pub repr: bool,
    pub variants: Vec<syn::Variant>,
    /// Their numbers by their names.
    pub numbers: HashMap<String, usize>,
}

impl StructItem {
    /// Whether a trait is derived.
    pub fn derives(&self, name: &str) -> bool {
        self.derives.iter().any(|d| d == name)
    }
}

impl EnumItem {
    /// Whether a trait is derived.
    pub fn derives(&self, name: &str) -> bool {
        self.derives.iter().any(|d| d == name)
    }
}

/// The attributes that matter.
#[derive(Clone, Copy, Default)]
pub(crate) struct FnAttrs {
    pub portal: bool,
    /// `#[opaque]`, `#[readonly]` or `#[loop_invariant]`.
    pub opaque: bool,
    /// `#[conditional_call]`
    pub conditional: bool,
    /// `#[readonly]` or `#[loop_invariant]`.
    pub readonly: bool,
    pub loop_invariant: bool,
    pub elidable: bool,
    pub unroll_safe: bool,
    /// `#[look_inside_iff(..)]` or `#[elidable_promote]`: its name. What is called is an item of its own.
    pub hint: Option<&'static str>,
    /// There are several of those that say how a function is called.
    pub clash: bool,
    /// `#[opaque(Self)]`, `#[readonly(Self)]`, `#[loop_invariant(Self)]` or `#[elidable(Self)]`.
    pub with_self: bool,
}

#[derive(Clone)]
pub(crate) struct FnItem {
    pub name: String,
    pub module: ModId,
    pub owner: Option<ImplId>,
    /// The trait that declares it.
    pub of_trait: Option<TraitId>,
    pub span: Span,
    pub attrs: FnAttrs,
    /// What its attribute says that it reads, and what it writes; nothing where that is read off its source.
    pub reads: Option<Rc<[PlaceName]>>,
    pub writes: Option<Rc<[PlaceName]>>,
    /// What `#[portal(..)]` says: names of policies, and their functions.
    pub policies: Vec<(String, syn::ExprPath)>,
    pub generics: Generics,
    pub sig: syn::Signature,
    pub body: syn::Block,
}

/// A place in the heap as an attribute names it.
pub(crate) enum PlaceName {
    /// A field of the class of `self`, and the items of the array that it refers to.
    Own(syn::Ident),
    /// `Class.field`
    Field(syn::Type, syn::Ident),
    /// `Class.*`
    Fields(syn::Type),
    /// `Array[]`
    Items(syn::Type),
}

pub(crate) struct ConstItem {
    pub name: String,
    pub module: ModId,
    pub owner: Option<ImplId>,
    pub ty: syn::Type,
    pub value: syn::Expr,
}

pub(crate) struct AliasItem {
    pub module: ModId,
    pub generics: Generics,
    pub ty: syn::Type,
}

#[derive(Clone)]
pub(crate) struct ImplItem {
    pub module: ModId,
    /// Where it begins.
    pub span: Span,
    pub ty: syn::Type,
    /// The trait's name as written.
    pub of_trait: Option<String>,
    /// The trait's path as written.
    pub trait_path: Option<PlainPath>,
    /// The same with its arguments.
    pub trait_args: Option<syn::PathSegment>,
    /// Associated types.
    pub types: Vec<(String, syn::Type)>,
    /// The trait, if the translator knows it.
    pub key: Option<TraitKey>,
    pub generics: Generics,
    pub members: Vec<(String, Assoc)>,
    /// What it is for, if that is a type of this crate.
    pub target: Option<TypeKey>,
}

/// A trait that the translator knows: one of the crate, or of the standard library by its name.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum TraitKey {
    User(TraitId),
    Std(String),
}

/// A member of a trait.
#[derive(Clone)]
pub(crate) enum TraitMember {
    /// `true` if the trait has a body for it.
    Fn(FnItemId, bool),
    /// With the value that the trait has for it.
    Const(Option<ConstId>),
    /// With its default.
    Type(Option<Rc<syn::Type>>),
}

pub(crate) struct TraitItem {
    pub name: String,
    pub module: ModId,
    pub generics: Generics,
    /// What else implementations implement.
    pub supers: Vec<syn::Path>,
    pub members: HashMap<String, TraitMember>,
}

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
    pub trait_members: HashMap<String, Vec<TraitId>>,
    /// The traits of the standard library that are implemented with a member of this name.
    pub std_members: HashMap<String, BTreeSet<TraitKey>>,
    /// The implementations of a trait for types that begin like this; none for any type.
    pub trait_impls: HashMap<(TraitKey, Option<Shape>), Vec<ImplId>>,
    /// What the tables do not keep, for the effects of functions.
    pub survey: Survey,
    /// Members of inherent `impl`s.
    pub assoc: HashMap<(TypeKey, String), Vec<Assoc>>,
    /// Members of trait `impl`s, and the trait.
    pub trait_assoc: HashMap<(TypeKey, String), String>,
    /// Whether `#[macro_use] extern crate` brings macros of another crate everywhere.
    pub brings_macros: bool,
    /// What attributes and conditions of items may hide.
    pub hidden: Hidden,
    /// The names that modules with calls of unknown macros have taken from globs, once traced code is looked at.
    pub taken: RefCell<Option<BTreeSet<(ModId, String)>>>,
    pub(super) named: RefCell<Named>,
    /// Of names of functions: the depth of what these give, if all agree.
    pub(super) depths: RefCell<Answers<Option<u32>>>,
    /// The members of modules asked for during the current look-up: against cycles and repetitions of globs and imports.
    /// The inner `None` means that there is no such member, or that it is still being looked for.
    pub(super) looking: RefCell<HashMap<(ModId, Ns, String), Option<Def>>>,
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
            trait_members: HashMap::new(),
            std_members: HashMap::new(),
            trait_impls: HashMap::new(),
            survey: Survey::default(),
            assoc: HashMap::new(),
            trait_assoc: HashMap::new(),
            brings_macros: false,
            hidden: Hidden::default(),
            taken: RefCell::default(),
            named: RefCell::default(),
            depths: RefCell::default(),
            looking: RefCell::new(HashMap::new()),
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

    /// The names of the modules from the root to this one, `name` last, joined by `::`; the root has no name.
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
            names.push(crate::library::PATH.to_owned());
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
