//! Which `impl` block a trait's member is found in.
//!
//! In: a trait, a type, maybe with holes. Out: the implementation, and what its parameters stand
//! for. Invariants: candidates are found by hash, from how the type begins; one is chosen by
//! unification, and never if another would do as well. rustc has checked that the implementation
//! exists, so nothing is proved but what distinguishes blanket implementations.

use crate::cx::Cx;
use crate::cx::sources::Env;
use crate::items::tables::Shape;
use crate::items::*;
use crate::names::written::int_name;
use crate::source::syntax::plain;
use crate::tast::{IntTy, Span};
use crate::types::generics::{Generics, SubstId};
use crate::types::infer::{Infer, Projection, VarKind};
use crate::types::substs::Subst;
use crate::types::ty::{Head, Ty};

/// Bounds that blanket implementations have on each other; a longer chain is a cycle.
const MAX_BOUNDS: u32 = 8;

/// What implements a trait for a type.
pub(crate) enum Selected {
    Impl(ImplId, SubstId),
    /// Several do as far as the type is known.
    Ambiguous,
    None,
}

impl Crate {
    /// The trait that a path means.
    pub fn trait_key(&self, module: ModId, path: &PlainPath) -> Option<TraitKey> {
        match self.resolve(module, path.global, &path.segs, Ns::Types)?.0 {
            Def::Trait(id) => Some(self.key_of_trait(id)),
            Def::Extern(path) => {
                let segs: Vec<&str> = path.split("::").collect();
                let standard = segs.len() == 1 || matches!(segs[0], "std" | "core" | "alloc");
                standard.then(|| TraitKey::Std(segs[segs.len() - 1].to_owned()))
            }
            _ => None,
        }
    }

