//! Values that lie in the heap as only rustc knows: fields and items of `#[value]` types that are
//! not in a `Cell`, and have a representation of their own, or parts that are `Option`s, `Result`s
//! or tuples.
//!
//! In: a field or an array class. Out: the function in the glue that reads it. Invariants: such a
//! value never changes, so the function is elidable, and its call folds where the object is a
//! constant; it holds no references, since their places in it would be unknown; traced code does
//! not make objects that have one ([decision
//! 12](../../../docs/book/src/decisions/0012-plain-values-are-read-by-calls.md)).

use crate::cx::Cx;
use crate::cx::sources::ClassSrc;
use crate::glue::source_locations::field_place;
use crate::glue::support::{Words, is_visible};
use crate::items::StructId;
use crate::layout::ValueLayouts;
use crate::layout::components::components;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::name_of;
use crate::tast::Span;
use crate::types::ty::{Ty, final_type};
use verdigris_ops as ops;
use verdigris_ops::{ClassId, FieldId, FnId, FnKind};

impl Cx {
    /// Whether a field or item is a value that lies in the heap as only rustc knows: of a type that
    /// is not laid out as `#[value]` says, or has parts of one.
    pub fn is_plain(&self, ty: &Ty, cell: bool) -> bool {
        !cell
            && matches!(ty, Ty::Adt(_))
            && !ValueLayouts::new(&self.interned.adts).is_exact(&final_type(ty))
    }

    /// The function that reads a plain value in a field; none for other fields.
    pub fn field_reader(&mut self, id: FieldId, span: Span) -> Option<FnId> {
        let class = self.descrs.fields[id].class;
        let fields = self.class_fields(class);
        let field = fields.iter().find(|f| f.id == id)?;
        let ClassSrc::Struct { item, .. } = &self.interned.classes[class] else {
            return None;
        };
        let item = *item;
        if !self.is_plain(&field.ty, field.held.is_cell()) {
            return None;
        }
        let Some(name) = self.glue_field(item, &field.name) else {
            let what = format!("the field `{}`", field.name);
            let help = format!(
                "the generated code reads it; declare `{}` as `pub(crate)`",
                field.name
            );
            let d = Diagnostic::new(DiagCode::Unreachable, span, &[&what, &help]);
            self.report(d.at(self.krate.structs[item].span, "declared here"));
            return None;
        };
        let mut words = Words::default();
        let object = words.push(self.glue_ty(&Ty::Gc(class)), ops::Ty::Ref);
        let place = field_place(self, item, &field.name);
        let place = place.map_or(String::new(), |place| format!(" ({place})"));
        let what = format!("the field `{}`{place}", self.descrs.field_name(id));
        Some(self.reader(words, &field.ty, format!("{object}.{name}"), what))
    }

    /// The function that reads an item of an array of plain values, and checks the index; none for
    /// other arrays.
    pub fn item_reader(&mut self, class: ClassId) -> Option<FnId> {
        let ClassSrc::Array { item, cell, .. } = &self.interned.classes[class] else {
            return None;
        };
        let item = item.clone();
        if !self.is_plain(&item, *cell) {
            return None;
        }
        let mut words = Words::default();
        let array = words.push(self.glue_ty(&Ty::Array(class)), ops::Ty::Ref);
        let index = words.push("usize".to_owned(), ops::Ty::Int);
        let what = format!("an item of a `{}`", self.descrs.classes[class].name);
        Some(self.reader(words, &item, format!("{array}[{index}]"), what))
    }

    fn reader(&mut self, words: Words, ty: &Ty, body: String, what: String) -> FnId {
        let id = self.support_fn(words, Some(ty), body, FnKind::Elidable);
        self.glue.readers.push((id, ty.clone()));
        self.glue.read_by.push((id, what));
        id
    }

    /// Complains about traced code that makes an object with a plain value in it.
    pub fn check_made(&mut self, class: ClassId, span: Span) {
        let found = match &self.interned.classes[class] {
            ClassSrc::Struct { fields, .. } => {
                let plain = fields
                    .iter()
                    .find(|f| self.is_plain(&f.ty, f.held.is_cell()));
                plain.map(|f| f.ty.clone())
            }
            ClassSrc::Array { item, cell, .. } => self.is_plain(item, *cell).then(|| item.clone()),
        };
        if let Some(ty) = found {
            let ty = self.show(&ty);
            let what = format!("making an object with a plain value of type `{ty}`");
            let help = format!("make it in a function marked `#[opaque]`, or write `Cell<{ty}>`");
            self.err(DiagCode::UnsupportedWithHelp, span, &[&what, &help]);
        }
    }

    /// How the glue writes a field of a struct; none if it cannot name it.
    fn glue_field(&self, id: StructId, name: &str) -> Option<String> {
        let item = &self.krate.structs[id];
        let root = item.module == self.krate.root();
        let visible = item.fields.iter().filter(|f| is_visible(f, root));
        let mut idents = visible.filter_map(|f| f.ident.as_ref());
        idents.find(|i| name_of(i) == name).map(|i| i.to_string())
    }
}

/// Complains about a plain value that holds references, declared at `span`; and gives readers their
/// results. The types are complete.
pub(crate) fn complete(cx: &mut Cx) {
    for (id, ty) in std::mem::take(&mut cx.glue.readers) {
        cx.descrs.fns[id].ret = components(cx, &ty);
    }
    for class in cx.interned.classes.keys().collect::<Vec<_>>() {
        let found: Vec<(Ty, Span)> = match &cx.interned.classes[class] {
            ClassSrc::Struct { item, fields, .. } => {
                let span = cx.krate.structs[*item].span;
                let plain = fields
                    .iter()
                    .filter(|f| cx.is_plain(&f.ty, f.held.is_cell()));
                plain.map(|f| (f.ty.clone(), span)).collect()
            }
            ClassSrc::Array { item, cell, .. } => match item {
                Ty::Adt(id) if cx.is_plain(item, *cell) => vec![(item.clone(), cx.adt_span(*id))],
                _ => Vec::new(),
            },
        };
        for (ty, span) in found {
            if ValueLayouts::new(&cx.interned.adts).holds_refs(&final_type(&ty)) {
                let ty = cx.show(&ty);
                let what = format!("a field or item of type `{ty}`, which holds references,");
                let help = format!("write `Cell<{ty}>`: only that shows them to the collector");
                cx.err(DiagCode::UnsupportedWithHelp, span, &[&what, &help]);
            }
        }
    }
}
