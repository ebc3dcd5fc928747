//! Types with holes, and unification.
//!
//! In: equations between types. Out: the value of each hole. Invariant: [`Ty::Error`] unifies with everything in
//! silence, so one mistake makes one diagnostic.
//!
//! An instance of a generic type has an identity only when its arguments are known. Until then it is a hole that is
//! *open*: its [`Head`] and arguments are known as far as they are. Whoever checks a function closes such holes
//! ([`Infer::ready`], [`Infer::close`]) as soon as that is possible.

use crate::cx::Tag;
use crate::foreign::Foreign;
use crate::items::{StructId, TraitKey, TypeKey};
use crate::tast::{AdtId, IntTy, ObjectId, Span};
use crate::traits::Projection;
use cranelift_entity::{PrimaryMap, entity_impl};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use verdigris_ops::ClassId;

/// A hole.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Var(u32);
entity_impl!(Var, "var");

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
    fn is_open(&self) -> bool {
        matches!(self, Head::Array(_, tag) if tag.is_open())
    }

    /// Whether both can be the same.
    fn fits(&self, other: &Head) -> bool {
        match (self, other) {
            (Head::Array(cell, tag), Head::Array(others, other))
                if tag.is_open() || other.is_open() =>
            {
                (cell, tag.slot) == (others, other.slot)
            }
            _ => self == other,
        }
    }
}

/// Of which item, with which arguments, the instances of generic types are that have an identity.
#[derive(Clone, Default)]
pub(crate) struct Known(Rc<RefCell<HashMap<Ty, Parts>>>);

/// An item and its arguments.
type Parts = (Head, Rc<[Ty]>);

impl Known {
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
            _ => Vec::new(),
        }
    }
}

/// What a hole may be filled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum VarKind {
    /// Anything.
    General,
    /// An integer type; `i32` if nothing says which.
    Int,
    /// The type of something that is never computed; `()` if nothing says which.
    Diverging,
}

struct VarInfo {
    kind: VarKind,
    value: Option<Ty>,
    origin: Span,
    /// What is known of an instance without an identity.
    open: Option<Parts>,
}

/// The holes of one function.
#[derive(Default)]
pub(crate) struct Infer {
    vars: PrimaryMap<Var, VarInfo>,
    known: Known,
    /// The open holes that have not been closed.
    open: Vec<Var>,
    /// The holes that have been filled, in this order.
    trail: Vec<Var>,
    /// The length of the trail when open holes were last looked at.
    looked: usize,
    /// Associated types of types that are not known yet.
    projections: Vec<Projection>,
}

/// A state that unification can go back to.
pub(crate) struct Mark {
    trail: usize,
    open: usize,
}

impl Infer {
    /// No holes yet.
    pub fn new(known: Known) -> Infer {
        Infer {
            known,
            ..Infer::default()
        }
    }

    /// A new hole.
    pub fn var(&mut self, kind: VarKind, origin: Span) -> Ty {
        Ty::Var(self.vars.push(VarInfo {
            kind,
            value: None,
            origin,
            open: None,
        }))
    }

    /// A new hole for an instance whose arguments have holes.
    pub fn open(&mut self, head: Head, args: Vec<Ty>, origin: Span) -> Ty {
        let var = self.vars.push(VarInfo {
            kind: VarKind::General,
            value: None,
            origin,
            open: Some((head, args.into())),
        });
        self.open.push(var);
        self.looked = usize::MAX;
        Ty::Var(var)
    }

    /// The item and the arguments of an instance of a generic type, whether it has an identity or not.
    pub fn parts(&self, ty: &Ty) -> Option<Parts> {
        match self.shallow(ty) {
            Ty::Var(var) => self.vars[var].open.clone(),
            ty => self.known.parts(&ty),
        }
    }

    /// An open hole whose arguments are known now, to be closed.
    pub fn ready(&mut self) -> Option<(Var, Head, Vec<Ty>)> {
        if self.open.is_empty() || self.looked == self.trail.len() {
            return None;
        }
        let vars = &self.vars;
        self.open.retain(|v| vars[*v].value.is_none());
        for &var in &self.open {
            if let Some((head, args)) = &self.vars[var].open
                && !head.is_open()
            {
                let args: Vec<Ty> = args.iter().map(|a| self.deep(a)).collect();
                if !args.iter().any(Ty::has_holes) {
                    return Some((var, head.clone(), args));
                }
            }
        }
        self.looked = self.trail.len();
        None
    }

