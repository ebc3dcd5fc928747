//! What leads to the values of a label's state.
//!
//! A jump to the label passes the roots. From there it finds the words of virtuals, the values of
//! delayed stores and, through facts, what slots hold and operations give. What nothing leads to
//! cannot be brought.

use super::label::{Fact, Sid, StateNode, StateSlot, VirtualState};

/// Why a value is found.
#[derive(Clone, Copy)]
enum Way {
    /// It is passed, or a constant.
    Given,
    /// It is a word of this virtual, or its store into this object is delayed.
    Within(Sid),
    /// The fact of this number tells it.
    Fact(u32),
}

/// For each value of a state, what leads to it.
pub(crate) struct Ways<'a> {
    state: &'a VirtualState,
    ways: Vec<Option<Way>>,
    /// Values whose parts have not been looked at.
    open: Vec<Sid>,
}

impl<'a> Ways<'a> {
    /// The ways through these facts.
    pub fn through(state: &'a VirtualState, facts: &[bool]) -> Ways<'a> {
        let mut ways = Ways {
            state,
            ways: vec![None; state.nodes.len()],
            open: Vec::new(),
        };
        let zeros = state.zeros.iter().map(|zero| zero.1);
        for s in state.roots.iter().copied().chain(zeros) {
            ways.find(s, Way::Given);
        }
        for (s, node) in (0..).map(Sid).zip(&state.nodes) {
            if matches!(node, StateNode::Const(_)) {
                ways.find(s, Way::Given);
            }
        }
        ways.go_on_through(facts);
        ways
    }

    /// Adds ways through more facts to what was not found before.
    pub fn go_on_through(&mut self, facts: &[bool]) {
        let state = self.state;
        loop {
            while let Some(s) = self.open.pop() {
                if let StateNode::Virtual { contents, .. } = state.node(s) {
                    for (_, word) in contents.words() {
                        self.find(word, Way::Within(s));
                    }
                }
            }
            for d in &state.delayed {
                if self.lead_to(d.base) {
                    self.find(d.value, Way::Within(d.base));
                }
            }
            for ((fact, n), _) in (state.facts.iter().zip(0..).zip(facts)).filter(|(_, on)| **on) {
                if fact.subjects().iter().all(|&s| self.lead_to(s)) {
                    self.find(fact.value(), Way::Fact(n));
                }
            }
            if self.open.is_empty() {
                return;
            }
        }
    }

    fn find(&mut self, s: Sid, way: Way) {
        let known = &mut self.ways[s.0 as usize];
        if known.is_none() {
            *known = Some(way);
            self.open.push(s);
        }
    }

    /// Whether there is one to this value.
    pub fn lead_to(&self, s: Sid) -> bool {
        self.ways[s.0 as usize].is_some()
    }

    /// The last fact on the way to a value that is found, if there is one on it.
    pub fn fact_before(&self, mut s: Sid) -> Option<u32> {
        loop {
            match self.ways[s.0 as usize]? {
                Way::Given => return None,
                Way::Within(outer) => s = outer,
                Way::Fact(n) => return Some(n),
            }
        }
    }
}

impl VirtualState {
    /// The state without the delayed stores into objects to which these facts do not lead. They
    /// have been done, which is a fact. `None` if there are none.
    pub fn without_stranded_stores(&self, facts: &[bool]) -> Option<VirtualState> {
        let ways = Ways::through(self, facts);
        let (delayed, stranded) = (self.delayed.iter()).partition(|d| ways.lead_to(d.base));
        let stranded: Vec<StateSlot> = stranded;
        if stranded.is_empty() {
            return None;
        }
        let mut state = VirtualState {
            delayed,
            ..self.clone()
        };
        state.facts.extend(stranded.into_iter().map(Fact::Holds));
        Some(state)
    }
}

impl Fact {
    /// The values that it is about.
    pub fn subjects(&self) -> &[Sid] {
        match self {
            Fact::Holds(p) => std::slice::from_ref(&p.base),
            Fact::Result(p) => &p.args,
        }
    }

    /// The value that it tells.
    pub fn value(&self) -> Sid {
        match self {
            Fact::Holds(p) => p.value,
            Fact::Result(p) => p.result,
        }
    }
}
