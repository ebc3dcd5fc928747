//! Which method a call means, by rustc's steps.
//!
//! In: a receiver and a method's name. Out: whether the method is one of the type itself or which trait's. Invariant: for each type that
//! the receiver can be dereferenced to, from the outside in, the methods are tried that take that type, then those that take a `&` of
//! it, then a `&mut`; and each time those of the type itself before those of traits. The translator's types have no references:
//! how many there are around a receiver is read off the source. Where the source does not say it, every number of them has to
//! lead to the same method, or the call is refused.

use super::FnCx;
use super::lend::Place;
use super::own::{self, Takes};
use super::traits::Member;
use crate::collect::name_of;
use crate::hir::{Expr, Kind, Op};
use crate::infer::{Head, Ty};
use crate::items::*;
use crate::resolve::plain;
use crate::tast::Span;

/// A reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layer {
    Shared,
    Unique,
}

use Layer::{Shared, Unique};

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

/// The type of a receiver in Rust, where the source says what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    /// From the outside in.
    layers: Vec<Layer>,
    /// A pointer to a heap class is a reference to the object, the innermost of the layers.
    class: bool,
    /// The type of the crate inside, or what a pointer inside points to.
    key: Option<TypeKey>,
}

impl Form {
    fn value() -> Form {
        Form {
            layers: Vec::new(),
            class: false,
            key: None,
        }
    }

    fn of(key: TypeKey) -> Form {
        let key = Some(key);
        Form {
            key,
            ..Form::value()
        }
    }

    fn behind(mut self, layer: Layer) -> Form {
        self.layers.insert(0, layer);
        self
    }
}

/// A method that may be meant.
struct Candidate {
    /// The references around its `self`, from the outside in.
    layers: Vec<Layer>,
    base: Base,
    /// Whether there may be more references inside: the type is a parameter of the implementation.
    any: bool,
    of: Of,
}

#[derive(Clone, PartialEq, Debug)]
enum Of {
    /// The type itself.
    Own,
    /// What types of the standard library have of its traits, without an implementation that the translator reads.
    Provided,
    Trait(TraitKey, ImplId),
}

/// What a call means.
pub(super) enum Pick {
    /// A method of the type itself, or none that the crate has.
    Own,
    Trait(Member),
    /// That is not clear: what would do.
    Ambiguous(Vec<String>),
}

/// What one look found.
#[derive(Clone, PartialEq)]
enum Step {
    None,
    One(Of),
    Several(Vec<Of>),
}

