//! Finds what a body assumes and an arriving section does not know, one gap at a time.
//!
//! Invariant: closing a gap would have held in this execution, and the values it takes exist. No
//! word of a value is used as a reference unless an earlier operation has used it as one.

use super::gap::{Gap, MAX_REPAIRS};
use super::words::{Load, Words, arguments, result_load};
use crate::labels::label_join::Joined;
use crate::section::{Cx, Section};
use crate::state::label::{Fact, Sid, StateNode, StatePure, StateSlot, StateValue, VirtualState};
use crate::state::node::NodeId;
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp, Ty};
use verdigris_trace::{Descr, Opcode};

/// The body assumes something that cannot be established here.
pub(super) struct Hopeless;

/// The first gap that was found, if any.
pub(super) type Search = Result<Option<Gap>, Hopeless>;

/// Looks for what is missing.
pub(super) struct Missing<'a, 'c> {
    pub cx: &'a mut Cx<'c>,
    pub state: &'a VirtualState,
    pub joined: &'a Joined,
    pub section: &'a Section,
    pub words: &'a Words,
    /// The depth of values that others need.
    pub depth: usize,
}

impl Missing<'_, '_> {
    /// The first gap that can be closed.
    pub fn first(mut self) -> Search {
        for (s, n) in self.joined.pairs() {
            if let Some(gap) = self.in_value(s, n)? {
                return Ok(Some(gap));
            }
        }
        for d in &self.state.delayed {
            if let Some(gap) = self.in_slot(d)? {
                return Ok(Some(gap));
            }
        }
        for fact in &self.state.facts {
            let gap = match fact {
                Fact::Holds(p) => self.in_slot(p)?,
                Fact::Result(p) => self.in_result(p)?,
            };
            if gap.is_some() {
                return Ok(gap);
            }
        }
        Ok(None)
    }

    /// A gap in the knowledge of a value.
    fn in_value(&mut self, s: Sid, n: NodeId) -> Search {
        let nodes = &self.section.nodes;
        match self.state.node(s) {
            StateNode::Const(c) => match nodes.as_const(n) {
                Some(same) if same == *c => Ok(None),
                Some(_) => Err(Hopeless),
                None if nodes.ty(n) != c.ty() => self.view(n, c.ty()),
                None => {
                    let held = self.words.get(self.section, n) == Some(c.word());
                    match held && nodes.as_virtual(n).is_none() {
                        true => self.with(&[n], Gap::Value(n, *c)),
                        false => {
                            cov_mark::hit!(arrives_with_another_constant);
                            Err(Hopeless)
                        }
                    }
                }
            },
            StateNode::Virtual { class, .. } => {
                match nodes.as_virtual(n).is_some_and(|v| v.class == *class) {
                    true => Ok(None),
                    false => {
                        cov_mark::hit!(object_is_not_taken_apart);
                        Err(Hopeless)
                    }
                }
            }
            StateNode::Value(v) => self.in_real(*v, n),
        }
    }

    /// The body takes a value of another type: a word can be viewed as an integer or a double. It
    /// is only known to be a reference if the cast has been done before.
    fn view(&mut self, n: NodeId, ty: Ty) -> Search {
        let nodes = &self.section.nodes;
        let cast = DataOp::from_word(ty).filter(|_| nodes.ty(n) == Ty::Word);
        let cast = cast.ok_or(Hopeless)?;
        let is_known = || (self.section).result_unmarked(Opcode::Data(cast), Descr::None, &[n]);
        match ty != Ty::Ref || is_known().is_some() {
            true => self.with(&[n], Gap::View(n, ty)),
            false => Err(Hopeless),
        }
    }

    fn in_real(&mut self, v: StateValue, n: NodeId) -> Search {
        if v.ty != Ty::Word && self.section.nodes.ty(n) != v.ty {
            return self.view(n, v.ty);
        }
        let known = self.section.class_of(self.cx, n);
        let lacks_class = v.class.is_some() && known != v.class;
        let lacks_object = v.nonnull && !self.section.nodes.is_nonnull(n);
        let bound = self.section.nodes.range(n).sure;
        if !lacks_class && !lacks_object && bound.is_within(v.bound) {
            return Ok(None);
        }
        let word = self.words.get(self.section, n).ok_or(Hopeless)?;
        let (held, gap) = match v.class {
            Some(class) if lacks_class => {
                let same = word != 0 && self.cx.host.class_of(word) == Some(class);
                (known.is_none() && same, self.class_gap(n, class))
            }
            _ if lacks_object => (word != 0, Gap::NonNull(n)),
            _ if bound.lo < v.bound.lo => {
                let least = v.bound.lo;
                (word as i64 >= least, Gap::AtLeast(n, least))
            }
            // Bits that the interval does not imply have no guard.
            _ => {
                let most = v.bound.hi;
                (bound.hi > most && word as i64 <= most, Gap::AtMost(n, most))
            }
        };
        match held {
            true => self.with(&[n], gap),
            false => {
                cov_mark::hit!(arrival_guard_would_have_failed);
                Err(Hopeless)
            }
        }
    }

    /// Whether a guard has to check that there is an object, or of which class it is where there
    /// can be several.
    fn must_test(&self, n: NodeId, class: ClassId) -> bool {
        self.cx.descrs.classes[class].is_unique() || !self.section.nodes.is_nonnull(n)
    }

    /// A guard on a class looks into the object, so a null is kept away from it.
    fn class_gap(&self, n: NodeId, class: ClassId) -> Gap {
        match self.section.nodes.is_nonnull(n) {
            true => Gap::Class(n, class),
            false => Gap::NonNull(n),
        }
    }

