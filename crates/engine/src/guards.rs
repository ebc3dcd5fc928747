//! The guards of compiled code. In: optimised traces, whose guards get their identities here. Out: for a failed guard, how
//! to rebuild the interpreter's state, and whether to trace a bridge. Invariant: identities are never reused in a VM.

use cranelift_entity::PrimaryMap;
use std::rc::Rc;
use verdigris_ops::Ty;
use verdigris_opt::GuardFacts;
use verdigris_trace::{GuardId, Opcode, Resume, Trace};

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
    /// Whether it may be continued by a bridge: not where a panic is on its way, since the bridge could not tell.
    pub(crate) bridgeable: bool,
}

/// A guard.
pub(crate) struct Guard {
    pub(crate) site: Rc<GuardSite>,
    /// Failures that came out of compiled code.
    pub(crate) failures: u32,
    /// Bridges that were given up.
    pub(crate) aborts: u32,
    /// Whether no bridge is tried again.
    pub(crate) blocked: bool,
    /// Whether a bridge is being traced.
    pub(crate) tracing: bool,
}

/// The guards of one VM.
#[derive(Default)]
pub(crate) struct Guards(PrimaryMap<GuardId, Guard>);

impl Guards {
    /// Numbers the guards of a trace that is going to be compiled.
    pub(crate) fn number(&self, trace: &mut Trace) {
        let first = self.0.next_key().as_u32();
        let guards = trace.ops.iter_mut().filter(|op| op.opcode.is_guard());
        for (id, op) in (first..).zip(guards) {
            op.guard = Some(GuardId::from_u32(id));
        }
    }

    /// Takes over the guards of a trace that has been compiled, as they were numbered.
    pub(crate) fn adopt(&mut self, trace: Trace, facts: Vec<GuardFacts>, piece: u32) {
        let types = trace.types;
        let mut facts = facts.into_iter();
        for op in trace.ops {
            let (Some(id), Some(resume)) = (op.guard, op.resume) else {
                continue;
            };
            let site = GuardSite {
                types: resume.fail_args.iter().map(|v| types[*v]).collect(),
                resume: *resume,
                facts: facts.next().unwrap_or_default(),
                piece,
                bridgeable: op.opcode != Opcode::GuardNoPanic,
            };
            let adopted = self.0.push(Guard {
                site: Rc::new(site),
                failures: 0,
                aborts: 0,
                blocked: false,
                tracing: false,
            });
            assert_eq!(
                adopted, id,
                "guards are adopted in the order of their numbers"
            );
        }
    }
}

impl std::ops::Index<GuardId> for Guards {
    type Output = Guard;
    fn index(&self, id: GuardId) -> &Guard {
        &self.0[id]
    }
}

impl std::ops::IndexMut<GuardId> for Guards {
    fn index_mut(&mut self, id: GuardId) -> &mut Guard {
        &mut self.0[id]
    }
}
