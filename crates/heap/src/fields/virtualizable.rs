//! Virtualizable places: fields and items that compiled code may keep to itself while it runs, also
//! across calls.
//!
//! While compiled code makes a call, a [`Suspended`](crate::Suspended) in its own stack frame
//! describes what it keeps; [`Context::suspended`] leads to it. Every other access to a
//! virtualizable place first takes back what suspended code keeps: native code in
//! [`Virtualizable::get`] and [`Virtualizable::set`], traced code through `reclaim`. Source: the
//! virtualizables of RPython, and section 2.5 of "A Specializing Compiler for Free" (2007).

#![allow(unsafe_code)]

use crate::collector::mark::object_size;
use crate::context::Context;
use crate::context::claim::{claim, claim_or_raise};
use crate::context::payloads::HeapExhausted;
use crate::context::suspended::Access;
use crate::fields::cell::{Cell, Field};
use crate::layout::descr::{Header, bits};
use crate::layout::stored::Stored;

/// A field of a heap class, or an item of an array, that belongs to a frame of the guest: compiled
/// code may keep its content in a register, across calls too.
///
/// It is used as a [`Cell`], and differs only in time. In compiled code
/// loads and stores vanish, and what a frame refers to need not be made; a call that is not looked
/// into does not change that. All other code pays for a test at each access. While compiled code
/// waits for a call, reading what it keeps costs a store or two; so does writing, and the compiled
/// code is left behind the call.
///
/// ```
/// use verdigris_heap::{Gc, HeapOptions, Virtualizable, gc_class, with_heap};
/// struct Frame { pc: Virtualizable<i64> }
/// gc_class! { Frame { pc: Virtualizable<i64> } }
/// with_heap(HeapOptions::default(), || {
///     let frame = Gc::new(Frame { pc: Virtualizable::new(1) });
///     frame.pc.set(frame.pc.get() + 1);
///     assert_eq!(frame.pc.get(), 2);
/// });
/// ```
#[repr(transparent)]
pub struct Virtualizable<T: Stored>(Cell<T>);

impl<T: Stored> Virtualizable<T> {
    /// A place with this content.
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Virtualizable(Cell::new(value))
    }

    /// The content.
    ///
    /// # Panics
    /// With [`HeapExhausted`] if objects that only compiled code knows have to be made, and there
    /// is no room.
    #[inline(always)]
    pub fn get(&self) -> T {
        self.ask(Access::Read(size_of::<Self>() as u64));
        self.0.get()
    }

    /// Replaces the content.
    ///
    /// # Panics
    /// As [`Virtualizable::get`].
    #[inline(always)]
    pub fn set(&self, value: T) {
        self.ask(Access::Claim);
        self.0.set(value);
    }

    /// Replaces the content and gives the old one.
    ///
    /// # Panics
    /// As [`Virtualizable::get`].
    #[inline]
    pub fn replace(&self, value: T) -> T {
        let old = self.get();
        self.set(value);
        old
    }

    #[inline(always)]
    fn ask(&self, access: Access) {
        let ctx = Context::current();
        // SAFETY: a current context is alive.
        if !ctx.is_null() && unsafe { !(*ctx).suspended.is_null() } {
            claim_or_raise(ctx, (&raw const self.0).addr() as u64, access);
        }
    }
}

/// In front of an access by traced code: if suspended code keeps places of this object, it gives
/// them back.
///
/// # Errors
/// If objects have to be made for it and the heap limit is reached.
///
/// # Safety
/// `ctx` is the current context, of which nothing is borrowed; `object` is live.
pub(crate) unsafe fn reclaim(ctx: *mut Context, object: u64) -> Result<(), HeapExhausted> {
    // SAFETY: the caller's promise.
    unsafe {
        let header: *mut Header = std::ptr::with_exposed_provenance_mut(object as usize);
        if (*header).bits & bits::KEPT != 0 {
            claim(ctx, object, Access::Claim)?;
            // Compiled code sets the bit and leaves it there.
            (*header).bits &= !bits::KEPT;
        }
    }
    Ok(())
}

/// What machine code calls in front of an access to a virtualizable place, if it has seen the bit
/// in the object's header: suspended code that keeps places of this object gives them back. 0 if
/// the heap is exhausted.
///
/// # Safety
/// `ctx` is the current context, of which nothing is borrowed; `object` is live.
pub unsafe extern "C" fn vd_reclaim(ctx: *mut Context, object: u64) -> u64 {
    // SAFETY: the caller's promise.
    u64::from(unsafe { reclaim(ctx, object) }.is_ok())
}

