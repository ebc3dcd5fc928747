//! What the tables of [`crate::cx::Cx`] hold besides what goes into the typed program.
//!
//! The types of entries: where classes, types and functions come from, and what
//! has been found out about them. Invariant: entries hold identities, types and syntax; they know
//! nothing of how they are found.

use crate::items::*;
use crate::tast::{FuncId, Span, Support};
use crate::types::generics::SubstId;
use crate::types::ty::{Around, Sig, Tag, Ty};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_ops::{FieldId, FnId, Held};

/// Where a type is written.
#[derive(Clone, Copy)]
pub(crate) struct Env {
    pub module: ModId,
    pub owner: Option<ImplId>,
    /// What generic parameters mean.
    pub subst: SubstId,
}

impl Env {
    /// In a module, outside of generic items and `impl` blocks.
    pub fn of(module: ModId) -> Env {
        Env {
            module,
            owner: None,
            subst: SubstId::EMPTY,
        }
    }

    /// In a type with its arguments.
    pub fn with(module: ModId, subst: SubstId) -> Env {
        Env {
            subst,
            ..Env::of(module)
        }
    }
}

/// A field as the checker sees it.
#[derive(Clone)]
pub(crate) struct FieldSrc {
    pub name: String,
    pub ty: Ty,
    pub held: Held,
    pub id: FieldId,
}

/// What a class is made from.
#[derive(Clone)]
pub(crate) enum ClassSrc {
    Struct {
        item: StructId,
        args: Rc<[Ty]>,
        fields: Rc<Vec<FieldSrc>>,
    },
    Array {
        item: Ty,
        cell: bool,
        tag: Tag,
    },
}

impl ClassSrc {
    /// Whether it is of arrays whose items may be vacant.
    pub fn has_slots(&self) -> bool {
        matches!(self, ClassSrc::Array { cell: true, tag, .. } if tag.around == Around::Slot)
    }
}

/// The value of a constant.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ConstValue {
    Int(i64),
    Float(f64),
    /// Of this variant, with its fields in declaration order.
    Make(u32, Vec<ConstValue>),
}

/// A constant that has been asked for.
#[derive(Clone)]
pub(crate) enum ConstState {
    /// Being evaluated: asking again is a cycle.
    Open,
    Done(Ty, ConstValue),
    Failed,
}

/// What calling a function of the crate means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Traced(FuncId),
    Called(FnId),
    Error,
}

/// An [`Adt`] while types are inferred.
#[derive(Clone)]
pub(crate) struct AdtSrc {
    pub key: TypeKey,
    pub args: Rc<[Ty]>,
    pub variants: Rc<Vec<VariantSrc>>,
}

/// A variant; that of a struct has the struct's name.
#[derive(Clone)]
pub(crate) struct VariantSrc {
    pub name: String,
    /// Names (`0`, `1`, .. in parentheses) and types.
    pub fields: Vec<(String, Ty)>,
}

/// The functions that an `index_mut` is taken apart into.
#[derive(Clone, Copy)]
pub(crate) struct Accessors {
    pub read: FnItemId,
    pub write: FnItemId,
}

impl Accessors {
    pub fn parts(self) -> [FnItemId; 2] {
        [self.read, self.write]
    }
}

/// A reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum RefKind {
    Shared,
    Unique,
}

/// The type of a receiver in Rust, where the source says what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SourceType {
    /// From the outside in.
    pub refs: Vec<RefKind>,
    /// A pointer to a heap class is a reference to the object, the innermost of the refs.
    pub class: bool,
    /// The type of the crate inside, or what a pointer inside points to.
    pub key: Option<TypeKey>,
    /// Whether it is what a type parameter stands for: the source knows of it what the parameter's
    /// bounds say.
    pub of_param: bool,
}

impl SourceType {
    pub fn value() -> SourceType {
        SourceType {
            refs: Vec::new(),
            class: false,
            key: None,
            of_param: false,
        }
    }

    pub fn of(key: TypeKey) -> SourceType {
        let key = Some(key);
        SourceType {
            key,
            ..SourceType::value()
        }
    }

    pub fn behind(mut self, kind_of_ref: RefKind) -> SourceType {
        self.refs.insert(0, kind_of_ref);
        self
    }
}

/// One of the traits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Order {
    /// `PartialEq`
    Same,
    /// `PartialOrd`
    Partial,
    /// `Ord`
    Total,
}

/// The functions that have been written so far.
#[derive(Clone, Default)]
pub(crate) struct Supports {
    pub list: Vec<Support>,
    pub known: FxHashMap<Support, FnId>,
}

/// The pointers of one type.
#[derive(Clone)]
pub(crate) struct Table {
    pub sig: Rc<Sig>,
    /// What the numbers mean, and where each was first named.
    pub members: Vec<(Target, Span)>,
    /// The function that calls by number, if there is a call.
    pub caller: Option<FuncId>,
}

/// The function pointers of the program.
#[derive(Clone, Default)]
pub(crate) struct Pointers {
    pub tables: Vec<Table>,
    pub by_type: FxHashMap<Rc<Sig>, usize>,
    pub callers: FxHashMap<FuncId, usize>,
}

/// The references around a type, from the outside in, and what is inside of them.
pub(crate) fn refs_of(mut ty: &syn::Type) -> (Vec<RefKind>, &syn::Type) {
    let mut refs = Vec::new();
    loop {
        ty = match ty {
            syn::Type::Paren(t) => &t.elem,
            syn::Type::Group(t) => &t.elem,
            syn::Type::Reference(t) => {
                refs.push(if t.mutability.is_some() {
                    RefKind::Unique
                } else {
                    RefKind::Shared
                });
                &t.elem
            }
            ty => return (refs, ty),
        }
    }
}
