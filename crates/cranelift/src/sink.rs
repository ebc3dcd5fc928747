//! Loads that only exits need. In: a section. Out: the loads that are done in the cold blocks of
//! the guards that hand their values over, and not on the main line. Invariant: between such a load
//! and the last of its guards nothing is stored and nothing is called, so that the exit finds what
//! the load would have found.
//!
//! They come from values of several components: an interpreter moves all of a value before it looks
//! at the tag, and behind the tag's guard the components are known that the value does not use.

use rustc_hash::FxHashMap;
use verdigris_backend::Section;
use verdigris_ops::{DataOp, Effect};
use verdigris_trace::{Opcode, OptimisedOp, ValRef};

/// In as many exits a load is done at most: each has its own copy.
const MAX_EXITS: u32 = 2;

/// A load that only guards have needed so far.
struct Candidate {
    op: usize,
    exits: u32,
    /// How many casts to a double there are, each of which can load for itself.
    casts: u32,
    /// How many operations in front of it write.
    writes: u32,
}

/// The loads to do in exits, by their results: their places among the section's operations.
pub(crate) fn late_loads(section: &Section<'_>) -> FxHashMap<ValRef, usize> {
    let mut candidates: FxHashMap<ValRef, Candidate> = FxHashMap::default();
    let mut writes = 0;
    for (n, op) in section.ops.iter().enumerate() {
        for v in op.args().values() {
            match candidates.get_mut(&v) {
                // The cast loads for itself.
                Some(c) if is_float_cast(op) && c.writes == writes => c.casts += 1,
                Some(_) => drop(candidates.remove(&v)),
                None => {}
            }
        }
        for v in op.fail_args() {
            if let Some(c) = candidates.get_mut(v) {
                c.exits += 1;
                if c.exits > MAX_EXITS || c.writes != writes {
                    candidates.remove(v);
                }
            }
        }
        writes += u32::from(is_write(op));
        if let (Opcode::Data(data), Some(result)) = (op.opcode(), op.result())
            && data.effect() == Effect::Read
            && data != DataOp::HasClass
        {
            candidates.insert(
                result,
                Candidate {
                    op: n,
                    exits: 0,
                    casts: 0,
                    writes,
                },
            );
        }
    }
    for v in section.end.args().iter().filter_map(|a| a.as_ref()) {
        candidates.remove(&v);
    }
    let late = candidates
        .into_iter()
        .filter(|(_, c)| c.exits > 0 || c.casts > 0);
    late.map(|(v, c)| (v, c.op)).collect()
}

fn is_float_cast(op: OptimisedOp<'_>) -> bool {
    op.opcode() == Opcode::Data(DataOp::FloatFromWord)
}

fn is_write(op: OptimisedOp<'_>) -> bool {
    match op.opcode() {
        Opcode::Data(data) => data.effect() == Effect::Write,
        Opcode::Call => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verdigris_backend::loop_sections;
    use verdigris_trace::{parse, parse_descrs};

    /// The loads of a trace that are done in exits.
    fn late(ops: &str) -> Vec<String> {
        let descrs = parse_descrs("class Node { next: ref, value: int } fn touch() opaque");
        let descrs = descrs.expect("the descriptors parse");
        let trace = parse(&descrs, &format!("[p0, i1]\nlabel L0(p0, i1)\n{ops}"));
        let trace = trace.expect("the trace parses");
        let sections = loop_sections(&descrs, &trace, &|_| None);
        let sections = sections.expect("the trace can be compiled");
        let mut late: Vec<String> = (late_loads(&sections[0]).keys())
            .map(|v| v.to_string())
            .collect();
        late.sort();
        late
    }

    #[test]
    fn what_only_exits_need_is_loaded_there() {
        let ops = "
            i2 = getfield_i(p0) Node.value
            p3 = getfield_r(p0) Node.next
            guard_true(i1) g1 -> [i2, p3] @
            finish(i2)";
        assert_eq!(late(ops), ["v3"]);
    }

    #[test]
    fn a_store_or_a_call_in_between_keeps_the_load() {
        let between = |op: &str| {
            late(&format!(
                "i2 = getfield_i(p0) Node.value
                {op}
                guard_true(i1) g1 -> [i2] @
                finish()"
            ))
        };
        assert_eq!(between("").len(), 1);
        assert!(between("setfield_i(p0, 1) Node.value").is_empty());
        assert!(between("call() touch").is_empty());
    }

    #[test]
    fn a_load_that_many_exits_need_is_done_once() {
        let guards = |n| {
            let guards: String = (1..=n)
                .map(|n| format!("guard_true(i1) g{n} -> [i2] @\n"))
                .collect();
            late(&format!("i2 = getfield_i(p0) Node.value\n{guards}finish()"))
        };
        assert_eq!(guards(2).len(), 1);
        assert!(guards(3).is_empty());
    }
}
