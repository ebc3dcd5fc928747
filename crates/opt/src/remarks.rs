//! What the optimiser could not keep out of memory, for the log and the statistics. In: places
//! where a pass gives something up. Out: [`Remark`]s, which go with the optimised trace. Invariant:
//! remarks are about the trace that is handed out; what an attempt that was dropped has lost is not
//! among them. No note changes what the trace does.

use crate::virtual_state::{Sid, StateNode, VirtualState};
use std::fmt;
use verdigris_ops::{Descrs, HeapSlot};

macro_rules! losses {
    ($( $(#[doc = $doc:literal])* $variant:ident $name:literal $message:literal )*) => {
        /// Why something is stored, loaded or made again and again that could have stayed in
        /// registers.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum MissedOptimisation {
            $( $(#[doc = $doc])* $variant, )*
        }

        impl MissedOptimisation {
            /// All of them.
            pub const ALL: &'static [MissedOptimisation] = &[$( MissedOptimisation::$variant ),*];

            /// A short name, for statistics.
            pub fn name(self) -> &'static str {
                match self { $( MissedOptimisation::$variant => $name, )* }
            }

            /// What it means, for people.
            pub fn message(self) -> &'static str {
                match self { $( MissedOptimisation::$variant => $message, )* }
            }
        }
    };
}

losses! {
    /// A place is stored to soon, since too many values waited.
    TooManyStores "too many stores"
        "is stored soon when it is written, and in each iteration: more values wait than guards may list"
    /// An object would hold more words than a virtual may.
    Crowded "crowded"
        "is allocated: it would hold more words other than zero than an object may that is not made"
    /// A loop's state begins with an object that its end has made.
    Made "made"
        "is an object that the loop begins without making, and that is made by its end"
    /// A loop's state begins with an object of another class or length.
    OtherShape "other shape"
        "is an object that is not made, of another class or length at the loop's end than at its start"
    /// One object takes two places of a loop's state.
    Shared "shared"
        "holds one object at the loop's end where the loop begins with two, or the other way round"
    /// What was one value at a loop's start is two at its end.
    Split "split"
        "is one value at the loop's start, and another one at its end"
    /// A word of a value is of another type at a loop's end.
    OtherType "other type"
        "is of one type at the loop's start, and of another one at its end"
    /// A constant of a loop's state is something else at its end.
    NotConstant "not constant"
        "is a constant at the loop's start, and something else at its end"
    /// A constant at a loop's end leads to another path than the loop's trace.
    OtherPath "other path"
        "is a constant at the loop's end with which its own trace would be left at once"
    /// A place that a loop's state keeps in a register is unknown at its end.
    Unknown "unknown"
        "is kept in a register at the loop's start, and may have been changed by somebody at its end"
    /// No state settled.
    Unsettled "unsettled"
        "keeps nothing in registers: what its iterations begin with did not settle"
    /// The state at the end of an iteration contradicts the trace.
    Contradiction "contradiction"
        "keeps nothing in registers: the trace contradicts what its own end says"
    /// The way into the loop cannot bring what the loop begins with.
    NoWayIn "no way in"
        "keeps nothing in registers: the first iteration cannot bring what the others begin with"
}

impl fmt::Display for MissedOptimisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// Something that was given up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Why.
    pub missed: MissedOptimisation,
    /// What: a place, or how to get to a value from what the loop passes around.
    pub what: String,
}

impl Remark {
    pub(crate) fn new(missed: MissedOptimisation, what: String) -> Remark {
        Remark { missed, what }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.missed)
    }
}

/// How to get to the nodes of a state.
pub(crate) struct Paths(Vec<Option<String>>);

impl Paths {
    /// The shortest ways, from what the loop passes around through virtuals and places with delayed
    /// stores.
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
                for (place, inner) in contents.words() {
                    paths.add(&mut open, inner, || {
                        format!("{here} > {}", place.name(descrs))
                    });
                }
            }
            for d in state.delayed.iter().filter(|d| d.base == s) {
                paths.add(&mut open, d.value, || {
                    format!("{here} > {}", d.place.name(descrs))
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

    /// The way to a place of an object.
    pub fn place(&self, descrs: &Descrs, base: Sid, place: HeapSlot) -> String {
        format!("{} > {}", self.to(base), place.name(descrs))
    }

    /// The way to a node.
    pub fn to(&self, s: Sid) -> String {
        let path = self.0[s.0 as usize].clone();
        path.unwrap_or_else(|| "a value that the loop knows of".to_owned())
    }
}
