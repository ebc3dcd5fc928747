//! What a function reaches: bodies, each by type if it is in the subset, else by name.
//!
//! In: an instance of a function. Out: the bodies that it may run, each with the places that it
//! reads and writes, and with who leads to it. Invariants: a body that is in the subset leads to
//! those that it calls; any other to all that its names may mean, and to what runs without being
//! named; the first body that could do anything ends the search, and is the last.

use crate::cx::Cx;
use crate::effects::body::Body;
use crate::effects::declared::Declared;
use crate::effects::index::{Index, Node};
use crate::effects::named::{Named, places};
use crate::effects::node::{module_of, name, read};
use crate::effects::typed::{Typed, TypedBody, only_instance};
use crate::items::{Crate, FnItemId};
use crate::types::generics::Inst;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use verdigris_ops::{Effects, Places};

/// A body that may run, and how it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Way {
    Typed(Inst),
    Named(Node),
    /// A derived `Debug`, which has no body.
    Derived,
}

/// A body that may run.
pub(super) struct Step {
    pub way: Way,
    /// Who leads to it: an earlier step; none to the first one, and to what is called without being
    /// named.
    pub from: Option<usize>,
    pub effects: Effects,
    /// The first thing in it that is outside of the subset, if it has been looked at by type.
    pub beyond: Option<String>,
}

/// Everything that a function may run.
pub(super) struct Reach {
    pub steps: Vec<Step>,
    /// What could do anything, in the last step.
    pub refusal: Option<String>,
}

/// What is known of the bodies of a crate.
pub(super) struct Summaries<'a> {
    /// Whether functions do what their attributes promise. If not, their bodies count as those of
    /// any other.
    trusting: bool,
    pub cx: &'a Cx,
    pub krate: &'a Crate,
    pub index: &'a Index<'a>,
    bodies: FxHashMap<Node, Body>,
    typed: Typed,
}

