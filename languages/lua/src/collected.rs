//! What the program sees of collections: weak tables, finalizers, files that nobody has closed. In:
//! tables and files that are made. Out: entries that are gone, calls of `__gc`. Invariants: a
//! program without such tables and files pays nothing in compiled code, where [`World::collects`] is
//! a constant; entries are removed and finalizers called at the end of a loop's turn, at a tail
//! call, and in `collectgarbage`, and nowhere else.
//!
//! Source: Lua 5.4 reference manual, section 2.5.

use crate::call;
use crate::host;
use crate::meta;
use crate::native::{io, locals, outside};
use crate::shape;
use crate::table::{Table, get_entry, get_str, metatable};
use crate::value::{File, Proto, Value, Values, World, list1};
use std::cell::{self, RefCell};
use std::rc::Rc;
use verdigris::{
    CollectScope, FinalQueue, HasWeakEntries, WeakEntries, WeakTables, Weakness, collect_garbage,
    prelude::*,
};

/// What the collector has been asked to tell a world.
pub struct Collected {
    weak: WeakTables<Table>,
    finalized: FinalQueue<Gc<Table>>,
    files: FinalQueue<Gc<File>>,
    world: Root<Gc<World>>,
    /// Whether a finalizer runs: then no other does.
    is_finalizing: cell::Cell<bool>,
    /// Whether the world is done.
    is_ending: cell::Cell<bool>,
    /// The turns of loops since the program's last collection here.
    quiet: cell::Cell<u64>,
    /// After how many of them there is one although the heap has room.
    patience: cell::Cell<u64>,
}

thread_local! {
    static COLLECTED: RefCell<Option<Rc<Collected>>> = const { RefCell::new(None) };
}

/// Turns of loops between two looks at the collector.
const TURNS: i64 = 256;
/// A loop that waits for a finalizer need not allocate: when it has had this many turns, everything
/// is collected. It is four times as many each time that nothing comes of it.
const PATIENCE: u64 = 1 << 16;
/// The most that it comes to.
const MOST_PATIENCE: u64 = 1 << 26;

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

/// The world is done: finalizers of what is left are called, and no others come.
pub fn end(world: Gc<World>) {
    if let Some(collected) = collected() {
        collected.is_ending.set(true);
        collected.finalized.end();
        collected.finalize(world, 0);
    }
    forget();
}

/// Forgets a world that has not come to its end.
pub fn forget() {
    COLLECTED.set(None);
}

/// Another machine runs on this thread from now on. Returns what there was.
pub fn replace(other: Option<Rc<Collected>>) -> Option<Rc<Collected>> {
    COLLECTED.replace(other)
}

fn collected() -> Option<Rc<Collected>> {
    COLLECTED.with_borrow(Clone::clone)
}

/// Whether a metatable has to do with collections.
#[inline]
pub fn concerns(world: Gc<World>, meta: Gc<Table>) -> bool {
    has(world, meta, meta::GC) || has(world, meta, meta::MODE)
}

#[inline]
fn has(world: Gc<World>, meta: Gc<Table>, name: usize) -> bool {
    let name = world.names[name];
    let place = shape::find(promote(meta.shape.get()), name);
    if place >= 0 {
        return !meta.fields.get()[place as usize].get().is_nil();
    }
    meta.dict.get().is_some() && !get_entry(meta, Value::Str(name)).is_nil()
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

/// A loop has a new turn, which begins here with these registers.
#[inline]
pub fn poll(proto: Gc<Proto>, pc: usize, registers: Values, depth: i64) {
    let world = proto.world;
    let left = world.turns.get() - 1;
    world.turns.set(left);
    if left < 0 {
        look(proto, pc, registers, depth);
    }
}

/// Removes weak entries if it is time, and calls the finalizers of what has been collected.
#[opaque]
fn look(proto: Gc<Proto>, pc: usize, registers: Values, depth: i64) {
    let world = proto.world;
    world.turns.set(TURNS);
    let Some(collected) = collected() else {
        return;
    };
    if !host::tuning().running || collected.is_finalizing.get() {
        return;
    }
    // What an expression has left behind is dead, and the collector does not know that.
    if let Some(first) = locals::first_unused(proto, pc) {
        let dead = registers.as_slice().iter().skip(first);
        dead.for_each(|register| register.set(Value::Nil));
    }
    let quiet = collected.quiet.get() + TURNS as u64;
    collected.quiet.set(quiet);
    let is_idle = quiet >= collected.patience.get();
    if is_idle || collected.weak.is_due() {
        collected.collect();
    }
    let is_ready = collected.is_ready();
    if is_idle && !is_ready {
        let patience = collected.patience.get();
        collected.patience.set(MOST_PATIENCE.min(patience * 4));
    }
    if is_ready {
        collected.finalize(world, depth);
    }
}

/// Collects everything, as the program has asked for, and calls finalizers.
pub fn collect(world: Gc<World>, depth: i64) {
    match collected() {
        Some(collected) => {
            collected.collect();
            collected.finalize(world, depth);
        }
        None => collect_garbage(CollectScope::All),
    }
}

/// Whether a finalizer runs.
pub fn is_finalizing() -> bool {
    collected().is_some_and(|collected| collected.is_finalizing.get())
}

impl Collected {
    #[inline(never)]
    fn collect(&self) {
        self.quiet.set(0);
        overwrite_stack();
        collect_garbage(CollectScope::All);
    }

    fn is_ready(&self) -> bool {
        self.finalized.ready() + self.files.ready() > 0
    }

    /// Calls the finalizers that are due, and closes files, unless one of them runs.
    fn finalize(&self, world: Gc<World>, depth: i64) {
        if self.is_finalizing.replace(true) {
            return;
        }
        let _finalizing = Finalizing(&self.is_finalizing);
        while let Some(table) = self.finalized.next() {
            let handler = match metatable(table) {
                Some(meta) => get_str(meta, world.names[meta::GC]),
                None => Value::Nil,
            };
            if handler.is_nil() {
                continue;
            }
            let args = list1(Value::Table(table));
            let depth = call::depth_in_library(world, depth);
            if let Err(fault) = outside::guarded(world, handler, args, 0, 1, Value::Nil, depth) {
                outside::warn_of_finalizer(fault);
            }
        }
        while let Some(file) = self.files.next() {
            io::abandon(file);
        }
    }
}

/// While there is one, a finalizer runs; also if a panic leaves it.
struct Finalizing<'a>(&'a cell::Cell<bool>);

impl Drop for Finalizing<'_> {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// Frames that have ended leave words behind, which look like references to what was in them.
#[inline(never)]
fn overwrite_stack() {
    std::hint::black_box([0u64; 2048]);
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
        let (items, mut len) = (table.items.get(), table.len.get());
        while len > 0 && items[len - 1].get().is_nil() {
            len -= 1;
        }
        table.len.set(len);
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