    /// A hole for an associated type.
    pub fn project(&mut self, of: Ty, of_trait: Option<TraitKey>, name: String, at: Span) -> Ty {
        let hole = self.vars.push(VarInfo {
            kind: VarKind::General,
            value: None,
            origin: at,
            open: None,
        });
        self.projections.push(Projection {
            hole,
            of,
            of_trait,
            name,
            at,
        });
        Ty::Var(hole)
    }

    /// An associated type of a type that is known now.
    pub fn ready_projection(&mut self) -> Option<Projection> {
        let known = |p: &Projection| !self.deep(&p.of).has_holes();
        let found = self.projections.iter().position(known)?;
        let mut wanted = self.projections.swap_remove(found);
        wanted.of = self.deep(&wanted.of);
        Some(wanted)
    }

    /// Gives an open hole its identity.
    pub fn close(&mut self, var: Var, ty: Ty) {
        self.set(var, ty);
    }

    fn set(&mut self, var: Var, ty: Ty) {
        self.vars[var].value = Some(ty);
        self.trail.push(var);
    }

    /// The present state.
    pub fn mark(&self) -> Mark {
        Mark {
            trail: self.trail.len(),
            open: self.open.len(),
        }
    }

    /// Forgets what has been found out since `mark`, which must be from after the last [`Infer::ready`].
    pub fn undo(&mut self, mark: Mark) {
        for var in self.trail.drain(mark.trail..) {
            self.vars[var].value = None;
        }
        self.open.truncate(mark.open);
        self.looked = usize::MAX;
    }

