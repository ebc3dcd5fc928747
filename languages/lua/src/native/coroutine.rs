//! `coroutine`. In: threads and values. Out: values, or a fault. Invariant: each thread of the
//! program runs on a native stack of its own, so that it yields from within any call; what the
//! program can see of the one that runs, [`World::running`] and the message handler, changes with
//! each switch.
//!
//! Source: Lua 5.4 reference manual, section 6.2.

use super::check;
use super::names::COROUTINE_CLOSE;
use crate::call;
use crate::fault::{self, Fault};
use crate::interned;
use crate::value::{Args, Returned, Thread, Value, Values, World, arguments, list2, one, several};
use verdigris::{
    CoroutineStatus, ExhaustedError, NoStackError, ResumeError, Step, prelude::*, protect,
};

/// How many threads can have resumed each other, as in the reference.
const MOST_NESTED: usize = 190;

/// What a thread is resumed with.
#[derive(Clone, Copy)]
enum Given {
    /// Values.
    Values(Returned),
    /// Nothing: it has to close what it has open, and to end.
    Close,
}

/// What a thread yields or returns.
type Handed = Result<Returned, Gc<Fault>>;

/// An argument that has to be a thread.
#[inline]
pub fn thread(id: usize, args: Args, index: usize) -> Result<Gc<Thread>, Gc<Fault>> {
    match args.at(index) {
        Value::Thread(thread) => Ok(thread),
        other => Err(check::mismatch(id, index, 8, other, index < args.count)),
    }
}

/// Arguments as they are handed over: a list of them, unless there is one.
#[inline]
fn packed(args: Args) -> Returned {
    match args.count {
        1 => one(args.at(0)),
        _ => several(call::behind(args, 0)),
    }
}

/// Calls `coroutine.resume`, with its results or what went wrong.
#[inline]
pub fn resume(world: Gc<World>, thread: Gc<Thread>, args: Args) -> Handed {
    let given = packed(args);
    switch_to(world, thread, given.first, given.all)
}

/// Calls `coroutine.yield`.
#[inline]
pub fn suspend(world: Gc<World>, args: Args) -> Handed {
    let given = packed(args);
    switch_back(world, given.first, given.all)
}

/// What goes wrong without a place of its own.
fn refused(text: &str) -> Gc<Fault> {
    let fault = fault::message(text);
    fault.level.set(0);
    fault
}

/// Makes a thread that runs a function.
#[opaque]
pub fn create(world: Gc<World>, id: usize, function: Value) -> Result<Gc<Thread>, Gc<Fault>> {
    if !matches!(function, Value::Function(_) | Value::Native(_)) {
        return Err(check::mismatch(id, 0, 3, function, true));
    }
    let thread = Thread::new();
    let body = move |given| match given {
        Given::Values(values) => run(world, function, values),
        Given::Close => Ok(one(Value::Nil)),
    };
    match verdigris::Coroutine::<Given, Handed>::new(thread, body) {
        Ok(coroutine) => thread.number.set(coroutine.number()),
        Err(NoStackError) => return Err(world.no_memory),
    }
    Ok(thread)
}

/// Runs the function of a thread to its end.
fn run(world: Gc<World>, function: Value, given: Returned) -> Handed {
    let args = arguments(given.list());
    match protect(|| call::value(world, function, args, 0)) {
        Ok(result) => result,
        Err(ExhaustedError::Heap) => Err(world.no_memory),
        Err(ExhaustedError::Stack) => Err(fault::overflow()),
    }
}

/// While it exists, a thread runs: also if a panic ends that.
struct Running {
    world: Gc<World>,
    thread: Gc<Thread>,
    before: Option<Gc<Thread>>,
}

impl Running {
    fn begin(world: Gc<World>, thread: Gc<Thread>) -> Running {
        let before = world.running.replace(Some(thread));
        thread
            .nested
            .set(before.map_or(0, |before| before.nested.get()) + 1);
        let running = Running {
            world,
            thread,
            before,
        };
        running.exchange_kept();
        running.outer().active.set(world.active.get());
        world.active.set(thread.active.get());
        running
    }

    /// The thread that has resumed it.
    fn outer(&self) -> Gc<Thread> {
        self.before.unwrap_or(self.world.main)
    }

    /// Exchanges what the thread keeps while it does not run.
    fn exchange_kept(&self) {
        let handler = self.world.handler.replace(self.thread.handler.get());
        self.thread.handler.set(handler);
        let depth = self.world.host_depth.replace(self.thread.host_depth.get());
        self.thread.host_depth.set(depth);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.world.running.set(self.before);
        self.exchange_kept();
        self.thread.active.set(self.world.active.get());
        self.world.active.set(self.outer().active.replace(None));
    }
}

