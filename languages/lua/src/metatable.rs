//! Giving metatables. In: tables and metatables. Out: the tables' shapes. Invariants: a metatable
//! that only one table has makes no shape of its own, so that programs which make one for each
//! object have one shape for all of them; a metatable that several tables have is known to their
//! shapes, and the first of these tables gets such a shape when the second comes; of metatables
//! that are alike, shapes know a few.

use crate::collected;
use crate::meta::INDEX;
use crate::shape::{self, Role, Shape};
use crate::shape_tree;
use crate::table::{Table, get_str};
use crate::value::{Value, World};
use verdigris::{advice, prelude::*};

/// Gives a table a metatable, or takes it away.
#[advice("tables get many metatables here: make one outside of the loop, and share it")]
pub fn set(world: Gc<World>, table: Gc<Table>, meta: Option<Gc<Table>>) {
    let old = promote(table.shape.get());
    if old.full && old.is_empty() {
        // The table of globals: its shape has no relatives.
        table.link.set(meta);
        return;
    }
    let Some(meta) = meta else {
        table.shape.set(shape::with_meta(world, old, None));
        table.link.set(None);
        return;
    };
    if collected::concerns(world, meta) {
        collected::note(world, table, meta);
    }
    let kind = promote(meta.shape.get());
    match kind.role {
        Role::Shared | Role::Many => give(world, table, meta, kind),
        Role::Nothing if !is_for_many(world, table, meta, kind) => {
            set_loose(world, table, old, meta);
            meta.shape.set(shape::used_once(kind));
            meta.link.set(Some(table));
        }
        _ => share(world, table, meta, kind),
    }
}

/// Gives a table a metatable that several tables have.
#[advice("tables get many metatables here: make one outside of the loop, and share it")]
fn give(world: Gc<World>, table: Gc<Table>, meta: Gc<Table>, kind: Gc<Shape>) {
    let old = promote(table.shape.get());
    match kind.role {
        Role::Shared => {
            table
                .shape
                .set(shape::with_meta(world, old, Some(promote(meta))));
            table.link.set(None);
        }
        _ => set_loose(world, table, old, meta),
    }
}

/// Whether a metatable that no table has got so far is likely to be for many: because it looks like
/// a class, or is the first of its kind. One that has a metatable itself has no place for the name
/// of the first table that gets it.
#[inline]
fn is_for_many(world: Gc<World>, table: Gc<Table>, meta: Gc<Table>, kind: Gc<Shape>) -> bool {
    if kind.loose || kind.meta.is_some() || Gc::ptr_eq(table, meta) {
        return true;
    }
    if shape::used_once(kind).metatables.get() == 0 {
        return true;
    }
    match get_str(meta, world.names[INDEX]) {
        Value::Table(index) => Gc::ptr_eq(index, meta),
        _ => false,
    }
}

/// Gives a table a metatable of which its shape knows nothing.
#[inline]
fn set_loose(world: Gc<World>, table: Gc<Table>, old: Gc<Shape>, meta: Gc<Table>) {
    table.shape.set(shape::loosened(world, old));
    table.link.set(Some(meta));
}

/// Gives a table a metatable that others have, too: from now on their shapes know it, if there are
/// not too many such metatables.
fn share(world: Gc<World>, table: Gc<Table>, meta: Gc<Table>, kind: Gc<Shape>) {
    let role = shape_tree::role_of_shared(world, shape::used_once(kind));
    meta.shape.set(shape::with_role(kind, role));
    let shared = promote(meta.shape.get());
    if let (Role::Once, Role::Shared) = (kind.role, shared.role)
        && let Some(first) = meta.link.get()
    {
        meta.link.set(None);
        let known = promote(first.shape.get());
        if known.loose
            && !known.full
            && let Some(of) = first.link.get()
            && Gc::ptr_eq(of, meta)
        {
            give(world, first, meta, shared);
        }
    }
    give(world, table, meta, shared);
}
