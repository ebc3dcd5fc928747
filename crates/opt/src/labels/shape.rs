//! The shape of a label that several sections jump to: the part of a state that another section is
//! likely to bring too.
//!
//! It has the constants inside virtuals and delayed slots (an operand stack's height, a tag),
//! classes, virtual objects, delayed stores, and the slots that lead to the objects of those. The
//! constants among the passed values become values, and bounds of integers are dropped.

use crate::bounds::{IntBound, Needs};
use crate::state::label::{Sid, StateNode, StateValue, VirtualState};
use verdigris_ops::Ty;
use verdigris_trace::Const;

/// The shape of a label.
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

    /// Whether every section with values of these types satisfies it.
    pub fn is_any(&self, types: &[Ty]) -> bool {
        self.state == VirtualState::generic(types)
    }

    /// Whether every section with values of the right types satisfies it.
    pub fn takes_anything(&self) -> bool {
        let types = self.state.nodes.iter().map(|node| match node {
            StateNode::Value(value) => Some(value.ty),
            _ => None,
        });
        let types: Option<Vec<Ty>> = types.collect();
        types.is_some_and(|types| self.is_any(&types))
    }

    /// The shape that every section satisfies, for values of these types.
    pub fn any(types: &[Ty]) -> LabelShape {
        LabelShape {
            state: VirtualState::generic(types),
        }
    }
}

/// A value that is this constant in one of the sections.
fn lifted(c: Const) -> StateNode {
    StateNode::Value(StateValue {
        ty: c.ty(),
        class: None,
        nonnull: c.ty() == Ty::Ref && c.word() != 0,
        bound: IntBound::TOP,
        needed: true,
    })
}
