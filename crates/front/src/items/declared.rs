//! The items of the crate as they are written.
//!
//! In: syntax trees. Out: a type for each kind of item. Invariant: nothing in here has been judged:
//! items that the portal never reaches may be any Rust.

use crate::items::ids::*;
use crate::source::known_names::OurAttribute;
use crate::tast::{FileId, Span};
use crate::types::generics::Generics;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

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
    pub items: Names,
    pub imports: FxHashMap<String, Vec<PlainPath>>,
    pub globs: Vec<PlainPath>,
    /// The names that are declared or imported with `pub`.
    pub exports: FxHashSet<String>,
    /// Unexpanded macro calls among the items: names and places.
    pub unexpanded: Vec<(String, Span)>,
}

/// What a module declares, by name.
#[derive(Clone, Default)]
pub(crate) struct Names {
    types: FxHashMap<String, Def>,
    values: FxHashMap<String, Def>,
}

impl Names {
    /// What a name stands for.
    pub fn get(&self, ns: Ns, name: &str) -> Option<&Def> {
        match ns {
            Ns::Types => self.types.get(name),
            Ns::Values => self.values.get(name),
        }
    }

    /// Declares a name, if that has not been done before.
    pub fn declare(&mut self, ns: Ns, name: String, def: Def) {
        let names = match ns {
            Ns::Types => &mut self.types,
            Ns::Values => &mut self.values,
        };
        names.entry(name).or_insert(def);
    }

    /// The types and modules, in no order.
    pub fn types(&self) -> impl Iterator<Item = &Def> {
        self.types.values()
    }
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
    /// `#[gc]`, which has been complained about.
    pub gc: bool,
    pub generics: Generics,
    /// The traits in `#[derive(..)]`.
    pub derives: Vec<String>,
    /// `#[value]`
    pub value: bool,
    /// `#[repr(..)]`
    pub repr: bool,
    pub variants: Vec<syn::Variant>,
    /// Their numbers by their names.
    pub numbers: FxHashMap<String, usize>,
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
    /// The one that says how the function is called.
    pub exclusive: Option<&'static OurAttribute>,
    /// It is called, not traced, and may do anything that its source does not exclude.
    pub opaque: bool,
    /// `#[conditional_call]`
    pub conditional: bool,
    /// `#[readonly]` or `#[loop_invariant]`.
    pub readonly: bool,
    pub loop_invariant: bool,
    pub elidable: bool,
    pub unroll_safe: bool,
    /// `#[look_inside_iff(..)]` or `#[elidable_promote]`: its name. What is called is an item of
    /// its own.
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
    /// What its attribute says that it reads, and what it writes; nothing where that is read off
    /// its source.
    pub reads: Option<Rc<[PlaceName]>>,
    pub writes: Option<Rc<[PlaceName]>>,
    /// What to do in traced code instead of calling it, if its documentation says that it is for
    /// native code only.
    pub native_only: Option<Rc<str>>,
    /// What `#[advice("..")]` says.
    pub advice: Option<Rc<str>>,
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
    pub members: FxHashMap<String, TraitMember>,
}
