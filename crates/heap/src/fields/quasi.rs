//! Quasi-immutable fields: written so rarely that compiled code assumes their values.
//!
//! Every write of a [`Quasi`] that can be observed goes through [`Watches`](crate::Watches), which
//! names the code that must not run on: from native code in [`Quasi::set`], from traced code in
//! `invalidate`. An address means one field as long as it is watched, because the code that watches
//! keeps the object alive. Source: the quasi-immutable fields of RPython.

#![allow(unsafe_code)]

use crate::context::Context;
use crate::fields::cell::{Cell, Field};
use crate::layout::parts::Parts;
use crate::layout::stored::Stored;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A field of a heap class that is rarely written: a version, a flag, a function that may be
/// redefined.
///
/// Compiled code that reads it in an object that is constant there takes what it holds for a
/// constant, without a load or a check. Writing it stops that code: it is left behind the call that
/// writes, and compiled anew when it is hot again. So reads cost nothing, and writes cost much.
///
/// ```
/// use verdigris_heap::{Gc, HeapOptions, Quasi, gc_class, with_heap};
/// struct Global { value: Quasi<i64> }
/// gc_class! { Global { value: Quasi<i64> } }
/// with_heap(HeapOptions::default(), || {
///     let global = Gc::new(Global { value: Quasi::new(1) });
///     global.value.set(2);
///     assert_eq!(global.value.get(), 2);
/// });
/// ```
/// It is a field, not an item of an array:
/// ```compile_fail,E0080
/// # use verdigris_heap::{GcArray, Quasi};
/// let array = GcArray::<Quasi<i64>>::new(3, 0);
/// ```
#[repr(transparent)]
pub struct Quasi<T: Stored>(Cell<T>);

impl<T: Stored> Quasi<T> {
    /// A field with this content.
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Quasi(Cell::new(value))
    }

    /// The content.
    #[inline(always)]
    pub fn get(&self) -> T {
        self.0.get()
    }

    /// Replaces the content, and stops compiled code that assumes what it was.
    ///
    /// # Panics
    /// If no VM is entered on this thread: the code to stop is not known then.
    #[inline]
    pub fn set(&self, value: T) {
        if Context::current().is_null() {
            outside();
        }
        self.0.set(value);
        let address = (&raw const self.0).addr() as u64;
        for part in <T as Parts>::KINDS {
            // SAFETY: a current context is alive; nothing of it is borrowed while native code runs.
            unsafe { written(Context::current(), address + u64::from(part.offset)) };
        }
    }

    /// Replaces the content and gives the old one.
    #[inline]
    pub fn replace(&self, value: T) -> T {
        let old = self.get();
        self.set(value);
        old
    }
}

impl<T: Stored + std::fmt::Debug> std::fmt::Debug for Quasi<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Quasi").field(&self.get()).finish()
    }
}

impl<T: Stored + Default> Default for Quasi<T> {
    fn default() -> Self {
        Quasi::new(T::default())
    }
}

// SAFETY: transparent over a cell of the same content.
unsafe impl<T: Stored> Field for Quasi<T> {
    type Value = T;
    const IMMUTABLE: bool = false;
    const QUASI: bool = true;
    #[inline(always)]
    fn with_value(value: T) -> Self {
        Quasi::new(value)
    }
}

#[cold]
#[inline(never)]
fn outside() -> ! {
    panic!(
        "a `Quasi` was written outside `Vm::enter`, where nobody can stop the code that relies on it"
    )
}

/// The quasi-immutable field at this address has been written.
///
/// # Safety
/// `ctx` is the current context, of which nothing is borrowed.
#[inline]
pub(crate) unsafe fn written(ctx: *mut Context, address: u64) {
    // SAFETY: the caller's promise.
    if unsafe { (*ctx).watches.may_have(address) } {
        // SAFETY: as above.
        unsafe { stop(ctx, address) }
    }
}