    /// Unifies, or changes nothing.
    pub fn try_unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let mark = self.mark();
        let equal = self.unify(a, b);
        if !equal {
            self.undo(mark);
        }
        equal
    }

    /// The type with its outermost hole filled, if it is known.
    pub fn shallow(&self, ty: &Ty) -> Ty {
        let mut ty = ty;
        while let Ty::Var(v) = ty {
            match &self.vars[*v].value {
                Some(value) => ty = value,
                None => break,
            }
        }
        ty.clone()
    }

    /// The type with all holes filled as far as they are known.
    pub fn deep(&self, ty: &Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Option(inner) => self.deep(&inner).option(),
            Ty::Result(ok, err) => Ty::Result(Box::new(self.deep(&ok)), Box::new(self.deep(&err))),
            Ty::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| self.deep(p)).collect()),
            Ty::Cell(inner) => Ty::Cell(Box::new(self.deep(&inner))),
            Ty::Fixed(item, len) => Ty::Fixed(Box::new(self.deep(&item)), len),
            ty => ty,
        }
    }

    /// The kind of a hole that is not filled.
    pub fn hole(&self, ty: &Ty) -> Option<VarKind> {
        match self.shallow(ty) {
            Ty::Var(v) => Some(self.vars[v].kind),
            _ => None,
        }
    }

    /// Where a hole comes from.
    pub fn origin(&self, var: Var) -> Span {
        self.vars[var].origin
    }

    /// Makes two types equal, if that is possible.
    pub fn unify(&mut self, a: &Ty, b: &Ty) -> bool {
        let (a, b) = (self.shallow(a), self.shallow(b));
        match (&a, &b) {
            (Ty::Error, Ty::Var(v)) | (Ty::Var(v), Ty::Error) => {
                self.set(*v, Ty::Error);
                true
            }
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(x), Ty::Var(y)) => self.unify_vars(*x, *y),
            (Ty::Var(v), ty) | (ty, Ty::Var(v)) => self.fill(*v, ty),
            (Ty::Option(x), Ty::Option(y)) | (Ty::Cell(x), Ty::Cell(y)) => self.unify(x, y),
            (Ty::Fixed(x, n), Ty::Fixed(y, m)) => n == m && self.unify(x, y),
            (Ty::Result(x, e), Ty::Result(y, f)) => self.unify(x, y) && self.unify(e, f),
            (Ty::Tuple(xs), Ty::Tuple(ys)) => {
                xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y))
            }
            _ => a == b,
        }
    }

    fn unify_vars(&mut self, x: Var, y: Var) -> bool {
        // The more demanding of the two stays.
        let demand = |var: Var| match (&self.vars[var].open, self.vars[var].kind) {
            (Some((head, _)), _) => 4 - i32::from(head.is_open()),
            (None, VarKind::Int) => 2,
            (None, VarKind::Diverging) => 1,
            (None, VarKind::General) => 0,
        };
        let (from, to) = match demand(x) > demand(y) {
            true => (y, x),
            false => (x, y),
        };
        if let Some(parts) = self.vars[to].open.clone() {
            let fits = match &self.vars[from].open {
                Some(other) => self.unify_parts(&other.clone(), &parts),
                None => self.vars[from].kind != VarKind::Int,
            };
            if !fits || self.occurs(from, &Ty::Var(to)) {
                return false;
            }
        }
        // The arguments may have been the same hole.
        if self.vars[from].value.is_none() && self.shallow(&Ty::Var(to)) != Ty::Var(from) {
            self.set(from, Ty::Var(to));
        }
        true
    }

    fn unify_parts(&mut self, (head, args): &Parts, (other, others): &Parts) -> bool {
        head.fits(other)
            && args.len() == others.len()
            && args.iter().zip(&**others).all(|(x, y)| self.unify(x, y))
    }

    fn fill(&mut self, var: Var, ty: &Ty) -> bool {
        let fits = match (self.vars[var].open.clone(), self.vars[var].kind) {
            (Some(parts), _) => match self.known.parts(ty) {
                Some(other) => self.unify_parts(&parts, &other),
                None => false,
            },
            (None, VarKind::Int) => matches!(ty, Ty::Int(_)),
            (None, VarKind::General | VarKind::Diverging) => true,
        };
        if !fits || self.occurs(var, ty) {
            return false;
        }
        self.set(var, ty.clone());
        true
    }

    fn occurs(&self, var: Var, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(v) if v == var => true,
            Ty::Var(v) => match &self.vars[v].open {
                Some((_, args)) => args.iter().any(|arg| self.occurs(var, arg)),
                None => false,
            },
            ty => ty.parts().into_iter().any(|part| self.occurs(var, part)),
        }
    }

    /// Fills every hole that has a default.
    pub fn apply_defaults(&mut self) {
        for var in self.vars.keys().collect::<Vec<_>>() {
            let info = &self.vars[var];
            match (&info.value, info.kind) {
                (None, VarKind::Int) => self.set(var, Ty::Int(IntTy::I32)),
                (None, VarKind::Diverging) => self.set(var, Ty::Unit),
                (None, VarKind::General) | (Some(_), _) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tast::FileId;

    fn span() -> Span {
        Span {
            file: FileId::from_u32(0),
            lo: 0,
            hi: 0,
        }
    }

    #[test]
    fn integer_holes_take_integers_only() {
        let mut infer = Infer::default();
        let a = infer.var(VarKind::Int, span());
        let b = infer.var(VarKind::General, span());
        assert!(infer.unify(&a, &b));
        assert!(!infer.unify(&b, &Ty::Bool));
        assert!(infer.unify(&b, &Ty::Int(IntTy::Usize)));
        assert_eq!(infer.deep(&a), Ty::Int(IntTy::Usize));
        assert!(!infer.unify(&a, &Ty::Int(IntTy::I32)));
    }

    #[test]
    fn no_type_contains_itself() {
        let mut infer = Infer::default();
        let a = infer.var(VarKind::General, span());
        assert!(!infer.unify(&a, &a.clone().option()));
        assert!(infer.unify(&a, &Ty::Error));
    }

    #[test]
    fn defaults() {
        let mut infer = Infer::default();
        let a = infer.var(VarKind::Int, span());
        let b = infer.var(VarKind::Diverging, span());
        let c = infer.var(VarKind::General, span());
        infer.apply_defaults();
        assert_eq!(infer.deep(&a), Ty::Int(IntTy::I32));
        assert_eq!(infer.deep(&b), Ty::Unit);
        assert_eq!(infer.hole(&c), Some(VarKind::General));
    }
}
