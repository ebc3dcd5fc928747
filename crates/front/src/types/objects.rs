//! The types that `#[object]` enums declare.
//!
//! In: enum items. Out: an identity and the classes of the variants. Invariant: the variants'
//! classes are different, and of none are there several instances, so that an object's class says
//! which variant it is.

use crate::cx::Cx;
use crate::cx::sources::{ClassSrc, Env};
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::{Object, ObjectId};
use crate::types::ty::Ty;
use verdigris_ops::ClassId;

impl Cx {
    /// The object type that an enum declares.
    pub fn object(&mut self, id: EnumId) -> ObjectId {
        if let Some(&object) = self.interned.object_ids.get(&id) {
            return object;
        }
        let item = self.krate.enums[id].clone();
        let name = self.krate.object_name(id).to_owned();
        let object = self.interned.objects.push(Object {
            name,
            variants: Vec::new(),
        });
        self.interned.object_src.push(id);
        self.interned.object_ids.insert(id, object);
        let mut variants: Vec<(String, ClassId)> = Vec::new();
        for variant in &item.variants {
            let name = crate::source::syntax::name_of(&variant.ident);
            let Some(class) = self.variant_class(&item, variant) else {
                continue;
            };
            if let Some((other, _)) = variants.iter().find(|v| v.1 == class) {
                let span = self.span(item.module, variant);
                let message = format!(
                    "the variants `{other}` and `{name}` have the same class, so they cannot be told apart"
                );
                self.err(DiagCode::BadObjectEnum, span, &[&message]);
            }
            variants.push((name, class));
        }
        self.interned.objects[object].variants = variants;
        object
    }

    fn variant_class(&mut self, item: &EnumItem, variant: &syn::Variant) -> Option<ClassId> {
        let env = Env::of(item.module);
        let span = self.span(item.module, variant);
        let ty = match &variant.fields {
            syn::Fields::Unnamed(f) if f.unnamed.len() == 1 => {
                self.lower(&f.unnamed[0].ty, env, None)
            }
            _ => Ty::Unit,
        };
        match ty {
            Ty::Gc(class) => {
                if let ClassSrc::Struct { args, .. } = &self.interned.classes[class]
                    && !args.is_empty()
                {
                    let name = crate::source::syntax::name_of(&variant.ident);
                    let message = format!(
                        "the variant `{name}` holds an instance of a generic class, which cannot be told from others"
                    );
                    let d = Diagnostic::new(DiagCode::BadObjectEnum, span, &[&message]);
                    self.report(d.help("write a `#[gc]` struct without parameters that holds it"));
                }
                Some(class)
            }
            Ty::Error => None,
            _ => {
                let name = crate::source::syntax::name_of(&variant.ident);
                let message =
                    format!("the variant `{name}` must hold one `Gc` of a `#[gc]` struct");
                self.err(DiagCode::BadObjectEnum, span, &[&message]);
                None
            }
        }
    }

    /// The class of an object enum's variant.
    pub fn object_variant(&mut self, id: EnumId, index: usize) -> Option<(ObjectId, ClassId)> {
        let object = self.object(id);
        let item = &self.krate.enums[id];
        let name = crate::source::syntax::name_of(&item.variants.get(index)?.ident);
        let found = self.interned.objects[object]
            .variants
            .iter()
            .find(|v| v.0 == name)?;
        Some((object, found.1))
    }
}
