//! Which method a call means, by rustc's steps.
//!
//! In: a receiver and a method's name. Out: whether the method is one of the type itself or which
//! trait's. Invariant: for each type that the receiver can be dereferenced to, from the outside in,
//! the methods are tried that take that type, then those that take a `&` of it, then a `&mut`; and
//! each time those of the type itself before those of traits. The translator's types have no
//! references: how many there are around a receiver is read off the source. Where the source does
//! not say it, every number of them has to lead to the same method, or the call is refused.

use crate::check::call::inherent_methods as own;
use crate::check::call::inherent_methods::Takes;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::terms::{Pick, Place};
use crate::cx::sources::RefKind::{self, Shared, Unique};
use crate::cx::sources::SourceType;
use crate::cx::sources::refs_of;
use crate::items::*;
use crate::sabotage::Sabotage;
use crate::source::syntax::{name_of, plain};
use crate::tast::Span;
use crate::types::infer::VarKind;
use crate::types::ty::{Head, Ty};

/// What is inside of all references.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Base {
    /// A value: of heap classes, the pointer.
    Value,
    /// What a pointer to the heap points to.
    Class,
    /// The slice that an array is, too.
    Slice,
}

/// A method that may be meant.
struct Candidate {
    /// The references around its `self`, from the outside in.
    refs: Vec<RefKind>,
    base: Base,
    /// Whether there may be more references inside: the type is a parameter of the implementation.
    any: bool,
    of: Of,
}

#[derive(Clone, PartialEq, Debug)]
enum Of {
    /// The type itself.
    Own,
    /// What types of the standard library have of its traits, without an implementation that the
    /// translator reads.
    Provided,
    Trait(TraitKey, ImplId),
}

/// What one look found.
#[derive(Clone, PartialEq)]
enum Step {
    None,
    One(Of),
    Several(Vec<Of>),
}

/// Traits of the standard library whose methods can be called without a `use`.
const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "Clone",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "ExactSizeIterator",
    "Extend",
    "From",
    "FromIterator",
    "Into",
    "IntoIterator",
    "Iterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
];

/// Traits of the standard library that references have if what they refer to has them.
const OF_REFERENCES: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Display",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Sized",
];

/// Bounds of blanket implementations on each other; a longer chain is a cycle.
const MAX_BOUNDS: u32 = 8;

