//! Splits a section at a test.
//!
//! Invariants: in front of the test, no delayed store is left that only one of the sides can name;
//! a section can start from the state of the other side.

use crate::builder_sabotage::Sabotage;
use crate::labels::export::{Extent, export_with};
use crate::section::{Cx, Section};
use crate::state::guard_table::GuardOutcome;
use crate::state::knowledge::GuardKnowledge;
use crate::state::label::{Sid, VirtualState};
use crate::state::node::{Node, NodeId};
use smallvec::SmallVec;
use verdigris_ops::Ty;
use verdigris_trace::{Arg, Descr, Exit, Opcode, TargetId, ValRef};

/// A test on which a strand splits: a guard without its frames.
#[derive(Clone, Copy, Debug)]
pub struct SplitTest<'a> {
    /// `guard_true`, `guard_false`, `guard_value`, or `guard_class`.
    pub opcode: Opcode,
    /// Its arguments.
    pub args: &'a [Arg],
    /// Its descriptor.
    pub descr: Descr,
}

impl Section {
    /// Whether a test is known to hold or to fail.
    pub(crate) fn decide(
        &mut self,
        cx: &Cx<'_>,
        test: SplitTest<'_>,
        args: &[NodeId],
    ) -> Option<bool> {
        if let (Opcode::GuardClass, Some(v)) = (test.opcode, self.nodes.as_virtual(args[0])) {
            return Some(v.class == test.descr.class());
        }
        match self.known_guard(cx, test.opcode, test.descr, args) {
            GuardOutcome::Holds => Some(true),
            GuardOutcome::Fails => Some(false),
            GuardOutcome::Unknown => None,
        }
    }

    /// Continues where a test holds. Returns the state where it fails, for these values.
    pub(crate) fn split(
        &mut self,
        cx: &mut Cx<'_>,
        test: SplitTest<'_>,
        args: &[NodeId],
        roots: &[NodeId],
        label: TargetId,
    ) -> VirtualState {
        for &n in args {
            self.force_node(cx, n);
        }
        self.keep_limits(cx);
        // Stores to objects that the other side cannot name are done in front of the guard.
        export_with(cx, self, roots, Extent::Own);
        let (mut state, mut params) = match self.other_side(cx, test, args, roots) {
            Some(other) => other,
            None => {
                // On the failing side the object of a delayed store may be a constant, which does
                // not name it.
                self.flush_all(cx);
                let other = self.other_side(cx, test, args, roots);
                other.expect("nothing waits, so nothing is stored")
            }
        };
        if Sabotage::SideStore.is_on() {
            state.delayed.pop();
        }
        if Sabotage::SwapSide.is_on() {
            let is_int = |n: &usize| self.code.trace.types[params[*n]] == Ty::Int;
            let integers: SmallVec<[usize; 8]> = (0..params.len()).filter(is_int).collect();
            if let [a, b, ..] = integers[..] {
                params.swap(a, b);
            }
        }
        let vals: SmallVec<[Arg; 3]> = args.iter().map(|&n| self.val(n)).collect();
        let exit = Exit::Side {
            target: label,
            args: params,
        };
        self.guards.knowledge.push(GuardKnowledge::default());
        self.code
            .trace
            .push_guard(test.opcode, &vals, test.descr, exit);
        // If an earlier guard took over the work of a later one, it would exit instead of going to
        // the side.
        self.guards.tests.clear();
        self.learn_from_guard(cx, test.opcode, test.descr, args);
        state
    }

    /// The state where a test fails, and the values that it takes. `None` if what the failure shows
    /// requires stores.
    fn other_side(
        &mut self,
        cx: &mut Cx<'_>,
        test: SplitTest<'_>,
        args: &[NodeId],
        roots: &[NodeId],
    ) -> Option<(VirtualState, Box<[ValRef]>)> {
        let mut other = self.knowing_the_same();
        match test.opcode {
            opcode if Sabotage::WrongSide.is_on() => {
                other.learn_from_guard(cx, opcode, test.descr, args);
            }
            Opcode::GuardTrue => other.learn_from_guard(cx, Opcode::GuardFalse, test.descr, args),
            Opcode::GuardFalse => other.learn_from_guard(cx, Opcode::GuardTrue, test.descr, args),
            _ => {}
        }
        let (state, nodes) = export_with(cx, &mut other, roots, Extent::Own);
        if !other.code.trace.ops().is_empty() {
            return None;
        }
        let param = |s: Sid| match other.nodes.get(nodes[s.0 as usize]) {
            Node::Real(real) => real.val,
            _ => unreachable!("a parameter is a value"),
        };
        let params = state.params().map(param).collect();
        Some((state, params))
    }
}