impl<'a> Summaries<'a> {
    pub fn new(cx: &'a Cx, index: &'a Index<'a>) -> Summaries<'a> {
        Summaries::with(cx, index, true)
    }

    /// As [`Summaries::new`], of bodies alone: no promise counts.
    pub fn suspicious(cx: &'a Cx, index: &'a Index<'a>) -> Summaries<'a> {
        Summaries::with(cx, index, false)
    }

    fn with(cx: &'a Cx, index: &'a Index<'a>, trusting: bool) -> Summaries<'a> {
        Summaries {
            trusting,
            cx,
            krate: &cx.krate,
            index,
            bodies: FxHashMap::default(),
            typed: Typed::new(cx, trusting),
        }
    }

    /// What a body does, by name.
    pub fn body(&mut self, node: Node) -> &Body {
        let (krate, index, trusting) = (self.krate, self.index, self.trusting);
        let body = self.bodies.entry(node);
        body.or_insert_with(|| read(krate, index, node, trusting))
    }

    /// What the attribute of a function says.
    pub fn declared(&mut self, inst: Inst) -> Rc<Declared> {
        self.typed.declared(inst)
    }

    /// What a body does, by type.
    pub fn typed_body(&mut self, inst: Inst) -> Rc<Result<TypedBody, String>> {
        self.typed.body(inst)
    }

    /// How messages call a body.
    pub fn name(&mut self, way: Way) -> String {
        match way {
            Way::Typed(inst) => self.typed.name(inst),
            Way::Named(node) => name(self.krate, self.index, node),
            Way::Derived => "a derived `Debug`".to_owned(),
        }
    }

    /// The union over everything that a function reaches, or what could do anything.
    pub fn of(&mut self, root: Inst) -> Result<Effects, String> {
        let reach = self.reach(root);
        if let (Some(what), Some(last)) = (reach.refusal, reach.steps.last()) {
            return Err(match last.way {
                Way::Named(Node::Fn(id)) if id == root.item => what,
                way => format!("{what} in `{}`", self.name(way)),
            });
        }
        let mut all = Effects::none();
        for step in &reach.steps {
            all.reads.join(&step.effects.reads);
            all.writes.join(&step.effects.writes);
        }
        Ok(all)
    }

    /// Everything that a function reaches, nearest first.
    pub fn reach(&mut self, root: Inst) -> Reach {
        let mut search = Search {
            steps: Vec::new(),
            seen: FxHashSet::default(),
            unseen: false,
        };
        search.add(Way::Typed(root), None);
        let mut next = 0;
        while next < search.steps.len() {
            if let Err(what) = self.look(&mut search, next) {
                search.steps.truncate(next + 1);
                return Reach {
                    steps: search.steps,
                    refusal: Some(what),
                };
            }
            next += 1;
        }
        Reach {
            steps: search.steps,
            refusal: None,
        }
    }

    /// Looks at the body of a step, and adds those that it leads to.
    fn look(&mut self, search: &mut Search, at: usize) -> Result<(), String> {
        if self.trusting
            && let Way::Typed(inst) = search.steps[at].way
            && let said = self.declared(inst)
            && let (Some(reads), Some(writes), []) = (&said.reads, &said.writes, &said.mistakes[..])
        {
            // For its callers, it does what its author declares.
            search.steps[at].effects =
                Effects::new(reads.known(&self.cx.descrs), writes.known(&self.cx.descrs));
            return Ok(());
        }
        match search.steps[at].way {
            Way::Typed(inst) => match &*self.typed.body(inst) {
                Ok(body) => {
                    search.steps[at].effects = Effects::new(
                        body.reads.known(&self.cx.descrs),
                        body.writes.known(&self.cx.descrs),
                    );
                    for &callee in &body.calls {
                        search.add(Way::Typed(callee), Some(at));
                    }
                    if body.formats {
                        self.unseen(search);
                    }
                    Ok(())
                }
                Err(beyond) => {
                    search.steps[at].beyond = Some(beyond.clone());
                    if !self.typed.is_written(inst.item) {
                        return Err(beyond.clone());
                    }
                    let node = Node::Fn(inst.item);
                    search.steps[at].way = Way::Named(node);
                    match search.seen.insert(Way::Named(node)) {
                        true => self.by_name(search, at, node),
                        // Another instance has been looked at.
                        false => Ok(()),
                    }
                }
            },
            Way::Named(node) => self.by_name(search, at, node),
            Way::Derived => Ok(()),
        }
    }

    /// Looks at a body by name.
    fn by_name(&mut self, search: &mut Search, at: usize, node: Node) -> Result<(), String> {
        let (cx, krate) = (self.cx, self.krate);
        let module = Some(module_of(krate, self.index, node));
        let body = self.body(node);
        if let Some(what) = &body.refusal {
            return Err(what.clone());
        }
        search.steps[at].effects = Effects::new(
            places(cx, &body.reads, module),
            places(cx, &body.writes, module),
        );
        for &callee in &body.calls {
            search.add(way(krate, callee), Some(at));
        }
        self.unseen(search);
        Ok(())
    }

    /// Adds what is called without being named.
    fn unseen(&mut self, search: &mut Search) {
        if std::mem::replace(&mut search.unseen, true) {
            return;
        }
        let shown = Named {
            fields: self.krate.survey.shown.iter().cloned().collect(),
            ..Named::default()
        };
        let reads = places(self.cx, &shown, None);
        search.add(Way::Derived, None);
        if let Some(step) = search.steps.last_mut() {
            step.effects.reads = reads;
        }
        for node in self.index.callbacks(self.krate) {
            search.add(way(self.krate, node), None);
        }
    }
}

/// How a body that a name leads to is looked at: by type, if it has only one form.
fn way(krate: &Crate, node: Node) -> Way {
    let only = |id: FnItemId| only_instance(krate, id);
    match node {
        Node::Fn(id) => only(id).map_or(Way::Named(node), Way::Typed),
        node => Way::Named(node),
    }
}

struct Search {
    steps: Vec<Step>,
    seen: FxHashSet<Way>,
    /// Whether what is called without being named has been added.
    unseen: bool,
}

impl Search {
    fn add(&mut self, way: Way, from: Option<usize>) {
        if self.seen.insert(way) {
            self.steps.push(Step {
                way,
                from,
                effects: Effects::new(Places::none(), Places::none()),
                beyond: None,
            });
        }
    }
}

/// The nodes between a step and who leads to it first, that one first.
pub(super) fn chain(steps: &[Step], at: usize) -> Vec<usize> {
    let mut ways: Vec<usize> = std::iter::successors(Some(at), |&n| steps[n].from).collect();
    ways.reverse();
    ways
}
