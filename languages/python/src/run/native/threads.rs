//! Threads of the program: each runs on a native stack of its own, and they take turns where one of
//! them says so. In: functions and the numbers of threads. Out: whether a thread has ended.
//! Invariants: which thread comes next is decided by the library's `_thread`, in the first thread,
//! which alone resumes others; what a thread handles, and where it is, it finds as it has left it.

use super::given::Given;
use super::names::*;
use crate::clock;
use crate::heap::exception::Thrown;
use crate::heap::thread::{self, ThreadStack};
use crate::heap::value::Value;
use crate::heap::world::{World, classes};
use crate::plain::fault;
use crate::run::{call, interrupt};
use verdigris::{Coroutine, ExhaustedError, NoStackError, Step, prelude::*, protect};

/// What a thread hands over when it stops.
type Handed = Result<(), Thrown>;

/// How many seconds a program waits at once. Then it looks whether it is interrupted.
const WAIT: f64 = 0.02;

/// Calls such a function.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Result<Value, Thrown> {
    let world = given.world;
    match given.id {
        THREAD_NEW => begin(given, given.at(0)),
        THREAD_RESUME => resume(given),
        THREAD_SUSPEND => {
            if Coroutine::<(), Handed>::running().is_none() {
                let message = "the first thread cannot be suspended";
                return Err(fault::new(world, classes::RUNTIME_ERROR, message));
            }
            let kept = Kept::of(world, given.depth);
            Coroutine::<(), Handed>::suspend(Ok(()));
            kept.put_back(world);
            Ok(Value::None)
        }
        _ => {
            wait(world, given.float(0)?)?;
            Ok(Value::None)
        }
    }
}

/// Waits so many seconds.
///
/// # Errors
/// A `KeyboardInterrupt` meanwhile.
pub fn wait(world: Gc<World>, seconds: f64) -> Result<(), Thrown> {
    let end = clock::running().saturating_add((seconds * 1e9) as i64);
    loop {
        let left = (end - clock::running()) as f64 / 1e9;
        if left <= 0.0 {
            return Ok(());
        }
        clock::sleep(left.min(WAIT));
        interrupt::look(world)?;
    }
}

/// What belongs to the thread that runs.
struct Kept {
    handled: Value,
    scope: Value,
    places: Vec<usize>,
}

impl Kept {
    fn of(world: Gc<World>, depth: i64) -> Kept {
        let count = (depth as usize + 1).min(world.places.len());
        Kept {
            handled: world.handled.get(),
            scope: world.scope.get(),
            places: (0..count).map(|n| world.places[n].get()).collect(),
        }
    }

    fn put_back(&self, world: Gc<World>) {
        world.handled.set(self.handled);
        world.scope.set(self.scope);
        for (n, &place) in self.places.iter().enumerate() {
            world.places[n].set(place);
        }
    }
}

/// Makes a thread that calls a function when it is first resumed. Its number.
fn begin(given: Given, function: Value) -> Result<Value, Thrown> {
    let world = given.world;
    let thread = Gc::new(ThreadStack {
        number: Cell::new(0),
    });
    let body = move |()| run(world, function);
    match Coroutine::<(), Handed>::new(thread, body) {
        Ok(made) => thread.number.set(made.number()),
        Err(NoStackError) => {
            let message = "can't start new thread";
            return Err(fault::new(world, classes::RUNTIME_ERROR, message));
        }
    }
    Ok(Value::Int(thread::add(world.threads, thread) as i64))
}

/// What a thread does. It begins at the depth of a program.
fn run(world: Gc<World>, function: Value) -> Handed {
    world.handled.set(Value::None);
    world.scope.set(Value::None);
    match protect(|| call::value(world, function, call::nothing(), 0)) {
        Ok(result) => result.map(|_| ()),
        Err(ExhaustedError::Heap) => Err(fault::new(world, classes::MEMORY_ERROR, "")),
        Err(ExhaustedError::Stack) => Err(fault::simple(world, fault::RECURSION)),
    }
}

/// Lets a thread run until it stops. Whether it has ended.
fn resume(given: Given) -> Result<Value, Thrown> {
    let world = given.world;
    let number = usize::try_from(given.int(given.at(0))?).unwrap_or(usize::MAX);
    let known = (number < world.threads.len()).then(|| world.threads.at(number));
    let Some(thread) = known.filter(|thread| thread.number.get() != 0) else {
        return Err(fault::new(
            world,
            classes::RUNTIME_ERROR,
            "there is no such thread",
        ));
    };
    let kept = Kept::of(world, given.depth);
    let step = Coroutine::<(), Handed>::from_number(thread.number.get()).resume(());
    kept.put_back(world);
    match step {
        Ok(Step::Yielded(_)) => Ok(Value::Bool(false)),
        Ok(Step::Returned(handed)) => {
            thread::end(world.threads, thread);
            handed.map(|()| Value::Bool(true))
        }
        Err(error) => Err(fault::new(
            world,
            classes::RUNTIME_ERROR,
            &error.to_string(),
        )),
    }
}
