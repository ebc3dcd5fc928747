//! `check_hints`: functions that touch other places than they are said to. In: what a call has read
//! and written, in objects that were there before. Out: a message that names the function, the
//! place, and what to write. Invariant: nothing is reported that the function has not done; what is
//! believed of it is in its attribute, or was read off its source.

#![allow(unsafe_code)]

use crate::engine::Engine;
use verdigris_heap::{Context, Touched};
use verdigris_ops::{ClassId, ClassKind, Effects, FieldId, FnInfo, Places};

/// A place that traced code knows.
enum Place {
    Field(FieldId),
    Items(ClassId),
}

/// What [`Context::check_touched`] is.
///
/// # Safety
/// `ctx` has an engine; the objects are alive.
pub(crate) unsafe fn check_touched(
    ctx: *mut Context,
    info: &FnInfo,
    touched: &[Touched],
) -> Option<String> {
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    unsafe { (*(*ctx).engine.cast::<Engine>()).wrongly_touched(info, touched) }
}

impl Engine {
    /// What is wrong with what a function has touched, if anything is.
    ///
    /// # Safety
    /// The objects are alive.
    unsafe fn wrongly_touched(&self, info: &FnInfo, touched: &[Touched]) -> Option<String> {
        let Effects { reads, writes, .. } = &info.effects;
        for t in touched {
            let believed = match t.written {
                true => writes,
                false => reads,
            };
            // SAFETY: the caller's promise.
            let Some(place) = (unsafe { self.place_of(t) }) else {
                continue;
            };
            // A function that may write a place may read it, too: no store to it is delayed across
            // the call.
            if !self.is_among(believed, &place) && !self.is_among(writes, &place) {
                return Some(self.wrong(info, &place, t.written));
            }
        }
        None
    }

    /// The place, if it changes and traced code knows it.
    ///
    /// # Safety
    /// The object is alive.
    unsafe fn place_of(&self, touched: &Touched) -> Option<Place> {
        let descrs = &self.program.unit.descrs;
        // SAFETY: the caller's promise.
        let class = unsafe { self.program.class_of(touched.object) }?;
        match &descrs.classes[class].kind {
            ClassKind::Struct { fields } => {
                let at = |&&field: &&FieldId| descrs.fields[field].layout.offset == touched.offset;
                let field = *fields.iter().find(at)?;
                let info = &descrs.fields[field];
                (!info.immutable && !info.quasi).then_some(Place::Field(field))
            }
            ClassKind::Array { immutable, .. } => (!immutable).then_some(Place::Items(class)),
        }
    }

    fn is_among(&self, places: &Places, place: &Place) -> bool {
        match *place {
            Place::Field(field) => places.has_field(field),
            Place::Items(class) => places.has_items(class),
        }
    }

    fn wrong(&self, info: &FnInfo, place: &Place, written: bool) -> String {
        let descrs = &self.program.unit.descrs;
        let (what, at) = match *place {
            Place::Field(field) => {
                let name = descrs.field_name(field);
                let at = self.program.place(&name);
                (format!("the field `{name}`"), at)
            }
            Place::Items(class) => (
                format!("an item of a `{}`", descrs.classes[class].name),
                String::new(),
            ),
        };
        let (did, list) = match written {
            true => ("wrote", "write"),
            false => ("read", "read"),
        };
        format!(
            "check_hints: `{}`{} {did} {what}{at}, which is not among what it is believed to {list}: name it in `#[opaque({list}s(..))]`",
            info.name,
            self.program.place(&info.name),
        )
    }
}
