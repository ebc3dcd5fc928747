//! Paths to the nodes of a state, for remarks.

use super::label::{Sid, StateNode, VirtualState};
use verdigris_ops::{Descrs, HeapSlot};

/// A path to each node of a state.
pub(crate) struct Paths(Vec<Option<String>>);

impl Paths {
    /// The shortest paths from the roots, through virtuals and delayed stores.
    pub fn of(state: &VirtualState, descrs: &Descrs) -> Paths {
        let mut paths = Paths(vec![None; state.nodes.len()]);
        let mut open: Vec<Sid> = Vec::new();
        for (n, &root) in state.roots.iter().enumerate() {
            paths.add(&mut open, root, || format!("input {n}"));
        }
        let mut done = 0;
        while done < open.len() {
            let s = open[done];
            done += 1;
            let here = paths.to(s);
            if let StateNode::Virtual { contents, .. } = state.node(s) {
                for (slot, inner) in contents.words() {
                    paths.add(&mut open, inner, || {
                        format!("{here} > {}", slot.name(descrs))
                    });
                }
            }
            for d in state.delayed.iter().filter(|d| d.base == s) {
                paths.add(&mut open, d.value, || {
                    format!("{here} > {}", d.slot.name(descrs))
                });
            }
        }
        paths
    }

    fn add(&mut self, open: &mut Vec<Sid>, s: Sid, path: impl FnOnce() -> String) {
        let known = &mut self.0[s.0 as usize];
        if known.is_none() {
            *known = Some(path());
            open.push(s);
        }
    }

    /// The path to a slot of an object.
    pub fn slot(&self, descrs: &Descrs, base: Sid, slot: HeapSlot) -> String {
        format!("{} > {}", self.to(base), slot.name(descrs))
    }

    /// The path to a node.
    pub fn to(&self, s: Sid) -> String {
        let path = self.0[s.0 as usize].clone();
        path.unwrap_or_else(|| "a value that the loop knows of".to_owned())
    }
}
