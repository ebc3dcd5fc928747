//! Places by their names. In: what a body names, and the module that it is in. Out: the places of
//! traced code that can be meant. Invariants: a field is left out only if the module cannot name
//! it; whose field it is, only types say. The library reaches arrays of its own and those without a
//! tag, and no others: a tag is no parameter of anything in it.

use crate::cx::Cx;
use crate::cx::sources::ClassSrc;
use crate::items::{Crate, ModId, StructId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use syn::Visibility;
use verdigris_ops::{ClassId, ClassKind, FieldId, FieldInfo, Places};

/// The mutable places of traced code that have these names, as far as a module can name them;
/// anywhere, if there is none.
pub(super) fn places(cx: &Cx, named: &Named, module: Option<ModId>) -> Places {
    let meant = |(_, field): &(FieldId, &FieldInfo)| {
        // A field that is several machine values has one name for each, behind a dot or `#`.
        let mut parts = field.name.split(['.', '#']);
        !field.immutable
            && (parts.any(|part| named.fields.contains(part))
                && module.is_none_or(|module| is_named_in(cx, module, field))
                || is_own(cx, named, field))
    };
    let mutable = |kind: &ClassKind| {
        matches!(
            kind,
            ClassKind::Array {
                immutable: false,
                ..
            }
        )
    };
    let classes = cx.descrs.classes.iter();
    let items = classes.filter(|(_, c)| named.items && mutable(&c.kind));
    let mut items: Vec<ClassId> = items.map(|(id, _)| id).collect();
    if module.is_some_and(|module| cx.krate.is_library(module)) {
        let in_reach = arrays_of_library(cx);
        items.retain(|id| in_reach.contains(id));
    }
    Places::Of {
        fields: cx.descrs.fields.iter().filter(meant).map(|f| f.0).collect(),
        items: items.into_iter().collect(),
    }
}

/// The classes of arrays that code of the library can reach, and of the parts of their items.
fn arrays_of_library(cx: &Cx) -> FxHashSet<ClassId> {
    let classes = cx.interned.classes.iter();
    let of_library = |class: &ClassSrc| match class {
        ClassSrc::Array { tag, .. } => tag.is_of_library(),
        ClassSrc::Struct { .. } => false,
    };
    let arrays = classes.filter(|(_, class)| of_library(class));
    let with_parts = arrays.flat_map(|(id, _)| {
        let parts = cx.interned.item_parts[id].iter().copied();
        parts.chain([id])
    });
    with_parts.collect()
}

/// The struct that a field is declared in, and the name that it has there.
fn declared<'f>(cx: &Cx, field: &'f FieldInfo) -> Option<(StructId, &'f str)> {
    let name = field.name.split(['.', '#']).next().unwrap_or_default();
    match cx.interned.classes.get(field.class)? {
        ClassSrc::Struct { item, .. } => Some((*item, name)),
        ClassSrc::Array { .. } => None,
    }
}

/// Whether a field is among those that are named with their structs.
fn is_own(cx: &Cx, named: &Named, field: &FieldInfo) -> bool {
    let found = declared(cx, field);
    found.is_some_and(|(id, name)| named.own.contains(&(id, name.to_owned())))
}

/// Whether a field of a class can be meant where a module has its name.
fn is_named_in(cx: &Cx, module: ModId, field: &FieldInfo) -> bool {
    let Some((id, name)) = declared(cx, field) else {
        return true;
    };
    let item = &cx.krate.structs[id];
    let mut fields = item.fields.iter();
    let is_it = |f: &&syn::Field| {
        let ident = f.ident.as_ref();
        ident.is_some_and(|ident| crate::source::syntax::name_of(ident) == name)
    };
    let vis = fields.find(is_it).map(|f| &f.vis);
    vis.is_none_or(|vis| can_name(&cx.krate, module, item.module, vis))
}

/// Whether a module can name what another module declares with this visibility.
pub(super) fn can_name(krate: &Crate, module: ModId, declared: ModId, vis: &Visibility) -> bool {
    match (krate.root_of(module) == krate.root_of(declared), vis) {
        (true, Visibility::Inherited) => is_within(krate, module, krate.real_module(declared)),
        (true, _) => true,
        // The library knows nothing of who uses it.
        (false, vis) => !krate.is_library(module) && matches!(vis, Visibility::Public(_)),
    }
}

/// Whether a module is another one or inside of it.
fn is_within(krate: &Crate, module: ModId, outer: ModId) -> bool {
    let mut around = std::iter::successors(Some(module), |&m| krate.modules[m].parent);
    around.any(|m| m == outer)
}

/// What is named.
#[derive(Clone, Default)]
pub(crate) struct Named {
    pub fields: BTreeSet<String>,
    /// Fields of which it is known which struct they are of.
    pub own: BTreeSet<(StructId, String)>,
    /// Items of arrays.
    pub items: bool,
}

impl Named {
    pub fn join(&mut self, other: &Named) {
        self.fields.extend(other.fields.iter().cloned());
        self.own.extend(other.own.iter().cloned());
        self.items |= other.items;
    }
}
