//! The text form of traces and of the descriptors they mention. What stands behind a guard depends
//! on the trace's form.
//!
//! Invariant: `parse(print(x)) == x` for a *canonical* trace (values numbered in the order of their
//! definition, snapshots in the order of their first use with no snapshot twice, object constants
//! in the order of their first use), and `print(parse(print(x))) == print(x)` for every trace. Text
//! holds no addresses: an object constant prints as `ref(n)`, its place in a table that the caller
//! may pass along. The grammar, by example:
//!
//! ```text
//! [i0, p1]                                  the inputs: i = int, p = ref, f = float
//! merge_point(3, ref(0))
//! i2 = getfield_i(p1) IntObj.value          the descriptor stands behind the arguments
//! guard_class(p1) IntObj
//!   @ 2:17 r3=i2 r4=p1 | 0:5 r1=i0          recorded: frames `code:pc registers`, innermost first
//! i3 = call(p1, i2) interp::lookup
//! guard_no_panic() g7
//!   -> [i0, p1]                             optimised: the fail arguments, ...
//!   v0 = IntObj{value: i0}                  ... objects to be made, ...
//!   v1 = Stack[v0, null]
//!   p1.Frame.sp = 4                         ... stores to be done, ...
//!   p1.Stack[3] = v0
//!   @ 0:5 r1=v0                             ... and the frames.
//! jump L0(i3, p1)                           or: label L0(i4, p5), finish(i3), finish()
//! ```
//!
//! Line breaks are white space, `//` starts a comment.

mod descrs;
mod exits;
mod form;
mod parse;
mod print;
mod scan;
mod snapshots;

pub use descrs::{parse_descrs, print_descrs};
pub use form::TraceForm;
pub use parse::{parse, parse_with};
pub use print::{print, print_section, print_with};
pub use scan::TraceParseError;
