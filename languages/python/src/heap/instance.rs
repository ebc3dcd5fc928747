//! Instances of classes of a program, and their own attributes. In: instances and names. Out:
//! values. Invariant: the map says which attribute is where; one that has a dict has it in place 0.

use crate::heap::class::Class;
use crate::heap::dict;
use crate::heap::hashing;
use crate::heap::map::{self, ObjectMap};
use crate::heap::value::{Value, text_of};
use crate::heap::world::classes::{BASE_EXCEPTION, OBJECT, TYPE};
use verdigris::{List, Str, prelude::*};

/// The tag of the arrays of attributes.
pub struct InInstance;

/// The attributes of an instance.
pub type Slots = GcArray<Cell<Value>, InInstance>;

/// An instance.
#[gc]
pub struct Instance {
    /// Its layout and its class.
    pub map: Cell<Gc<ObjectMap>>,
    /// Its attributes.
    pub slots: Cell<Slots>,
    /// What it has of the builtin class that its class derives from: of an exception its part.
    pub native: Value,
}

/// A new instance without attributes.
#[inline]
pub fn new(class: Gc<Class>, native: Value) -> Gc<Instance> {
    let Some(map) = class.empty_map.get() else {
        unreachable!("every class has one");
    };
    Gc::new(Instance {
        map: Cell::new(map),
        slots: Cell::new(Slots::new(class.room.get(), Value::Unbound)),
        native,
    })
}

/// The class of an instance, for which the code is compiled.
#[inline(always)]
pub fn class(instance: Gc<Instance>) -> Gc<Class> {
    promote(instance.map.get()).class
}

/// What an instance has of the builtin class that its class derives from: a list, a number and the
/// like; `Unbound` if there is none.
#[inline]
pub fn inner(instance: Gc<Instance>) -> Value {
    match class(instance).layout {
        OBJECT | TYPE | BASE_EXCEPTION => Value::Unbound,
        _ => instance.native,
    }
}

/// The same of any value; other values as they are.
#[inline]
pub fn plain(value: Value) -> Value {
    if let Value::Instance(instance) = value {
        let inner = inner(instance);
        if !inner.is_unbound() {
            return inner;
        }
    }
    value
}

/// An attribute of its own; `Unbound` if there is none.
#[inline]
pub fn get(instance: Gc<Instance>, name: Gc<Str>) -> Value {
    let map = promote(instance.map.get());
    if map.is_dict {
        return get_in_dict(instance, name);
    }
    let place = map::find(map, name);
    if place < 0 {
        return Value::Unbound;
    }
    instance.slots.get()[place as usize].get()
}

/// Gives an instance an attribute.
#[inline]
pub fn set(instance: Gc<Instance>, name: Gc<Str>, value: Value) {
    let map = promote(instance.map.get());
    if map.is_dict {
        return set_in_dict(instance, name, value);
    }
    let place = map::find(map, name);
    if place >= 0 {
        instance.slots.get()[place as usize].set(value);
        return;
    }
    let next = map::with(map, name);
    if next.is_dict {
        to_dict(instance);
        return set_in_dict(instance, name, value);
    }
    let count = map.names.len();
    if count >= instance.slots.get().len() {
        grow(instance, map.class);
    }
    instance.slots.get()[count].set(value);
    instance.map.set(next);
}

/// Makes room for more attributes, also in instances to come.
#[opaque]
fn grow(instance: Gc<Instance>, class: Gc<Class>) {
    let old = instance.slots.get();
    let room = (old.len() * 2).max(4);
    let slots = Slots::new(room, Value::Unbound);
    for n in 0..old.len() {
        slots[n].set(old[n].get());
    }
    instance.slots.set(slots);
    if class.room.get() < room && room <= 64 {
        class.room.set(room);
    }
}

/// Removes an attribute. Whether there was one.
#[opaque]
pub fn delete(instance: Gc<Instance>, name: Gc<Str>) -> bool {
    let map = instance.map.get();
    if map.is_dict {
        let dict = dict_of(instance);
        let key = Value::Str(text_of(name));
        let found = dict::find(dict, key, hashing::of_text(name));
        if found >= 0 {
            dict::remove(dict, found as usize);
        }
        return found >= 0;
    }
    let place = map::find(map, name);
    if place < 0 {
        return false;
    }
    let mut next = map.class.empty_map.get().expect("every class has one");
    let slots = instance.slots.get();
    let mut to = 0;
    for (from, &known) in map.names.as_slice().iter().enumerate() {
        if from != place as usize {
            next = map::with(next, known);
            slots[to].set(slots[from].get());
            to += 1;
        }
    }
    slots[to].set(Value::Unbound);
    instance.map.set(next);
    true
}

/// Its attributes as a dict, which is where they are from now on.
#[opaque]
pub fn to_dict(instance: Gc<Instance>) {
    let map = instance.map.get();
    if map.is_dict {
        return;
    }
    let made = dict::new();
    let slots = instance.slots.get();
    for (n, &name) in map.names.as_slice().iter().enumerate() {
        let key = Value::Str(text_of(name));
        dict::add(made, key, hashing::of_text(name), slots[n].get());
    }
    let own = Slots::new(1, Value::Unbound);
    own[0].set(Value::Dict(made));
    instance.slots.set(own);
    instance.map.set(map::with_dict(map.class));
}

/// Gives an instance another class whose instances have the same layout.
#[opaque]
pub fn change_class(instance: Gc<Instance>, to: Gc<Class>) {
    let map = instance.map.get();
    if map.is_dict {
        instance.map.set(map::with_dict(to));
        return;
    }
    let mut next = to.empty_map.get().expect("every class has one");
    for &name in map.names.as_slice() {
        next = map::with(next, name);
    }
    instance.map.set(next);
}

/// Gives an instance that has a dict another one.
pub fn set_dict(instance: Gc<Instance>, dict: Gc<dict::Dict>) {
    instance.slots.get()[0].set(Value::Dict(dict));
}

/// The names of its attributes.
pub fn own_names(instance: Gc<Instance>) -> Gc<List<Value>> {
    let map = instance.map.get();
    let made = List::new();
    if !map.is_dict {
        (map.names.as_slice().iter()).for_each(|&name| made.push(Value::Str(text_of(name))));
        return made;
    }
    let dict = dict_of(instance);
    let mut entry = dict::next(dict, 0);
    while entry < dict.used.get() {
        made.push(dict.keys.get()[entry].get());
        entry = dict::next(dict, entry + 1);
    }
    made
}

/// The dict of an instance that has one.
pub fn dict_of(instance: Gc<Instance>) -> Gc<dict::Dict> {
    match instance.slots.get()[0].get() {
        Value::Dict(dict) => dict,
        _ => unreachable!("the map says that it is there"),
    }
}

#[opaque]
fn get_in_dict(instance: Gc<Instance>, name: Gc<Str>) -> Value {
    let dict = dict_of(instance);
    let found = dict::find(dict, Value::Str(text_of(name)), hashing::of_text(name));
    match found {
        0.. => dict.values.get()[found as usize].get(),
        _ => Value::Unbound,
    }
}

#[opaque]
fn set_in_dict(instance: Gc<Instance>, name: Gc<Str>, value: Value) {
    let dict = dict_of(instance);
    let key = Value::Str(text_of(name));
    let found = dict::find(dict, key, hashing::of_text(name));
    match found {
        0.. => dict.values.get()[found as usize].set(value),
        _ => dict::add(dict, key, hashing::of_text(name), value),
    }
}
