//! Guards: removed where they are known to hold, otherwise emitted with resume data and learned
//! from.

use crate::bounds::{IntBound, Range};
use crate::host::OptError;
use crate::labels::guard_knowledge::at_guard;
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use crate::state::gather::gather;
use crate::state::guard_table::{Guard, GuardOutcome};
use crate::state::node::{Node, NodeId};
use smallvec::SmallVec;
use verdigris_ops::ClassId;
use verdigris_trace::{Arg, Const, Descr, Opcode, RecordedOp};

impl Section {
    /// A guard.
    pub fn guard(&mut self, cx: &mut Cx<'_>, op: RecordedOp<'_>) -> Result<(), OptError> {
        if op.opcode() == Opcode::GuardNoPanic && self.call.removed {
            return Ok(());
        }
        let args = self.arg_nodes(op);
        self.guard_nodes(cx, Guard::of(op), &args)
    }

    /// A guard on these nodes.
    pub fn guard_nodes(
        &mut self,
        cx: &mut Cx<'_>,
        guard: Guard,
        args: &[NodeId],
    ) -> Result<(), OptError> {
        match self.known_guard(cx, guard.opcode, guard.descr, args) {
            GuardOutcome::Holds if cx.passes.guards || self.is_of_virtual(args) => return Ok(()),
            // The code behind it is about values that cannot exist: a load from a constant of
            // another class would read anything.
            GuardOutcome::Fails if cx.passes.guards || !self.is_of_virtual(args) => {
                let is_promotion = guard.opcode == Opcode::GuardValue;
                return Err(match is_promotion && self.is_of_virtual(args) {
                    true => OptError::PromotesNew,
                    false => OptError::Contradiction,
                });
            }
            _ => {}
        }
        let strengthen = cx.passes.strengthen && cx.passes.guards;
        let dropped = Sabotage::DropGuard.is_on() && guard.opcode == Opcode::GuardFalse;
        let done = dropped || strengthen && self.strengthen(cx, guard, args);
        if !done {
            self.emit_guard(cx, guard, args);
            if let Some((subject, test)) = self.test_of(guard, args) {
                self.guards.remember_test(subject, test);
            }
        }
        if cx.passes.guards {
            self.learn_from_guard(cx, guard.opcode, guard.descr, args);
        }
        Ok(())
    }

    /// Whether a guard is about a virtual: allocation removal has executed it then, like loads and
    /// stores of virtuals. Emitting it would allocate the object.
    fn is_of_virtual(&self, args: &[NodeId]) -> bool {
        args.first()
            .is_some_and(|&n| self.nodes.as_virtual(n).is_some())
    }

    /// The outcome of a guard on these nodes, if known.
    pub fn known_guard(
        &mut self,
        cx: &Cx<'_>,
        opcode: Opcode,
        descr: Descr,
        args: &[NodeId],
    ) -> GuardOutcome {
        let known = |holds: bool| {
            if holds {
                GuardOutcome::Holds
            } else {
                GuardOutcome::Fails
            }
        };
        match opcode {
            Opcode::GuardTrue | Opcode::GuardFalse => match self.nodes.as_const(args[0]) {
                Some(c) => known((c.word() != 0) == (opcode == Opcode::GuardTrue)),
                None if self.nodes.holds(args[0], |b| !b.contains(0)) => {
                    known(opcode == Opcode::GuardTrue)
                }
                None => GuardOutcome::Unknown,
            },
            Opcode::GuardValue => {
                match (self.nodes.as_const(args[0]), self.nodes.as_const(args[1])) {
                    (Some(a), Some(b)) => known(a == b),
                    // An object allocated in this trace is never the constant that another run saw.
                    (None, _) if self.nodes.as_virtual(args[0]).is_some() => GuardOutcome::Fails,
                    (None, Some(Const::Int(c)))
                        if self.nodes.holds(args[0], |b| !b.contains(c)) =>
                    {
                        GuardOutcome::Fails
                    }
                    _ => GuardOutcome::Unknown,
                }
            }
            Opcode::GuardClass => match self.class_of(cx, args[0]) {
                // Where there are several words for a class, a virtual gets the one that the guard
                // tests for.
                None if (self.nodes.as_virtual(args[0]))
                    .is_some_and(|v| v.class == descr.class()) =>
                {
                    GuardOutcome::Holds
                }
                Some(class) => known(class == descr.class()),
                None => GuardOutcome::Unknown,
            },
            Opcode::GuardRoom => {
                let most = cx.descrs.unasked_len(descr.class()) as i64;
                let unasked = IntBound::interval(0, most);
                match self.nodes.holds(args[0], |len| len.is_within(unasked)) {
                    true => GuardOutcome::Holds,
                    false => GuardOutcome::Unknown,
                }
            }
            _ => GuardOutcome::Unknown,
        }
    }