/// Runs a thread until it yields or ends.
#[opaque]
fn switch_to(world: Gc<World>, thread: Gc<Thread>, first: Value, all: Option<Values>) -> Handed {
    let nested = world
        .running
        .get()
        .map_or(0, |running| running.nested.get());
    if nested >= MOST_NESTED {
        return Err(refused("C stack overflow"));
    }
    let given = Given::Values(Returned { first, all });
    let running = Running::begin(world, thread);
    let coroutine = verdigris::Coroutine::<Given, Handed>::from_number(thread.number.get());
    let step = coroutine.resume(given);
    drop(running);
    match step {
        Ok(Step::Yielded(handed)) => handed,
        Ok(Step::Returned(handed)) => {
            if let Err(fault) = handed {
                thread.fault.set(Some(fault));
            }
            handed
        }
        Err(ResumeError(CoroutineStatus::Dead)) if !Gc::ptr_eq(thread, world.main) => {
            Err(refused("cannot resume dead coroutine"))
        }
        Err(_) => Err(refused("cannot resume non-suspended coroutine")),
    }
}

/// Suspends the thread that runs.
#[opaque]
fn switch_back(world: Gc<World>, first: Value, all: Option<Values>) -> Handed {
    let Some(thread) = world.running.get() else {
        return Err(refused("attempt to yield from outside a coroutine"));
    };
    let held = world.held.get();
    let is_held = held.is_some_and(|held| Gc::ptr_eq(held, thread));
    if thread.closing.get() || is_held {
        return Err(refused("attempt to yield across a C-call boundary"));
    }
    match verdigris::Coroutine::<Given, Handed>::suspend(Ok(Returned { first, all })) {
        Given::Values(values) => Ok(values),
        Given::Close => {
            // All variables that are to be closed see no error, and no protected call stops it.
            let fault = fault::handled(Value::Nil);
            thread.fault.set(Some(fault));
            Err(fault)
        }
    }
}

/// Calls `coroutine.close`: closes what the thread has open. Gives the error that it has ended
/// with, or that closing has.
#[opaque]
pub fn close(world: Gc<World>, thread: Gc<Thread>) -> Result<Option<Gc<Fault>>, Gc<Fault>> {
    let coroutine = verdigris::Coroutine::<Given, Handed>::from_number(thread.number.get());
    match status(world, thread) {
        SUSPENDED => {}
        DEAD => return Ok(thread.fault.replace(None)),
        NORMAL => return Err(fault::message("cannot close a normal coroutine")),
        _ => return Err(fault::message("cannot close a running coroutine")),
    }
    thread.closing.set(true);
    let running = Running::begin(world, thread);
    let step = coroutine.resume(Given::Close);
    drop(running);
    thread.closing.set(false);
    let asked = thread.fault.replace(None);
    Ok(match step {
        Ok(Step::Returned(Err(fault))) if asked.is_none_or(|asked| !Gc::ptr_eq(asked, fault)) => {
            Some(fault)
        }
        _ => None,
    })
}

/// `coroutine.close`, for native code.
pub fn close_called(world: Gc<World>, args: Args) -> Handed {
    let thread = thread(COROUTINE_CLOSE, args, 0)?;
    Ok(match close(world, thread)? {
        None => one(Value::Bool(true)),
        Some(fault) => several(list2(Value::Bool(false), fault.value.get())),
    })
}

/// Whether this thread runs, or if it is none the program's own. It does not while the stack of a
/// coroutine that is garbage is unwound: then what it had set is not its own any more.
pub fn is_running(world: Gc<World>, thread: Option<Gc<Thread>>) -> bool {
    match (world.running.get(), thread) {
        (None, None) => true,
        (Some(running), Some(thread)) => Gc::ptr_eq(running, thread),
        _ => false,
    }
}

/// Whether the thread that runs is being closed.
pub fn is_closing(world: Gc<World>) -> bool {
    world
        .running
        .get()
        .is_some_and(|thread| thread.closing.get())
}

/// The fault of a function that `coroutine.wrap` has made: it has a place in the caller too.
#[opaque]
pub fn wrapped(world: Gc<World>, fault: Gc<Fault>) -> Gc<Fault> {
    if Gc::ptr_eq(fault, world.no_memory) {
        return fault;
    }
    fault::raised(fault.value.get(), 1)
}

const SUSPENDED: usize = 0;
const RUNNING: usize = 1;
const NORMAL: usize = 2;
const DEAD: usize = 3;

/// What a thread is doing.
fn status(world: Gc<World>, thread: Gc<Thread>) -> usize {
    if Gc::ptr_eq(thread, world.main) {
        return match world.running.get() {
            None => RUNNING,
            Some(_) => NORMAL,
        };
    }
    let coroutine = verdigris::Coroutine::<Given, Handed>::from_number(thread.number.get());
    match coroutine.status() {
        CoroutineStatus::Suspended => SUSPENDED,
        CoroutineStatus::Running => RUNNING,
        CoroutineStatus::Normal => NORMAL,
        CoroutineStatus::Dead => DEAD,
    }
}

/// The same as the program sees it.
#[opaque(writes())]
pub fn shown_status(world: Gc<World>, thread: Gc<Thread>) -> Value {
    let name = ["suspended", "running", "normal", "dead"][status(world, thread)];
    Value::Str(interned::string(world, name.as_bytes()))
}

/// The thread that runs, and whether it is the program's own.
#[inline]
pub fn running(world: Gc<World>) -> Returned {
    match world.running.get() {
        Some(thread) => several(list2(Value::Thread(thread), Value::Bool(false))),
        None => several(list2(Value::Thread(world.main), Value::Bool(true))),
    }
}
