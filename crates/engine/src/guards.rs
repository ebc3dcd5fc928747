//! The guards of compiled code. In: optimised traces, whose guards get their identities here. Out: for a failed guard, how
//! to rebuild the interpreter's state, and whether to trace a bridge. Invariant: identities are never reused in a VM; a
//! guard lives as long as the code that it is in.

use crate::copies::Copies;
use crate::promotions::{Promotion, Values};
use crate::trees::TreeId;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use verdigris_ops::{Descrs, Ty};
use verdigris_opt::GuardFacts;
use verdigris_trace::{
    Exit, Failing, GuardId, Opcode, OptimisedOp, OptimisedTrace, Resume, Src, Val,
};

/// What never changes about a guard.
pub(crate) struct GuardSite {
    /// How to rebuild the frames.
    pub(crate) resume: Resume,
    /// The types of the values that compiled code hands over.
    pub(crate) types: Vec<Ty>,
    /// What the optimiser knows there, for a bridge.
    pub(crate) facts: GuardFacts,
    /// The number of the trace it is in, for the log.
    pub(crate) piece: u32,
    /// What it is freed with.
    pub(crate) tree: TreeId,
    /// If it is on a promoted value.
    pub(crate) promotion: Option<Promotion>,
    /// Whether it may be continued by a bridge: not where a panic or an interrupt is on its way, since
    /// the bridge could not tell, nor where the trace turned out to be invalid.
    pub(crate) bridgeable: bool,
    /// Of `guard_not_forced`: the fail arguments that are in the record during its call.
    pub(crate) kept_args: Vec<u16>,
    /// And where what the record keeps belongs.
    pub(crate) copies: Copies,
    /// The two words that a hint promises to be the same, if it is about that, and their type.
    pub(crate) same: Option<([Src; 2], Ty)>,
}

/// A guard.
pub(crate) struct Guard {
    pub(crate) site: Rc<GuardSite>,
    /// Failures that came out of compiled code.
    pub(crate) failures: u32,
    /// The same by the value, if it is on a promoted one.
    pub(crate) values: Values,
    /// Bridges that were given up.
    pub(crate) aborts: u32,
    /// Bridges that were invalidated.
    pub(crate) invalidations: u32,
    /// Whether no bridge is tried again.
    pub(crate) blocked: bool,
    /// Whether a bridge is being traced.
    pub(crate) tracing: bool,
}

/// The guards of one VM.
#[derive(Default)]
pub(crate) struct Guards {
    guards: FxHashMap<GuardId, Guard>,
    next: u32,
}

impl Guards {
    /// Numbers the guards of a trace that is going to be compiled.
    pub(crate) fn number(&self, trace: &mut OptimisedTrace) {
        for (id, exit) in (self.next..).zip(trace.exits.values_mut()) {
            exit.guard = Some(GuardId::from_u32(id));
        }
    }

    /// Takes over the guards of a trace that has been compiled, as they were numbered. `from` is where it starts, if it is
    /// a bridge.
    pub(crate) fn adopt(
        &mut self,
        descrs: &Descrs,
        mut trace: OptimisedTrace,
        facts: Vec<GuardFacts>,
        piece: u32,
        tree: TreeId,
        from: Option<GuardId>,
    ) {
        let from = from.and_then(|guard| self[guard].site.promotion);
        let exits = std::mem::take(&mut trace.exits);
        let guards = trace.ops().iter().filter(|op| op.opcode().is_guard());
        assert_eq!(exits.len(), facts.len(), "every guard has facts");
        for ((op, (_, exit)), facts) in guards.zip(exits).zip(facts) {
            let Exit { guard, resume } = exit;
            let id = guard.expect("the guards have been numbered");
            let is_same = op.opcode() == Opcode::GuardSame;
            let promotion = Promotion::of(op, &resume, from.as_ref());
            let kept_args = match op.opcode() {
                Opcode::GuardNotForced => resume.kept_args(),
                _ => Vec::new(),
            };
            let copies = match op.opcode() {
                Opcode::GuardNotForced => Copies::of(descrs, &resume, &kept_args),
                _ => Copies::default(),
            };
            let site = GuardSite {
                same: is_same.then(|| compared(&trace, op, &resume)),
                promotion,
                types: resume.fail_args.iter().map(|v| trace.types[*v]).collect(),
                resume,
                facts,
                piece,
                tree,
                bridgeable: op.opcode().failing() == Some(Failing::Bridge),
                kept_args,
                copies,
            };
            let guard = Guard {
                site: Rc::new(site),
                failures: 0,
                values: Values::default(),
                aborts: 0,
                invalidations: 0,
                blocked: false,
                tracing: false,
            };
            assert_eq!(
                GuardId::from_u32(self.next),
                id,
                "guards are adopted in the order of their numbers"
            );
            self.next += 1;
            self.guards.insert(id, guard);
        }
    }

    /// The bridge of a guard has been invalidated: it leaves again.
    pub(crate) fn bridge_is_invalid(&mut self, id: GuardId) {
        if let Some(guard) = self.guards.get_mut(&id) {
            guard.failures = 0;
            guard.values.clear();
            guard.invalidations = guard.invalidations.saturating_add(1);
        }
    }

    /// Forgets guards whose code is being freed.
    pub(crate) fn remove(&mut self, ids: &[GuardId]) {
        for id in ids {
            self.guards.remove(id);
        }
    }
}

/// Where the words are that a guard compares, when it has failed, and of which type they are.
fn compared(trace: &OptimisedTrace, guard: OptimisedOp<'_>, resume: &Resume) -> ([Src; 2], Ty) {
    let src = |arg: Val| match arg {
        Val::Const(constant) => Src::Const(constant),
        Val::Ref(value) => {
            let place = resume.fail_args.iter().position(|&v| v == value);
            Src::Fail(place.expect("what is compared is handed over") as u16)
        }
    };
    let [x, y] = [guard.arg(0), guard.arg(1)];
    ([src(x), src(y)], trace.ty(x))
}

impl std::ops::Index<GuardId> for Guards {
    type Output = Guard;
    fn index(&self, id: GuardId) -> &Guard {
        self.guards
            .get(&id)
            .expect("code that leaves lives, and so do its guards")
    }
}

impl std::ops::IndexMut<GuardId> for Guards {
    fn index_mut(&mut self, id: GuardId) -> &mut Guard {
        self.guards
            .get_mut(&id)
            .expect("code that leaves lives, and so do its guards")
    }
}
