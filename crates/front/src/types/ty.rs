//! The types that expressions have while a function is checked.
//!
//! [`Ty`], and what instances of generic types are instances of. Equal
//! types without holes are equal values.

use crate::items::{StructId, TypeKey};
use crate::tast::{AdtId, IntTy, ObjectId, Type};
use cranelift_entity::entity_impl;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use verdigris_ops as ops;
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
    /// A `#[gc]` struct itself: what `Gc` points to. No value has this type; it is an argument of
    /// generic items, and what `Self` means in the struct's `impl` blocks.
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
pub(crate) struct Known(Rc<RefCell<FxHashMap<Ty, Parts>>>);

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

    /// Whether something of it is not known; of the outermost holes, the values must have been put
    /// in.
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

/// The second argument of `GcArray`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tag {
    /// In names.
    pub name: String,
    /// In the glue.
    pub glue: String,
    /// What items that change are in.
    pub around: Around,
}

/// What items that change are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Around {
    Cell,
    Slot,
    Register,
    Virtualizable,
}

impl Tag {
    /// The tag of an array of slots that is found out later.
    pub fn open() -> Tag {
        Tag {
            name: "_".to_owned(),
            glue: "_".to_owned(),
            around: Around::Slot,
        }
    }

    /// Whether it is found out later.
    pub fn is_open(&self) -> bool {
        self.name == "_"
    }

    /// Whether code of the library may have arrays with it: its own tags, and none.
    pub fn is_of_library(&self) -> bool {
        self.is_open() || self.name == "()" || self.name.starts_with("verdigris::library::")
    }

    /// What items that change are wrapped in.
    pub fn wrapper(&self) -> &'static str {
        match self.around {
            Around::Cell => "Cell",
            Around::Slot => "Slot",
            Around::Register => "Register",
            Around::Virtualizable => "Virtualizable",
        }
    }

    /// The type of an item that changes, in the glue.
    pub fn wrap_glue(&self, inner: &str) -> String {
        let path = match self.around {
            Around::Slot => "rt::Slot",
            Around::Cell | Around::Register | Around::Virtualizable => self.wrapper(),
        };
        format!("::verdigris::{path}<{inner}>")
    }
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ByRef {
    /// By value; `&self` of a heap class is the pointer to the object, which is a value.
    No,
    /// `&T`, which is the value.
    Shared,
    /// `&mut T`: the value, which is given back.
    Mut,
}

/// The types of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sig {
    /// `self` first; of references what they refer to.
    pub params: Vec<Ty>,
    /// For each parameter.
    pub by_ref: Vec<ByRef>,
    pub ret: Ty,
}

/// What a reference refers to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Foreign {
    /// The type, with paths from the crate root.
    pub name: Rc<str>,
    /// Whether the reference has a length besides the address.
    pub fat: bool,
    /// Whether it is a `&mut`.
    pub unique: bool,
}

impl Foreign {
    /// The type as it is written, with the last segments of paths.
    pub fn show(&self) -> String {
        let unique = if self.unique { "mut " } else { "" };
        let mut shown = format!("&{unique}");
        let is_end = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
        for piece in self.name.split_inclusive(is_end) {
            let path = piece.trim_end_matches(is_end);
            let end = &piece[path.len()..];
            match end {
                // It was the module in which a name could not be resolved.
                " " => {}
                end => {
                    shown += path.rsplit("::").next().unwrap_or(path);
                    shown += if end == "," { ", " } else { end };
                }
            }
        }
        shown
    }

    /// `&'static str`
    pub fn text() -> Foreign {
        Foreign {
            name: "str".into(),
            fat: true,
            unique: false,
        }
    }

    /// `&'static [u8]`
    pub fn bytes() -> Foreign {
        Foreign {
            name: "[u8]".into(),
            ..Foreign::text()
        }
    }

    /// Whether a reference of this type can be passed where `param` is expected: `&mut` also as
    /// `&`.
    pub fn passes_as(&self, param: &Foreign) -> bool {
        self.name == param.name && (self.unique || !param.unique)
    }
}

/// A hole.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Var(u32);
entity_impl!(Var, "var");

/// A type without holes.
pub(crate) fn final_type(ty: &Ty) -> Type {
    match ty {
        Ty::Never => Type::Never,
        Ty::Bool => Type::Bool,
        Ty::Char => Type::Char,
        Ty::Int(int) => Type::Int(*int),
        Ty::F64 => Type::F64,
        Ty::Gc(c) => Type::Gc(*c),
        Ty::Array(c) => Type::Array(*c),
        Ty::Object(o) => Type::Object(*o),
        Ty::Kind(o) => Type::Kind(*o),
        Ty::Option(inner) => Type::Option(Box::new(final_type(inner))),
        Ty::Result(ok, err) => Type::Result(Box::new(final_type(ok)), Box::new(final_type(err))),
        Ty::Tuple(parts) => Type::Tuple(parts.iter().map(final_type).collect()),
        Ty::Adt(id) => Type::Adt(*id),
        Ty::Foreign(foreign) => Type::Foreign { fat: foreign.fat },
        Ty::Fixed(item, len) => Type::Fixed(Box::new(final_type(item)), *len),
        Ty::Fn(_) => Type::Fn,
        Ty::Unit | Ty::Error | Ty::Var(_) | Ty::Cell(_) | Ty::Class(_) | Ty::Const(..) => {
            Type::Unit
        }
    }
}

/// The machine type of values that are one word; none for all others.
pub(crate) fn machine(ty: &Ty) -> Option<ops::Ty> {
    match ty {
        Ty::Bool | Ty::Char | Ty::Int(_) => Some(ops::Ty::Int),
        Ty::F64 => Some(ops::Ty::Float),
        Ty::Gc(_) | Ty::Array(_) | Ty::Object(_) => Some(ops::Ty::Ref),
        Ty::Option(inner) if inner.is_ref() => Some(ops::Ty::Ref),
        Ty::Option(_) | Ty::Result(..) | Ty::Tuple(_) | Ty::Adt(_) | Ty::Fixed(..) => None,
        Ty::Error | Ty::Var(_) | Ty::Unit | Ty::Never => None,
        Ty::Kind(_) | Ty::Cell(_) | Ty::Foreign(_) | Ty::Class(_) => None,
        Ty::Fn(_) | Ty::Const(..) => None,
    }
}

/// The most items that an array held by value has, those of arrays in it counted.
pub(crate) const MAX_ITEMS: u64 = 64;

/// The least and the greatest value, as words.
pub(crate) fn int_range(int: IntTy) -> (i64, i64) {
    let bits = int.bits();
    match int.signed() {
        true => (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits)),
        false => (0, (u64::MAX >> (64 - bits)) as i64),
    }
}
