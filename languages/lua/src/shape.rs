//! Shapes: which fields the tables that are made in one way have, and their metatable. In: names,
//! metatables. Out: shapes and places in the array of a table's fields. Invariants: a shape never
//! changes but for transitions, which are only added; tables that got the same fields in the same
//! order and then the same metatable have one shape. So one comparison of a shape tells compiled
//! code where each field is, that a field is not there, and which metatable there is.

use crate::string::{self, LuaStr};
use crate::table::Table;
use crate::value::World;
use verdigris::{List, prelude::*};

/// How many fields a shape may have; more are entries of a dictionary.
pub const MAX_FIELDS: usize = 120;

/// How many metatables may have shapes of their own.
const MAX_METATABLES: i64 = 2000;

/// The layout of a table.
#[gc]
pub struct Shape {
    /// The names of the fields, in the order of their places.
    pub keys: GcArray<Gc<LuaStr>>,
    /// From hashes to places: 0, or a place and 1. Its length is a power of two.
    pub index: GcArray<u8>,
    /// The metatable, unless the shape is loose.
    pub meta: Option<Gc<Table>>,
    /// Whether tables of this shape say themselves which metatable they have.
    pub loose: bool,
    /// Whether no field may be added.
    pub full: bool,
    /// The field of the last transition, and where it leads.
    last_key: Cell<Option<Gc<LuaStr>>>,
    last_shape: Cell<Option<Gc<Shape>>>,
    /// All transitions.
    transitions: Gc<List<Gc<Shape>>>,
    /// The metatable that was last asked for, and the shape with it.
    last_meta: Cell<Option<Gc<Table>>>,
    last_with_meta: Cell<Option<Gc<Shape>>>,
}

/// A shape without fields.
pub fn root(meta: Option<Gc<Table>>, loose: bool, full: bool) -> Gc<Shape> {
    make(GcArray::from_slice(&[]), meta, loose, full)
}

fn make(keys: GcArray<Gc<LuaStr>>, meta: Option<Gc<Table>>, loose: bool, full: bool) -> Gc<Shape> {
    let size = (keys.len() * 2).next_power_of_two().max(2);
    let mut index = [0u8; 256];
    for (place, &key) in keys.as_slice().iter().enumerate() {
        let mut at = string::hash(key) as usize & (size - 1);
        while index[at] != 0 {
            at = (at + 1) & (size - 1);
        }
        index[at] = place as u8 + 1;
    }
    Gc::new(Shape {
        keys,
        index: GcArray::from_slice(&index[..size]),
        meta,
        loose,
        full: full || keys.len() >= MAX_FIELDS,
        last_key: Cell::new(None),
        last_shape: Cell::new(None),
        transitions: List::new(),
        last_meta: Cell::new(None),
        last_with_meta: Cell::new(None),
    })
}

impl Shape {
    /// How many fields there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.keys.len() == 0
    }
}

/// The place of a field, or -1.
///
/// Elidable: it reads what never changes.
#[elidable]
#[inline]
pub fn find(shape: Gc<Shape>, key: Gc<LuaStr>) -> i64 {
    let index = shape.index.as_slice();
    let mask = index.len() - 1;
    let hash = string::hash(key);
    let mut at = hash as usize & mask;
    loop {
        let entry = index[at & mask];
        if entry == 0 {
            return -1;
        }
        let place = entry as usize - 1;
        let known = shape.keys[place];
        if Gc::ptr_eq(known, key) || (string::hash(known) == hash && string::same(known, key)) {
            return place as i64;
        }
        at += 1;
    }
}

/// The shape that has one field more.
///
/// Elidable: the first call for a name makes the shape, all others find it, so that the program
/// cannot tell how often it was called.
#[elidable]
pub fn with_field(shape: Gc<Shape>, key: Gc<LuaStr>) -> Gc<Shape> {
    if let (Some(last), Some(found)) = (shape.last_key.get(), shape.last_shape.get())
        && string::same(last, key)
    {
        return found;
    }
    let place = shape.len();
    let known = shape
        .transitions
        .iter()
        .find(|to| string::same(to.keys[place], key));
    let found = known.unwrap_or_else(|| {
        let mut keys = shape.keys.as_slice().to_vec();
        keys.push(key);
        let keys = GcArray::from_slice(&keys);
        let made = make(keys, shape.meta, shape.loose, shape.full);
        shape.transitions.push(made);
        made
    });
    shape.last_key.set(Some(key));
    shape.last_shape.set(Some(found));
    found
}

/// The shape with the same fields and this metatable, if it has a shape of its own; else a loose
/// one.
///
/// Elidable, for the same reason.
#[elidable]
pub fn with_meta(world: Gc<World>, shape: Gc<Shape>, meta: Option<Gc<Table>>) -> Gc<Shape> {
    if let (Some(meta), Some(last), Some(found)) =
        (meta, shape.last_meta.get(), shape.last_with_meta.get())
        && Gc::ptr_eq(meta, last)
    {
        return found;
    }
    let mut found = match meta {
        None => world.empty_shape,
        Some(meta) => root_of(world, meta),
    };
    for &key in shape.keys.as_slice() {
        found = with_field(found, key);
    }
    shape.last_meta.set(meta);
    shape.last_with_meta.set(Some(found));
    found
}

/// The shape of a table without fields that has this metatable.
fn root_of(world: Gc<World>, meta: Gc<Table>) -> Gc<Shape> {
    if let Some(root) = meta.instances.get() {
        return root;
    }
    let count = world.metatables.get() + 1;
    world.metatables.set(count);
    let made = if count > MAX_METATABLES {
        world.loose_shape
    } else {
        root(Some(meta), false, false)
    };
    meta.instances.set(Some(made));
    made
}
