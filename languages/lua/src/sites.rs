//! What the interpreter alone remembers of fields, for each instruction. In: the registers of an
//! instruction. Out: whether one of its sites knew what to do, and has done it. Invariants:
//! compiled code never comes here, since it has all this as constants; a site is about one shape,
//! and what it says of other tables on the way is compared each time.
//!
//! A site takes memory, so a function has sites only when it has missed them a few times.
//!
//! Source: "Optimizing Dynamically-Typed Object-Oriented Languages With Polymorphic Inline Caches"
//! (1991).

use crate::meta;
use crate::opcode;
use crate::shape::{self, Shape};
use crate::site::{Class, Site, Sites};
use crate::string::LuaStr;
use crate::table::Table;
use crate::value::{Proto, Value, Values};
use verdigris::prelude::*;

/// How often a function has no site before it gets some.
const LATER: usize = 16;
/// How many shapes an instruction remembers: the first ones.
const MAX_SHAPES: usize = 4;
/// How many classes a field is looked for in.
const MAX_CLASSES: usize = 4;

/// `R[a] = R[b].strings[c]`, for the instruction with these operands.
#[inline(always)]
#[opaque]
pub fn get(proto: Gc<Proto>, pc: usize, r: Values, a: usize, b: usize) -> bool {
    let Value::Table(table) = r[b].get() else {
        return false;
    };
    if let Some(site) = first(proto, pc, table)
        && site.way.get().is_none()
    {
        let value = table.fields.get()[site.place.get()].get();
        if !value.is_nil() {
            r[a].set(value);
            return true;
        }
    }
    get_otherwise(proto, pc, r)
}

/// The same for a field of a class, or where several shapes are known.
#[inline(never)]
fn get_otherwise(proto: Gc<Proto>, pc: usize, r: Values) -> bool {
    let word = proto.code[pc];
    let Value::Table(table) = r[opcode::b(word)].get() else {
        return false;
    };
    let value = looked_up(proto, pc, table, opcode::c(word));
    if value.is_nil() {
        return false;
    }
    r[opcode::a(word)].set(value);
    true
}

/// `R[a + 1] = R[b]; R[a] = R[b].strings[c]`
#[inline(never)]
#[opaque]
pub fn method(proto: Gc<Proto>, pc: usize, r: Values) -> bool {
    let word = proto.code[pc];
    let object = r[opcode::b(word)].get();
    let Value::Table(table) = object else {
        return false;
    };
    let value = looked_up(proto, pc, table, opcode::c(word));
    if value.is_nil() {
        return false;
    }
    let to = opcode::a(word);
    r[to + 1].set(object);
    r[to].set(value);
    true
}

/// `R[a].strings[b] = R[c]`, for the instruction with these operands.
#[inline(always)]
#[opaque]
pub fn set(proto: Gc<Proto>, pc: usize, r: Values, a: usize, c: usize) -> bool {
    let Value::Table(table) = r[a].get() else {
        return false;
    };
    if let Some(site) = first(proto, pc, table)
        && site.next.get().is_none()
    {
        let place = &table.fields.get()[site.place.get()];
        if !place.get().is_nil() {
            place.set(r[c].get());
            return true;
        }
    }
    set_otherwise(proto, pc, r)
}

/// The same for a field that is added, or where several shapes are known.
#[inline(never)]
fn set_otherwise(proto: Gc<Proto>, pc: usize, r: Values) -> bool {
    let word = proto.code[pc];
    let Value::Table(table) = r[opcode::a(word)].get() else {
        return false;
    };
    let Some(site) = known(proto, pc, table, opcode::b(word), note_set) else {
        return false;
    };
    let (fields, place) = (table.fields.get(), site.place.get());
    let value = r[opcode::c(word)].get();
    let Some(next) = site.next.get() else {
        let is_there = !fields[place].get().is_nil();
        if is_there {
            fields[place].set(value);
        }
        return is_there;
    };
    let may_be_added = match site.way.get() {
        Some(way) => Gc::ptr_eq(way.meta.shape.get(), way.meta_shape) && has_no_dict(way.meta),
        None => true,
    };
    if !may_be_added || value.is_nil() || !has_no_dict(table) || place >= fields.len() {
        return false;
    }
    fields[place].set(value);
    table.shape.set(next);
    true
}

/// The first site of an instruction, if it is about tables such as this one.
#[inline(always)]
fn first(proto: Gc<Proto>, pc: usize, table: Gc<Table>) -> Option<Gc<Site>> {
    let site = proto.sites.get()?[pc].get()?;
    (site.shape.get() == Some(table.shape.get())).then_some(site)
}

/// The value of a field, by any site of an instruction; nil if none knows it.
#[inline(always)]
fn looked_up(proto: Gc<Proto>, pc: usize, table: Gc<Table>, key: usize) -> Value {
    match known(proto, pc, table, key, note_get) {
        Some(site) => value_of(site, table),
        None => Value::Nil,
    }
}

