//! Maps: which attributes an instance has, and of which class it is. In: names. Out: maps, and
//! places in the array of an instance's attributes. Invariants: a map never changes but for
//! transitions, which are only added; the same step from the same map leads to the same map,
//! always. So one comparison of a map tells compiled code the class, where each attribute is, and
//! that one is not there.
//!
//! Source: section 4.1 of "Runtime Feedback in a Meta-Tracing JIT for Efficient Dynamic Languages"
//! (2011).

use crate::heap::class::Class;
use verdigris::{List, Str, elidable, prelude::*};

/// How many attributes a map may have; an instance with more has a dict.
pub const MAX_ATTRIBUTES: usize = 200;

/// The layout of an instance.
#[gc]
pub struct ObjectMap {
    /// The class.
    pub class: Gc<Class>,
    /// The names of the attributes, in the order of their places.
    pub names: GcArray<Gc<Str>>,
    /// Whether the attributes are in a dict, which is in place 0.
    pub is_dict: bool,
    /// The maps with one attribute more: their last name.
    step_names: Gc<List<Gc<Str>>>,
    /// And they themselves.
    steps: Gc<List<Gc<ObjectMap>>>,
    /// The map of instances of the class with a dict.
    dict_map: Cell<Option<Gc<ObjectMap>>>,
}

/// The map of an instance without attributes.
pub fn empty(class: Gc<Class>) -> Gc<ObjectMap> {
    make(class, GcArray::from_slice(&[]), false)
}

fn make(class: Gc<Class>, names: GcArray<Gc<Str>>, is_dict: bool) -> Gc<ObjectMap> {
    Gc::new(ObjectMap {
        class,
        names,
        is_dict,
        step_names: List::new(),
        steps: List::new(),
        dict_map: Cell::new(None),
    })
}

/// The place of an attribute, or -1.
///
/// Elidable: it reads what never changes.
#[elidable]
pub fn find(map: Gc<ObjectMap>, name: Gc<Str>) -> i64 {
    let names = map.names.as_slice();
    let place = names
        .iter()
        .position(|&known| Gc::ptr_eq(known, name) || known.same(name));
    place.map_or(-1, |place| place as i64)
}

/// The map that has one attribute more behind the others, or that with a dict if there are too
/// many.
///
/// Elidable: the first call for a name makes the map, all others find it, so that the program
/// cannot tell how often it was called.
#[elidable]
pub fn with(map: Gc<ObjectMap>, name: Gc<Str>) -> Gc<ObjectMap> {
    let known = (0..map.steps.len()).find(|&n| map.step_names.at(n).same(name));
    if let Some(n) = known {
        return map.steps.at(n);
    }
    if map.names.len() >= MAX_ATTRIBUTES {
        return with_dict(map.class);
    }
    let names: RootVec<Gc<Str>> = RootVec::new();
    for &known in map.names.as_slice() {
        names.push(known);
    }
    names.push(name);
    let next = make(map.class, names.to_array(), false);
    map.step_names.push(name);
    map.steps.push(next);
    next
}

/// The map of instances of a class that have a dict.
///
/// Elidable, for the same reason.
#[elidable]
pub fn with_dict(class: Gc<Class>) -> Gc<ObjectMap> {
    let empty = class.empty_map.get().expect("every class has one");
    if let Some(map) = empty.dict_map.get() {
        return map;
    }
    let map = make(class, GcArray::from_slice(&[]), true);
    empty.dict_map.set(Some(map));
    map
}
