//! Finalizers: `__del__` of objects that nothing refers to any more. In: objects when they are
//! made, collections, the end of the program. Out: calls of `__del__`. Invariants: each object is
//! finalized once, where another one with a finalizer is made, in a collection that the program has
//! asked for, or at the end; what a finalizer raises is said on standard error and goes no further;
//! classes without finalizers pay nothing in compiled code.

use crate::heap::exception::Thrown;
use crate::heap::instance::Instance;
use crate::heap::value::Value;
use crate::heap::world::World;
use crate::run::objects::import;
use std::cell::RefCell;
use std::rc::Rc;
use verdigris::{CollectScope, FinalQueue, collect_garbage, prelude::*};

thread_local! {
    static QUEUE: RefCell<Option<Rc<FinalQueue<Gc<Instance>>>>> = const { RefCell::new(None) };
}

/// A new world has no such objects.
pub fn begin() {
    QUEUE.set(Some(Rc::new(FinalQueue::new())));
}

fn queue() -> Option<Rc<FinalQueue<Gc<Instance>>>> {
    QUEUE.with_borrow(Clone::clone)
}

/// An object with a finalizer has been made. Others are finalized that have died meanwhile.
///
/// # Errors
/// None of a finalizer; what keeps the library from being loaded.
#[opaque]
pub fn watch(world: Gc<World>, object: Value, depth: i64) -> Result<(), Thrown> {
    if let (Some(queue), Value::Instance(own)) = (queue(), object) {
        queue.watch(own);
    }
    run(world, depth)
}

/// Collects everything, and calls the finalizers of what has died.
///
/// # Errors
/// As [`watch`].
pub fn collect(world: Gc<World>, depth: i64) -> Result<(), Thrown> {
    overwrite_stack();
    collect_garbage(CollectScope::All);
    run(world, depth)
}

/// Frames that have ended leave words behind, which look like references to what was in them.
#[inline(never)]
fn overwrite_stack() {
    std::hint::black_box([0u64; 2048]);
}

/// The program ends: the finalizers of all objects are called that have some.
///
/// # Errors
/// As [`watch`].
pub fn end(world: Gc<World>) -> Result<(), Thrown> {
    if let Some(queue) = queue() {
        queue.end();
        run(world, 0)?;
    }
    QUEUE.set(None);
    Ok(())
}

fn run(world: Gc<World>, depth: i64) -> Result<(), Thrown> {
    let Some(queue) = queue() else {
        return Ok(());
    };
    while let Some(own) = queue.next() {
        import::call(world, "_finalize", "call", &[Value::Instance(own)], depth)?;
    }
    Ok(())
}
