//! An account of machine code, for profilers and debuggers. In: what a backend makes and frees.
//! Out: a list of events, in order, with the code's bytes, what it is, how to get from its frame to
//! the caller's, and which operation each instruction is for. Invariants: nothing is noted unless
//! the engine has asked for a journal; of two events about one address the later one holds.
//!
//! It is data and no call, so that a backend does not know what reads it, and the reader is not
//! called in the middle of a compilation.

use verdigris_trace::TargetId;

/// What has happened to machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeEvent {
    /// There is more of it.
    Made(Box<MachineCode>),
    /// The code that was made at this address is no more.
    Freed(usize),
}

/// Machine code that lies in one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineCode {
    /// What it is.
    pub what: CodeKind,
    /// Where it is executed.
    pub address: usize,
    /// Its bytes, as they were at first.
    pub bytes: Vec<u8>,
    /// So many bytes behind them are used for nothing else ([`room`]).
    pub room: usize,
    /// From these offsets on, what has changed in the way to the caller's frame. In order.
    pub frames: Vec<(u32, UnwindRule)>,
    /// Where it calls something, the stack pointer lies so many bytes below the frame pointer, and
    /// at most three words of arguments lower; none if that is not so everywhere.
    pub below: Option<u32>,
    /// From these offsets on, the operation of the trace that instructions are for. In order; none
    /// for code that belongs to no trace.
    pub ops: Vec<(u32, u32)>,
}

/// What a piece of code is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeKind {
    /// The trace that was compiled, or one section of it.
    Trace(Option<TargetId>),
    /// The way from Rust into the trace that was compiled, and back.
    Entry,
    /// Code that traces share.
    Shared(&'static str),
}

/// A change in the way from a frame to its caller's, in terms of DWARF: registers have the numbers
/// that the processor's psABI gives them. When code is called, all registers are the caller's, and
/// the stack pointer is where the call has left it.
///
/// Source: DWARF 5, section 6.4.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnwindRule {
    /// The frame begins so many bytes above this register: there the stack pointer was before the
    /// call.
    Begins {
        /// The register.
        register: u16,
        /// The distance.
        above: u32,
    },
    /// The caller's content of a register lies so many bytes below the beginning of the frame.
    Saved {
        /// The register.
        register: u16,
        /// The distance.
        below: u32,
    },
    /// A register holds what it held in the caller.
    Kept {
        /// The register.
        register: u16,
    },
}

/// How many bytes to leave free behind code with so many changes of its frame. `perf` takes for
/// granted that what unwinders read about code lies behind it, and that nothing else is at these
/// addresses; it has the bytes from a file. This is more than they take.
pub fn room(frames: usize) -> usize {
    128 + 12 * frames
}