/// # Safety
/// `ctx` is the current context, of which nothing is borrowed.
#[cold]
unsafe fn stop(ctx: *mut Context, address: u64) {
    // SAFETY: the caller's promise; what is called gets the context again when the borrow has
    // ended.
    unsafe {
        let codes = (*ctx).watches.take(address);
        if let (false, Some(invalidate)) = (codes.is_empty(), (*ctx).invalidate) {
            invalidate(ctx, &codes);
        }
    }
}

/// Called from machine code behind a store to a quasi-immutable field. The result means nothing. A
/// panic, which can only be that of a hook, waits until machine code has been left.
///
/// # Safety
/// `ctx` is the current context, of which nothing is borrowed.
pub unsafe extern "C" fn vd_invalidate(ctx: *mut Context, address: u64) -> u64 {
    // SAFETY: the caller's promise.
    let result = catch_unwind(AssertUnwindSafe(|| unsafe { written(ctx, address) }));
    if let Err(payload) = result {
        // SAFETY: as above.
        unsafe { (*ctx).set_late(payload) };
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collector::options::HeapOptions;
    use crate::objects::gc::Gc;

    struct Holder {
        flag: Quasi<bool>,
        pair: Quasi<(i64, f64)>,
    }
    crate::gc_class! { Holder { flag: Quasi<bool>, pair: Quasi<(i64, f64)> } }

    unsafe fn note(ctx: *mut Context, codes: &[u32]) {
        // SAFETY: the test's context is current.
        let log = unsafe { &mut *(*ctx).engine.cast::<Vec<u32>>() };
        log.extend_from_slice(codes);
    }

    #[test]
    fn a_write_stops_who_watches_once() {
        let mut log: Vec<u32> = Vec::new();
        let mut ctx = Context::new(HeapOptions::default());
        ctx.engine = (&raw mut log).cast();
        ctx.invalidate = Some(note);
        let ctx = &raw mut *ctx;
        // SAFETY: the context lives until the end of the test.
        unsafe {
            Context::enter(ctx, || {
                let holder = Gc::new(Holder {
                    flag: Quasi::new(false),
                    pair: Quasi::new((1, 0.5)),
                });
                let flag = (&raw const holder.flag).addr() as u64;
                let second = (&raw const holder.pair).addr() as u64 + 8;
                let watches = &mut (*ctx).watches;
                watches.add(flag, 1);
                watches.add(flag, 2);
                watches.add(flag, 2);
                watches.add(second, 3);
                watches.add(second, 4);
                watches.remove(second, 4);
                holder.flag.set(true);
                holder.flag.set(false);
                assert_eq!(holder.pair.replace((2, 1.5)), (1, 0.5));
                assert!((*ctx).watches.is_empty());
            });
        }
        assert_eq!(log, [1, 2, 3]);
    }

    #[test]
    fn a_write_needs_somebody_to_ask() {
        let flag = Quasi::new(1);
        assert_eq!(flag.get(), 1);
        let payload = catch_unwind(AssertUnwindSafe(|| flag.set(2))).unwrap_err();
        let message = payload.downcast_ref::<&str>().expect("a message");
        assert!(message.contains("outside `Vm::enter`"), "{message}");
        assert_eq!(flag.get(), 1);
    }

    unsafe fn fail(_: *mut Context, _: &[u32]) {
        panic!("somebody who was told");
    }

    #[test]
    fn a_panic_waits_while_machine_code_is_in_the_way() {
        let mut ctx = Context::new(HeapOptions::default());
        ctx.invalidate = Some(fail);
        ctx.watches.add(8, 1);
        let ctx = &raw mut *ctx;
        // SAFETY: the context lives until the end of the test.
        unsafe {
            Context::enter(ctx, || {
                assert_eq!(vd_invalidate(ctx, 8), 0);
                assert!((*ctx).take_late().is_some() && (*ctx).take_late().is_none());
            });
        }
    }
}
