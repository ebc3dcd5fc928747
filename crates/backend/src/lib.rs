//! The interface between optimised traces and machine code, and the interpreting backend, which is
//! the [`Oracle`] for the others.
//!
//! A [`Backend`] compiles an [`OptimisedTrace`] whose guards and labels carry the identities that
//! the engine gave them. [`loop_sections`] and [`bridge_sections`] cut a trace into [`Section`]s
//! and check what every backend relies on, so that a compilation fails before it has changed
//! anything. The optimiser has done its work: a backend selects instructions and allocates
//! registers, and changes nothing of a trace's meaning.
//!
//! # Exits
//!
//! Code is entered at a label ([`Entry::run`]) and left in one of three ways ([`CodeExit`]).
//!
//! * **A guard fails.** Word `i` of [`Context::exits`] is then fail argument `i` of the guard, a
//!   double as its bits; there are at most [`MAX_FAIL_ARGS`]. All operations in front of the guard
//!   have taken effect, and none behind it. A guard with a bridge goes there instead: its fail
//!   arguments are the inputs of the bridge, and no word passes through the buffer.
//!   `guard_not_forced` also leaves the state of its call's record in [`Context::resumed`], whether
//!   it has a bridge or not.
//! * **The portal returns** (`finish`). The words of the result are in [`Context::exits`].
//! * **The heap is exhausted.** An allocation has found no memory, and the code leaves at once,
//!   without words.
//!
//! A guard whose exit is a *side* goes on at a label of its own trace, with its fail arguments as
//! the label's parameters. It has no identity and no bridge, and is never forced to fail: the code
//! at the side relies on the guard's failure.
//!
//! Where values are between the failure and the exit buffer is the backend's own affair. x64
//! describes their places as data and lets a bridge go on with the values where they are (decision
//! 19); Cranelift passes them as the parameters of a tail call.
//!
//! # The collector
//!
//! An operation that allocates or calls may collect. Objects do not move, and the collector scans
//! the native stack and the callee-saved registers conservatively, so an object that is needed
//! afterwards must be there by its own address, not only by an address within it. [`barriers`]
//! decides which stores mark a card, and [`groups`] which allocations move the cursor together.
//! Memory between [`Context::cursor`] and [`Context::limit`] is zero.
//!
//! # Calls
//!
//! A residual call calls the thunk of its function, or passes the arguments in memory if there is
//! none. The first word of a result is returned, the others are in [`Context::results`]. A panic
//! waits in the context for the `guard_no_panic` or `guard_not_forced` behind the call. In front of
//! a call that has a `guard_not_forced` behind it, the code puts up a
//! [`Suspended`] for what the guard says that it keeps, and takes it
//! down behind the call. [`direct_callee`] finds calls of compiled code, which go there only if the
//! stack pointer is above [`Context::stack_limit`]; a callee that is left otherwise than by its end
//! is finished by [`Context::finish_call`].
//!
//! [`Context::cursor`]: verdigris_heap::Context::cursor
//! [`Context::exits`]: verdigris_heap::Context::exits
//! [`Context::finish_call`]: verdigris_heap::Context::finish_call
//! [`Context::limit`]: verdigris_heap::Context::limit
//! [`Context::results`]: verdigris_heap::Context::results
//! [`Context::resumed`]: verdigris_heap::Context::resumed
//! [`Context::stack_limit`]: verdigris_heap::Context::stack_limit
//! [`OptimisedTrace`]: verdigris_trace::OptimisedTrace
//! [`Suspended`]: verdigris_heap::Suspended

#![warn(clippy::undocumented_unsafe_blocks)]

pub mod arena;
pub mod barriers;
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
mod forked;
pub mod groups;
mod interface;
pub mod interpret;
pub mod journal;
pub mod listing;
mod oracle;
mod retired;
pub mod sabotage;
mod sections;

pub use interface::{
    Backend, BackendError, COUNT, Callees, CodeExit, CompileOutput, Entry, Env, MAX_FRAME,
    direct_callee,
};
pub use oracle::Oracle;
pub use retired::{Retired, RunningCode};
pub use sections::{
    LabelTypes, MAX_FAIL_ARGS, Section, SectionEnd, bridge_sections, loop_sections,
};
