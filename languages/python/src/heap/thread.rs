//! Threads of the program as the heap has them. In, out: the numbers of coroutines. Invariant: the
//! coroutine of a thread belongs to such an object, so it lives as long as that.

use verdigris::{List, prelude::*};

/// A thread: it runs on a native stack of its own.
#[gc]
pub struct ThreadStack {
    /// The number of its coroutine; 0 if it has ended.
    pub number: Cell<u64>,
}

/// The threads by their numbers, of which the last is always one that has not ended.
pub type Threads = Gc<List<Gc<ThreadStack>>>;

/// Finds a place for a thread. Its number.
pub fn add(all: Threads, thread: Gc<ThreadStack>) -> usize {
    let free = (0..all.len()).find(|&n| all.at(n).number.get() == 0);
    match free {
        Some(free) => {
            all.set(free, thread);
            free
        }
        None => {
            all.push(thread);
            all.len() - 1
        }
    }
}

/// A thread has ended.
pub fn end(all: Threads, thread: Gc<ThreadStack>) {
    thread.number.set(0);
    while !all.is_empty() && all.at(all.len() - 1).number.get() == 0 {
        all.pop();
    }
}
