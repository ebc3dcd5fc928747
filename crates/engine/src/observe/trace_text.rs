//! Traces that a program asked to keep ([`crate::Options::keep_traces`]), for figures, tests and
//! viewers. In: a recorded trace and its optimised form. Out: their texts, and counts by operation.
//! Invariant: texts never contain addresses; a section's text stands by itself, for a section sees
//! only its own values.

use std::collections::BTreeMap;
use verdigris_ops::{DataOp, Descrs, Effect};
use verdigris_trace::{
    Exit, Opcode, Operations, OptimisedOps, OptimisedTrace, RecordedTrace, Trace, TraceForm, ValRef,
};

/// A trace that was compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptTrace {
    /// Where it starts, as the log says it.
    pub title: String,
    /// As recorded; without operations if it was compiled without a run.
    pub recorded: TraceText,
    /// As optimised: for a loop the entry and the body; otherwise one section.
    pub sections: Vec<TraceText>,
}

/// A trace, or a section of one, as text, with its operations counted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceText {
    /// The text.
    pub text: String,
    ops: BTreeMap<&'static str, usize>,
    calls: BTreeMap<String, usize>,
    reads: usize,
    writes: usize,
}

impl KeptTrace {
    pub(crate) fn new(
        title: &str,
        descrs: &Descrs,
        recorded: &RecordedTrace,
        optimised: &OptimisedTrace,
    ) -> KeptTrace {
        let unnumbered = without_numbers(optimised);
        KeptTrace {
            title: title.to_string(),
            recorded: TraceText::new(descrs, recorded, &recorded.inputs, recorded.ops()),
            sections: sections(&unnumbered)
                .into_iter()
                .map(|(inputs, ops)| TraceText::new(descrs, &unnumbered, inputs, ops))
                .collect(),
        }
    }
}

impl TraceText {
    fn new<F: TraceForm>(
        descrs: &Descrs,
        trace: &Trace<F>,
        inputs: &[ValRef],
        ops: Operations<'_, F>,
    ) -> TraceText {
        let mut text = TraceText {
            text: verdigris_trace::print_section(descrs, trace, inputs, ops),
            ops: BTreeMap::new(),
            calls: BTreeMap::new(),
            reads: 0,
            writes: 0,
        };
        for op in ops.iter() {
            *text.ops.entry(op.opcode().name()).or_insert(0) += 1;
            match op.opcode() {
                Opcode::Call => {
                    let name = descrs.fns[op.function()].name.clone();
                    *text.calls.entry(name).or_insert(0) += 1;
                }
                Opcode::Data(data) => text.count_effect(data),
                _ => {}
            }
        }
        text
    }

    fn count_effect(&mut self, data: DataOp) {
        match data.effect() {
            Effect::Read => self.reads += 1,
            Effect::Write => self.writes += 1,
            Effect::Pure | Effect::Alloc => {}
        }
    }

    /// How many operations have this name, such as `int_add` or `guard_class`.
    pub fn count(&self, name: &str) -> usize {
        self.ops.get(name).copied().unwrap_or(0)
    }

    /// How many operations have a name that starts with this, such as `guard_` or `new`.
    pub fn count_all(&self, prefix: &str) -> usize {
        let named = self.ops.iter().filter(|(name, _)| name.starts_with(prefix));
        named.map(|(_, count)| count).sum()
    }

    /// How many residual calls go to the function of this name: its path in the crate, or the end
    /// of it.
    pub fn count_calls(&self, function: &str) -> usize {
        let is_it = |name: &str| {
            name.strip_suffix(function)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with("::"))
        };
        let calls = self.calls.iter().filter(|(name, _)| is_it(name));
        calls.map(|(_, count)| count).sum()
    }

    /// Loads of fields and items, and array lengths.
    pub fn reads(&self) -> usize {
        self.reads
    }

    /// Stores to fields and items.
    pub fn writes(&self) -> usize {
        self.writes
    }

    /// All operations but those that do nothing when run: labels and merge points.
    pub fn total(&self) -> usize {
        let idle = self.count("label") + self.count("merge_point");
        self.ops.values().sum::<usize>() - idle
    }
}

/// The trace without the numbers of its guards, which depend on what else the VM has compiled.
fn without_numbers(trace: &OptimisedTrace) -> OptimisedTrace {
    let mut trace = trace.clone();
    for exit in trace.exits.values_mut() {
        if let Exit::Out { guard, .. } = exit {
            *guard = None;
        }
    }
    trace
}

/// The sections of a trace, each with the values that it starts with.
fn sections(trace: &OptimisedTrace) -> Vec<(&[ValRef], OptimisedOps<'_>)> {
    let ops = trace.ops();
    let is_start = |n: &usize| *n == 0 || ops.at(*n).opcode() == Opcode::Label;
    let starts: Vec<usize> = (0..ops.len()).filter(is_start).collect();
    let ends = starts.iter().skip(1).copied().chain([ops.len()]);
    let section = |(&start, end): (&usize, usize)| {
        let first = ops.at(start);
        let inputs = match first.opcode() {
            Opcode::Label => first.params(),
            _ => &trace.inputs,
        };
        (inputs, ops.slice(start..end))
    };
    starts.iter().zip(ends).map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn sections_stand_by_themselves() {
        let descrs = verdigris_trace::parse_descrs(
            "
            class Int { value: int imm }
            fn a::show(ref) opaque
            ",
        )
        .unwrap();
        let text = "
            [p0]
            label L0(p0)
            i1 = getfield_i(p0) Int.value
            jump L1(i1)
            label L1(i2)
            i3 = int_add(i2, 1)
            p4 = new() Int
            setfield_i(p4, i3) Int.value
            call(p4) a::show
            guard_no_panic() -> [i3] @ 0:1 r0=i3
            jump L1(i3)
            ";
        let optimised = verdigris_trace::parse(&descrs, text).unwrap();
        let recorded = verdigris_trace::parse(&descrs, &text.replace("-> [i3]", "")).unwrap();
        let kept = KeptTrace::new("a loop", &descrs, &recorded, &optimised);
        let [entry, body] = &kept.sections[..] else {
            panic!("two labels make two sections")
        };
        expect![[r#"
            [p0]
            label L0(p0)
            i1 = getfield_i(p0) Int.value
            jump L1(i1)
        "#]]
        .assert_eq(&entry.text);
        assert_eq!((entry.reads(), entry.writes(), entry.total()), (1, 0, 2));
        assert_eq!((body.reads(), body.writes(), body.total()), (0, 1, 6));
        assert_eq!((body.count_calls("show"), body.count_calls("how")), (1, 0));
        assert_eq!((body.count("new"), body.count_all("guard_")), (1, 1));
        assert_eq!(kept.recorded.total(), 8);
    }
}