    /// A gap that needs these values; first the gap of a phantom among them.
    fn with(&mut self, values: &[NodeId], gap: Gap) -> Search {
        let nodes = &self.section.nodes;
        match values.iter().copied().find(|&n| nodes.is_phantom(n)) {
            None => Ok(Some(gap)),
            Some(_) if self.depth == MAX_REPAIRS => Err(Hopeless),
            Some(phantom) => {
                self.depth += 1;
                self.bring(phantom)
            }
        }
    }

    /// The load or operation that gives a phantom its value.
    fn bring(&mut self, phantom: NodeId) -> Search {
        let phantom = self.section.nodes.find(phantom);
        let is_it = |n: NodeId| self.section.nodes.find(n) == phantom;
        for fact in &self.state.facts {
            match fact {
                Fact::Holds(p) => {
                    if let Some(base) = self.joined.node(p.base)
                        && let Some(entry) = self.section.lookup_unmarked(p.slot, base)
                        && is_it(entry.value)
                    {
                        let (class, load) = Load::of_slot(self.cx.descrs, p.slot);
                        return self.with(&[base], Gap::Load { base, class, load });
                    }
                }
                Fact::Result(p) => {
                    if let Some(args) = arguments(self.joined, p)
                        && (self.section)
                            .result_unmarked(p.opcode, p.descr, &args)
                            .is_some_and(is_it)
                    {
                        return self.compute(p, args, true);
                    }
                }
            }
        }
        Err(Hopeless)
    }

    /// A gap in the contents of a slot.
    fn in_slot(&mut self, p: &StateSlot) -> Search {
        let Some(base) = self.joined.node(p.base) else {
            // Nothing has led to this object so far.
            return Ok(None);
        };
        match self.section.lookup_unmarked(p.slot, base) {
            Some(entry) if !self.must_load(p.value, entry.value) => {
                self.in_known(p.value, entry.value)
            }
            known => {
                let (class, load) = Load::of_slot(self.cx.descrs, p.slot);
                self.load(base, class, load, known.is_some())
            }
        }
    }

    /// A gap in the result of an operation.
    fn in_result(&mut self, p: &StatePure) -> Search {
        let Some(args) = arguments(self.joined, p) else {
            return Ok(None);
        };
        let known = self.section.result_unmarked(p.opcode, p.descr, &args);
        if let Some(result) = known
            && !self.must_load(p.result, result)
        {
            return self.in_known(p.result, result);
        }
        self.compute(p, args, known.is_some())
    }

    /// The operation whose result a fact is about. `known`: the result is known here, perhaps as a
    /// phantom.
    fn compute(&mut self, p: &StatePure, args: SmallVec<[NodeId; 3]>, known: bool) -> Search {
        if let Some((class, load, base)) = result_load(self.cx.descrs, self.section, self.joined, p)
        {
            return self.load(base, class, load, known);
        }
        match p.opcode {
            // It looks into the object.
            Opcode::Data(DataOp::Reclaim) if !self.section.nodes.is_nonnull(args[0]) => {
                match self.words.get(self.section, args[0]) {
                    Some(0) | None => Err(Hopeless),
                    Some(_) => self.with(&[args[0]], Gap::NonNull(args[0])),
                }
            }
            // The tag must say what a word is.
            Opcode::Data(DataOp::RefFromWord) if !known => Err(Hopeless),
            Opcode::Data(op) if self.never_traps(op, &args) => {
                let operands = args.clone();
                self.with(&operands, Gap::Compute(op, args))
            }
            // A call may panic and may be dear; the loop's entry does it.
            _ => Err(Hopeless),
        }
    }

    /// Whether an operation may be computed although the recorded trace did not.
    fn never_traps(&self, op: DataOp, args: &[NodeId]) -> bool {
        use DataOp::{IntDiv, IntRem, UintDiv, UintRem};
        let divides = matches!(op, IntDiv | IntRem | UintDiv | UintRem);
        (op.is_pure() || op == DataOp::Reclaim)
            && (!divides
                || (self.section.nodes.as_const(args[1]))
                    .is_some_and(|c| !matches!(c.word() as i64, 0 | -1)))
    }

    /// Whether a value must be loaded again: it is a phantom, and the body takes it as a parameter.
    fn must_load(&self, s: Sid, n: NodeId) -> bool {
        let needed = matches!(self.state.node(s), StateNode::Value(v) if v.needed);
        let again = needed && self.section.nodes.is_phantom(n);
        if again {
            cov_mark::hit!(arrival_brings_what_is_only_known_of);
        }
        again
    }

    /// A gap in a known value where the body assumes `s`.
    fn in_known(&mut self, s: Sid, n: NodeId) -> Search {
        let n = self.section.nodes.find(n);
        match (self.state.node(s), self.joined.node(s)) {
            (StateNode::Const(_), _) | (_, None) => self.in_value(s, n),
            (_, Some(first)) if self.section.nodes.find(first) == n => Ok(None),
            _ => Err(Hopeless),
        }
    }

    /// A load, or the gap in the knowledge of its object. There is none if the slot's contents are
    /// `known`, because an earlier operation has accessed it.
    fn load(&mut self, base: NodeId, class: ClassId, load: Load, known: bool) -> Search {
        let word = self.words.loaded(self.cx, self.section, base, class, load);
        if word.is_none() {
            cov_mark::hit!(arrival_has_nothing_to_load);
            return Err(Hopeless);
        }
        let gap = match self.section.class_of(self.cx, base) {
            Some(is) if is != class => return Err(Hopeless),
            None if !known && self.must_test(base, class) => self.class_gap(base, class),
            _ => Gap::Load { base, class, load },
        };
        self.with(&[base], gap)
    }
}
