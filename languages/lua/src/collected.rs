//! What the collector is asked to tell: which tables may have weak entries, which have finalizers,
//! which files are closed when the program has lost them. In: tables that get a metatable, files.
//! Out: entries that are gone, objects for [`crate::finalize`]. Invariant: a program without such
//! tables and files pays nothing in compiled code, where [`World::collects`] is a constant.
//!
//! Source: Lua 5.4 reference manual, section 2.5.

use crate::meta;
use crate::table::{Table, get_str, metatable, shrink_to_end};
use crate::value::{File, Value, World};
use std::cell::{self, RefCell};
use std::rc::Rc;
use verdigris::{FinalQueue, HasWeakEntries, WeakEntries, WeakTables, Weakness, prelude::*};

/// What the collector has been asked to tell a world.
pub struct Collected {
    pub(crate) weak: WeakTables<Table>,
    pub(crate) finalized: FinalQueue<Gc<Table>>,
    pub(crate) files: FinalQueue<Gc<File>>,
    world: Root<Gc<World>>,
    /// Whether a finalizer runs: then no other does.
    pub(crate) is_finalizing: cell::Cell<bool>,
    /// Whether the world is done.
    pub(crate) is_ending: cell::Cell<bool>,
    /// The turns of loops since the program's last collection here.
    pub(crate) quiet: cell::Cell<u64>,
    /// After how many of them there is one although the heap has room.
    pub(crate) patience: cell::Cell<u64>,
}

/// A loop that waits for a finalizer need not allocate: when it has had this many turns, everything
/// is collected. It is four times as many each time that nothing comes of it.
pub(crate) const PATIENCE: u64 = 1 << 16;

thread_local! {
    static COLLECTED: RefCell<Option<Rc<Collected>>> = const { RefCell::new(None) };
}

/// The world has no such tables so far.
pub fn begin(world: Gc<World>) {
    COLLECTED.set(Some(Rc::new(Collected {
        weak: WeakTables::new(),
        finalized: FinalQueue::last_first(),
        files: FinalQueue::new(),
        world: Root::new(world),
        is_finalizing: cell::Cell::new(false),
        is_ending: cell::Cell::new(false),
        quiet: cell::Cell::new(0),
        patience: cell::Cell::new(PATIENCE),
    })));
}

/// Forgets a world that has not come to its end.
pub fn forget() {
    COLLECTED.set(None);
}

/// Another machine runs on this thread from now on. Returns what there was.
pub fn replace(other: Option<Rc<Collected>>) -> Option<Rc<Collected>> {
    COLLECTED.replace(other)
}

/// What the world that runs has asked for.
pub(crate) fn collected() -> Option<Rc<Collected>> {
    COLLECTED.with_borrow(Clone::clone)
}

/// Whether a metatable has to do with collections.
#[inline]
pub fn concerns(world: Gc<World>, meta: Gc<Table>) -> bool {
    has(world, meta, meta::GC) || has(world, meta, meta::MODE)
}

#[inline]
fn has(world: Gc<World>, meta: Gc<Table>, name: usize) -> bool {
    !get_str(meta, world.names[name]).is_nil()
}

/// A table has got a metatable that has to do with collections.
#[opaque]
pub fn note(world: Gc<World>, table: Gc<Table>, meta: Gc<Table>) {
    let Some(collected) = collected() else {
        return;
    };
    if has(world, meta, meta::MODE) {
        collected.weak.add(table);
    }
    if has(world, meta, meta::GC) && !collected.is_ending.get() {
        collected.finalized.watch(table);
    }
    begin_to_poll(world);
}

/// A file has been opened, which is closed when nothing refers to it any more.
pub fn note_file(file: Gc<File>) {
    if let Some(collected) = collected() {
        collected.files.watch(file);
        begin_to_poll(collected.world.get());
    }
}

fn begin_to_poll(world: Gc<World>) {
    if !world.collects.get() {
        world.collects.set(true);
    }
}

impl HasWeakEntries for Table {
    type Item = Value;

    fn weak_entries(table: Gc<Table>, entries: &mut WeakEntries<Value>) {
        let Some(weakness) = weakness(table) else {
            return;
        };
        // The keys of fields are strings, those of items integers: they do not die.
        if weakness != Weakness::Keys {
            entries.add_values(table.fields.get());
            entries.add_values(table.items.get());
        }
        if let Some(dict) = table.dict.get() {
            entries.add_pairs(dict.keys.get(), dict.values.get(), weakness);
        }
    }

    fn is_object(item: Value) -> bool {
        matches!(
            item,
            Value::Table(_)
                | Value::Function(_)
                | Value::Thread(_)
                | Value::File(_)
                | Value::Host(_)
        )
    }

    fn nothing() -> Value {
        Value::Nil
    }

    fn removed(table: Gc<Table>) {
        shrink_to_end(table);
    }
}

/// What `__mode` of a table's metatable says.
fn weakness(table: Gc<Table>) -> Option<Weakness> {
    let (meta, world) = (metatable(table)?, collected()?.world.get());
    let Value::Str(mode) = get_str(meta, world.names[meta::MODE]) else {
        return None;
    };
    let has = |letter: u8| mode.as_bytes().contains(&letter);
    match (has(b'k'), has(b'v')) {
        (true, true) => Some(Weakness::Both),
        (true, false) => Some(Weakness::Keys),
        (false, true) => Some(Weakness::Values),
        (false, false) => None,
    }
}
