//! The record of what compiled code keeps to itself during a call.

/// What compiled code keeps to itself during a call: the head, followed by the words that the guard
/// behind the call lists as kept (`Resume::kept`). It lies where the collector looks
/// conservatively.
#[repr(C)]
#[derive(Debug)]
pub struct Suspended {
    /// The record of the code around this one.
    pub outer: *mut Suspended,
    /// The number of the guard behind the call, which says what is kept and where it belongs.
    pub guard: u64,
    /// Flags and ticket: see [`Suspended::TAKEN`]. Compiled code starts with 0.
    pub state: u64,
}

impl Suspended {
    /// Everything that was kept has been made and stored, and is shared now: the guard
    /// behind the call fails. The bits from [`Suspended::TICKET`] say under which number the
    /// objects are known that were made.
    pub const TAKEN: u64 = 2;
    /// The engine knows which objects the record is about.
    pub const LISTED: u64 = 4;
    /// The lowest bit of the number.
    pub const TICKET: u32 = 8;

    /// The words that are kept.
    ///
    /// # Safety
    /// The record is in use, and `len` words follow it.
    pub unsafe fn words<'a>(this: *mut Suspended, len: usize) -> &'a [u64] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts(this.add(1).cast::<u64>(), len) }
    }
}

/// An access to a virtualizable place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read this many bytes at the address.
    Read(u64),
    /// Write, or whatever traced code does.
    Claim,
    /// Do anything with any place, from now on without asking: another VM is entered. The address
    /// says nothing.
    Everything,
}