impl FnCx<'_> {
    /// What the call of a method of this name means for a receiver of this type.
    pub(in crate::check) fn probe(
        &mut self,
        (receiver, place): (&Expr, &Option<Place>),
        source: &syn::Expr,
        name: &str,
        at: Span,
    ) -> Pick {
        let ty = &self.infer.shallow(&receiver.ty);
        let (all, ours) = self.trait_candidates(ty, name, at);
        let own_pick = |fcx: &mut Self| {
            let of = ours.first().map(|c| c.of.clone());
            match of {
                Some(Of::Trait(key, id)) => fcx.picked(&key, id, ty, name, at),
                _ => Pick::Own,
            }
        };
        if all.is_empty() {
            return own_pick(self);
        }
        let param = self.is_param(source);
        let all = self.bound_candidates(all, source, param);
        let seen: Vec<bool> = all.iter().map(|c| self.is_in_scope(&c.of)).collect();
        let (own, certain) = match param {
            true => (Vec::new(), true),
            false => self.own_candidates(ty, name, &all),
        };
        let any_seen = seen.contains(&true) || !own.is_empty();
        let traits: Vec<Candidate> = all
            .into_iter()
            .zip(seen)
            .filter(|(_, seen)| *seen || !any_seen)
            .map(|(candidate, _)| candidate)
            .collect();
        if own.is_empty() && !param {
            self.note_own_probe(ty, name);
        }
        let form = self.source_type(source);
        let form = form.filter(|form| param || !form.of_param);
        let known = form.is_some();
        let forms = match form {
            Some(form) => vec![form],
            None => self.unknown_source_types(receiver, source, ty, place),
        };
        let mut found: Vec<Step> = Vec::new();
        let mut sets = vec![own.iter().chain(&traits).collect::<Vec<_>>()];
        // The type may be one that the source names by a parameter, which has nothing of its own
        // either; and a method that only some types of a kind have may not be there.
        if !own.is_empty() && (!certain || !known && self.is_generic()) {
            sets.push(traits.iter().collect());
        }
        for set in &sets {
            for form in &forms {
                let step = pick(&steps(form, ty, &self.infer_head(ty)), set, &|id, inner| {
                    self.is_for_reference(id, ty, inner, 0)
                });
                if step != Step::None && !found.contains(&step) {
                    found.push(step);
                }
            }
        }
        match found.as_slice() {
            [] | [Step::One(Of::Own | Of::Provided)] => own_pick(self),
            [Step::One(Of::Trait(key, id))] => self.picked(key, *id, ty, name, at),
            several => Pick::Ambiguous(self.names_of(several, ty)),
        }
    }

    /// The candidates that the bounds of a parameter name, and those for any type; all, if there
    /// are none of these. A value whose type the source calls a parameter has nothing of its own.
    fn bound_candidates(
        &mut self,
        all: Vec<Candidate>,
        source: &syn::Expr,
        param: bool,
    ) -> Vec<Candidate> {
        let bounds = match param {
            true => self.bound_traits(),
            false => Vec::new(),
        };
        // An implementation for what the parameter's type refers to is none for the parameter.
        let around = self.around_of_param(source).filter(|_| param);
        let krate = &self.cx.krate;
        let is_for = |id| around.is_none_or(|around| krate.impl_refs(id).0 == around);
        let is_bound = |c: &Candidate| match &c.of {
            Of::Trait(key, id) => c.any || bounds.contains(key) && is_for(*id),
            Of::Own | Of::Provided => false,
        };
        match all.iter().any(is_bound) {
            true => all.into_iter().filter(is_bound).collect(),
            false => all,
        }
    }

    /// The types that a receiver may have in Rust where the source does not say it.
    fn unknown_source_types(
        &self,
        receiver: &Expr,
        source: &syn::Expr,
        ty: &Ty,
        place: &Option<Place>,
    ) -> Vec<SourceType> {
        let of_heap = matches!(
            receiver.kind,
            Kind::Op(Op::GetField(_) | Op::GetFieldOf(_) | Op::GetItem, _)
        );
        match source {
            // The heap holds no references.
            syn::Expr::Field(_) | syn::Expr::Index(_) | syn::Expr::MethodCall(_) if of_heap => {
                vec![SourceType::value()]
            }
            _ => {
                let local = self.named(source);
                let of_field = local.is_some_and(|local| self.locals[local].of_field);
                let mut forms = self.possible_source_types(ty, place);
                forms.retain(|form| !form.class || !of_field);
                forms
            }
        }
    }

    /// The owners of the methods that may be meant, without repetitions.
    fn names_of(&self, several: &[Step], ty: &Ty) -> Vec<String> {
        let mut names = Vec::new();
        for step in several {
            let of = match step {
                Step::None => continue,
                Step::One(of) => std::slice::from_ref(of),
                Step::Several(of) => of.as_slice(),
            };
            for of in of {
                let name = match of {
                    Of::Own => format!("{}'s own", self.show(ty)),
                    Of::Provided => "the standard library's".to_owned(),
                    Of::Trait(key, _) => self.trait_name(key),
                };
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Has the glue make sure that a type of the standard library has nothing of this name itself.
    pub(in crate::check) fn note_own_probe(&mut self, ty: &Ty, name: &str) {
        if own::PROVIDED.iter().any(|p| p.0 == name) {
            return;
        }
        // What is inside of generic types makes no difference.
        let ty = match self.infer.shallow(ty) {
            ty @ (Ty::Int(_) | Ty::F64 | Ty::Bool | Ty::Char) => {
                match crate::names::written::prim_name(&ty) {
                    Some(name) => name.to_owned(),
                    None => return,
                }
            }
            // An integer of which nothing else is known by now.
            Ty::Var(_) if self.infer.hole(ty) == Some(VarKind::Int) => "i32".to_owned(),
            Ty::Option(_) => "::core::option::Option<()>".to_owned(),
            Ty::Result(..) => "::core::result::Result<(), ()>".to_owned(),
            Ty::Fixed(..) => "[(); 1]".to_owned(),
            Ty::Foreign(foreign) if &*foreign.name == "str" => "str".to_owned(),
            _ => return,
        };
        self.cx
            .glue
            .own_probes
            .insert((ty, crate::std_model::cmp::raw(name)));
    }

    /// Whether a path to a member of a type means the type's own, whatever traits have.
    pub(in crate::check) fn is_own_member(&mut self, ty: &Ty, name: &str) -> bool {
        if own::has(ty, name) {
            return true;
        }
        self.note_own_probe(ty, name);
        false
    }

    /// The method of an implementation.
    fn picked(&mut self, key: &TraitKey, id: ImplId, ty: &Ty, name: &str, at: Span) -> Pick {
        // It may be one for what a pointer points to.
        let mut types = self.receiver_types(ty).into_iter();
        let of = types.find(|of| {
            let impls = self.cx.fitting(key, (&of.0, &[]), &mut self.infer, at);
            impls.contains(&id)
        });
        let member = of.and_then(|of| self.member_by(key, id, (&of.0, &[]), name, at));
        member.map_or(Pick::Own, Pick::Trait)
    }

    /// The implementations of traits for a type, and for what it points to, that have a method of
    /// this name. Those in the second list are ours: what the type has itself in Rust.
    fn trait_candidates(
        &mut self,
        ty: &Ty,
        name: &str,
        at: Span,
    ) -> (Vec<Candidate>, Vec<Candidate>) {
        let types = self.receiver_types(ty);
        let mut found: Vec<Candidate> = Vec::new();
        for key in self.cx.krate.member_traits(name) {
            for (ty, base) in &types {
                for id in self.cx.fitting(&key, (ty, &[]), &mut self.infer, at) {
                    let Some(takes) = self.takes_of(&key, id, name) else {
                        continue;
                    };
                    let known = found.iter().any(|c| c.of == Of::Trait(key.clone(), id));
                    if known {
                        continue;
                    }
                    let (refs, any) = self.cx.krate.impl_refs(id);
                    found.push(Candidate {
                        refs: takes.into_iter().chain(refs).collect(),
                        base: *base,
                        any,
                        of: Of::Trait(key.clone(), id),
                    });
                }
            }
        }
        let krate = &self.cx.krate;
        let is_ours = |c: &Candidate| match &c.of {
            Of::Trait(_, id) => Some(krate.impls[*id].module) == krate.text("array"),
            Of::Own | Of::Provided => false,
        };
        let (ours, users) = found.into_iter().partition(is_ours);
        (users, ours)
    }

    /// The types that a receiver can be dereferenced to.
    fn receiver_types(&self, ty: &Ty) -> Vec<(Ty, Base)> {
        let mut types = vec![(ty.clone(), Base::Value)];
        if let Some((Head::Gc, class)) = self.infer.parts(ty) {
            types.push((class[0].clone(), Base::Class));
        }
        types
    }

    /// The reference that a trait's method takes; none if it is no method.
    fn takes_of(&self, key: &TraitKey, id: ImplId, name: &str) -> Option<Vec<RefKind>> {
        let krate = &self.cx.krate;
        let members = &krate.impls[id].members;
        let item = match (members.iter().find(|m| m.0 == name), key) {
            (Some((_, Assoc::Fn(item))), _) => *item,
            (Some(_), _) => return None,
            (None, key) => {
                let of_trait = match key {
                    TraitKey::User(id) => *id,
                    TraitKey::Std(name) => krate.std_trait(name)?,
                };
                match krate.traits[of_trait].members.get(name) {
                    Some(TraitMember::Fn(item, true)) => *item,
                    _ => return None,
                }
            }
        };
        let receiver = krate.fns[item].sig.receiver()?;
        Some(refs_of(&receiver.ty).0)
    }

    /// What a type itself has by this name; and whether it is certain that it has it, if it may.
    fn own_candidates(&self, ty: &Ty, name: &str, traits: &[Candidate]) -> (Vec<Candidate>, bool) {
        let mut found = Vec::new();
        let mut certain = true;
        let mut add = |refs: &[RefKind], base, of| {
            found.push(Candidate {
                refs: refs.to_vec(),
                base,
                any: false,
                of,
            });
        };
        if let Some((key, _)) = self.key_of(ty) {
            let members = self.cx.krate.assoc.get(&(key, name.to_owned()));
            for member in members.into_iter().flatten() {
                let Assoc::Fn(item) = member else { continue };
                let Some(receiver) = self.cx.krate.fns[*item].sig.receiver() else {
                    continue;
                };
                let (refs, inner) = refs_of(&receiver.ty);
                let of_class = matches!(self.infer_head(ty), Some(Head::Gc));
                // `self: Gc<Self>`
                let is_self = matches!(inner, syn::Type::Path(p) if p.path.is_ident("Self"));
                let base = if of_class && is_self {
                    Base::Class
                } else {
                    Base::Value
                };
                add(&refs, base, Of::Own);
            }
            if let (Ty::Object(_), "kind" | "ptr_eq") = (ty, name) {
                add(&[], Base::Value, Of::Own);
            }
        }
        let open = matches!(ty, Ty::Var(_)) && self.infer.parts(ty).is_some();
        let lists = if open { Vec::new() } else { own::lists(ty) };
        for (list, base) in lists {
            let Some((takes, always)) = own::find(list, name) else {
                continue;
            };
            certain &= always;
            let base = if base { Base::Slice } else { Base::Value };
            match takes {
                Takes::Nothing => {}
                Takes::Value => add(&[], base, Of::Own),
                Takes::Shared => add(&[Shared], base, Of::Own),
                Takes::Unique => add(&[Unique], base, Of::Own),
            }
        }
        match self.infer.shallow(ty) {
            Ty::Array(_) if own::ARRAYS.contains(&name) => add(&[Shared], Base::Value, Of::Own),
            Ty::Cell(_) => add(&[], Base::Value, Of::Own),
            _ => {}
        }
        // What the crate implements is not provided.
        let implemented = traits
            .iter()
            .any(|c| matches!(&c.of, Of::Trait(key, _) if self.cx.krate.is_std_trait(key)));
        let provided = own::PROVIDED.iter().find(|p| p.0 == name);
        if let Some((_, refs)) = provided.filter(|_| !implemented && self.is_provided(ty, name)) {
            add(refs, Base::Value, Of::Provided);
        }
        (found, certain)
    }

    /// Whether values of a type have a method of a trait of the standard library although the crate
    /// says nothing.
    fn is_provided(&self, ty: &Ty, name: &str) -> bool {
        match self.infer.shallow(ty) {
            Ty::Int(_) | Ty::Bool | Ty::Char | Ty::Unit => true,
            Ty::Var(_) if self.infer.parts(ty).is_none() => true,
            Ty::F64 => !matches!(name, "max" | "min" | "clamp" | "cmp"),
            Ty::Option(_) | Ty::Result(..) | Ty::Tuple(_) | Ty::Fixed(..) => true,
            _ => matches!(name, "clone" | "into" | "try_into"),
        }
    }

    /// Whether the methods of a trait can be called here.
    fn is_in_scope(&self, of: &Of) -> bool {
        match of {
            Of::Own | Of::Provided => true,
            Of::Trait(key, _) => {
                let module = self.site.env.module;
                self.cx.krate.sees_trait(module, key) || self.bound_traits().contains(key)
            }
        }
    }

    /// Whether an implementation that is for a parameter is for references, too.
    pub(in crate::check) fn is_for_reference(
        &self,
        id: ImplId,
        ty: &Ty,
        inner: &[RefKind],
        depth: u32,
    ) -> bool {
        let krate = &self.cx.krate;
        let block = &krate.impls[id];
        block.generics.bounds.iter().all(|(_, bound)| {
            let bound = plain(bound);
            match krate.trait_key(block.module, &bound) {
                Some(key @ TraitKey::User(_)) if depth < MAX_BOUNDS => {
                    let shape = self.cx.shape_of(&self.infer, ty);
                    let of = |shape| krate.trait_impls.get(&(key.clone(), shape));
                    let impls = of(shape).into_iter().chain(of(None)).flatten();
                    let mut impls = impls.copied();
                    impls.any(|id| {
                        let (refs, any) = krate.impl_refs(id);
                        refs == inner
                            || any
                                && inner.starts_with(&refs)
                                && self.is_for_reference(id, ty, &inner[refs.len()..], depth + 1)
                    })
                }
                Some(TraitKey::User(_)) => false,
                Some(TraitKey::Std(name)) => {
                    OF_REFERENCES.contains(&name.as_str()) && !inner.contains(&Unique)
                }
                None => true,
            }
        })
    }

    pub(in crate::check) fn infer_head(&self, ty: &Ty) -> Option<Head> {
        self.infer.parts(ty).map(|parts| parts.0)
    }
}

/// The types that a receiver can be dereferenced to, itself first.
fn steps(form: &SourceType, ty: &Ty, head: &Option<Head>) -> Vec<(Vec<RefKind>, Base)> {
    let first = if form.class { Base::Class } else { Base::Value };
    let from = |n: usize| (form.refs[n..].to_vec(), first);
    let mut list: Vec<(Vec<RefKind>, Base)> = (0..=form.refs.len()).map(from).collect();
    match head {
        Some(Head::Gc) if !form.class => list.push((Vec::new(), Base::Class)),
        _ if matches!(ty, Ty::Fixed(..)) => list.push((Vec::new(), Base::Slice)),
        _ => {}
    }
    list
}

/// What rustc calls, given what there is.
fn pick(
    steps: &[(Vec<RefKind>, Base)],
    candidates: &[&Candidate],
    is_for_reference: &dyn Fn(ImplId, &[RefKind]) -> bool,
) -> Step {
    for (refs, base) in steps {
        for auto in [None, Some(Shared), Some(Unique)] {
            let takes: Vec<RefKind> = auto.into_iter().chain(refs.iter().copied()).collect();
            let fits = |c: &&&Candidate| {
                c.base == *base
                    && match (takes.strip_prefix(c.refs.as_slice()), &c.of) {
                        (Some([]), _) => true,
                        (Some(inner), Of::Trait(_, id)) if c.any => is_for_reference(*id, inner),
                        _ => false,
                    }
            };
            let fitting: Vec<&Of> = candidates.iter().filter(fits).map(|c| &c.of).collect();
            let others = fitting.len() > 1 && Sabotage::WrongCallee.is_on();
            if fitting.contains(&&Of::Own) && !others {
                return Step::One(Of::Own);
            }
            let fitting: Vec<&Of> = match others {
                true => fitting.into_iter().filter(|of| **of != Of::Own).collect(),
                false => fitting,
            };
            match fitting.as_slice() {
                [] => {}
                [one] => return Step::One((*one).clone()),
                several => return Step::Several(several.iter().map(|of| (*of).clone()).collect()),
            }
        }
    }
    Step::None
}

impl Crate {
    /// The references around the type that an `impl` block is for, and whether there may be more:
    /// the type is a parameter.
    pub fn impl_refs(&self, id: ImplId) -> (Vec<RefKind>, bool) {
        let block = &self.impls[id];
        let (refs, inner) = refs_of(&block.ty);
        let ident = match inner {
            syn::Type::Path(p) => p.path.get_ident().map(name_of),
            _ => None,
        };
        let any = ident.is_some_and(|name| block.generics.names(&name));
        (refs, any)
    }

    /// Whether a trait is one of the standard library's.
    fn is_std_trait(&self, key: &TraitKey) -> bool {
        matches!(key, TraitKey::Std(_))
    }

    /// Whether a trait's methods can be called in a module.
    pub fn sees_trait(&self, module: ModId, key: &TraitKey) -> bool {
        if let TraitKey::Std(name) = key
            && PRELUDE.contains(&name.as_str())
        {
            return true;
        }
        let name = match key {
            TraitKey::User(id) => &self.traits[*id].name,
            TraitKey::Std(name) => name,
        };
        let is_it = |def: &Def| match (def, key) {
            (Def::Trait(t), TraitKey::User(id)) => t == id,
            (Def::Trait(t), key) => self.key_of_trait(*t) == *key,
            (Def::Extern(path), TraitKey::Std(name)) => path.rsplit("::").next() == Some(name),
            _ => false,
        };
        let mut at = Some(module);
        while let Some(m) = at {
            let here = &self.modules[m];
            let by_name = self.resolve(m, false, std::slice::from_ref(name), Ns::Types);
            let imported = here.imports.values().flatten().any(|path| {
                let def = self.resolve(m, path.global, &path.segs, Ns::Types);
                def.is_some_and(|(def, _)| is_it(&def))
            });
            let by_glob = matches!(key, TraitKey::Std(_))
                && here.globs.iter().any(|path| {
                    let first = path.segs.first().map(String::as_str);
                    matches!(first, Some("std" | "core" | "alloc"))
                });
            if imported || by_glob || by_name.is_some_and(|(def, _)| is_it(&def)) {
                return true;
            }
            at = here.parent.filter(|_| here.block);
        }
        false
    }
}