    /// How a type begins that an `impl` block is for; none if it is a parameter or of no kind that
    /// matters.
    pub fn written_shape(
        &self,
        module: ModId,
        ty: &syn::Type,
        generics: &Generics,
    ) -> Option<Shape> {
        match ty {
            syn::Type::Paren(t) => self.written_shape(module, &t.elem, generics),
            syn::Type::Group(t) => self.written_shape(module, &t.elem, generics),
            syn::Type::Tuple(t) => Some(Shape::Tuple(t.elems.len())),
            syn::Type::Array(_) => Some(Shape::Fixed),
            syn::Type::Path(p) if p.qself.is_none() => {
                let path = plain(&p.path);
                if path.segs.len() == 1 && generics.names(&path.segs[0]) {
                    return None;
                }
                if let Some(key) = self.type_key(module, ty) {
                    return Some(Shape::Key(key));
                }
                match self.resolve(module, path.global, &path.segs, Ns::Types)?.0 {
                    Def::Prim(name) => Some(Shape::Prim(name)),
                    Def::Builtin(Builtin::Gc) => Some(Shape::Gc),
                    Def::Builtin(Builtin::GcArray) => Some(Shape::Array),
                    Def::Builtin(Builtin::Option) => Some(Shape::Option),
                    Def::Builtin(Builtin::Result) => Some(Shape::Result),
                    Def::Alias(alias) => {
                        let alias = self.aliases[alias].clone();
                        self.written_shape(alias.module, &alias.ty, &alias.generics)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl Cx {
    /// How a type begins; none if that is not known.
    pub fn shape_of(&self, infer: &Infer, ty: &Ty) -> Option<Shape> {
        let ty = infer.shallow(ty);
        Some(match &ty {
            Ty::Unit => Shape::Tuple(0),
            Ty::Bool => Shape::Prim("bool"),
            Ty::Int(int) => Shape::Prim(int_name(*int)),
            Ty::Object(o) => Shape::Key(TypeKey::Object(self.interned.object_src[*o])),
            Ty::Gc(_) => Shape::Gc,
            Ty::Array(_) => Shape::Array,
            Ty::Option(_) => Shape::Option,
            Ty::Result(..) => Shape::Result,
            Ty::Tuple(parts) => Shape::Tuple(parts.len()),
            Ty::Fixed(..) => Shape::Fixed,
            Ty::Adt(id) => Shape::Key(self.interned.adt_src[*id].key),
            Ty::Class(class) => Shape::Key(self.class_key(*class)?.0),
            Ty::Var(_) => match infer.parts(&ty)?.0 {
                Head::Gc => Shape::Gc,
                Head::Class(id) => Shape::Key(TypeKey::Struct(id)),
                Head::Adt(key) => Shape::Key(key),
                Head::Array(..) => Shape::Array,
                Head::Fixed => Shape::Fixed,
            },
            ty => Shape::Prim(crate::names::written::prim_name(ty)?),
        })
    }

    /// The implementations that a type may have of a trait.
    fn candidates(&self, infer: &Infer, key: &TraitKey, ty: &Ty) -> Vec<ImplId> {
        let of = |shape| self.krate.trait_impls.get(&(key.clone(), shape));
        let mut found = Vec::new();
        match (self.shape_of(infer, ty), infer.hole(ty)) {
            (Some(shape), _) => found.extend(of(Some(shape)).into_iter().flatten().copied()),
            (None, Some(VarKind::Int)) => {
                for name in INTS {
                    found.extend(of(Some(Shape::Prim(name))).into_iter().flatten().copied());
                }
            }
            (None, _) => {}
        }
        found.extend(of(None).into_iter().flatten().copied());
        found
    }

    /// What the parameters of an `impl` block stand for: holes; and `Self`.
    pub fn impl_subst(&mut self, id: ImplId, infer: &mut Infer, at: Span) -> SubstId {
        let block = &self.krate.impls[id];
        let (module, ty) = (block.module, block.ty.clone());
        let params = block.generics.params.iter();
        let args = params.map(|p| (p.name.clone(), infer.var(VarKind::General, at)));
        let mut subst = Subst {
            args: args.collect(),
            this: None,
            around: Vec::new(),
        };
        let env = Env::with(module, self.interned.substs.intern(subst.clone()));
        subst.this = Some(self.lower_arg(&ty, env, Some(infer)));
        self.interned.substs.intern(subst)
    }

    /// The arguments of the trait that an `impl` block is of.
    pub fn impl_trait_args(&mut self, id: ImplId, subst: SubstId, infer: &mut Infer) -> Vec<Ty> {
        let block = &self.krate.impls[id];
        let env = Env {
            module: block.module,
            owner: Some(id),
            subst,
        };
        let Some(segment) = block.trait_args.clone() else {
            return Vec::new();
        };
        let mut args = Vec::new();
        for arg in crate::source::syntax::type_args(&segment) {
            args.push(match arg {
                syn::Type::Reference(r) => self.lower_arg(&r.elem, env, Some(infer)),
                arg => self.lower_arg(arg, env, Some(infer)),
            });
        }
        args
    }

    /// Whether an implementation is one for a type and these arguments of the trait, as far as they
    /// are given. If so, they have been unified.
    fn fits(
        &mut self,
        id: ImplId,
        (ty, args): (&Ty, &[Ty]),
        infer: &mut Infer,
        (depth, at): (u32, Span),
    ) -> Option<SubstId> {
        let subst = self.impl_subst(id, infer, at);
        let this = self.interned.substs.get(subst).this.clone()?;
        if !infer.unify(&this, ty) {
            return None;
        }
        // An argument that is not written is the type itself.
        let mut own = self.impl_trait_args(id, subst, infer);
        if own.is_empty() && !args.is_empty() {
            own.push(this);
        }
        if !own
            .iter()
            .zip(args)
            .all(|(own, given)| infer.unify(own, given))
        {
            return None;
        }
        let block = &self.krate.impls[id];
        let (module, bounds) = (block.module, block.generics.bounds.clone());
        for (param, bound) in bounds {
            let Some(key @ TraitKey::User(_)) = self.krate.trait_key(module, &plain(&bound)) else {
                continue;
            };
            let ty = self.interned.substs.get(subst).get(&param)?.clone();
            let known = infer.hole(&ty).is_none();
            if known && depth < MAX_BOUNDS && !self.implements(&key, &ty, infer, depth + 1, at) {
                return None;
            }
        }
        Some(subst)
    }

    fn implements(
        &mut self,
        key: &TraitKey,
        ty: &Ty,
        infer: &mut Infer,
        depth: u32,
        at: Span,
    ) -> bool {
        self.candidates(infer, key, ty).into_iter().any(|id| {
            let mark = infer.mark();
            let fits = self.fits(id, (ty, &[]), infer, (depth, at)).is_some();
            infer.undo(mark);
            fits
        })
    }

    /// The implementations of a trait with these arguments (as far as they are given) that would do
    /// for a type.
    pub fn fitting(
        &mut self,
        key: &TraitKey,
        (ty, args): (&Ty, &[Ty]),
        infer: &mut Infer,
        at: Span,
    ) -> Vec<ImplId> {
        self.provide(key, infer, ty);
        let mut fitting = Vec::new();
        for id in self.candidates(infer, key, ty) {
            let mark = infer.mark();
            if self.fits(id, (ty, args), infer, (0, at)).is_some() {
                fitting.push(id);
            }
            infer.undo(mark);
        }
        if fitting.len() > 1 && infer.hole(ty) == Some(VarKind::Int) {
            // As in Rust, an integer of which nothing else is known is an `i32`.
            let i32s = Some(Shape::Prim(int_name(IntTy::I32)));
            let impls = self.krate.trait_impls.get(&(key.clone(), i32s));
            fitting.retain(|id| impls.is_some_and(|impls| impls.contains(id)));
        }
        fitting
    }

    /// Takes an implementation that fits: what its parameters stand for.
    pub fn take(
        &mut self,
        id: ImplId,
        of: (&Ty, &[Ty]),
        infer: &mut Infer,
        at: Span,
    ) -> Option<SubstId> {
        let subst = self.fits(id, of, infer, (0, at));
        self.settle(infer);
        subst
    }

    /// What implements a trait with these arguments (as far as they are given) for a type.
    pub fn select(
        &mut self,
        key: &TraitKey,
        of: (&Ty, &[Ty]),
        infer: &mut Infer,
        at: Span,
    ) -> Selected {
        match self.fitting(key, of, infer, at).as_slice() {
            [] => Selected::None,
            &[id] => match self.take(id, of, infer, at) {
                Some(subst) => Selected::Impl(id, subst),
                None => Selected::None,
            },
            _ => Selected::Ambiguous,
        }
    }

    /// Gives instances an identity whose arguments are known by now, and associated types their
    /// meaning.
    pub fn settle(&mut self, infer: &mut Infer) {
        loop {
            if let Some((var, head, args)) = infer.ready() {
                let at = infer.origin(var);
                let ty = self.instance(&head, args, at);
                infer.close(var, ty);
            } else if let Some(wanted) = infer.ready_projection() {
                let ty = self.project(&wanted, infer);
                infer.unify(&Ty::Var(wanted.hole), &ty);
            } else {
                return;
            }
        }
    }

    /// The associated type of this name of a type, maybe of this trait; it is found out later if
    /// the type has holes.
    pub fn assoc_ty(
        &mut self,
        of: Ty,
        of_trait: Option<TraitKey>,
        name: &str,
        infer: Option<&mut Infer>,
        at: Span,
    ) -> Ty {
        let mut own = Infer::new(self.interned.instances.clone());
        let infer = infer.unwrap_or(&mut own);
        let hole = infer.project(of, of_trait, name.to_owned(), at);
        self.settle(infer);
        infer.shallow(&hole)
    }

    fn project(&mut self, wanted: &Projection, infer: &mut Infer) -> Ty {
        let keys: Vec<TraitKey> = match &wanted.of_trait {
            Some(key) => vec![key.clone()],
            None => {
                let users = self.krate.trait_members.get(&wanted.name);
                let users = users.into_iter().flatten().map(|id| TraitKey::User(*id));
                let std = STD_WITH_TYPES
                    .iter()
                    .map(|name| TraitKey::Std((*name).to_owned()));
                users.chain(std).collect()
            }
        };
        let at = wanted.at;
        for key in keys {
            match self.select(&key, (&wanted.of, &[]), infer, at) {
                Selected::Impl(id, subst) => {
                    let block = &self.krate.impls[id];
                    let env = Env {
                        module: block.module,
                        owner: Some(id),
                        subst,
                    };
                    let own = block.types.iter().find(|t| t.0 == wanted.name);
                    if let Some(ty) = own.map(|t| t.1.clone()) {
                        return self.lower_arg(&ty, env, Some(infer));
                    }
                    if let TraitKey::User(of_trait) = key
                        && let Some(TraitMember::Type(Some(ty))) = self.krate.traits[of_trait]
                            .members
                            .get(&wanted.name)
                            .cloned()
                    {
                        let module = self.krate.traits[of_trait].module;
                        return self.lower_arg(&ty, Env { module, ..env }, Some(infer));
                    }
                }
                Selected::None | Selected::Ambiguous => {}
            }
        }
        // The result of an operator on primitive types is of their type.
        if wanted.name == "Output" && matches!(wanted.of, Ty::Int(_) | Ty::F64 | Ty::Bool) {
            return wanted.of.clone();
        }
        let shown = format!("{}::{}", self.show(&wanted.of), wanted.name);
        self.err(crate::source::diag::DiagCode::BadType, at, &[&shown]);
        Ty::Error
    }

    /// The arguments of a trait as a path gives them.
    pub fn trait_path_args(
        &mut self,
        path: &syn::Path,
        env: Env,
        mut infer: Option<&mut Infer>,
    ) -> Vec<Ty> {
        let mut args = Vec::new();
        for arg in path
            .segments
            .last()
            .map_or(Vec::new(), crate::source::syntax::type_args)
        {
            args.push(self.lower_arg(arg, env, infer.as_deref_mut()));
        }
        args
    }
}

/// Traits of the standard library with associated types that users implement.
const STD_WITH_TYPES: &[&str] = &[
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Shl",
    "Shr",
    "Neg",
    "Not",
    "Index",
    "Iterator",
    "IntoIterator",
    "TryFrom",
];

const INTS: &[&str] = &[
    "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize",
];
