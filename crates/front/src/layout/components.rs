//! Values of several words in the heap.
//!
//! In: the classes, complete. Out: a field for each component of a field, and a class for each
//! component of an array's items, by which accesses name it. Invariant: components lie in the order
//! of [`ValueLayouts`], where the compiled program says; no two of them share memory, so what is
//! stored in one is never seen in another.

use crate::cx::Cx;
use crate::cx::sources::ClassSrc;
use crate::items::TypeKey;
use crate::layout::ValueLayouts;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::{AdtId, Span};
use crate::types::ty::{Ty, final_type, machine};
use verdigris_ops as ops;
use verdigris_ops::{ClassId, ClassInfo, ClassKind, FieldId, FieldInfo, UsedBy};

/// The most parts of a tuple that native and traced code can share: those that the runtime knows.
pub(crate) const MAX_TUPLE: usize = 4;

impl Cx {
    /// The type of what is in the heap, in a cell or not; a mistake if it cannot be there.
    pub fn stored_ty(&mut self, lowered: Ty, cell: bool, span: Span) -> Ty {
        if lowered.has_holes() || lowered == Ty::Error {
            return lowered;
        }
        if lowered == Ty::Unit {
            let words = ["a field or item of type `()`", "leave it out"];
            self.err(DiagCode::UnsupportedWithHelp, span, &words);
            return Ty::Error;
        }
        if let Some(d) = self.not_stored(&lowered, span) {
            self.report(d);
            return Ty::Error;
        }
        if !cell && machine(&lowered).is_none() && !matches!(lowered, Ty::Adt(_)) {
            let shown = self.show(&lowered);
            let what = format!("a field or item of type `{shown}`");
            let help = format!("write `Cell<{shown}>`, or put it into a type marked `#[value]`");
            self.err(DiagCode::UnsupportedWithHelp, span, &[&what, &help]);
            return Ty::Error;
        }
        lowered
    }

    /// What is wrong with a type of the heap, in a cell.
    fn not_stored(&self, ty: &Ty, span: Span) -> Option<Diagnostic> {
        if machine(ty).is_some() || *ty == Ty::Unit {
            return None;
        }
        let help = match ty {
            ty if self.holds_pointer(ty) => {
                "keep an integer, as the index of a `static` array of functions"
            }
            Ty::Adt(id) => {
                let path = self.krate.key_path(self.interned.adt_src[*id].key);
                let name = path.rsplit("::").next().unwrap_or(&path);
                let wrong = Diagnostic::new(DiagCode::NotAValue, span, &[name]);
                return (!self.is_value(*id)).then_some(wrong);
            }
            Ty::Tuple(parts) if parts.len() <= MAX_TUPLE => {
                return parts.iter().find_map(|p| self.not_stored(p, span));
            }
            Ty::Tuple(_) => "write a struct marked `#[value]`, with a field for each part",
            Ty::Result(ok, err) => {
                let wrong = self.not_stored(ok, span);
                return wrong.or_else(|| self.not_stored(err, span));
            }
            Ty::Option(inner) => {
                let shown = self.show(inner);
                let wrong = Diagnostic::new(DiagCode::BadOption, span, &[&shown]);
                return (!inner.is_scalar()).then_some(wrong);
            }
            Ty::Fixed(..) => {
                "use a `GcArray`, or a type marked `#[value]` with a field for each item"
            }
            _ => "leave it out",
        };
        let what = format!("a field or item of type `{}`", self.show(ty));
        Some(Diagnostic::new(
            DiagCode::UnsupportedWithHelp,
            span,
            &[&what, help],
        ))
    }

    /// Whether a struct or enum is marked `#[value]`.
    pub fn is_value(&self, id: AdtId) -> bool {
        match self.interned.adt_src[id].key {
            TypeKey::Struct(s) => self.krate.structs[s].value,
            TypeKey::Enum(e) | TypeKey::Object(e) => self.krate.enums[e].value,
        }
    }

    /// A type held by value, this one or a part of it, that is not marked `#[value]`: its name, and
    /// where it is declared. Types about which there has been a complaint are none.
    pub fn unmarked(&self, ty: &Ty) -> Option<(String, Span)> {
        let Ty::Adt(id) = ty else {
            return ty.parts().into_iter().find_map(|part| self.unmarked(part));
        };
        let src = &self.interned.adt_src[*id];
        let mut fields = src.variants.iter().flat_map(|v| &v.fields);
        if self.is_value(*id) || fields.any(|(_, ty)| *ty == Ty::Error) {
            return None;
        }
        let declared = match src.key {
            TypeKey::Struct(s) => self.krate.structs[s].span,
            TypeKey::Enum(e) | TypeKey::Object(e) => self.krate.enums[e].span,
        };
        let path = self.krate.key_path(src.key);
        let name = path.rsplit("::").next().unwrap_or(&path);
        Some((name.to_owned(), declared))
    }
}

