//! The limit of the native stack, past which guest code is stopped with
//! [`StackExhausted`](verdigris_heap::StackExhausted): runaway recursion of the guest program ends
//! in a panic that can be caught, not in a signal.
//!
//! Invariants: below the limit there is room for whatever runs between two checks,
//! [`STACK_RESERVE`];
//! tracing, optimising and compiling take more, and begin only where there is [`TRACING`].
//!
//! The engine cannot find the end of a stack that is neither the thread's own nor that of a
//! coroutine of a VM: there, only a configured limit counts.

use std::ops::Range;
use verdigris_backend::MAX_FRAME;
use verdigris_heap::{STACK_RESERVE, running_stack};

// There is room for a frame of compiled code, and as much again.
const _: () = assert!(STACK_RESERVE > 2 * MAX_FRAME);

/// The room that a trace needs: for the reserve, tracer, optimiser and backend.
pub(crate) const TRACING: usize = if cfg!(debug_assertions) {
    512 << 10
} else {
    256 << 10
};

/// An address in the current frame. Stacks grow downwards on every machine that has a backend.
#[inline(always)]
pub(crate) fn here() -> usize {
    let marker = 0u8;
    &raw const marker as usize
}

/// An address right below the frame of the caller.
#[inline(never)]
pub(crate) fn below() -> usize {
    here()
}

/// The address that the stack must stay above: `size` bytes from here, or the end of the thread's
/// stack.
pub(crate) fn limit(size: Option<usize>) -> usize {
    limit_at(here(), own_stack(), size)
}

/// The bytes that are left of this stack, with the reserve.
pub(crate) fn room() -> usize {
    room_at(here(), own_stack())
}

fn limit_at(here: usize, own: Range<usize>, size: Option<usize>) -> usize {
    let wanted = size.map_or(0, |size| here.saturating_sub(size));
    let last = match own.contains(&here) {
        true => own.start + STACK_RESERVE,
        false => 0,
    };
    // The engine takes 0 for a VM that has not been entered.
    wanted.max(last).max(1)
}

fn room_at(here: usize, own: Range<usize>) -> usize {
    match own.contains(&here) {
        true => here - own.start,
        false => usize::MAX,
    }
}

/// The stack that this code runs on, which is this thread's or that of a coroutine.
fn own_stack() -> Range<usize> {
    running_stack().unwrap_or_else(guess_own_stack)
}

/// A guess if the system does not say: the smallest stack that threads usually get.
fn guess_own_stack() -> Range<usize> {
    here().saturating_sub(1 << 20)..usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_below_us_and_a_configured_one_is_nearer() {
        let whole = limit(None);
        let small = limit(Some(64 << 10));
        assert!(whole < small && small < here(), "{whole:#x} {small:#x}");
        assert!(here() - small <= 65 << 10);
    }

    #[test]
    fn every_thread_has_its_own() {
        let ours = limit(None);
        let theirs = std::thread::spawn(|| limit(None)).join().unwrap();
        assert_ne!(ours, theirs);
    }

    /// The bytes above the limit, and those above the end of the stack, on a thread with a stack of
    /// this size.
    fn on_thread(size: usize) -> (isize, usize) {
        std::thread::Builder::new()
            .stack_size(size)
            .spawn(|| (here().wrapping_sub(limit(None)) as isize, room()))
            .unwrap()
            .join()
            .unwrap()
    }

    #[test]
    fn the_reserve_is_the_same_on_every_stack() {
        for size in [64 << 10, 256 << 10, 1 << 20] {
            let (above, room) = on_thread(size);
            // It may be larger than asked for: ended threads leave their stacks to others.
            assert!(room + (16 << 10) > size, "{room} of {size}");
            assert_eq!(above as usize / 1024, (room - STACK_RESERVE) / 1024);
        }
    }

    #[test]
    fn a_stack_smaller_than_the_reserve_is_used_up_from_the_start() {
        let own = 0x10000..0x10000 + STACK_RESERVE / 2;
        let here = own.end - 100;
        assert!(limit_at(here, own.clone(), None) > here);
        assert_eq!(room_at(here, own.clone()), STACK_RESERVE / 2 - 100);
    }

    #[test]
    fn another_stack_than_the_threads_has_only_the_configured_limit() {
        let own = 0x10_0000..0x20_0000;
        for here in [0x8_0000, 0x30_0000] {
            assert_eq!(limit_at(here, own.clone(), Some(0x1000)), here - 0x1000);
            assert_eq!(limit_at(here, own.clone(), None), 1);
            assert_eq!(room_at(here, own.clone()), usize::MAX);
        }
    }
}
