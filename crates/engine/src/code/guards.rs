//! The guards of compiled code. In: optimised traces, whose guards get their identities here. Out:
//! for a failed guard, how to rebuild the interpreter's state, and whether to trace a bridge.
//! Invariant: identities are never reused in a VM; a guard lives as long as the code that it is in.

use crate::code::guard_info::{Compared, GuardSite, Home, KeptPlaces};
use crate::code::packed::Packing;
use crate::code::promotions::{Promotion, Values};
use crate::code::trees::TreeId;
use crate::observe::location::GuardPlaces;
use crate::observe::stats::Maker;
use crate::run::virtualizable::copy_tables::Copies;
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;
use verdigris_ops::{Descrs, Ty};
use verdigris_opt::GuardKnowledge;
use verdigris_trace::{Arg, Exit, GuardId, OnFailure, Opcode, OptimisedOp, OptimisedTrace, Resume};

/// A guard.
pub(crate) struct Guard {
    /// The trace it is in.
    pub(crate) home: Rc<Home>,
    /// Where its site starts among those of its trace.
    packed_at: u32,
    /// The site, once the engine has needed it.
    site: OnceCell<Rc<GuardSite>>,
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

impl Guard {
    /// What never changes about it.
    pub(crate) fn site(&self) -> &Rc<GuardSite> {
        self.site
            .get_or_init(|| Rc::new(self.home.site(self.packed_at)))
    }
}

/// A trace that has been compiled.
#[derive(Clone, Copy)]
pub(crate) struct Made {
    /// Its number.
    pub(crate) piece: u32,
    /// Which compiler has made it.
    pub(crate) maker: Maker,
    /// What it is freed with.
    pub(crate) tree: TreeId,
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
        let out = trace.exits.values_mut().filter_map(|exit| match exit {
            Exit::Out { guard, .. } => Some(guard),
            Exit::Side { .. } => None,
        });
        for (id, guard) in (self.next..).zip(out) {
            *guard = Some(GuardId::from_u32(id));
        }
    }

    /// Takes over the guards of a trace that has been compiled, as they were numbered. `from` is
    /// where it starts, if it is a bridge. Answers how many bytes their sites take.
    pub(crate) fn adopt(
        &mut self,
        descrs: &Descrs,
        mut trace: OptimisedTrace,
        facts: Vec<GuardKnowledge>,
        places: GuardPlaces,
        made: Made,
        from: Option<GuardId>,
    ) -> usize {
        let Made { piece, maker, tree } = made;
        let from = from.and_then(|guard| self[guard].site().promotion);
        let exits = std::mem::take(&mut trace.exits);
        let guards = trace.ops().iter().filter(|op| op.opcode().is_guard());
        let out = guards.zip(exits).filter_map(|(op, (_, exit))| match exit {
            Exit::Out { guard, resume } => Some((op, guard, resume)),
            Exit::Side { .. } => None,
        });
        let mut packing = Packing::default();
        let mut sites = Vec::with_capacity(facts.len());
        let count = facts.len();
        for ((op, guard, resume), facts) in out.zip(facts) {
            assert_eq!(
                guard.map(GuardId::as_u32),
                Some(self.next + sites.len() as u32),
                "guards are adopted in the order of their numbers"
            );
            let site = GuardSite {
                same: (op.opcode() == Opcode::GuardSame).then(|| compared(&trace, op, &resume)),
                promotion: Promotion::of(op, &resume, from.as_ref(), &trace.inputs),
                kept: (op.opcode() == Opcode::GuardNotForced).then(|| kept_places(descrs, &resume)),
                types: resume.fail_args.iter().map(|v| trace.types[*v]).collect(),
                resume,
                facts,
                piece,
                maker,
                tree,
                bridgeable: op.opcode().failing() == Some(OnFailure::Bridge),
                leaves: op.opcode() == Opcode::Leave,
                asks_for_signals: op.opcode() == Opcode::GuardNoSignal,
            };
            sites.push(match site.kept {
                Some(_) => (0, OnceCell::from(Rc::new(site))),
                None => (packing.add(|out| site.write(out)), OnceCell::new()),
            });
        }
        assert_eq!(sites.len(), count, "every guard has facts");
        let packed = packing.close();
        let types: Box<[Ty]> = trace.types.values().copied().collect();
        let memory = packed.memory() + size_of_val(&types[..]);
        let home = Rc::new(Home {
            piece,
            maker,
            tree,
            types,
            sites: packed,
            places,
        });
        for (packed_at, site) in sites {
            let guard = Guard {
                home: Rc::clone(&home),
                packed_at,
                site,
                failures: 0,
                values: Values::default(),
                aborts: 0,
                invalidations: 0,
                blocked: false,
                tracing: false,
            };
            self.guards.insert(GuardId::from_u32(self.next), guard);
            self.next += 1;
        }
        memory
    }

    /// A guard, unless its code has been freed.
    pub(crate) fn find(&self, id: GuardId) -> Option<&Guard> {
        self.guards.get(&id)
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

/// What a `guard_not_forced` knows of what is kept.
fn kept_places(descrs: &Descrs, resume: &Resume) -> Box<KeptPlaces> {
    let args = resume.kept_args();
    let copies = Copies::of(descrs, resume, &args);
    Box::new(KeptPlaces { args, copies })
}

/// Where the words are that a guard compares, when it has failed, and of which type they are.
fn compared(
    trace: &OptimisedTrace,
    guard: OptimisedOp<'_>,
    resume: &Resume,
) -> ([Compared; 2], Ty) {
    let word = |arg: Arg| match arg {
        Arg::Const(constant) => Compared::Const(constant),
        Arg::Ref(value) => {
            let place = resume.fail_args.iter().position(|&v| v == value);
            Compared::Fail(place.expect("what is compared is handed over") as u16)
        }
    };
    let [x, y] = [guard.arg(0), guard.arg(1)];
    ([word(x), word(y)], trace.ty(x))
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