/// Methods of traits in the standard prelude that types have without the crate's doing.
const PROVIDED: &[(&str, &[Layer])] = &[
    ("clamp", &[]),
    ("clone", &[Shared]),
    ("cmp", &[Shared]),
    ("eq", &[Shared]),
    ("ge", &[Shared]),
    ("gt", &[Shared]),
    ("into", &[]),
    ("le", &[Shared]),
    ("lt", &[Shared]),
    ("max", &[]),
    ("min", &[]),
    ("ne", &[Shared]),
    ("partial_cmp", &[Shared]),
    ("try_into", &[]),
];

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
    pub(super) fn probe(
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
        let seen: Vec<bool> = all.iter().map(|c| self.is_in_scope(&c.of)).collect();
        // What the source calls a parameter has nothing of its own.
        let param = self.is_param(source);
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
        let form = match param {
            true => None,
            false => self.form(source),
        };
        let known = form.is_some();
        let of_heap = matches!(
            receiver.kind,
            Kind::Op(Op::GetField(_) | Op::GetFieldOf(_) | Op::GetItem, _)
        );
        let forms = match (form, source) {
            (Some(form), _) => vec![form],
            // The heap holds no references.
            (None, syn::Expr::Field(_) | syn::Expr::Index(_) | syn::Expr::MethodCall(_))
                if of_heap =>
            {
                vec![Form::value()]
            }
            (None, _) => {
                let local = self.named(source);
                let of_field = local.is_some_and(|local| self.locals[local].of_field);
                let mut forms = self.forms(ty, place);
                forms.retain(|form| !form.class || !of_field);
                forms
            }
        };
        let mut found: Vec<Step> = Vec::new();
        let mut sets = vec![own.iter().chain(&traits).collect::<Vec<_>>()];
        // The type may be one that the source names by a parameter, which has nothing of its own either; and a method that only some
        // types of a kind have may not be there.
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
        let shown = |fcx: &Self, of: &Of| match of {
            Of::Own => format!("{}'s own", fcx.show(ty)),
            Of::Provided => "the standard library's".to_owned(),
            Of::Trait(key, _) => fcx.trait_name(key),
        };
        match found.as_slice() {
            [] | [Step::One(Of::Own | Of::Provided)] => own_pick(self),
            [Step::One(Of::Trait(key, id))] => self.picked(key, *id, ty, name, at),
            several => {
                let mut names = Vec::new();
                for step in several {
                    let of = match step {
                        Step::None => continue,
                        Step::One(of) => std::slice::from_ref(of),
                        Step::Several(of) => of.as_slice(),
                    };
                    for of in of {
                        let name = shown(self, of);
                        if !names.contains(&name) {
                            names.push(name);
                        }
                    }
                }
                Pick::Ambiguous(names)
            }
        }
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

    /// The implementations of traits for a type, and for what it points to, that have a method of this name. Those in the second list
    /// are ours: what the type has itself in Rust.
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
                    let (layers, any) = self.cx.krate.impl_layers(id);
                    found.push(Candidate {
                        layers: takes.into_iter().chain(layers).collect(),
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
    fn takes_of(&self, key: &TraitKey, id: ImplId, name: &str) -> Option<Vec<Layer>> {
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
        Some(layers_of(&receiver.ty).0)
    }

    /// What a type itself has by this name; and whether it is certain that it has it, if it may.
    fn own_candidates(&self, ty: &Ty, name: &str, traits: &[Candidate]) -> (Vec<Candidate>, bool) {
        let mut found = Vec::new();
        let mut certain = true;
        let mut add = |layers: &[Layer], base, of| {
            found.push(Candidate {
                layers: layers.to_vec(),
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
                let (layers, inner) = layers_of(&receiver.ty);
                let of_class = matches!(self.infer_head(ty), Some(Head::Gc));
                // `self: Gc<Self>`
                let is_self = matches!(inner, syn::Type::Path(p) if p.path.is_ident("Self"));
                let base = if of_class && is_self {
                    Base::Class
                } else {
                    Base::Value
                };
                add(&layers, base, Of::Own);
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
        let provided = PROVIDED.iter().find(|p| p.0 == name);
        if let Some((_, layers)) = provided.filter(|_| !implemented && self.is_provided(ty, name)) {
            add(layers, Base::Value, Of::Provided);
        }
        (found, certain)
    }

    /// Whether values of a type have a method of a trait of the standard library although the crate says nothing.
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
                let module = self.env.module;
                self.cx.krate.sees_trait(module, key) || self.bound_traits().contains(key)
            }
        }
    }

    /// Whether an implementation that is for a parameter is for references, too.
    fn is_for_reference(&self, id: ImplId, ty: &Ty, inner: &[Layer], depth: u32) -> bool {
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
                        let (layers, any) = krate.impl_layers(id);
                        layers == inner
                            || any
                                && inner.starts_with(&layers)
                                && self.is_for_reference(id, ty, &inner[layers.len()..], depth + 1)
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

    fn infer_head(&self, ty: &Ty) -> Option<Head> {
        self.infer.parts(ty).map(|parts| parts.0)
    }

    /// What the type of a receiver may be in Rust if the source does not say it.
    fn forms(&self, ty: &Ty, place: &Option<Place>) -> Vec<Form> {
        let value = Form::value();
        let mut forms = vec![
            value.clone(),
            value.clone().behind(Shared),
            value.clone().behind(Shared).behind(Shared),
        ];
        if place
            .as_ref()
            .is_some_and(|place| self.is_lent(place.local))
        {
            forms.push(value.behind(Unique));
        }
        if let Some(Head::Gc) = self.infer_head(ty) {
            let class = true;
            let object = Form {
                class,
                ..Form::value()
            }
            .behind(Shared);
            forms.extend([object.clone(), object.behind(Shared)]);
        }
        forms
    }

    /// The type of an expression in Rust, if the source says it.
    pub(super) fn form(&self, expr: &syn::Expr) -> Option<Form> {
        let krate = &self.cx.krate;
        match expr {
            syn::Expr::Paren(e) => self.form(&e.expr),
            syn::Expr::Group(e) => self.form(&e.expr),
            syn::Expr::Reference(e) => {
                let layer = if e.mutability.is_some() {
                    Unique
                } else {
                    Shared
                };
                Some(self.form(&e.expr)?.behind(layer))
            }
            syn::Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => {
                let mut form = self.form(&e.expr)?;
                let inside = form.layers.len() > usize::from(form.class);
                inside.then(|| form.layers.remove(0))?;
                Some(form)
            }
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(_) | syn::Lit::ByteStr(_),
                ..
            }) => Some(Form::value().behind(Shared)),
            syn::Expr::Lit(_) => Some(Form::value()),
            syn::Expr::Cast(e) => self.form_of_type(&e.ty),
            syn::Expr::Struct(e) if e.qself.is_none() => {
                let (ty, module) = (&e.path, self.env.module);
                let form = self.form_of_type(&syn::parse_quote!(#ty));
                let path = plain(ty);
                let of_variant = || match krate.resolve(module, path.global, &path.segs, Ns::Types)
                {
                    Some((Def::Variant(id, _), _)) => Some(Form::of(TypeKey::Enum(id))),
                    _ => None,
                };
                form.or_else(of_variant)
            }
            syn::Expr::Binary(e) => match e.op {
                syn::BinOp::And(_) | syn::BinOp::Or(_) => Some(Form::value()),
                // What an operator of the crate gives may be anything.
                _ => {
                    let sides = (self.form(&e.left)?, self.form(&e.right)?);
                    (sides == (Form::value(), Form::value())).then(Form::value)
                }
            },
            syn::Expr::Path(e) if e.qself.is_none() => {
                let name = e.path.get_ident().map(name_of);
                if let Some(local) = name.and_then(|name| self.lookup(&name)) {
                    return self.locals[local].form.clone();
                }
                let (module, path) = (self.env.module, plain(&e.path));
                match krate.resolve(module, path.global, &path.segs, Ns::Values)? {
                    (Def::Const(id) | Def::Static(id), used) if used == path.segs.len() => {
                        let item = &krate.consts[id];
                        krate.form_of(item.module, &item.ty, (item.owner, &|_| false))
                    }
                    (Def::Variant(id, _), _) => Some(Form::of(TypeKey::Enum(id))),
                    _ => None,
                }
            }
            syn::Expr::Field(e) => {
                let TypeKey::Struct(id) = self.form(&e.base)?.key? else {
                    return None;
                };
                let item = &krate.structs[id];
                let named = |(n, f): (usize, &syn::Field)| match (&e.member, &f.ident) {
                    (syn::Member::Named(name), Some(ident)) => name == ident,
                    (syn::Member::Unnamed(index), None) => index.index as usize == n,
                    _ => false,
                };
                let fields = item.fields.iter().filter(|f| crate::cfg::enabled(&f.attrs));
                let field = fields.enumerate().find(|f| named((f.0, f.1)))?.1;
                let generics = krate.key_generics(TypeKey::Struct(id));
                krate.form_of(item.module, &field.ty, (None, &|name| generics.names(name)))
            }
            syn::Expr::Call(e) => {
                let syn::Expr::Path(path) = &*e.func else {
                    return None;
                };
                let segs = plain(&path.path);
                let name = segs.segs.last()?;
                if segs.segs.len() == 1 && self.lookup(name).is_some() {
                    return None;
                }
                match krate.resolve(self.env.module, segs.global, &segs.segs, Ns::Values) {
                    Some((Def::Fn(id), used)) if used == segs.segs.len() => self.form_of_result(id),
                    Some((Def::Variant(id, _), used)) if used == segs.segs.len() => {
                        Some(Form::of(TypeKey::Enum(id)))
                    }
                    Some((Def::Struct(id), used)) if used == segs.segs.len() => {
                        Some(Form::of(TypeKey::Struct(id)))
                    }
                    Some((Def::Builtin(Builtin::Gc | Builtin::GcArray), _)) if name == "new" => {
                        Some(Form::value())
                    }
                    _ => match krate.resolve(self.env.module, false, &segs.segs, Ns::Types) {
                        Some((Def::Struct(id), used)) if used == segs.segs.len() => {
                            Some(Form::of(TypeKey::Struct(id)))
                        }
                        _ => self.form_of_named(name),
                    },
                }
            }
            syn::Expr::MethodCall(e) => {
                let name = name_of(&e.method);
                self.form_of_named(&name)
            }
            _ => None,
        }
    }

    /// What the functions of the crate with this name give, if that is the same; they are methods, so that no other crate's is meant
    /// unless the standard library has one by that name.
    fn form_of_named(&self, name: &str) -> Option<Form> {
        if own::is_anywhere(name) || PROVIDED.iter().any(|p| p.0 == name) {
            return None;
        }
        let krate = &self.cx.krate;
        let named = krate.fns.iter().filter(|(_, f)| f.name == name);
        let mut forms = named.map(|(id, _)| self.form_of_result(id));
        let first = forms.next()??;
        forms
            .all(|form| form.as_ref() == Some(&first))
            .then_some(first)
    }

    fn form_of_result(&self, id: FnItemId) -> Option<Form> {
        let krate = &self.cx.krate;
        let item = &krate.fns[id];
        let of_block = |name: &str| {
            item.owner
                .is_some_and(|o| krate.impls[o].generics.names(name))
        };
        let names = |name: &str| item.generics.names(name) || of_block(name);
        match &item.sig.output {
            syn::ReturnType::Type(_, ty) => krate.form_of(item.module, ty, (item.owner, &names)),
            syn::ReturnType::Default => Some(Form::value()),
        }
    }

    /// What the source says of a type that is written here.
    pub(super) fn form_of_type(&self, ty: &syn::Type) -> Option<Form> {
        let subst = self.cx.substs.get(self.env.subst);
        let names = |name: &str| subst.get(name).is_some();
        self.cx
            .krate
            .form_of(self.env.module, ty, (self.env.owner, &names))
    }

    /// The forms of the names that a `let` declares, before it declares them: those in its value mean others.
    pub(super) fn let_forms(&self, pat: &syn::Pat, value: &syn::Expr) -> Vec<(String, Form)> {
        let mut list = Vec::new();
        self.collect_forms(pat, value, &mut list);
        list
    }

    fn collect_forms(&self, pat: &syn::Pat, value: &syn::Expr, list: &mut Vec<(String, Form)>) {
        match (pat, value) {
            (syn::Pat::Paren(p), _) => self.collect_forms(&p.pat, value, list),
            (pat, syn::Expr::Paren(e)) => self.collect_forms(pat, &e.expr, list),
            (syn::Pat::Type(p), _) => {
                if let syn::Pat::Ident(ident) = &*p.pat
                    && let Some(form) = self.form_of_type(&p.ty)
                {
                    list.push((name_of(&ident.ident), form));
                }
            }
            (syn::Pat::Ident(p), _) if p.by_ref.is_none() => {
                if let Some(form) = self.form(value) {
                    list.push((name_of(&p.ident), form));
                }
            }
            (syn::Pat::Tuple(p), syn::Expr::Tuple(e)) if p.elems.len() == e.elems.len() => {
                let rest = |pat: &syn::Pat| matches!(pat, syn::Pat::Rest(_));
                if !p.elems.iter().any(rest) {
                    for (pat, value) in p.elems.iter().zip(&e.elems) {
                        self.collect_forms(pat, value, list);
                    }
                }
            }
            _ => {}
        }
    }

    /// Makes the names mean this.
    pub(super) fn set_forms(&mut self, forms: Vec<(String, Form)>) {
        for (name, form) in forms {
            if let Some(local) = self.lookup(&name) {
                self.locals[local].form = Some(form);
            }
        }
    }
}

/// The types that a receiver can be dereferenced to, itself first.
fn steps(form: &Form, ty: &Ty, head: &Option<Head>) -> Vec<(Vec<Layer>, Base)> {
    let first = if form.class { Base::Class } else { Base::Value };
    let from = |n: usize| (form.layers[n..].to_vec(), first);
    let mut list: Vec<(Vec<Layer>, Base)> = (0..=form.layers.len()).map(from).collect();
    match head {
        Some(Head::Gc) if !form.class => list.push((Vec::new(), Base::Class)),
        _ if matches!(ty, Ty::Fixed(..)) => list.push((Vec::new(), Base::Slice)),
        _ => {}
    }
    list
}

/// What rustc calls, given what there is.
fn pick(
    steps: &[(Vec<Layer>, Base)],
    candidates: &[&Candidate],
    is_for_reference: &dyn Fn(ImplId, &[Layer]) -> bool,
) -> Step {
    for (layers, base) in steps {
        for auto in [None, Some(Shared), Some(Unique)] {
            let takes: Vec<Layer> = auto.into_iter().chain(layers.iter().copied()).collect();
            let fits = |c: &&&Candidate| {
                c.base == *base
                    && match (takes.strip_prefix(c.layers.as_slice()), &c.of) {
                        (Some([]), _) => true,
                        (Some(inner), Of::Trait(_, id)) => c.any && is_for_reference(*id, inner),
                        _ => false,
                    }
            };
            let fitting: Vec<&Of> = candidates.iter().filter(fits).map(|c| &c.of).collect();
            if fitting.contains(&&Of::Own) {
                return Step::One(Of::Own);
            }
            match fitting.as_slice() {
                [] => {}
                [one] => return Step::One((*one).clone()),
                several => return Step::Several(several.iter().map(|of| (*of).clone()).collect()),
            }
        }
    }
    Step::None
}

/// The references around a type, from the outside in, and what is inside of them.
fn layers_of(mut ty: &syn::Type) -> (Vec<Layer>, &syn::Type) {
    let mut layers = Vec::new();
    loop {
        ty = match ty {
            syn::Type::Paren(t) => &t.elem,
            syn::Type::Group(t) => &t.elem,
            syn::Type::Reference(t) => {
                layers.push(if t.mutability.is_some() {
                    Unique
                } else {
                    Shared
                });
                &t.elem
            }
            ty => return (layers, ty),
        }
    }
}

impl Crate {
    /// The references around the type that an `impl` block is for, and whether there may be more: the type is a parameter.
    fn impl_layers(&self, id: ImplId) -> (Vec<Layer>, bool) {
        let block = &self.impls[id];
        let (layers, inner) = layers_of(&block.ty);
        let ident = match inner {
            syn::Type::Path(p) => p.path.get_ident().map(name_of),
            _ => None,
        };
        let any = ident.is_some_and(|name| block.generics.names(&name));
        (layers, any)
    }

    /// Whether a trait is one of the standard library's.
    fn is_std_trait(&self, key: &TraitKey) -> bool {
        matches!(key, TraitKey::Std(_))
    }

    /// What a type is that is written as one of the crate or a scalar, maybe behind references. `Self` is what the block is for; what
    /// is one of the `names` is a parameter.
    fn form_of(
        &self,
        module: ModId,
        ty: &syn::Type,
        (owner, names): (Option<ImplId>, &dyn Fn(&str) -> bool),
    ) -> Option<Form> {
        let (layers, inner) = layers_of(ty);
        let around = |mut form: Form| {
            form.layers.splice(0..0, layers.iter().copied());
            form
        };
        let syn::Type::Path(p) = inner else {
            return None;
        };
        if p.qself.is_some() {
            return None;
        }
        let path = plain(&p.path);
        let by_name = |ty: &syn::Type, module| self.form_of(module, ty, (None, names));
        if path.segs.len() == 1 && names(&path.segs[0]) {
            return None;
        }
        // A class by itself is no value.
        let of_class = |key| {
            let form = Form {
                class: true,
                ..Form::of(key)
            };
            (!layers.is_empty()).then(|| around(form))
        };
        if p.path.is_ident("Self") {
            let block = &self.impls[owner?];
            return match self.type_key(block.module, &block.ty) {
                Some(key @ TypeKey::Struct(s)) if self.structs[s].gc => of_class(key),
                _ => Some(around(by_name(&block.ty, block.module)?)),
            };
        }
        let (def, used) = self.resolve(module, path.global, &path.segs, Ns::Types)?;
        if used != path.segs.len() {
            return None;
        }
        match def {
            Def::Struct(id) if self.structs[id].gc => of_class(TypeKey::Struct(id)),
            Def::Struct(id) => Some(around(Form::of(TypeKey::Struct(id)))),
            Def::Enum(id) => Some(around(Form::of(TypeKey::Enum(id)))),
            Def::Object(id) => Some(around(Form::of(TypeKey::Object(id)))),
            Def::Builtin(Builtin::Gc) => {
                let args = crate::lower_ty::type_args(p.path.segments.last()?);
                let key = args.first().and_then(|ty| self.type_key(module, ty));
                Some(around(Form {
                    key,
                    ..Form::value()
                }))
            }
            Def::Prim(_) | Def::Builtin(Builtin::GcArray | Builtin::Option | Builtin::Result) => {
                Some(around(Form::value()))
            }
            Def::Alias(id) => {
                let alias = &self.aliases[id];
                Some(around(by_name(&alias.ty, alias.module)?))
            }
            _ => None,
        }
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
