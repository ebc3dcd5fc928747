//! Structs and enums that are held by value.
//!
//! In: a `struct` or `enum` item that traced code names as a type. Out: an [`Adt`], its fields
//! typed. Invariants: an item gets its identity before its fields are looked at, since they may
//! refer to it through a `Gc`; no accepted type contains itself, so every value has finitely many
//! words.

use crate::cx::Cx;
use crate::cx::sources::{AdtSrc, Env, VariantSrc};
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::name_of;
use crate::tast::{Adt, AdtId, Span, Type, Variant, fields_of};
use crate::types::infer::Infer;
use crate::types::ty::{Head, Ty, final_type};
use std::rc::Rc;

impl Cx {
    /// The type of a struct or enum that is held by value.
    pub fn adt_ty(&mut self, key: TypeKey, args: Rc<[Ty]>, at: Span) -> Ty {
        self.adt(key, args, at).map_or(Ty::Error, Ty::Adt)
    }

    /// The struct or enum; complains at `at` if traced code cannot hold its values.
    pub fn adt(&mut self, key: TypeKey, args: Rc<[Ty]>, at: Span) -> Option<AdtId> {
        let instance = (key, args);
        if let Some(&id) = self.interned.adt_ids.get(&instance) {
            return Some(id);
        }
        let (key, args) = instance;
        let declared = self.key_span(key);
        let path = self.krate.key_path(key);
        if let TypeKey::Enum(e) = key
            && self.krate.enums[e].variants.is_empty()
        {
            let help = "it has no variants, so there are no values: give it one, or leave it out";
            let d = Diagnostic::new(DiagCode::ByValue, at, &[&path, help]);
            self.report(d.at(declared, "declared here"));
            return None;
        }
        if self
            .krate
            .trait_assoc
            .contains_key(&(key, "drop".to_owned()))
        {
            let help = "remove its `Drop`: values in traced code are copied and forgotten";
            let d = Diagnostic::new(DiagCode::ByValue, at, &[&path, help]);
            self.report(d.at(declared, "declared here"));
            return None;
        }
        if !args.is_empty() && !self.nest(key, at) {
            return None;
        }
        let id = self.interned.adts.push(Adt {
            name: self.instance_path(key, &args),
            is_enum: matches!(key, TypeKey::Enum(_)),
            is_value: match key {
                TypeKey::Struct(s) => self.krate.structs[s].value,
                TypeKey::Enum(e) | TypeKey::Object(e) => self.krate.enums[e].value,
            },
            // `#[value]` decides in the same way (`crates/macros/src/value.rs`).
            is_sound: match key {
                TypeKey::Struct(s) => self.krate.structs[s].value && !self.krate.structs[s].repr,
                TypeKey::Enum(e) | TypeKey::Object(e) => {
                    let item = &self.krate.enums[e];
                    let numbered = item.variants.iter().any(|v| v.discriminant.is_some());
                    item.value && !item.repr && !numbered && item.variants.len() > 1
                }
            },
            variants: Vec::new(),
        });
        self.interned.adt_src.push(AdtSrc {
            key,
            args: args.clone(),
            variants: Rc::new(Vec::new()),
        });
        self.interned.adt_ids.insert((key, args.clone()), id);
        if !args.is_empty() {
            self.interned
                .instances
                .add(Ty::Adt(id), Head::Adt(key), args.clone());
        }
        self.fill_adt(id, key, &args);
        if !args.is_empty() {
            self.interned.nested.pop();
        }
        Some(id)
    }

    /// The variants of a struct or enum with these arguments, which have holes only if `infer` is
    /// there.
    pub fn variants_of(
        &mut self,
        key: TypeKey,
        args: &[Ty],
        mut infer: Option<&mut Infer>,
    ) -> Vec<VariantSrc> {
        let generics = self.krate.key_generics(key).clone();
        let subst = self.subst(&generics, args, None);
        let env = Env::with(self.krate.key_module(key), subst);
        let mut variants = Vec::new();
        match key {
            TypeKey::Struct(s) => {
                let item = self.krate.structs[s].clone();
                variants.push(self.variant(&item.name, &item.fields, env, infer));
            }
            TypeKey::Enum(e) | TypeKey::Object(e) => {
                let item = self.krate.enums[e].clone();
                for variant in &item.variants {
                    let name = name_of(&variant.ident);
                    let infer = infer.as_deref_mut();
                    variants.push(self.variant(&name, &variant.fields, env, infer));
                }
            }
        }
        variants
    }

    fn fill_adt(&mut self, id: AdtId, key: TypeKey, args: &[Ty]) {
        let variants = self.variants_of(key, args, None);
        let plain = |v: &VariantSrc| Variant {
            name: v.name.clone(),
            fields: v
                .fields
                .iter()
                .map(|f| (f.0.clone(), final_type(&f.1)))
                .collect(),
        };
        self.interned.adts[id].variants = variants.iter().map(plain).collect();
        self.interned.adt_src[id].variants = Rc::new(variants);
    }