    /// The class of an object, if it is known and a guard can test for it. Other classes need no
    /// test: the program's types imply them.
    pub fn class_of(&self, cx: &Cx<'_>, n: NodeId) -> Option<ClassId> {
        let class = match self.nodes.get(n) {
            Node::Const(Const::Ref(object)) if *object != 0 => cx.host.class_of(*object),
            Node::Const(_) | Node::Forward(_) => None,
            Node::Real(r) => r.class,
            Node::Virtual(v) => Some(v.class),
        };
        cx.descrs.testable(class)
    }

    pub fn emit_guard(&mut self, cx: &mut Cx<'_>, guard: Guard, args: &[NodeId]) {
        // Allocate first: the guard describes the state behind it.
        let vals: SmallVec<[Arg; 3]> = gather(args.iter().map(|&n| self.force(cx, n)));
        if guard.opcode != Opcode::GuardNoPanic {
            // Nothing is done between a call and its guard.
            self.keep_limits(cx);
        }
        let kept = match guard.opcode {
            Opcode::GuardNoPanic => std::mem::take(&mut self.call.kept),
            _ => Vec::new(),
        };
        let opcode = match kept.is_empty() {
            true => guard.opcode,
            false => Opcode::GuardNotForced,
        };
        let mut exits = std::mem::take(&mut self.guards.exits);
        let mut resume = self.resume(cx, &mut exits, guard.snapshot, &kept);
        self.count_listed(&resume.pending);
        if guard.opcode == Opcode::GuardSame {
            // The differing words are reported.
            for (&val, &n) in vals.iter().zip(args) {
                if let Arg::Ref(v) = val
                    && !resume.fail_args.contains(&v)
                {
                    resume.fail_args.push(v);
                    exits.fail_nodes.push(n);
                }
            }
        }
        // A built trace is continued behind any of its exits as if the code had never been left.
        let goes_on = guard.opcode == Opcode::Leave || cx.is_built;
        let facts = at_guard(self, &exits.fail_nodes, &mut exits.nodes, goes_on);
        self.guards.exits = exits;
        self.guards.knowledge.push(facts);
        self.code
            .trace
            .push_guard(opcode, &vals, guard.descr, resume.into());
    }

    /// Learns from a guard that has held.
    pub fn learn_from_guard(&mut self, cx: &Cx<'_>, opcode: Opcode, descr: Descr, args: &[NodeId]) {
        match opcode {
            Opcode::GuardTrue if self.nodes.is_boolean(args[0]) => {
                self.learn(cx.passes, args[0], Const::Int(1));
            }
            Opcode::GuardTrue if cx.passes.bounds => {
                let nonzero =
                    Range::lift([self.nodes.range(args[0])], |[b]| b.without(0).unwrap_or(b));
                self.learn_range(cx.passes, args[0], nonzero);
            }
            Opcode::GuardFalse => self.learn(cx.passes, args[0], Const::Int(0)),
            Opcode::GuardValue => {
                if let Some(c) = self.nodes.as_const(args[1]) {
                    self.learn(cx.passes, args[0], c);
                }
            }
            Opcode::GuardClass => self.refine(args[0], |r| {
                r.class = Some(descr.class());
                r.nonnull = true;
            }),
            _ => {}
        }
    }
}