/// The bit of [`Header::bits`] that compiled code sets in objects that it keeps places of.
pub const KEPT_BIT: u32 = bits::KEPT;

/// Notes in an object's header that suspended code keeps places of it.
///
/// # Safety
/// `object` is live.
pub unsafe fn mark_kept(object: u64) {
    let header: *mut Header = std::ptr::with_exposed_provenance_mut(object as usize);
    // SAFETY: the caller's promise.
    unsafe { (*header).bits |= bits::KEPT };
}

/// The end of the object at this address.
///
/// # Safety
/// `object` is live.
pub unsafe fn object_end(object: u64) -> u64 {
    let start = std::ptr::with_exposed_provenance_mut(object as usize);
    // SAFETY: the caller's promise.
    object + unsafe { object_size(start) } as u64
}

impl<T: Stored + std::fmt::Debug> std::fmt::Debug for Virtualizable<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Virtualizable").field(&self.get()).finish()
    }
}

impl<T: Stored + Default> Default for Virtualizable<T> {
    fn default() -> Self {
        Virtualizable::new(T::default())
    }
}

// SAFETY: transparent over a cell of the same content.
unsafe impl<T: Stored> Field for Virtualizable<T> {
    type Value = T;
    const IMMUTABLE: bool = false;
    const VIRTUALIZABLE: bool = true;
    #[inline(always)]
    fn with_value(value: T) -> Self {
        Virtualizable::new(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collector::options::HeapOptions;
    use crate::context::suspended::Suspended;
    use crate::objects::array::GcArray;
    use crate::objects::gc::Gc;

    struct Frame {
        pc: Virtualizable<i64>,
        pair: Virtualizable<(i64, f64)>,
    }
    crate::gc_class! { Frame { pc: Virtualizable<i64>, pair: Virtualizable<(i64, f64)> } }

    type Log = Vec<(u64, Access)>;

    unsafe fn note(ctx: *mut Context, address: u64, access: Access) -> Result<(), HeapExhausted> {
        // SAFETY: the test's context is current.
        let log = unsafe { &mut *(*ctx).engine.cast::<Log>() };
        log.push((address, access));
        Ok(())
    }

    #[test]
    fn who_comes_asks_while_code_is_suspended() {
        let mut log = Log::new();
        let mut ctx = Context::new(HeapOptions::default());
        ctx.engine = (&raw mut log).cast();
        ctx.claim = Some(note);
        let ctx = &raw mut *ctx;
        let mut record = Suspended {
            outer: std::ptr::null_mut(),
            guard: 0,
            state: 0,
        };
        let mut places = [0; 4];
        // SAFETY: the context lives until the end of the test.
        unsafe {
            Context::enter(ctx, || {
                let frame = Gc::new(Frame {
                    pc: Virtualizable::new(1),
                    pair: Virtualizable::new((1, 0.5)),
                });
                let locals = GcArray::<Virtualizable<i64>>::new(3, 7);
                frame.pc.set(2);
                (*ctx).suspended = &raw mut record;
                assert_eq!(frame.pc.get(), 2);
                frame.pair.set((2, 1.5));
                assert_eq!(locals[2].replace(8), 7);
                (*ctx).suspended = std::ptr::null_mut();
                assert_eq!(locals[2].get(), 8);
                let object = crate::layout::word::Word::to_word(frame);
                places = [
                    (&raw const frame.pc).addr() as u64,
                    (&raw const frame.pair).addr() as u64,
                    (&raw const locals[2]).addr() as u64,
                    object,
                ];
                assert!(places[1] + 16 <= object_end(object));
                reclaim(ctx, object).expect("nothing is made");
                mark_kept(object);
                reclaim(ctx, object).expect("nothing is made");
                reclaim(ctx, object).expect("nothing is made");
            });
        }
        let [pc, pair, item, object] = places;
        assert_eq!(
            log,
            [
                (pc, Access::Read(8)),
                (pair, Access::Claim),
                (item, Access::Read(8)),
                (item, Access::Claim),
                (object, Access::Claim),
            ]
        );
    }
}
