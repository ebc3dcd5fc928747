//! Taking virtualizable places back from suspended code.

use crate::context::Context;
use crate::context::payloads::HeapExhausted;
use crate::context::suspended::Access;

/// Takes everything that suspended code of this context keeps, since its places are not asked for
/// while another VM is entered.
///
/// # Panics
/// With [`HeapExhausted`] if objects have to be made for it and there is no room.
pub(crate) fn give_up_everything(ctx: *mut Context) {
    // SAFETY: the context is current.
    if unsafe { !(*ctx).suspended.is_null() } {
        claim_or_raise(ctx, 0, Access::Everything);
    }
}

#[cold]
#[inline(never)]
pub(crate) fn claim_or_raise(ctx: *mut Context, address: u64, access: Access) {
    // SAFETY: the context is current; nothing of it is borrowed while native code runs.
    if unsafe { claim(ctx, address, access) }.is_err() {
        HeapExhausted::raise()
    }
}

/// # Safety
/// `ctx` is the current context, of which nothing is borrowed.
pub(crate) unsafe fn claim(
    ctx: *mut Context,
    address: u64,
    access: Access,
) -> Result<(), HeapExhausted> {
    // SAFETY: the caller's promise.
    match unsafe { (*ctx).claim } {
        // SAFETY: as above.
        Some(claim) => unsafe { claim(ctx, address, access) },
        None => Ok(()),
    }
}
