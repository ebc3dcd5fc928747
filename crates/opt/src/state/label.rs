//! The state at a label: the values that the code behind it takes, and what it may assume.
//!
//! The state is a graph with its own numbering, independent of the section it came from: constants,
//! values (the label's parameters, in order), virtuals, delayed stores that code which jumps here
//! has not done, and facts that it must know to hold.

use super::contents::Contents;
use crate::bounds::{IntBound, MAX_ASSUMPTIONS, Needs};
use smallvec::SmallVec;
use verdigris_ops::{ClassId, HeapSlot, Ty};
use verdigris_trace::{Const, Descr, Opcode};

/// The number of a node of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Sid(pub u32);

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StateNode {
    /// A constant.
    Const(Const),
    /// A value, passed as a parameter unless it turned out to be unused.
    Value(StateValue),
    /// An object that has not been allocated.
    Virtual {
        class: ClassId,
        contents: Contents<Sid>,
    },
}

/// The assumptions about a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StateValue {
    pub ty: Ty,
    pub class: Option<ClassId>,
    pub nonnull: bool,
    pub bound: IntBound,
    /// Whether it is a parameter. Otherwise there are only facts about it.
    pub needed: bool,
}

/// A slot of an object, and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StateSlot {
    pub slot: HeapSlot,
    pub base: Sid,
    pub value: Sid,
}

/// An operation, and its result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatePure {
    pub opcode: Opcode,
    pub descr: Descr,
    pub args: SmallVec<[Sid; 3]>,
    pub result: Sid,
}

/// A fact that every jump to the label must know to hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact {
    /// The contents of a slot.
    Holds(StateSlot),
    /// The result of an operation.
    Result(StatePure),
}

/// The state at a label.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VirtualState {
    pub nodes: Vec<StateNode>,
    /// The values that the recorded trace passes around its loop.
    pub roots: Vec<Sid>,
    /// Stores that have not been done, oldest first.
    pub delayed: Vec<StateSlot>,
    pub facts: Vec<Fact>,
    /// The zeros of the types of its virtuals' words.
    pub zeros: Vec<(Ty, Sid)>,
}

impl StateNode {
    /// A value of which nothing is known.
    pub fn any(ty: Ty) -> StateNode {
        StateNode::Value(StateValue {
            ty,
            class: None,
            nonnull: false,
            bound: IntBound::TOP,
            needed: true,
        })
    }
}

impl VirtualState {
    /// The state that assumes nothing.
    pub fn generic(types: &[Ty]) -> VirtualState {
        VirtualState {
            nodes: types.iter().map(|&ty| StateNode::any(ty)).collect(),
            roots: (0..types.len() as u32).map(Sid).collect(),
            delayed: Vec::new(),
            facts: Vec::new(),
            zeros: Vec::new(),
        }
    }

    /// The zero of this type: the value of a virtual's unlisted words.
    pub fn zero(&self, ty: Ty) -> Sid {
        let found = self.zeros.iter().find(|zero| zero.0 == ty);
        found.expect("a state with virtuals has their zeros").1
    }

    /// A node.
    pub fn node(&self, s: Sid) -> &StateNode {
        &self.nodes[s.0 as usize]
    }

    /// The parameters of the label, in order.
    pub fn params(&self) -> impl Iterator<Item = Sid> + '_ {
        self.nodes.iter().enumerate().filter_map(|(i, n)| match n {
            StateNode::Value(v) if v.needed => Some(Sid(i as u32)),
            _ => None,
        })
    }

    /// Drops parameters that the body does not need.
    pub fn keep_params(&mut self, needed: &[bool]) {
        let mut needed = needed.iter();
        for node in &mut self.nodes {
            if let StateNode::Value(v) = node
                && v.needed
            {
                v.needed = *needed.next().expect("one flag a parameter");
            }
        }
    }

    /// Keeps the facts for which `keep` holds.
    pub fn retain_facts(&mut self, keep: &[bool]) {
        let mut keep = keep.iter();
        self.facts
            .retain(|_| *keep.next().expect("one flag a fact"));
    }

    /// The bounds that the state assumes, in the order in which [`Needs`] numbers them.
    pub fn bounds(&self) -> impl Iterator<Item = (Sid, IntBound)> + '_ {
        let sids = (0..self.nodes.len() as u32).map(Sid);
        sids.filter_map(|s| match self.node(s) {
            StateNode::Value(v) if v.bound != IntBound::TOP => Some((s, v.bound)),
            _ => None,
        })
    }

    /// Drops the bounds that are not needed.
    pub fn keep_bounds(&mut self, needs: Needs) {
        let dropped: Vec<Sid> = self
            .bounds()
            .enumerate()
            .filter(|&(number, _)| {
                number >= MAX_ASSUMPTIONS || !Needs::one(number).are_among(needs)
            })
            .map(|(_, (s, _))| s)
            .collect();
        for s in dropped {
            self.set_bound(s, IntBound::TOP);
        }
    }

    /// Sets the bound of an integer.
    pub fn set_bound(&mut self, s: Sid, bound: IntBound) {
        if let StateNode::Value(v) = &mut self.nodes[s.0 as usize] {
            v.bound = bound;
        }
    }
}
