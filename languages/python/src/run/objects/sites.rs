//! What the interpreter alone remembers of attributes, for each instruction. In: objects that an
//! instruction is executed for. Out: where the attribute is, or that it has to be looked for.
//! Invariant: compiled code never comes here, since it has all this as constants; a site is about
//! one map and one version of its class, and what it says follows from these.
//!
//! Source: "Optimizing Dynamically-Typed Object-Oriented Languages With Polymorphic Inline Caches"
//! (1991), of which this is the monomorphic part.

use crate::heap::class;
use crate::heap::function::Code;
use crate::heap::instance::Instance;
use crate::heap::map::{self, ObjectMap};
use crate::heap::site::Site;
use crate::heap::value::{Registers, Value};
use crate::heap::world::{World, names};
use verdigris::{Str, prelude::*};

/// An instruction that has seen so many maps does not remember any more.
const MAX_MISSES: usize = 32;

/// Takes an attribute of an object itself to a register. Whether the site knows where it is.
#[inline]
#[opaque]
pub fn get(code: Gc<Code>, pc: usize, object: Value, r: Registers, to: usize) -> bool {
    if let Value::Instance(instance) = object
        && let Some(site) = known(code, pc, instance)
    {
        let value = instance.slots.get()[site.place.get()].get();
        if !value.is_unbound() {
            r[to].set(value);
            return true;
        }
    }
    false
}

/// Takes a method of the object's class to a register, and the object to that behind it. Whether
/// the site knows the method.
#[inline]
#[opaque]
pub fn method(code: Gc<Code>, pc: usize, object: Value, r: Registers, to: usize) -> bool {
    if let Value::Instance(instance) = object
        && let Some(site) = known(code, pc, instance)
    {
        let method = site.method.get();
        if !method.is_unbound() {
            r[to].set(method);
            r[to + 1].set(object);
            return true;
        }
    }
    false
}

/// Writes an attribute of an object itself. Whether the site knows where.
#[inline]
#[opaque]
pub fn set(code: Gc<Code>, pc: usize, object: Value, value: Value) -> bool {
    let Value::Instance(instance) = object else {
        return false;
    };
    let Some(site) = known(code, pc, instance) else {
        return false;
    };
    let (slots, place) = (instance.slots.get(), site.place.get());
    if place >= slots.len() {
        return false;
    }
    slots[place].set(value);
    if let Some(next) = site.next.get() {
        instance.map.set(next);
    }
    true
}

/// The site of an instruction if it is about objects such as this one.
#[inline(always)]
fn known(code: Gc<Code>, pc: usize, instance: Gc<Instance>) -> Option<Gc<Site>> {
    let site = code.sites[pc].get()?;
    let map = instance.map.get();
    let fits = site.map.get() == Some(map) && site.version.get() == Some(map.class.version.get());
    fits.then_some(site)
}

/// The map of an object before it is written to.
#[inline]
#[opaque]
pub fn map_of(object: Value) -> Option<Gc<ObjectMap>> {
    match object {
        Value::Instance(instance) => Some(instance.map.get()),
        _ => None,
    }
}

/// Remembers where an attribute was that has just been read.
#[opaque]
pub fn note_get(world: Gc<World>, code: Gc<Code>, pc: usize, object: Value, name: Gc<Str>) {
    let Some(map) = map_of(object) else { return };
    let place = map::find(map, name);
    let is_plain = !is_asked(class::constant(map.class, name));
    if map.is_dict || place < 0 || !is_plain || has_hook(world, map, names::GETATTRIBUTE) {
        return;
    }
    if let Some(site) = renewed(code, pc, map) {
        site.place.set(place as usize);
    }
}

/// Remembers which method of the class was found.
#[opaque]
pub fn note_method(world: Gc<World>, code: Gc<Code>, pc: usize, object: Value, name: Gc<Str>) {
    let Some(map) = map_of(object) else { return };
    let found = class::constant(map.class, name);
    let is_function = matches!(found, Value::Function(_));
    let is_own = map::find(map, name) >= 0;
    if map.is_dict || is_own || !is_function || has_hook(world, map, names::GETATTRIBUTE) {
        return;
    }
    if let Some(site) = renewed(code, pc, map) {
        site.method.set(found);
    }
}

/// Remembers where an attribute is now that has just been written, of an object that had this map.
#[opaque]
pub fn note_set(
    world: Gc<World>,
    code: Gc<Code>,
    pc: usize,
    object: Value,
    before: Option<Gc<ObjectMap>>,
    name: Gc<Str>,
) {
    let (Value::Instance(instance), Some(before)) = (object, before) else {
        return;
    };
    let (now, place) = (instance.map.get(), map::find(instance.map.get(), name));
    let is_plain = !is_asked(class::constant(before.class, name))
        && class::allows(before.class, name)
        && !name.as_str().starts_with("__");
    if now.is_dict || place < 0 || !is_plain || has_hook(world, before, names::SETATTR) {
        return;
    }
    let next = (now != before).then_some(now);
    if next.is_some() && !Gc::ptr_eq(map::with(before, name), now) {
        return;
    }
    if let Some(site) = renewed(code, pc, before) {
        site.place.set(place as usize);
        site.next.set(next);
    }
}

/// Whether an attribute of a class may come before that of an object, or may change.
fn is_asked(found: Value) -> bool {
    matches!(
        found,
        Value::Accessor(_) | Value::Instance(_) | Value::Cell(_)
    )
}

/// Whether a class has a method that is asked for each attribute.
fn has_hook(world: Gc<World>, map: Gc<ObjectMap>, name: usize) -> bool {
    !class::lookup(map.class, world.names[name]).is_unbound()
}

/// The site of an instruction, which is about this map from now on, if it is worth it.
fn renewed(code: Gc<Code>, pc: usize, map: Gc<ObjectMap>) -> Option<Gc<Site>> {
    let site = match code.sites[pc].get() {
        Some(site) => site,
        None => {
            let site = Gc::new(Site {
                map: Cell::new(None),
                version: Cell::new(None),
                place: Cell::new(0),
                method: Cell::new(Value::Unbound),
                next: Cell::new(None),
                misses: Cell::new(0),
            });
            code.sites[pc].set(Some(site));
            site
        }
    };
    if site.misses.get() >= MAX_MISSES {
        return None;
    }
    site.misses.set(site.misses.get() + 1);
    site.map.set(Some(map));
    site.version.set(Some(map.class.version.get()));
    Some(site)
}
