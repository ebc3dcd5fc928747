//! Dictionaries from names to values: hash tables with open addressing. In: names by their numbers. Out: values. Invariant:
//! at least a quarter of the places is free, so that every search ends; the number of places is a power of two.
//!
//! The JIT does not look inside: a lookup is a call of [`dict_get`], which is what the later stages of the object model
//! get rid of.

use crate::object::Obj;
use verdigris::prelude::*;

/// Tag of the arrays that belong to dictionaries.
pub struct InDict;

/// The names, or [`FREE`].
type Keys = GcArray<Cell<i64>, InDict>;

/// The values, at the places of their names.
type Values = GcArray<Cell<Option<Obj>>, InDict>;

/// What stands at a place that no name has.
const FREE: i64 = -1;

/// How many places a new dictionary has.
const FIRST_PLACES: usize = 4;

/// A dictionary.
#[gc]
pub struct Dict {
    /// The names.
    pub keys: Cell<Keys>,
    /// The values.
    pub values: Cell<Values>,
    /// How many there are.
    pub len: Cell<usize>,
}

/// A dictionary without entries.
#[opaque]
pub fn dict_new() -> Gc<Dict> {
    Gc::new(Dict {
        keys: Cell::new(Keys::new(FIRST_PLACES, FREE)),
        values: Cell::new(Values::new(FIRST_PLACES, None)),
        len: Cell::new(0),
    })
}

/// The value of a name.
#[opaque]
pub fn dict_get(dict: Gc<Dict>, name: i64) -> Option<Obj> {
    dict.values.get()[place(dict.keys.get(), name)].get()
}

/// Gives a name a value.
#[opaque]
pub fn dict_set(dict: Gc<Dict>, name: i64, value: Obj) {
    let found = place(dict.keys.get(), name);
    if dict.keys.get()[found].get() == name {
        dict.values.get()[found].set(Some(value));
        return;
    }
    let len = dict.len.get() + 1;
    if len * 4 > dict.keys.get().len() * 3 {
        grow(dict);
    }
    let found = place(dict.keys.get(), name);
    dict.keys.get()[found].set(name);
    dict.values.get()[found].set(Some(value));
    dict.len.set(len);
}

/// Where a name is, or where it would be.
fn place(keys: Keys, name: i64) -> usize {
    let mask = keys.len() - 1;
    // Multiplying by an odd number near 2^64 / 1.618 spreads neighbouring numbers over the upper bits.
    let mut place = ((name as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
    loop {
        let key = keys[place].get();
        if key == name || key == FREE {
            return place;
        }
        place = (place + 1) & mask;
    }
}

/// Doubles the number of places.
fn grow(dict: Gc<Dict>) {
    let (old_keys, old_values) = (dict.keys.get(), dict.values.get());
    let keys = Keys::new(old_keys.len() * 2, FREE);
    let values = Values::new(old_keys.len() * 2, None);
    for index in 0..old_keys.len() {
        let name = old_keys[index].get();
        if name != FREE {
            let found = place(keys, name);
            keys[found].set(name);
            values[found].set(old_values[index].get());
        }
    }
    dict.keys.set(keys);
    dict.values.set(values);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{ObjKind, int};
    use std::collections::HashMap;

    #[test]
    fn dictionaries_are_maps() {
        let options = Options::parse("stress=1").expect("it is understood");
        let vm = Vm::new(crate::jit::program(), options).expect("it can be made");
        vm.enter(|| {
            let dict = dict_new();
            let mut model = HashMap::new();
            let mut name = 1;
            for step in 0..1000 {
                // A generator that visits 211 names in a wild order, each several times.
                name = name * 137 % 211;
                dict_set(dict, name, int(step));
                model.insert(name, step);
            }
            assert_eq!(dict.len.get(), model.len());
            for name in 0..300 {
                let found = dict_get(dict, name).map(|value| match value.kind() {
                    ObjKind::Int(int) => int.value,
                    _ => panic!("only integers were stored"),
                });
                assert_eq!(found, model.get(&name).copied(), "{name}");
            }
        });
    }
}
