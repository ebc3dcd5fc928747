//! The shape of a label that several sections lead to: what all of them bring in the same form.
//!
//! In: the state at the end of a section. Out: the part of it that another way to the label is
//! likely to have too: constants inside of virtuals and of places that wait to be stored (an
//! operand stack's height, a tag), classes, virtual objects, stores that wait, and the places that
//! lead to the objects which they wait for. Invariant: it says less than the state. What is lifted
//! is a value of the label: constants among the values themselves, which the next way brings
//! another of, and bounds of integers.

use crate::bounds::{IntBound, Needs};
use crate::virtual_state::{Sid, StateNode, StateValue, VirtualState};
use verdigris_ops::Ty;
use verdigris_trace::Const;

/// What a label assumes.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelShape {
    pub(crate) state: VirtualState,
}

impl LabelShape {
    /// The shape of a state.
    pub(crate) fn of(mut state: VirtualState) -> LabelShape {
        state.keep_bounds(Needs::default());
        for n in 0..state.roots.len() {
            if let StateNode::Const(c) = *state.node(state.roots[n]) {
                state.roots[n] = Sid(state.nodes.len() as u32);
                state.nodes.push(lifted(c));
            }
        }
        LabelShape { state }
    }

    /// Whether every way with values of these types has it.
    pub fn is_any(&self, types: &[Ty]) -> bool {
        self.state == VirtualState::generic(types)
    }

    /// Whether every way with values of the right types has it.
    pub fn takes_anything(&self) -> bool {
        let types = self.state.nodes.iter().map(|node| match node {
            StateNode::Value(value) => Some(value.ty),
            _ => None,
        });
        let types: Option<Vec<Ty>> = types.collect();
        types.is_some_and(|types| self.is_any(&types))
    }

    /// The shape that every way has, for values of these types.
    pub fn any(types: &[Ty]) -> LabelShape {
        LabelShape {
            state: VirtualState::generic(types),
        }
    }
}

/// A value that is this constant on one of the ways.
fn lifted(c: Const) -> StateNode {
    StateNode::Value(StateValue {
        ty: c.ty(),
        class: None,
        nonnull: c.ty() == Ty::Ref && c.word() != 0,
        bound: IntBound::TOP,
        needed: true,
    })
}
