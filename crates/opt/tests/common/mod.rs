//! Shared by the optimiser's tests: reading, optimising, checking; and a model machine.

#![allow(dead_code)]

pub mod frames;
pub mod generate;
pub mod looking;
pub mod model;

use expect_test::Expect;
use verdigris_ops::{ClassId, DataOp, Descrs, FnId};
use verdigris_opt::{Host, Optimiser, Passes};
use verdigris_trace::{parse, print, verify};

/// A host for traces whose constants are integers and null: there is no object to look into, and elidable functions
/// add their arguments, for each of their results.
pub struct NoObjects;

impl Host for NoObjects {
    fn load(&mut self, op: DataOp, _: &[u64], _: u32) -> u64 {
        panic!("{op} on a constant object")
    }

    fn call(&mut self, _: FnId, args: &[u64]) -> Option<Vec<u64>> {
        let sum = args.iter().copied().fold(0, u64::wrapping_add);
        Some(vec![sum, sum])
    }

    fn class_of(&self, _: u64) -> Option<ClassId> {
        None
    }
}

/// The classes that the tests use.
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
    fn touch() opaque
    fn show(ref) opaque
    fn sum(int, int) -> int elidable
    fn split(int) -> (int, float) elidable
    fn both(ref) -> (ref, int) opaque
    fn peek(ref) opaque reads(Node.value, Stack[]) writes()
    fn bump(ref) opaque reads(Node.value) writes(Node.value)
    fn cut(ref, ref) opaque reads() writes(Pair.first, Stack[])
    fn log() opaque reads() writes()
    fn scan(ref) opaque reads(*) writes(Frame.sp)
    fn find(ref, int) -> int readonly reads(Node.value, Stack[]) writes()
    fn base() -> int readonly reads() writes()
";

/// Optimises a recorded trace.
pub fn optimised(passes: Passes, text: &str) -> (Descrs, verdigris_trace::Trace) {
    let descrs = verdigris_trace::parse_descrs(DESCRS).expect("the descriptors parse");
    let text = &text.replace("jump(", "jump own(");
    let trace = parse(&descrs, text).unwrap_or_else(|e| panic!("{e:?}"));
    verify(&descrs, &trace).unwrap_or_else(|e| panic!("recorded: {e:?}"));
    let mut optimiser = Optimiser::new(passes);
    let done = optimiser.optimise_loop(&trace, None, &descrs, &mut NoObjects);
    let done = done.expect("the trace is consistent");
    verify(&descrs, &done.trace)
        .unwrap_or_else(|e| panic!("optimised: {e:?}\n{}", print(&descrs, &done.trace)));
    (descrs, done.trace)
}

/// Checks the optimised form of a recorded trace.
pub fn check(passes: Passes, text: &str, expected: Expect) {
    let (descrs, trace) = optimised(passes, text);
    expected.assert_eq(&print(&descrs, &trace));
}

/// Only the operations behind the label: what is left of a trace, without resume data.
pub fn check_left(text: &str, expected: Expect) {
    let (descrs, trace) = optimised(Passes::all(), text);
    let text = print(&descrs, &trace);
    let lines = text.lines().skip(2).filter(|l| !l.starts_with("  "));
    expected.assert_eq(&lines.fold(String::new(), |all, l| all + l + "\n"));
}
