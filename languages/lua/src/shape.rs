//! Shapes: which fields the tables that are made in one way have, and what is known of their
//! metatable. In: names, metatables. Out: shapes and places in the array of a table's fields.
//! Invariants: a shape never changes but for transitions, which are only added; the same step from
//! the same shape leads to the same shape, always. So one comparison of a shape tells compiled code
//! where each field is, that a field is not there, and whether there is a metatable; which one it
//! is only where many tables have it.

use crate::shape_tree::{self, Tree};
use crate::string::{self, LuaStr};
use crate::table::Table;
use crate::value::World;
use verdigris::{List, prelude::*};

/// How many fields a shape may have; more are entries of a dictionary.
pub const MAX_FIELDS: usize = 120;

/// What a table is to others, as their metatable.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Role {
    /// No table has got it so far.
    Nothing,
    /// One has, which [`Table::link`] names unless the table has a metatable itself.
    Once,
    /// Several have: it is known to the shapes of those that get it.
    Shared,
    /// Several have, and there are many such metatables.
    Many,
}

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
    /// What tables of this shape are to others.
    pub role: Role,
    /// Whether no field may be added.
    pub full: bool,
    /// The shape with all of these fields but the last, in the same order.
    pub parent: Option<Gc<Shape>>,
    /// All shapes that differ in their fields alone.
    pub tree: Gc<Tree>,
    /// A number that is equal for shapes whose fields have the same names, in any order.
    pub names_hash: u64,
    /// The next shape in the tree's table.
    pub next_in_tree: Cell<Option<Gc<Shape>>>,
    /// The field of the last transition, and where it leads.
    last_key: Cell<Option<Gc<LuaStr>>>,
    last_shape: Cell<Option<Gc<Shape>>>,
    /// All transitions: fields, and where they lead.
    transition_keys: Gc<List<Gc<LuaStr>>>,
    transitions: Gc<List<Gc<Shape>>>,
    /// The metatable that was last asked for, and the shape with it.
    last_meta: Cell<Option<Gc<Table>>>,
    last_with_meta: Cell<Option<Gc<Shape>>>,
    /// The same fields in tables that say themselves which metatable they have.
    as_loose: Cell<Option<Gc<Shape>>>,
    /// The same fields in a table that is a metatable for the first time.
    as_once: Cell<Option<Gc<Shape>>>,
    /// How many metatables of this shape are known to the shapes of those that have them.
    pub metatables: Cell<i64>,
}

/// A shape without fields, in a tree.
pub fn root(tree: Gc<Tree>, role: Role, full: bool) -> Gc<Shape> {
    make(GcArray::from_slice(&[]), tree, role, full, None, 0)
}

fn make(
    keys: GcArray<Gc<LuaStr>>,
    tree: Gc<Tree>,
    role: Role,
    full: bool,
    parent: Option<Gc<Shape>>,
    names_hash: u64,
) -> Gc<Shape> {
    // Most look-ups, also for names that are not there, end at the first entry.
    let size = (keys.len() * 4).next_power_of_two().max(4);
    let mut index = [0u8; 512];
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
        meta: tree.meta,
        loose: tree.loose,
        role,
        full: full || keys.len() >= MAX_FIELDS,
        parent,
        tree,
        names_hash,
        next_in_tree: Cell::new(None),
        last_key: Cell::new(None),
        last_shape: Cell::new(None),
        transition_keys: List::new(),
        transitions: List::new(),
        last_meta: Cell::new(None),
        last_with_meta: Cell::new(None),
        as_loose: Cell::new(None),
        as_once: Cell::new(None),
        metatables: Cell::new(0),
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
        self.keys.is_empty()
    }
}

/// The place of a field, or -1.
///
/// Elidable: it reads what never changes.
#[elidable]
#[inline]
pub fn find(shape: Gc<Shape>, key: Gc<LuaStr>) -> i64 {
    let index = shape.index.as_slice();
    let hash = string::hash(key);
    let mask = index.len() - 1;
    let mut at = hash as usize & mask;
    loop {
        let entry = index[at];
        if entry == 0 {
            return -1;
        }
        let place = entry as usize - 1;
        let known = shape.keys[place];
        // The hash of a name is known as soon as it is in a shape.
        if Gc::ptr_eq(known, key)
            || (known.known_hash.get() == hash && string::same_outside(known, key))
        {
            return place as i64;
        }
        at = (at + 1) & mask;
    }
}

