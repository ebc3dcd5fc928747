//! When the program sees what was collected: entries are removed and finalizers called at the end
//! of a loop's turn, at a tail call, and in `collectgarbage`. In: turns of loops. Out: calls of
//! `__gc`. Invariants: nowhere else; one finalizer at a time, and what it ends with is a warning.
//!
//! Source: Lua 5.4 reference manual, section 2.5.

use crate::collected::{self, Collected, collected};
use crate::host;
use crate::meta;
use crate::native::{io, locals, outside};
use crate::table::{get_str, metatable};
use crate::value::{Proto, Value, Values, World, list1};
use std::cell;
use verdigris::{CollectScope, collect_garbage, prelude::*};

/// Turns of loops between two looks at the collector.
const TURNS: i64 = 256;
/// The most turns that a loop waits for a finalizer ([`collected::PATIENCE`]).
const MOST_PATIENCE: u64 = 1 << 26;

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

/// The world is done: finalizers of what is left are called, and no others come.
pub fn end(world: Gc<World>) {
    if let Some(collected) = collected() {
        collected.is_ending.set(true);
        collected.finalized.end();
        collected.finalize(world, 0);
    }
    collected::forget();
}