    fn variant(
        &mut self,
        name: &str,
        fields: &syn::Fields,
        env: Env,
        mut infer: Option<&mut Infer>,
    ) -> VariantSrc {
        let enabled = fields
            .iter()
            .filter(|f| crate::source::cfg::enabled(&f.attrs));
        let mut typed = Vec::new();
        for (n, field) in enabled.enumerate() {
            let name = field.ident.as_ref().map_or(n.to_string(), name_of);
            let ty = match self.stored(&field.ty, env, infer.as_deref_mut()) {
                Ty::Never => {
                    let span = self.span(env.module, &field.ty);
                    self.err(DiagCode::BadType, span, &["!"]);
                    Ty::Error
                }
                ty => ty,
            };
            typed.push((name, ty));
        }
        VariantSrc {
            name: name.to_owned(),
            fields: typed,
        }
    }

    /// The type of a field, which cannot be a reference.
    fn stored(&mut self, ty: &syn::Type, env: Env, infer: Option<&mut Infer>) -> Ty {
        let Some(reference) = first_reference(ty) else {
            return self.lower(ty, env, infer);
        };
        let span = self.span(env.module, reference);
        let help = "hold the value itself, or a `Gc`";
        self.err(
            DiagCode::UnsupportedWithHelp,
            span,
            &["a reference in a struct or enum", help],
        );
        Ty::Error
    }

    /// Where a struct or enum is declared.
    pub fn adt_span(&self, id: AdtId) -> Span {
        self.key_span(self.interned.adt_src[id].key)
    }

    fn key_span(&self, key: TypeKey) -> Span {
        match key {
            TypeKey::Struct(s) => self.krate.structs[s].span,
            TypeKey::Enum(e) | TypeKey::Object(e) => self.krate.enums[e].span,
        }
    }

    /// The types of a variant's fields, of any type that has variants.
    pub fn field_types(&self, ty: &Type, variant: u32) -> Vec<Type> {
        match ty {
            // The payload of an option is its only field, whether it is a reference or not.
            Type::Option(inner) if variant == 1 => vec![(**inner).clone()],
            ty => fields_of(ty, variant, &self.interned.adts).unwrap_or_default(),
        }
    }

    /// What to do instead of `==` on values of a type that has none.
    pub fn no_equality(&self, ty: &Ty) -> Option<&'static str> {
        if self.holds_pointer(ty) {
            Some(
                "Rust does not say which pointers are equal: compare integers that say which function is meant",
            )
        } else if !self.compares_parts(ty) {
            Some("write `#[derive(PartialEq)]`, or compare the parts")
        } else {
            None
        }
    }

    /// Whether `==` on values of this type is what `#[derive(PartialEq)]` makes of scalars and
    /// references: equality of all parts (of parts ..).
    pub fn compares_parts(&self, ty: &Ty) -> bool {
        self.compares_with(ty, &mut Vec::new())
    }

    /// The same, of a part of values of these types: whether types are finite is checked at the
    /// end.
    fn compares_with(&self, ty: &Ty, around: &mut Vec<AdtId>) -> bool {
        let Ty::Adt(id) = ty else {
            return ty.parts().iter().all(|p| self.compares_with(p, around));
        };
        if around.contains(id) {
            return true;
        }
        let src = &self.interned.adt_src[*id];
        around.push(*id);
        let mut fields = src.variants.iter().flat_map(|v| &v.fields);
        let derived = self.krate.derives(src.key, "PartialEq");
        let compares = derived && fields.all(|f| self.compares_with(&f.1, around));
        around.pop();
        compares
    }
}

/// A reference that a type is written with.
pub(crate) fn first_reference(ty: &syn::Type) -> Option<&syn::TypeReference> {
    use syn::visit::Visit;
    struct Search<'t>(Option<&'t syn::TypeReference>);
    impl<'t> Visit<'t> for Search<'t> {
        fn visit_type_reference(&mut self, node: &'t syn::TypeReference) {
            self.0.get_or_insert(node);
        }
    }
    let mut search = Search(None);
    search.visit_type(ty);
    search.0
}

/// Complains about types that contain themselves. rustc does so too, but only after the build
/// script.
pub(crate) fn check_finite(cx: &mut Cx) {
    for id in cx.interned.adts.keys().collect::<Vec<_>>() {
        let mut seen = Vec::new();
        if contains(cx, &Ty::Adt(id), id, &mut seen) {
            let span = cx.adt_span(id);
            let path = cx.interned.adts[id].name.clone();
            let help = "it contains itself: hold the inner one through a `Gc`";
            cx.err(DiagCode::ByValue, span, &[&path, help]);
        }
    }
}

/// Whether a value of this type holds a value of type `target`, other than being it.
fn contains(cx: &Cx, ty: &Ty, target: AdtId, seen: &mut Vec<AdtId>) -> bool {
    let mut inside = |ty: &Ty| *ty == Ty::Adt(target) || contains(cx, ty, target, seen);
    match ty {
        Ty::Tuple(parts) => parts.iter().any(inside),
        Ty::Option(inner) | Ty::Fixed(inner, _) => inside(inner),
        Ty::Result(ok, err) => inside(ok) || inside(err),
        Ty::Adt(id) => {
            if seen.contains(id) {
                return false;
            }
            seen.push(*id);
            let variants = cx.interned.adt_src[*id].variants.clone();
            let mut fields = variants.iter().flat_map(|v| &v.fields);
            fields.any(|f| f.1 == Ty::Adt(target) || contains(cx, &f.1, target, seen))
        }
        _ => false,
    }
}