/// The site of an instruction that is about tables such as this one. If there is none, `note` may
/// learn about them.
#[inline(always)]
fn known(
    proto: Gc<Proto>,
    pc: usize,
    table: Gc<Table>,
    key: usize,
    note: fn(Gc<Proto>, Gc<Site>, Gc<Table>, Gc<LuaStr>),
) -> Option<Gc<Site>> {
    let shape = table.shape.get();
    let mut known = proto.sites.get().and_then(|sites| sites[pc].get());
    let mut last = None;
    let mut shapes = 0;
    while let Some(site) = known {
        if site.shape.get() == Some(shape) {
            return Some(site);
        }
        last = known;
        known = site.other.get();
        shapes += 1;
    }
    if shapes < MAX_SHAPES
        && let Some(site) = missed(proto, pc, last)
    {
        note(proto, site, table, proto.strings[key]);
    }
    None
}

/// Another site of an instruction behind the last one, to learn from what it sees, if it is
/// executed often enough.
#[cold]
#[inline(never)]
fn missed(proto: Gc<Proto>, pc: usize, last: Option<Gc<Site>>) -> Option<Gc<Site>> {
    let Some(sites) = proto.sites.get() else {
        let misses = proto.misses.get() + 1;
        proto.misses.set(misses);
        if misses >= LATER {
            proto.sites.set(Some(Sites::new(proto.code.len(), None)));
        }
        return None;
    };
    let site = Gc::new(Site {
        shape: Cell::new(None),
        place: Cell::new(0),
        way: Cell::new(None),
        next: Cell::new(None),
        other: Cell::new(None),
    });
    match last {
        Some(last) => last.other.set(Some(site)),
        None => sites[pc].set(Some(site)),
    }
    Some(site)
}

/// The value of the field; nil if it is not there any more.
#[inline(always)]
fn value_of(site: Gc<Site>, table: Gc<Table>) -> Value {
    let mut holder = table;
    let mut way = site.way.get();
    while let Some(step) = way {
        if !has_no_dict(holder) || !Gc::ptr_eq(step.meta.shape.get(), step.meta_shape) {
            return Value::Nil;
        }
        match step.meta.fields.get()[step.index].get() {
            Value::Table(class) if Gc::ptr_eq(class, step.class) => holder = class,
            _ => return Value::Nil,
        }
        if !Gc::ptr_eq(holder.shape.get(), step.class_shape) {
            return Value::Nil;
        }
        way = step.base;
    }
    holder.fields.get()[site.place.get()].get()
}

/// Whether a table has nothing but fields and items.
#[inline(always)]
fn has_no_dict(table: Gc<Table>) -> bool {
    table.dict.get().is_none()
}

/// Remembers where the field of a table is, or of its class.
#[cold]
#[inline(never)]
fn note_get(proto: Gc<Proto>, site: Gc<Site>, table: Gc<Table>, key: Gc<LuaStr>) {
    let index = proto.world.names[meta::INDEX];
    let shape = table.shape.get();
    if let Some((way, place)) = find(shape, key, index, MAX_CLASSES) {
        site.way.set(way);
        site.place.set(place);
        site.next.set(None);
        site.shape.set(Some(shape));
    }
}

/// Where tables of a shape have a field, and the way to it.
fn find(
    shape: Gc<Shape>,
    key: Gc<LuaStr>,
    index: Gc<LuaStr>,
    most: usize,
) -> Option<(Option<Gc<Class>>, usize)> {
    let place = shape::find(shape, key);
    if place >= 0 {
        return Some((None, place as usize));
    }
    // Tables of a loose shape say themselves which metatable they have.
    let meta = shape.meta.filter(|_| most > 0 && !shape.loose)?;
    let meta_shape = meta.shape.get();
    let at = usize::try_from(shape::find(meta_shape, index)).ok()?;
    let Value::Table(class) = meta.fields.get()[at].get() else {
        return None;
    };
    let class_shape = class.shape.get();
    let (base, place) = find(class_shape, key, index, most - 1)?;
    let way = Gc::new(Class {
        meta,
        meta_shape,
        index: at,
        class,
        class_shape,
        base,
    });
    Some((Some(way), place))
}

/// Remembers where the field of a table is, or the shape that it gets with the field.
#[cold]
#[inline(never)]
fn note_set(proto: Gc<Proto>, site: Gc<Site>, table: Gc<Table>, key: Gc<LuaStr>) {
    let shape = table.shape.get();
    let place = shape::find(shape, key);
    if place >= 0 {
        site.way.set(None);
        site.next.set(None);
        site.place.set(place as usize);
        site.shape.set(Some(shape));
        return;
    }
    if shape.full || shape.loose || !has_no_dict(table) {
        return;
    }
    let mut way = None;
    if let Some(meta) = shape.meta {
        let meta_shape = meta.shape.get();
        let has_handler = shape::find(meta_shape, proto.world.names[meta::NEWINDEX]) >= 0;
        if has_handler || !has_no_dict(meta) {
            return;
        }
        way = Some(Gc::new(Class {
            meta,
            meta_shape,
            index: 0,
            class: meta,
            class_shape: meta_shape,
            base: None,
        }));
    }
    let next = shape::with_field(shape, key);
    if !shape::extends(next, shape) {
        return;
    }
    site.way.set(way);
    site.next.set(Some(next));
    site.place.set(shape.len());
    site.shape.set(Some(shape));
}
