//! Guards: removed where they are known to hold; otherwise emitted with resume data, and learned from.

use crate::host::OptError;
use crate::knowledge;
use crate::node::{Node, NodeId};
use crate::section::{Cx, Section};
use smallvec::SmallVec;
use verdigris_ops::ClassId;
use verdigris_trace::{Const, Op, Opcode, Val};

/// What is known of a guard before it is emitted.
enum Known {
    Holds,
    Fails,
    Open,
}

impl Section {
    /// A guard.
    pub fn guard(&mut self, cx: &mut Cx<'_>, op: &Op) -> Result<(), OptError> {
        if op.opcode == Opcode::GuardNoPanic && self.call_removed {
            return Ok(());
        }
        let args = self.arg_nodes(op);
        self.guard_nodes(cx, op, &args)
    }

    /// A guard on these nodes; its snapshot, class and kind are the operation's.
    pub fn guard_nodes(
        &mut self,
        cx: &mut Cx<'_>,
        op: &Op,
        args: &[NodeId],
    ) -> Result<(), OptError> {
        match self.known_guard(cx, op, args) {
            Known::Holds if cx.passes.guards || self.is_of_virtual(args) => return Ok(()),
            Known::Fails if cx.passes.guards => return Err(OptError::Contradiction),
            _ => {}
        }
        self.emit_guard(cx, op, args);
        if cx.passes.guards {
            self.learn_from_guard(op, args);
        }
        Ok(())
    }

    /// Whether a guard is about a virtual: then allocation removal has executed what the guard checks, as it executes loads
    /// and stores of virtuals. Emitting it would allocate the object.
    fn is_of_virtual(&self, args: &[NodeId]) -> bool {
        args.first()
            .is_some_and(|&n| self.nodes.as_virtual(n).is_some())
    }

    fn known_guard(&mut self, cx: &Cx<'_>, op: &Op, args: &[NodeId]) -> Known {
        let known = |holds: bool| if holds { Known::Holds } else { Known::Fails };
        match op.opcode {
            Opcode::GuardTrue | Opcode::GuardFalse => match self.nodes.as_const(args[0]) {
                Some(c) => known((c.word() != 0) == (op.opcode == Opcode::GuardTrue)),
                None => Known::Open,
            },
            Opcode::GuardValue => {
                match (self.nodes.as_const(args[0]), self.nodes.as_const(args[1])) {
                    (Some(a), Some(b)) => known(a == b),
                    // An object made in this trace is never the constant that another run of it saw.
                    (None, _) if self.nodes.as_virtual(args[0]).is_some() => Known::Fails,
                    _ => Known::Open,
                }
            }
            Opcode::GuardClass => match self.class_of(cx, args[0]) {
                Some(class) => known(class == ClassId::from_u32(op.descr)),
                None => Known::Open,
            },
            _ => Known::Open,
        }
    }

    /// The class of an object, if it is known.
    pub fn class_of(&self, cx: &Cx<'_>, n: NodeId) -> Option<ClassId> {
        match self.nodes.get(n) {
            Node::Const(Const::Ref(object)) if *object != 0 => cx.host.class_of(*object),
            Node::Const(_) | Node::Forward(_) => None,
            Node::Real(r) => r.class,
            Node::Virtual(v) => Some(v.class),
        }
    }

    fn emit_guard(&mut self, cx: &mut Cx<'_>, op: &Op, args: &[NodeId]) {
        // Forcing comes first: what it changes belongs to the state that the guard describes.
        let vals: SmallVec<[Val; 3]> = args.iter().map(|&n| self.force(cx, n)).collect();
        let mut guard = Op::new(op.opcode, &vals);
        guard.descr = op.descr;
        let snapshot = op.snapshot.expect("a recorded guard has a snapshot");
        let failed = match cx.passes.exits {
            true => self.outcome_of_failure(op, args),
            false => None,
        };
        let (resume, fail_nodes) = self.resume(cx, snapshot, failed);
        guard.resume = Some(Box::new(resume));
        self.guard_facts
            .push(knowledge::at_guard(self, &fail_nodes));
        self.out.push(guard);
    }

    /// What a guard's failure says of the guarded value, if that is a constant. A bridge then does not test again what has
    /// just been tested, and the result of a comparison need not be kept in a register for the exit.
    fn outcome_of_failure(&self, op: &Op, args: &[NodeId]) -> Option<(NodeId, Const)> {
        let outcome = match op.opcode {
            Opcode::GuardTrue => 0,
            Opcode::GuardFalse if self.nodes.is_boolean(args[0]) => 1,
            _ => return None,
        };
        Some((self.nodes.find(args[0]), Const::Int(outcome)))
    }

    fn learn_from_guard(&mut self, op: &Op, args: &[NodeId]) {
        match op.opcode {
            Opcode::GuardTrue if self.nodes.is_boolean(args[0]) => {
                self.learn(args[0], Const::Int(1));
            }
            Opcode::GuardFalse => self.learn(args[0], Const::Int(0)),
            Opcode::GuardValue => {
                if let Some(c) = self.nodes.as_const(args[1]) {
                    self.learn(args[0], c);
                }
            }
            Opcode::GuardClass => self.refine(args[0], |r| {
                r.class = Some(ClassId::from_u32(op.descr));
                r.nonnull = true;
            }),
            _ => {}
        }
    }
}
