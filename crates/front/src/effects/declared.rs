//! What functions are said to read and write by their attributes.
//!
//! In: the names of places in `#[opaque(reads(..), writes(..))]` and `#[readonly(..)]`, and what
//! the function's type parameters stand for. Out: places; a mistake for each name that is of none.
//! Invariant: the names are types of the crate as they are written there, so that a place that
//! traced code does not know is no mistake.

use crate::cx::Cx;
use crate::cx::sources::{ClassSrc, FieldSrc};
use crate::effects::typed_effects::HeapPlaces;
use crate::items::PlaceName;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::Span;
use crate::types::generics::Inst;
use crate::types::ty::Ty;
use verdigris_ops::{ClassId, ClassKind};

/// What is said of a function.
#[derive(Clone, Default)]
pub(crate) struct Declared {
    pub reads: Option<HeapPlaces>,
    pub writes: Option<HeapPlaces>,
    pub mistakes: Vec<Diagnostic>,
}

/// What the attribute of a function says.
pub(super) fn declared(cx: &mut Cx, inst: Inst) -> Declared {
    let item = cx.krate.fns[inst.item].clone();
    let known = cx.diags.list.len();
    let mut resolve = |names: &Option<std::rc::Rc<[PlaceName]>>| {
        let names = names.as_ref()?;
        let mut touched = HeapPlaces::default();
        for name in names.iter() {
            add(cx, inst, name, &mut touched);
        }
        Some(touched)
    };
    let (reads, writes) = (resolve(&item.reads), resolve(&item.writes));
    Declared {
        reads,
        writes,
        mistakes: cx.diags.list.split_off(known),
    }
}

/// Adds the places that a name stands for, or complains.
fn add(cx: &mut Cx, inst: Inst, name: &PlaceName, touched: &mut HeapPlaces) {
    let env = cx.fn_env(inst);
    let type_of = |cx: &mut Cx, ty: &syn::Type| {
        let span = cx.span(env.module, ty);
        (cx.lower_arg(ty, env, None), span)
    };
    match name {
        PlaceName::Own(field) => {
            let span = cx.span(env.module, field);
            let sig = cx.signature(inst);
            let class = match sig.params.first() {
                Some(Ty::Gc(class)) => *class,
                _ => {
                    return wrong(
                        cx,
                        span,
                        "there is no `self` of a class whose field it could be",
                    );
                }
            };
            if let Some(field) = field_of(cx, class, field, span) {
                changing(cx, &field, touched);
                if let Ty::Array(array) = field.ty {
                    add_items(cx, array, touched);
                }
            }
        }
        PlaceName::Field(ty, field) => {
            let at = cx.span(env.module, field);
            let (ty, span) = type_of(cx, ty);
            if let Some(class) = class_of(cx, ty, span) {
                let found = field_of(cx, class, field, at);
                if found.is_some_and(|field| !changing(cx, &field, touched)) {
                    let why = "it is given its value when its object is made, and keeps it";
                    wrong(cx, at, why);
                }
            }
        }
        PlaceName::Fields(ty) => {
            let (ty, span) = type_of(cx, ty);
            if let Some(class) = class_of(cx, ty, span) {
                for field in cx.class_fields(class).iter() {
                    changing(cx, field, touched);
                }
            }
        }
        PlaceName::Items(ty) => match type_of(cx, ty) {
            (Ty::Array(array), span) => {
                if !add_items(cx, array, touched) {
                    wrong(cx, span, "the items of this array never change");
                }
            }
            // It has been complained about.
            (Ty::Error, _) => {}
            (_, span) => wrong(cx, span, "it is not a `GcArray`"),
        },
    }
}

/// The class that a type names.
fn class_of(cx: &mut Cx, ty: Ty, span: Span) -> Option<ClassId> {
    match ty {
        Ty::Class(class) | Ty::Gc(class) => return Some(class),
        // It has been complained about.
        Ty::Error => {}
        _ => wrong(cx, span, "it is not a `#[gc]` struct"),
    }
    None
}

/// A field of a class.
fn field_of(cx: &mut Cx, class: ClassId, name: &syn::Ident, span: Span) -> Option<FieldSrc> {
    let fields = cx.class_fields(class);
    let wanted = crate::source::syntax::name_of(name);
    let found = fields.iter().find(|f| f.name == wanted).cloned();
    if found.is_none() {
        let class = cx.descrs.classes[class].name.clone();
        wrong(cx, span, &format!("`{class}` has no such field"));
    }
    found
}

/// Adds a field if it changes.
fn changing(cx: &Cx, field: &FieldSrc, touched: &mut HeapPlaces) -> bool {
    if field.held.is_cell() {
        touched.fields.insert(field.id);
        touched.fields.extend(&cx.interned.field_parts[field.id]);
    }
    field.held.is_cell()
}

fn is_changing(cx: &Cx, array: ClassId) -> bool {
    let kind = &cx.descrs.classes[array].kind;
    let fixed = matches!(
        kind,
        ClassKind::Array {
            immutable: true,
            ..
        }
    );
    matches!(cx.interned.classes[array], ClassSrc::Array { .. }) && !fixed
}

/// Adds the items of an array if they change.
fn add_items(cx: &Cx, array: ClassId, touched: &mut HeapPlaces) -> bool {
    let changes = is_changing(cx, array);
    if changes {
        touched.items.insert(array);
        touched.items.extend(&cx.interned.item_parts[array]);
    }
    changes
}

fn wrong(cx: &mut Cx, span: Span, why: &str) {
    let text = cx.text(span);
    cx.err(DiagCode::UnknownPlace, span, &[&text, why]);
}