/// Splits the fields and items that hold values of several components; complains about those of
/// none.
pub(crate) fn split(cx: &mut Cx) {
    // The classes that this adds are not among them.
    for class in cx.interned.classes.keys().collect::<Vec<_>>() {
        match &cx.interned.classes[class] {
            ClassSrc::Struct { fields, .. } => {
                let fields = fields.clone();
                let mut ids = Vec::new();
                for field in fields.iter() {
                    let types = components(cx, &field.ty);
                    not_empty(cx, &field.ty, &types);
                    // Traced code cannot look into a plain value.
                    if cx.is_plain(&field.ty, field.held.is_cell()) {
                        ids.push(field.id);
                        continue;
                    }
                    let parts = split_field(cx, field.id, &types);
                    for (part, tag, tags) in used_by(cx, &field.ty, &parts) {
                        cx.descrs.used_fields.insert(part, UsedBy { tag, tags });
                    }
                    ids.extend(parts);
                }
                cx.descrs.classes[class].kind = ClassKind::Struct { fields: ids };
            }
            ClassSrc::Array { item, cell, .. } => {
                let (item, cell) = (item.clone(), *cell);
                let types = components(cx, &item);
                not_empty(cx, &item, &types);
                if cx.is_plain(&item, cell) {
                    continue;
                }
                split_items(cx, class, &types);
                let parts = cx.interned.item_parts[class].clone();
                for (part, tag, tags) in used_by(cx, &item, &parts) {
                    cx.descrs.used_items.insert(part, UsedBy { tag, tags });
                }
            }
        }
    }
}

/// Complains about a type of the heap that has no components.
fn not_empty(cx: &mut Cx, ty: &Ty, types: &[ops::Ty]) {
    if let (Ty::Adt(id), []) = (ty, types) {
        let path = cx.interned.adts[*id].name.clone();
        let span = cx.adt_span(*id);
        let help = "its values are all the same: leave the field or array out";
        cx.err(DiagCode::ByValue, span, &[&path, help]);
    }
}

/// The scalars that hold a value of this type.
pub(crate) fn components(cx: &Cx, ty: &Ty) -> Vec<ops::Ty> {
    ValueLayouts::new(&cx.interned.adts).components(&final_type(ty))
}

/// Which of the components of a value are not used by all of its variants: the component, its tag,
/// and the tags that use it.
fn used_by<Id: Copy>(cx: &Cx, ty: &Ty, parts: &[Id]) -> Vec<(Id, Id, u64)> {
    let used = ValueLayouts::new(&cx.interned.adts).used_by(&final_type(ty));
    let pairs = parts.iter().zip(used);
    pairs
        .filter_map(|(&part, used)| used.map(|(tag, tags)| (part, parts[tag], tags)))
        .collect()
}

/// The fields for the components of a field.
fn split_field(cx: &mut Cx, id: FieldId, types: &[ops::Ty]) -> Vec<FieldId> {
    let [first, others @ ..] = types else {
        return vec![id];
    };
    cx.descrs.fields[id].ty = *first;
    if others.is_empty() {
        return vec![id];
    }
    let whole = cx.descrs.fields[id].clone();
    let mut ids = vec![id];
    for &ty in others {
        ids.push(cx.descrs.fields.push(FieldInfo {
            ty,
            ..whole.clone()
        }));
    }
    for (n, &id) in ids.iter().enumerate() {
        cx.descrs.fields[id].name = format!("{}#{n}", whole.name);
    }
    cx.interned.field_parts[id] = ids.clone();
    ids
}

/// The classes for the components of an array's items.
fn split_items(cx: &mut Cx, class: ClassId, types: &[ops::Ty]) {
    let whole = cx.descrs.classes[class].clone();
    let ClassKind::Array {
        layout,
        immutable,
        virtualizable,
        ..
    } = whole.kind
    else {
        return;
    };
    let kind = |item| ClassKind::Array {
        item,
        layout,
        immutable,
        virtualizable,
    };
    let [first, others @ ..] = types else {
        return;
    };
    cx.descrs.classes[class].kind = kind(*first);
    if others.is_empty() {
        return;
    }
    let mut ids = vec![class];
    for (n, &ty) in others.iter().enumerate() {
        ids.push(cx.descrs.classes.push(ClassInfo {
            name: format!("{}#{}", whole.name, n + 1),
            kind: kind(ty),
            ..whole.clone()
        }));
        let glue = cx.glue.classes[class.as_u32() as usize].clone();
        // `array_class::<Item, Tag>` is the class, `array_part::<Item, Tag, N>` a component.
        let glue = glue.replacen("::array_class::<", "::array_part::<", 1);
        let args = glue.strip_suffix('>').unwrap_or(&glue);
        let glue = format!("{args}, {}>", n + 1);
        cx.glue.classes.push(glue);
    }
    cx.interned.item_parts[class] = ids;
}
