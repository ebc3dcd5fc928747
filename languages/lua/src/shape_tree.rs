//! Trees of shapes: all shapes that differ in their fields and roles alone. In: names, metatables.
//! Out: shapes that exist. Invariant: a tree grows up to a limit, so that tables which are
//! dictionaries do not make shapes for ever; shapes that a constructor or a change of the metatable
//! makes are always made.

use crate::shape::{self, Role, Shape};
use crate::string::{self, LuaStr};
use crate::table::Table;
use crate::value::World;
use verdigris::{KeyObject, prelude::*};

/// How many shapes a tree has before tables that get other fields are dictionaries.
const MAX_SHAPES: i64 = 2000;

/// How many metatables of one shape may be known to shapes. Where more meet, their identity costs
/// more than it saves.
const MAX_OF_A_KIND: i64 = 8;

/// How many metatables may be known to shapes.
const MAX_METATABLES: usize = 1000;

/// The shapes that differ in their fields and roles alone.
#[gc]
pub struct Tree {
    /// The metatable that their tables have, unless they are loose.
    pub meta: Option<Gc<Table>>,
    /// Whether tables say themselves which metatable they have.
    pub loose: bool,
    /// The shapes without fields, by role.
    roots: GcArray<Cell<Option<Gc<Shape>>>>,
    /// How many others there are.
    count: Cell<i64>,
    /// These by the hash of their names, each the first of a list.
    by_names: Cell<GcArray<Cell<Option<Gc<Shape>>>>>,
}

/// A tree without shapes.
pub fn new(meta: Option<Gc<Table>>, loose: bool) -> Gc<Tree> {
    Gc::new(Tree {
        meta,
        loose,
        roots: GcArray::new(4, None),
        count: Cell::new(0),
        by_names: Cell::new(GcArray::new(8, None)),
    })
}

/// The shape without fields for tables that have a role.
pub fn root_of(tree: Gc<Tree>, role: Role) -> Gc<Shape> {
    let place = &tree.roots[role as usize];
    place.get().unwrap_or_else(|| {
        let made = shape::root(tree, role, false);
        place.set(Some(made));
        made
    })
}

/// Whether no shape may be added but those that must be there.
pub fn is_full(tree: Gc<Tree>) -> bool {
    tree.count.get() >= MAX_SHAPES
}

/// The hash of the names of a shape with one more.
pub fn hash_with(shape: Gc<Shape>, key: Gc<LuaStr>) -> u64 {
    shape.names_hash.wrapping_add(string::hash(key))
}

/// The shape with these names in the same order and one more behind them.
pub fn in_order(shape: Gc<Shape>, key: Gc<LuaStr>) -> Option<Gc<Shape>> {
    let (lists, hash) = (shape.tree.by_names.get(), hash_with(shape, key));
    let place = shape.len() as i64;
    let mut next = lists[hash as usize & (lists.len() - 1)].get();
    while let Some(other) = next {
        let same = other.names_hash == hash && other.len() == shape.len() + 1;
        if same
            && other.role == shape.role
            && shape::extends(other, shape)
            && shape::find(other, key) == place
        {
            return Some(other);
        }
        next = other.next_in_tree.get();
    }
    None
}

/// Adds a shape to its tree, behind the others with the same names.
pub fn add(shape: Gc<Shape>) {
    let tree = shape.tree;
    let lists = tree.by_names.get();
    if tree.count.get() as usize >= lists.len() {
        let more = GcArray::new(lists.len() * 2, None);
        for list in lists.as_slice() {
            let mut next = list.get();
            while let Some(other) = next {
                next = other.next_in_tree.replace(None);
                push(more, other);
            }
        }
        tree.by_names.set(more);
    }
    tree.count.set(tree.count.get() + 1);
    push(tree.by_names.get(), shape);
}

fn push(lists: GcArray<Cell<Option<Gc<Shape>>>>, shape: Gc<Shape>) {
    let list = &lists[shape.names_hash as usize & (lists.len() - 1)];
    let Some(mut last) = list.get() else {
        list.set(Some(shape));
        return;
    };
    while let Some(next) = last.next_in_tree.get() {
        last = next;
    }
    last.next_in_tree.set(Some(shape));
}

/// A metatable is found by its identity.
impl KeyObject for Table {}

/// The tree of the tables that have a metatable which is known to shapes.
pub fn of_meta(world: Gc<World>, meta: Gc<Table>) -> Gc<Tree> {
    if let Some(tree) = world.trees.get(meta) {
        return tree;
    }
    let tree = new(Some(meta), false);
    world.trees.insert(meta, tree);
    tree
}

/// What a metatable of a shape is from now on, which several tables have.
pub fn role_of_shared(world: Gc<World>, shape: Gc<Shape>) -> Role {
    let count = shape.metatables.get() + 1;
    shape.metatables.set(count);
    match count > MAX_OF_A_KIND || world.trees.len() >= MAX_METATABLES {
        true => Role::Many,
        false => Role::Shared,
    }
}
