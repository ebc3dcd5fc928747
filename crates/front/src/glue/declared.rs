//! What the declarations of types say, as text. In: the classes, objects and values of traced code.
//! Out: for each, the path of the text that its attribute has made of what rustc compiles, and the
//! text of what has been read here. Invariant: `crates/macros/src/text.rs` makes the same text of
//! the same tokens, so the linker finds out where a condition chose another declaration for rustc
//! than for the translator.

use crate::cx::Cx;
use crate::cx::sources::ClassSrc;
use crate::items::{EnumItem, ModId, StructItem, TypeKey};
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::Fields;

/// Paths and texts, in the order of the paths. Types that the glue cannot name are not among them.
pub(crate) fn types(cx: &Cx) -> Vec<(String, String)> {
    let values = cx.interned.adt_src.values().map(|adt| adt.key);
    let objects = cx
        .interned
        .object_src
        .values()
        .map(|&id| TypeKey::Object(id));
    let classes = cx
        .interned
        .classes
        .values()
        .filter_map(|class| match class {
            ClassSrc::Struct { item, .. } => Some(TypeKey::Struct(*item)),
            ClassSrc::Array { .. } => None,
        });
    let mut types = BTreeMap::new();
    for key in values.chain(objects).chain(classes) {
        let (module, name, text) = match key {
            TypeKey::Struct(id) => {
                let item = &cx.krate.structs[id];
                if !item.gc && !item.value {
                    continue;
                }
                (item.module, &item.name, of_struct(item))
            }
            TypeKey::Enum(id) | TypeKey::Object(id) => {
                let item = &cx.krate.enums[id];
                if item.object.is_none() && !item.value {
                    continue;
                }
                (item.module, &item.name, of_enum(item))
            }
        };
        if let Some(path) = path(cx, module, name) {
            types.insert(path, text);
        }
    }
    types.into_iter().collect()
}

/// The path of the text that the attribute has made; none if the glue cannot name it, or if it is
/// one of the types of our own texts or of the library, which do not depend on conditions.
fn path(cx: &Cx, module: ModId, name: &str) -> Option<String> {
    if cx.krate.texts.iter().any(|&(_, text)| text == module) {
        return None;
    }
    let path = cx.krate.path(module, &format!("__vd_text_{name}"));
    let is_ours =
        cx.krate.library.is_some() && path.starts_with(crate::source::known_names::LIBRARY_PATH);
    (!is_ours && cx.krate.can_be_named(module)).then(|| cx.krate.glue_path(&path))
}

fn of_struct(item: &StructItem) -> String {
    format!("struct {}{}", raw(&item.name), listed(&item.fields))
}

fn of_enum(item: &EnumItem) -> String {
    let variants = item.variants.iter().map(|v| {
        let number = v.discriminant.as_ref();
        let number = number.map_or(String::new(), |(_, n)| format!("={}", written(n)));
        format!("{}{}{number}", v.ident, listed(&v.fields))
    });
    let variants: Vec<String> = variants.collect();
    format!("enum {}{{{}}}", raw(&item.name), variants.join(","))
}

fn raw(name: &str) -> String {
    crate::std_model::cmp::raw(name)
}

fn listed(fields: &Fields) -> String {
    let field = |f: &syn::Field| match &f.ident {
        Some(name) => format!("{name}:{}", written(&f.ty)),
        None => written(&f.ty),
    };
    let list: Vec<String> = fields.iter().map(field).collect();
    let list = list.join(",");
    match fields {
        Fields::Named(_) => format!("{{{list}}}"),
        Fields::Unnamed(_) => format!("({list})"),
        Fields::Unit => String::new(),
    }
}

fn written(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    text.split_whitespace().collect()
}
