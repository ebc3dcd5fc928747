//! What keeps the cost of a long trace proportional to its length. In: generated traces, longer and longer. Out: how much
//! a guard lists. Invariant under test: beyond a bound it does not grow, and nothing is lost.

use crate::common::optimised;
use verdigris_opt::Passes;
use verdigris_trace::{Opcode, Trace};

/// This many stores to different items of an array, and a guard behind them.
fn stores(count: usize) -> Trace {
    let stores: String = (0..count)
        .map(|index| format!("setitem_r(p0, {index}, p1) Stack\n"))
        .collect();
    let text = format!("[p0, p1, i2]\n{stores}guard_true(i2) @ 0:1 r0=p0\nfinish(i2)\n");
    optimised(Passes::all(), &text).1
}

/// The stores that the trace does before its guard, and those that the guard does.
fn done_and_delayed(trace: &Trace) -> (usize, usize) {
    let guard = trace.ops.iter().position(|op| op.opcode.is_guard());
    let guard = guard.expect("the guard stays");
    let is_store = |opcode: Opcode| opcode.name().starts_with("setitem");
    let done = trace.ops[..guard].iter().filter(|op| is_store(op.opcode));
    let resume = trace.ops[guard].resume.as_ref().expect("resume data");
    (done.count(), resume.pending.len())
}

#[test]
fn few_stores_are_all_delayed() {
    assert_eq!(done_and_delayed(&stores(10)), (0, 10));
}

#[test]
fn a_guard_does_a_bounded_number_of_stores_and_the_trace_the_others() {
    let (_, most) = done_and_delayed(&stores(100));
    assert!((8..64).contains(&most), "{most}");
    for count in [100, 200, 400] {
        assert_eq!(done_and_delayed(&stores(count)), (count - most, most));
    }
}
