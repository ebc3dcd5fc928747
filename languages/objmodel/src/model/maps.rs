//! The second stage: an instance is a map, which says where its attributes are, and the values. In:
//! instances, names. Out: values. Invariants: maps never change but for transitions, which are only
//! added; instances that got their attributes in the same order have the same map. Source: 2011
//! paper on runtime feedback, section 4.1 and figure 4.
//!
//! Two things differ from the figure. A map does not copy the dictionary of the map it comes from,
//! but refers to it, which makes maps small and plainly immutable. And the first values are fields
//! of the instance, so that reading them needs no bounds check.

use crate::object::{Class, MapInstance, Model, Obj, ObjectMap, Storage};
use verdigris::{List, prelude::*};

/// How many attributes are fields of an instance.
const FIELDS: usize = 4;

/// The map without attributes. Each VM has one.
pub fn empty_map() -> Gc<ObjectMap> {
    Gc::new(ObjectMap {
        back: None,
        name: -1,
        len: 0,
        transitions: List::new(),
    })
}

/// The index of an attribute.
///
/// Elidable: it reads what never changes.
#[elidable]
pub fn getindex(map: Gc<ObjectMap>, name: i64) -> Option<usize> {
    let mut map = map;
    while let Some(back) = map.back {
        if map.name == name {
            return Some(back.len);
        }
        map = back;
    }
    None
}

/// The map that has one attribute more.
///
/// Elidable: the first call for a name makes the map, all others find it, so that the program
/// cannot tell how often it was called.
#[elidable]
pub fn add_attribute(map: Gc<ObjectMap>, name: i64) -> Gc<ObjectMap> {
    if let Some(known) = map.transitions.iter().find(|known| known.name == name) {
        return known;
    }
    let added = Gc::new(ObjectMap {
        back: Some(map),
        name,
        len: map.len + 1,
        transitions: List::new(),
    });
    map.transitions.push(added);
    added
}

/// A new instance.
#[inline(always)]
pub fn instantiate(model: Gc<Model>, class: Gc<Class>) -> Gc<MapInstance> {
    Gc::new(MapInstance {
        class,
        map: Cell::new(model.empty_map),
        value0: Cell::new(model.nil),
        value1: Cell::new(model.nil),
        value2: Cell::new(model.nil),
        value3: Cell::new(model.nil),
        storage: Cell::new(model.no_storage),
    })
}

/// An attribute of an instance, without its class. What follows is compiled for the instance's map.
#[inline(always)]
pub fn getfield(instance: Gc<MapInstance>, name: i64) -> Option<Obj> {
    let index = getindex(promote(instance.map.get()), name)?;
    Some(read(instance, index))
}

/// Writes an attribute of an instance. What follows is compiled for the instance's map.
#[inline(always)]
pub fn write_attribute(model: Gc<Model>, instance: Gc<MapInstance>, name: i64, value: Obj) {
    let map = promote(instance.map.get());
    match getindex(map, name) {
        Some(index) => write(instance, index, value),
        None => {
            let added = add_attribute(map, name);
            make_room(model, instance, map.len);
            write(instance, map.len, value);
            instance.map.set(added);
        }
    }
}

/// The value with this index.
#[inline(always)]
fn read(instance: Gc<MapInstance>, index: usize) -> Obj {
    match index {
        0 => instance.value0.get(),
        1 => instance.value1.get(),
        2 => instance.value2.get(),
        3 => instance.value3.get(),
        _ => instance.storage.get()[index - FIELDS].get(),
    }
}

/// Replaces the value with this index.
#[inline(always)]
fn write(instance: Gc<MapInstance>, index: usize, value: Obj) {
    match index {
        0 => instance.value0.set(value),
        1 => instance.value1.set(value),
        2 => instance.value2.set(value),
        3 => instance.value3.set(value),
        _ => instance.storage.get()[index - FIELDS].set(value),
    }
}

/// Makes room for a value with a new index.
#[inline(always)]
fn make_room(model: Gc<Model>, instance: Gc<MapInstance>, index: usize) {
    if index >= FIELDS {
        let storage = instance.storage.get();
        if index - FIELDS >= storage.len() {
            instance.storage.set(grown(storage, model.nil));
        }
    }
}

/// A copy of a storage with room for more.
#[opaque]
pub fn grown(storage: Storage, nil: Obj) -> Storage {
    let larger = Storage::new((storage.len() * 2).max(4), nil);
    for index in 0..storage.len() {
        larger[index].set(storage[index].get());
    }
    larger
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_histories_have_one_map() {
        let vm = Vm::new(crate::jit::program(), Options::default()).expect("it can be made");
        vm.enter(|| {
            let empty = empty_map();
            let ab = add_attribute(add_attribute(empty, 10), 20);
            let ba = add_attribute(add_attribute(empty, 20), 10);
            assert!(Gc::ptr_eq(ab, add_attribute(add_attribute(empty, 10), 20)));
            assert!(Gc::ptr_eq(ba, add_attribute(add_attribute(empty, 20), 10)));
            assert!(!Gc::ptr_eq(ab, ba));
            let indices = |map| [10, 20, 30].map(|name| getindex(map, name));
            assert_eq!(indices(ab), [Some(0), Some(1), None]);
            assert_eq!(indices(ba), [Some(1), Some(0), None]);
            assert_eq!(indices(empty), [None; 3]);
        });
    }
}
