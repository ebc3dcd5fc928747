//! A system that refuses memory on request: a number of requests is granted, then one is not; or
//! none by which more than so many bytes would be in use.
//!
//! What is counted are the requests of one thread, between [`count`] and the end of what it runs,
//! so that a run has the same number of them each time.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

/// The system's allocator, which refuses what this thread has said.
#[derive(Clone, Copy, Debug)]
pub struct Faulty;

/// What is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// The request with this number, from 0 on.
    Request(u64),
    /// Whatever makes it more bytes than these.
    Bytes(i64),
}

/// What a thread has asked for meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Requests {
    /// How many requests.
    pub number: u64,
    /// The most bytes at a time.
    pub most: i64,
    /// How many were refused.
    pub refused: u64,
}

#[derive(Clone, Copy)]
struct Count {
    fault: Fault,
    bytes: i64,
    requests: Requests,
}

thread_local! {
    static COUNT: Cell<Option<Count>> = const { Cell::new(None) };
}

/// Runs `f` under a fault, which is for this thread alone.
pub fn count<R>(fault: Fault, f: impl FnOnce() -> R) -> (R, Requests) {
    COUNT.set(Some(Count {
        fault,
        bytes: 0,
        requests: Requests::default(),
    }));
    let result = f();
    let count = COUNT.take().expect("a count does not begin within another");
    (result, count.requests)
}

/// Whether a request by which this many more bytes are in use is granted.
fn is_granted(more: i64) -> bool {
    let Some(mut count) = COUNT.get() else {
        return true;
    };
    let is_granted = match count.fault {
        Fault::None => true,
        Fault::Request(number) => count.requests.number != number,
        Fault::Bytes(most) => more <= 0 || count.bytes + more <= most,
    };
    count.requests.number += 1;
    match is_granted {
        true => {
            count.bytes += more;
            count.requests.most = count.requests.most.max(count.bytes);
        }
        false => count.requests.refused += 1,
    }
    COUNT.set(Some(count));
    is_granted
}

fn given_back(bytes: i64) {
    if let Some(mut count) = COUNT.get() {
        count.bytes -= bytes;
        COUNT.set(Some(count));
    }
}

// SAFETY: all blocks are the system's.
unsafe impl GlobalAlloc for Faulty {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match is_granted(layout.size() as i64) {
            // SAFETY: the same promise.
            true => unsafe { System.alloc(layout) },
            false => null_mut(),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match is_granted(layout.size() as i64) {
            // SAFETY: the same promise.
            true => unsafe { System.alloc_zeroed(layout) },
            false => null_mut(),
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match is_granted(size as i64 - layout.size() as i64) {
            // SAFETY: the same promise.
            true => unsafe { System.realloc(block, layout, size) },
            false => null_mut(),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        given_back(layout.size() as i64);
        // SAFETY: the same promise.
        unsafe { System.dealloc(block, layout) }
    }
}
