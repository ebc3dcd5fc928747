//! What is known of the items of a crate besides themselves. Each table is filled and asked in a
//! module of its own.
//!
//! The types of the tables in [`crate::items::Crate`]. A table holds
//! identities and syntax; nothing has been judged.

use crate::items::ids::*;
use crate::source::diag::DiagCode;
use crate::tast::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Functions by name, as far as the table has been read.
#[derive(Clone, Default)]
pub(crate) struct Named {
    pub read: usize,
    pub ids: FxHashMap<String, Vec<FnItemId>>,
    /// The names of methods that change what they are called on.
    pub changing: FxHashSet<String>,
}

/// Answers about names, each with how many functions of the name there were.
#[derive(Clone)]
pub(crate) struct Answers<T>(FxHashMap<String, (usize, T)>);

impl<T> Default for Answers<T> {
    fn default() -> Self {
        Answers(FxHashMap::default())
    }
}

impl<T: Clone> Answers<T> {
    /// The answer for a name that has this number of functions.
    pub fn get(&self, name: &str, count: usize) -> Option<T> {
        let (known, answer) = self.0.get(name)?;
        (*known == count).then(|| answer.clone())
    }

    pub fn insert(&mut self, name: &str, count: usize, answer: T) {
        self.0.insert(name.to_owned(), (count, answer));
    }
}

/// How a type begins.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    Key(TypeKey),
    /// A primitive type, by its name.
    Prim(&'static str),
    Tuple(usize),
    Gc,
    Array,
    /// `[T; N]`
    Fixed,
    Option,
    Result,
}

/// An item that can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Reached {
    Mod(ModId),
    Fn(FnItemId),
    Type(TypeKey),
    Impl(ImplId),
    /// The members of an `impl` for a type that is reached.
    Members(ImplId),
    /// A trait with such an `impl`, or with one for a type that is none of the crate.
    Trait(TraitId),
    Const(ConstId),
    Alias(AliasId),
}

/// What there is to say about items if they are reached.
#[derive(Clone, Default)]
pub(crate) struct Hidden(pub FxHashMap<Reached, Vec<Note>>);

#[derive(Clone)]
pub(crate) struct Note {
    pub code: DiagCode,
    pub at: Span,
    pub module: ModId,
    /// The attribute's path, or the condition.
    pub path: PlainPath,
    pub words: [String; 2],
}

/// A provided method of a trait.
pub(crate) struct Provided {
    pub module: ModId,
    pub sig: syn::Signature,
    pub body: syn::Block,
}

/// A `static`, or one in a `thread_local!`.
pub(crate) struct Static {
    pub module: ModId,
    pub name: syn::Ident,
    /// `#[rooted_elsewhere]`
    pub rooted: bool,
    pub ty: syn::Type,
    pub value: syn::Expr,
}

/// See the module.
#[derive(Clone, Default)]
pub(crate) struct Survey {
    /// What makes it impossible to say anything about any function.
    pub refusal: Option<String>,
    /// Methods that traits provide.
    pub provided: Vec<Rc<Provided>>,
    /// By name.
    pub statics: FxHashMap<String, Vec<Rc<Static>>>,
    /// Fields of structs and enums with a derived `Debug`, which reads them.
    pub shown: FxHashSet<String>,
    /// Methods of inherent `impl`s that their modules keep to themselves.
    pub private: FxHashSet<FnItemId>,
    /// What stands at the heads of items and of members of `impl` blocks and traits: signatures,
    /// types of fields, bounds.
    pub heads: Vec<Head>,
}

/// The head of an item or of a member of one.
#[derive(Clone)]
pub(crate) struct Head {
    pub module: ModId,
    /// The names that it declares: of a type, and then what it consists of; or of a function,
    /// constant or static; or none, if it concerns nothing with a name.
    pub names: Vec<String>,
    /// Whether the first of them is that of a type.
    pub is_type: bool,
    /// The paths in it.
    pub paths: Vec<PlainPath>,
}
