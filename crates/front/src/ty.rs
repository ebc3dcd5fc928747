//! The types that expressions have while a function is checked.
//!
//! In: nothing. Out: [`Ty`], and what instances of generic types are instances of. Invariant: equal types without holes
//! are equal values.

use crate::cx::{Sig, Tag};
use crate::foreign::Foreign;
use crate::infer::Var;
use crate::items::{StructId, TypeKey};
use crate::tast::{AdtId, IntTy, ObjectId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use verdigris_ops::ClassId;

/// A type while a function is being checked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ty {
    /// Something that has been complained about.
    Error,
    /// A hole.
    Var(Var),
    Unit,
    Never,
    Bool,
    Int(IntTy),
    Char,
    F64,
    Gc(ClassId),
    Array(ClassId),
    Object(ObjectId),
    Kind(ObjectId),
    Option(Box<Ty>),
    Result(Box<Ty>, Box<Ty>),
    /// With at least one part.
    Tuple(Vec<Ty>),
    /// A struct or enum held by value.
    Adt(AdtId),
    /// A reference to Rust data that traced code hands on.
    Foreign(Foreign),
    /// An array of this length, held by value.
    Fixed(Box<Ty>, u32),
    /// A pointer to a function with these types.
    Fn(Rc<Sig>),
    /// A place in the heap that `.get()` reads and `.set(..)` writes.
    Cell(Box<Ty>),
    /// What a `const` parameter stands for, of this type. No value has this type.
    Const(Box<Ty>, i64),
    /// A `#[gc]` struct itself: what `Gc` points to. No value has this type; it is an argument of generic items, and what
    /// `Self` means in the struct's `impl` blocks.
    Class(ClassId),
}

/// What a generic type is an instance of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Head {
    /// `Gc`, of a class.
    Gc,
    /// A `#[gc]` struct.
    Class(StructId),
    /// A struct or enum held by value.
    Adt(TypeKey),
    /// `GcArray` with this tag, of plain items or of cells.
    Array(bool, Tag),
    /// `[T; N]`
    Fixed,
}

impl Head {
    /// Whether something of it is not known: the tag of an array.
    pub fn is_open(&self) -> bool {
        matches!(self, Head::Array(_, tag) if tag.is_open())
    }

    /// Whether both can be the same.
    pub fn fits(&self, other: &Head) -> bool {
        match (self, other) {
            (Head::Array(cell, tag), Head::Array(others, other))
                if tag.is_open() || other.is_open() =>
            {
                (cell, tag.around) == (others, other.around)
            }
            _ => self == other,
        }
    }
}

/// Of which item, with which arguments, the instances of generic types are that have an identity.
#[derive(Clone, Default)]
pub(crate) struct Known(Rc<RefCell<HashMap<Ty, Parts>>>);

/// An item and its arguments.
pub(crate) type Parts = (Head, Rc<[Ty]>);

impl Known {
    /// A table of its own with the same entries: clones share theirs.
    pub fn apart(&self) -> Known {
        Known(Rc::new(self.0.as_ref().clone()))
    }

    pub fn add(&self, ty: Ty, head: Head, args: Rc<[Ty]>) {
        self.0.borrow_mut().insert(ty, (head, args));
    }

    /// What a type is an instance of; none if it is not one of a generic item.
    pub fn parts(&self, ty: &Ty) -> Option<Parts> {
        match ty {
            Ty::Gc(class) => Some((Head::Gc, Rc::new([Ty::Class(*class)]))),
            Ty::Fixed(item, len) => {
                let len = Ty::Const(Box::new(Ty::Int(IntTy::Usize)), i64::from(*len));
                Some((Head::Fixed, Rc::new([(**item).clone(), len])))
            }
            ty => self.0.borrow().get(ty).cloned(),
        }
    }
}

impl Ty {
    /// An `Option` of this.
    pub fn option(self) -> Ty {
        Ty::Option(Box::new(self))
    }

    /// Whether values are pointers that are never null.
    pub fn is_ref(&self) -> bool {
        matches!(self, Ty::Gc(_) | Ty::Array(_) | Ty::Object(_))
    }

    /// Whether values are numbers, characters or truth values.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Bool | Ty::Char | Ty::F64)
    }

    /// Whether values are made of others: tuples, structs, enums, options, results.
    pub fn is_aggregate(&self) -> bool {
        matches!(
            self,
            Ty::Tuple(_) | Ty::Adt(_) | Ty::Option(_) | Ty::Result(..) | Ty::Fixed(..)
        )
    }

    /// Whether something of it is not known; of the outermost holes, the values must have been put in.
    pub fn has_holes(&self) -> bool {
        matches!(self, Ty::Var(_)) || self.parts().into_iter().any(Ty::has_holes)
    }

    /// The types that this one is written with.
    pub(crate) fn parts(&self) -> Vec<&Ty> {
        match self {
            Ty::Option(inner) | Ty::Cell(inner) | Ty::Fixed(inner, _) => vec![inner],
            Ty::Result(ok, err) => vec![ok, err],
            Ty::Tuple(parts) => parts.iter().collect(),
            Ty::Fn(sig) => sig.params.iter().chain([&sig.ret]).collect(),
            _ => Vec::new(),
        }
    }
}
