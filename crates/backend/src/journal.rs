//! A journal of machine code for profilers and debuggers: code that is made and freed, in order,
//! with its bytes, its unwind rules, and the operations of its instructions. Of two events about
//! one address the later one holds. Nothing is recorded unless the engine has asked for a journal.
//!
//! It is data and no callback, so that a backend does not know its readers, and no reader is called
//! in the middle of a compilation.

use verdigris_trace::TargetId;

/// A change of machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodeEvent {
    /// Code has been made.
    Made(Box<MachineCode>),
    /// The code at this address has been freed.
    Freed(usize),
}

/// Machine code that lies in one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MachineCode {
    /// Its kind.
    pub what: CodeKind,
    /// Where it is executed.
    pub address: usize,
    /// Its bytes, as they were at first.
    pub bytes: Vec<u8>,
    /// Unused bytes behind the code ([`room`]).
    pub room: usize,
    /// The unwind rules, by the offset from which each holds, in order.
    pub frames: Vec<(u32, UnwindRule)>,
    /// How far the stack pointer lies below the frame pointer at calls, at most three words of
    /// arguments aside; none if that differs.
    pub below: Option<u32>,
    /// The operations of the trace, by the offset at which the code of each begins, in order; none
    /// for code that belongs to no trace.
    pub ops: Vec<(u32, u32)>,
}

/// A kind of code.
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
    /// The frame begins this far above this register: there the stack pointer was before the
    /// call.
    Begins {
        /// The register.
        register: u16,
        /// The distance.
        above: u32,
    },
    /// The caller's content of a register lies this far below the beginning of the frame.
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

/// How many bytes to leave free behind code with this number of unwind rules. `perf` takes for
/// granted that what unwinders read about code lies behind it, and that nothing else is at these
/// addresses; it has the bytes from a file. This is more than they take.
pub fn room(frames: usize) -> usize {
    128 + 12 * frames
}
