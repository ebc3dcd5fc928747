//! Types with holes, and unification.
//!
//! In: equations between types. Out: the value of each hole. Invariant: [`Ty::Error`] unifies with
//! everything in silence, so one mistake makes one diagnostic.
//!
//! An instance of a generic type has an identity only when its arguments are known. Until then it
//! is a hole that is *open*: its [`Head`] and arguments are known as far as they are. The
//! checker of a function closes such holes ([`Infer::ready`], [`Infer::close`]) as soon as that is
//! possible.

use crate::items::TraitKey;
use crate::tast::{IntTy, Span};
use crate::types::ty::{Head, Known, Parts, Sig, Ty, Var};
use cranelift_entity::PrimaryMap;
use std::rc::Rc;

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

    /// The item and the arguments of an instance of a generic type, whether it has an identity or
    /// not.
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

    /// Forgets what has been found out since `mark`, which must be from after the last
    /// [`Infer::ready`].
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
            Ty::Fn(sig) => Ty::Fn(Rc::new(self.deep_sig(&sig))),
            ty => ty,
        }
    }

    /// The types of a function with all holes filled as far as they are known.
    pub fn deep_sig(&self, sig: &Sig) -> Sig {
        Sig {
            params: sig.params.iter().map(|p| self.deep(p)).collect(),
            by_ref: sig.by_ref.clone(),
            ret: self.deep(&sig.ret),
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
            (Ty::Tuple(xs), Ty::Tuple(ys)) => self.unify_all(xs, ys),
            (Ty::Fn(f), Ty::Fn(g)) => {
                f.by_ref == g.by_ref
                    && self.unify_all(&f.params, &g.params)
                    && self.unify(&f.ret, &g.ret)
            }
            _ => a == b,
        }
    }

    fn unify_all(&mut self, xs: &[Ty], ys: &[Ty]) -> bool {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| self.unify(x, y))
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

/// An associated type that is wanted.
#[derive(Clone)]
pub(crate) struct Projection {
    /// What it will be.
    pub hole: Var,
    pub of: Ty,
    pub of_trait: Option<TraitKey>,
    pub name: String,
    pub at: Span,
}
