//! Types with holes, and unification.
//!
//! In: equations between types. Out: the value of each hole. Invariant: [`Ty::Error`] unifies with everything in
//! silence, so one mistake makes one diagnostic.

use crate::tast::{AdtId, IntTy, ObjectId, Span};
use cranelift_entity::{PrimaryMap, entity_impl};
use verdigris_ops::ClassId;

/// A hole.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Var(u32);
entity_impl!(Var, "var");

/// A type while a function is being checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    /// Something that has been complained about.
    Error,
    /// A hole.
    Var(Var),
    Unit,
    Never,
    Bool,
    Int(IntTy),
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
    /// A place in the heap that `.get()` reads and `.set(..)` writes.
    Cell(Box<Ty>),
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
            Ty::Tuple(_) | Ty::Adt(_) | Ty::Option(_) | Ty::Result(..)
        )
    }

    /// The types that this one is written with.
    fn parts(&self) -> Vec<&Ty> {
        match self {
            Ty::Option(inner) | Ty::Cell(inner) => vec![inner],
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
}

/// The holes of one function.
#[derive(Default)]
pub(crate) struct Infer {
    vars: PrimaryMap<Var, VarInfo>,
}

impl Infer {
    /// A new hole.
    pub fn var(&mut self, kind: VarKind, origin: Span) -> Ty {
        Ty::Var(self.vars.push(VarInfo {
            kind,
            value: None,
            origin,
        }))
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
                self.vars[*v].value = Some(Ty::Error);
                true
            }
            (Ty::Error, _) | (_, Ty::Error) => true,
            (Ty::Var(x), Ty::Var(y)) if x == y => true,
            (Ty::Var(x), Ty::Var(y)) => {
                // The more demanding of the two stays.
                let (from, to) = match (self.vars[*x].kind, self.vars[*y].kind) {
                    (VarKind::Int, _) => (*y, a.clone()),
                    (_, VarKind::Int) => (*x, b.clone()),
                    (VarKind::Diverging, _) => (*y, a.clone()),
                    _ => (*x, b.clone()),
                };
                self.vars[from].value = Some(to);
                true
            }
            (Ty::Var(v), ty) | (ty, Ty::Var(v)) => self.fill(*v, ty),
            (Ty::Option(x), Ty::Option(y)) | (Ty::Cell(x), Ty::Cell(y)) => self.unify(x, y),
            (Ty::Result(x, e), Ty::Result(y, f)) => self.unify(x, y) && self.unify(e, f),
            (Ty::Tuple(xs), Ty::Tuple(ys)) => {
                xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y))
            }
            _ => a == b,
        }
    }

    fn fill(&mut self, var: Var, ty: &Ty) -> bool {
        let fits = match self.vars[var].kind {
            VarKind::Int => matches!(ty, Ty::Int(_)),
            VarKind::General | VarKind::Diverging => true,
        };
        if !fits || self.occurs(var, ty) {
            return false;
        }
        self.vars[var].value = Some(ty.clone());
        true
    }

    fn occurs(&self, var: Var, ty: &Ty) -> bool {
        match self.shallow(ty) {
            Ty::Var(v) => v == var,
            ty => ty.parts().into_iter().any(|part| self.occurs(var, part)),
        }
    }

    /// Fills every hole that has a default.
    pub fn apply_defaults(&mut self) {
        for var in self.vars.keys().collect::<Vec<_>>() {
            let info = &mut self.vars[var];
            if info.value.is_none() {
                info.value = match info.kind {
                    VarKind::Int => Some(Ty::Int(IntTy::I32)),
                    VarKind::Diverging => Some(Ty::Unit),
                    VarKind::General => None,
                };
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
