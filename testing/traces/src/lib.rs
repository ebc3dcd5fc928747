//! Random traces, and the machines that they are compared with. A difference is a panic that shows
//! traces and inputs. A seed means the same trace for ever.
//!
//! * [`loops`], [`bridges`], [`arrivals`], [`kept`]: the optimiser. A model machine ([`model`]),
//!   which shares nothing with the system, runs recorded and optimised traces: they leave at the
//!   same guard, with the same frames, heap, and history of calls.
//! * [`backends`]: machine code against the oracle, on optimised traces with everything that the
//!   optimiser may write.

#![warn(missing_docs)]
#![warn(clippy::undocumented_unsafe_blocks)]

pub mod arrivals;
pub mod backends;
pub mod bridges;
pub mod frames;
pub mod generate;
mod hosts;
pub mod kept;
pub mod loops;
pub mod model;
pub mod vm;
pub mod world;

pub use hosts::{Looking, NoObjects};

use model::Machine;
use verdigris_ops::Descrs;
use verdigris_trace::{RecordedTrace, parse, parse_descrs, verify};

/// The work of a comparison.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Work {
    /// Runs that were compared. None: a random trace may contradict itself, or run for too long.
    pub compared: u64,
    /// Runs in which values that the code kept were taken.
    pub taken: u64,
    /// Operations that were executed, of all traces.
    pub operations: u64,
    /// Loops whose body assumes nothing, since no state settled. (Those that contradict their own
    /// end are not counted.)
    pub generic: u64,
}

impl Work {
    /// Counts what a machine has executed, which began with all its fuel.
    fn count(&mut self, machine: &Machine) {
        self.operations += u64::from(FUEL - machine.fuel);
    }
}

/// How many operations a run may take.
pub(crate) const FUEL: u32 = 20_000;

/// Reads a recorded trace.
///
/// # Errors
/// If the text is none.
pub fn recorded(descrs: &str, text: &str) -> Result<(Descrs, RecordedTrace), String> {
    let descrs = parse_descrs(descrs).map_err(|error| format!("{error:?}"))?;
    let trace = parse(&descrs, text).map_err(|error| format!("{error:?}"))?;
    verify(&descrs, &trace).map_err(|error| format!("{error:?}"))?;
    Ok((descrs, trace))
}

/// The classes and functions of random traces, and of most tests of the optimiser.
pub const DESCRS: &str = "
    class Int { value: int imm }
    class Float { value: float imm }
    class Pair { first: ref, second: ref }
    class Node { next: ref, value: int }
    class Frame { sp: int }
    class Small { tiny: u8, short: i16 }
    array Stack { ref }
    array Attrs { ref }
    array Code { int imm }
    class Union { tag: int, whole: int if tag in (1, 2), object: ref if tag in (2, 3) }
    array Unions { int }
    array Unions#1 { int if Unions in (1, 2) }
    array Unions#2 { ref if Unions in (2, 3) }
    class Lean { tag: int, word: word }
    array Leans { int }
    array Leans#1 { word }
    array Links { int }
    array Links#1 { ref }
    fn touch() opaque
    fn show(ref) opaque
    fn sum(int, int) -> int elidable
    fn split(int) -> (int, float) elidable
    fn both(ref) -> (ref, int) opaque
    fn lean(int) -> (int, word) elidable
    fn peek(ref) opaque reads(Node.value, Stack[]) writes()
    fn bump(ref) opaque reads(Node.value) writes(Node.value)
    fn cut(ref, ref) opaque reads() writes(Pair.first, Stack[])
    fn log() opaque reads() writes()
    fn scan(ref) opaque reads(*) writes(Frame.sp)
    fn find(ref, int) -> int readonly reads(Node.value, Stack[]) writes()
    fn base() -> int readonly reads() writes()
";
