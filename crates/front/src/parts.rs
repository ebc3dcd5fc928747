//! Values of several words in the heap.
//!
//! In: the classes, complete. Out: a field for each component of a field, and a class for each component of an array's items,
//! by which accesses name it. Invariant: components lie one after the other, 8 bytes each, in the order of [`Layouts`];
//! no two of them share memory, so what is stored in one is never seen in another.

use crate::cx::{ClassSrc, Cx, machine};
use crate::diag::Code;
use crate::finish::plain;
use crate::infer::Ty;
use crate::items::TypeKey;
use crate::layout::Layouts;
use crate::tast::Span;
use verdigris_ops as ops;
use verdigris_ops::{ClassId, ClassInfo, ClassKind, FieldId, FieldInfo};

impl Cx {
    /// The type of what is in the heap, in a cell or not; a mistake if it cannot be there.
    pub fn stored_ty(&mut self, lowered: Ty, cell: bool, span: Span) -> Ty {
        if lowered.has_holes() {
            return lowered;
        }
        if self.holds_pointer(&lowered) {
            let text = format!("a field or item of type `{}`", self.show(&lowered));
            let help = "keep an integer, as the index of a `static` array of functions";
            self.err(Code::UnsupportedWithHelp, span, &[&text, help]);
            return Ty::Error;
        }
        if let Ty::Adt(id) = lowered {
            let complete = self.check_stored(id, cell, span);
            return if complete { lowered } else { Ty::Error };
        }
        if let Ty::Option(option) = &lowered
            && machine(&lowered).is_none()
        {
            let shown = self.show(option);
            self.err(Code::BadOption, span, &[&shown]);
            return Ty::Error;
        }
        if lowered != Ty::Error && machine(&lowered).is_none() {
            let text = format!("a field or item of type `{}`", self.show(&lowered));
            let help = match lowered.is_aggregate() {
                true => "put it into a struct marked `#[value]`",
                false => "leave it out",
            };
            self.err(Code::UnsupportedWithHelp, span, &[&text, help]);
            return Ty::Error;
        }
        lowered
    }

    /// Whether a struct or enum can be in the heap.
    fn check_stored(&mut self, id: crate::tast::AdtId, cell: bool, span: Span) -> bool {
        let name = self.adts[id].name.clone();
        let short = name.rsplit("::").next().unwrap_or(&name).to_owned();
        let marked = match self.adt_src[id].key {
            TypeKey::Struct(s) => self.krate.structs[s].value,
            TypeKey::Enum(e) | TypeKey::Object(e) => self.krate.enums[e].value,
        };
        if !marked {
            self.err(Code::NotAValue, span, &[&short]);
        } else if !cell {
            let what = format!("a field or item of type `{short}`");
            let help = format!("write `Cell<{short}>`");
            self.err(Code::UnsupportedWithHelp, span, &[&what, &help]);
        }
        marked && cell
    }
}

/// Splits the fields and items that hold values of several components; complains about those of none.
pub(crate) fn split(cx: &mut Cx) {
    // The classes that this adds are not among them.
    for class in cx.classes.keys().collect::<Vec<_>>() {
        match &cx.classes[class] {
            ClassSrc::Struct { fields, .. } => {
                let fields = fields.clone();
                let mut ids = Vec::new();
                for field in fields.iter() {
                    let types = components(cx, &field.ty);
                    not_empty(cx, &field.ty, &types);
                    ids.extend(split_field(cx, field.id, &types));
                }
                cx.descrs.classes[class].kind = ClassKind::Struct { fields: ids };
            }
            ClassSrc::Array { item, .. } => {
                let item = item.clone();
                let types = components(cx, &item);
                not_empty(cx, &item, &types);
                split_items(cx, class, &types);
            }
        }
    }
}

/// Complains about a type of the heap that has no components.
fn not_empty(cx: &mut Cx, ty: &Ty, types: &[ops::Ty]) {
    if let (Ty::Adt(id), []) = (ty, types) {
        let path = cx.adts[*id].name.clone();
        let span = cx.adt_span(*id);
        let help = "its values are all the same: leave the field or array out";
        cx.err(Code::ByValue, span, &[&path, help]);
    }
}

/// The scalars that hold a value of this type.
pub(crate) fn components(cx: &Cx, ty: &Ty) -> Vec<ops::Ty> {
    Layouts::new(&cx.adts).components(&plain(ty))
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
    cx.field_parts[id] = ids.clone();
    ids
}

/// The classes for the components of an array's items.
fn split_items(cx: &mut Cx, class: ClassId, types: &[ops::Ty]) {
    let whole = cx.descrs.classes[class].clone();
    let ClassKind::Array {
        layout, immutable, ..
    } = whole.kind
    else {
        return;
    };
    let kind = |item| ClassKind::Array {
        item,
        layout,
        immutable,
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
        let glue = cx.class_glue[class.as_u32() as usize].clone();
        // `array_class::<Item, Tag>` is the class, `array_part::<Item, Tag, N>` a component.
        let glue = glue.replacen("::array_class::<", "::array_part::<", 1);
        let args = glue.strip_suffix('>').unwrap_or(&glue);
        let glue = format!("{args}, {}>", n + 1);
        cx.class_glue.push(glue);
    }
    cx.item_parts[class] = ids;
}