/// Whether one shape has the fields of another in the same places, and one more behind them.
#[inline]
pub fn extends(shape: Gc<Shape>, other: Gc<Shape>) -> bool {
    match shape.parent {
        Some(parent) => Gc::ptr_eq(parent, other),
        None => false,
    }
}

/// The shape that has one field more behind the others. The shape itself if there are too many
/// shapes.
///
/// Elidable: the first call for a name makes the shape, all others find it, so that the program
/// cannot tell how often it was called. It may be called ahead, for ways that the program never
/// goes: so tables that got the same fields in another order have a shape of their own, and the
/// order of `pairs` does not depend on it.
#[elidable]
pub fn with_field(shape: Gc<Shape>, key: Gc<LuaStr>) -> Gc<Shape> {
    if let (Some(last), Some(found)) = (shape.last_key.get(), shape.last_shape.get())
        && string::same(last, key)
    {
        return found;
    }
    let known = (0..shape.transitions.len())
        .find(|&n| string::same(shape.transition_keys.at(n), key))
        .map(|n| shape.transitions.at(n));
    let found = known.unwrap_or_else(|| {
        let found = match shape_tree::is_full(shape.tree) {
            true => shape,
            false => child(shape, key),
        };
        shape.transition_keys.push(key);
        shape.transitions.push(found);
        found
    });
    shape.last_key.set(Some(key));
    shape.last_shape.set(Some(found));
    found
}

/// As [`with_field`], but that there are never too many shapes.
pub fn with_last_field(shape: Gc<Shape>, key: Gc<LuaStr>) -> Gc<Shape> {
    let found = with_field(shape, key);
    if extends(found, shape) {
        return found;
    }
    // There are too many shapes.
    let known = shape_tree::in_order(shape, key);
    known.unwrap_or_else(|| child(shape, key))
}

/// A new shape with one field more.
fn child(shape: Gc<Shape>, key: Gc<LuaStr>) -> Gc<Shape> {
    let mut keys = shape.keys.as_slice().to_vec();
    keys.push(key);
    let keys = GcArray::from_slice(&keys);
    let hash = shape_tree::hash_with(shape, key);
    let made = make(keys, shape.tree, shape.role, shape.full, Some(shape), hash);
    shape_tree::add(made);
    made
}

/// A shape with the same fields in the same places as another, that begins as `root`.
fn same_fields(root: Gc<Shape>, shape: Gc<Shape>) -> Gc<Shape> {
    let mut found = root;
    for &key in shape.keys.as_slice() {
        found = with_last_field(found, key);
    }
    found
}

/// The shape with the same fields and this metatable.
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
    let tree = match meta {
        None => world.empty_shape.tree,
        Some(meta) => shape_tree::of_meta(world, meta),
    };
    let found = same_fields(shape_tree::root_of(tree, shape.role), shape);
    shape.last_meta.set(meta);
    shape.last_with_meta.set(Some(found));
    found
}

/// The shape with the same fields for tables that say themselves which metatable they have.
///
/// Elidable, for the same reason.
#[elidable]
pub fn loosened(world: Gc<World>, shape: Gc<Shape>) -> Gc<Shape> {
    if let Some(found) = shape.as_loose.get() {
        return found;
    }
    // The place where a table names the only one that has it is taken now.
    let role = match shape.role {
        Role::Once => Role::Nothing,
        role => role,
    };
    let found = match shape.loose && role == shape.role {
        true => shape,
        false => same_fields(shape_tree::root_of(world.loose_shape.tree, role), shape),
    };
    shape.as_loose.set(Some(found));
    found
}

/// The shape with the same fields for tables that are metatables for the first time.
///
/// Elidable, for the same reason.
#[elidable]
pub fn used_once(shape: Gc<Shape>) -> Gc<Shape> {
    if let Some(found) = shape.as_once.get() {
        return found;
    }
    let found = with_role(shape, Role::Once);
    shape.as_once.set(Some(found));
    found
}

/// The shape with the same fields for tables that have another role.
///
/// Elidable, for the same reason.
#[elidable]
pub fn with_role(shape: Gc<Shape>, role: Role) -> Gc<Shape> {
    same_fields(shape_tree::root_of(shape.tree, role), shape)
}
