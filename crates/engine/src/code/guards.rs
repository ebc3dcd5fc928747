//! The guards of compiled code: their numbers, descriptions and failure counts.
//!
//! Invariant: numbers are never reused in a VM, and those of a trace follow each other; a guard
//! lives as long as its code. Most guards never fail: until something asks for one, it is a place
//! in the packed descriptions of its trace and nothing else.

use crate::code::guard_info::{Compared, GuardInfo, GuardPlaces, Home, KeptPlaces};
use crate::code::packed::Packing;
use crate::code::promotions::{Promotion, Values};
use crate::code::trace_id::TraceId;
use crate::code::trees::TreeId;
use crate::run::virtualizable::copy_tables::CopyTable;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use verdigris_ops::{Descrs, Ty};
use verdigris_opt::GuardKnowledge;
use verdigris_report::CompilerKind;
use verdigris_trace::{Arg, Exit, GuardId, OnFailure, Opcode, OptimisedOp, OptimisedTrace, Resume};

/// A guard that something has asked for.
pub(crate) struct Guard {
    /// What it shares with the other guards of its trace.
    pub(crate) home: Rc<Home>,
    /// Where its description starts.
    packed_at: u32,
    /// The description, once it has been needed.
    site: OnceCell<Rc<GuardInfo>>,
    /// Failures that led out of compiled code.
    pub(crate) failures: u32,
    /// Failures by value, if it is on a promoted one.
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
    fn new(home: &Rc<Home>, packed_at: u32) -> Guard {
        Guard {
            home: Rc::clone(home),
            packed_at,
            site: OnceCell::new(),
            failures: 0,
            values: Values::default(),
            aborts: 0,
            invalidations: 0,
            blocked: false,
            tracing: false,
        }
    }

    /// The description.
    pub(crate) fn info(&self) -> &Rc<GuardInfo> {
        self.site
            .get_or_init(|| Rc::new(self.home.info(self.packed_at)))
    }
}

/// The guards of one trace, in the order of their numbers.
struct TraceGuards {
    home: Rc<Home>,
    guards: Box<[TraceGuard]>,
}

/// A guard that may never fail.
struct TraceGuard {
    /// Where its description starts.
    packed_at: u32,
    asked: OnceCell<Box<Guard>>,
}

impl TraceGuards {
    fn get(&self, n: usize) -> Option<&Guard> {
        let guard = self.guards.get(n)?;
        let made = || Box::new(Guard::new(&self.home, guard.packed_at));
        Some(guard.asked.get_or_init(made))
    }

    fn get_mut(&mut self, n: usize) -> Option<&mut Guard> {
        self.get(n)?;
        Some(self.guards[n].asked.get_mut()?)
    }
}

/// A compiled trace.
#[derive(Clone, Copy)]
pub(crate) struct CompiledTrace {
    pub(crate) trace: TraceId,
    pub(crate) compiler: CompilerKind,
    /// The tree that it is freed with.
    pub(crate) tree: TreeId,
}

/// The guards of one VM.
#[derive(Default)]
pub(crate) struct Guards {
    /// By the number of the first guard of each trace that has any.
    traces: BTreeMap<u32, TraceGuards>,
    next: u32,
    /// Encodes the descriptions of one trace after the other.
    packing: Packing,
}

impl Guards {
    /// Numbers the guards of a trace that the optimiser has returned. No other trace is adopted
    /// before this one is, or is given up.
    pub(crate) fn number(&self, trace: &mut OptimisedTrace) {
        let out = trace.exits.values_mut().filter_map(|exit| match exit {
            Exit::Out { guard, .. } => Some(guard),
            Exit::Side { .. } => None,
        });
        for (id, guard) in (self.next..).zip(out) {
            *guard = Some(GuardId::from_u32(id));
        }
    }

    /// Adds the guards of a compiled trace, as they were numbered. `from` is the guard that a
    /// bridge starts from. Returns the bytes that the descriptions take.
    pub(crate) fn adopt(
        &mut self,
        descrs: &Descrs,
        trace: &OptimisedTrace,
        facts: Vec<GuardKnowledge>,
        places: GuardPlaces,
        made: CompiledTrace,
        from: Option<GuardId>,
    ) -> usize {
        let CompiledTrace {
            trace: number,
            compiler,
            tree,
        } = made;
        let from = from.and_then(|guard| self[guard].info().promotion);
        let guards = trace.ops().iter().filter(|op| op.opcode().is_guard());
        let exits = guards.zip(trace.exits.values());
        let out = exits.filter_map(|(op, exit)| match exit {
            Exit::Out { guard, resume } => Some((op, *guard, Rc::clone(resume))),
            Exit::Side { .. } => None,
        });
        let mut sites = Vec::with_capacity(facts.len());
        let count = facts.len();
        for ((op, guard, resume), facts) in out.zip(facts) {
            assert_eq!(
                guard.map(GuardId::as_u32),
                Some(self.next + sites.len() as u32),
                "guards are adopted in the order of their numbers"
            );
            let kept =
                (op.opcode() == Opcode::GuardNotForced).then(|| kept_places(descrs, &resume));
            let site = GuardInfo {
                same: (op.opcode() == Opcode::GuardSame).then(|| compared(trace, op, &resume)),
                promotion: Promotion::of(op, &resume, from.as_ref(), &trace.inputs),
                // What is decoded finds them in the trace's own.
                types: match kept {
                    Some(_) => resume.fail_args.iter().map(|v| trace.types[*v]).collect(),
                    None => Vec::new(),
                },
                kept,
                resume,
                facts,
                trace: number,
                compiler,
                tree,
                bridgeable: op.opcode().failing() == Some(OnFailure::Bridge),
                leaves: op.opcode() == Opcode::Leave,
                asks_for_signals: op.opcode() == Opcode::GuardNoSignal,
            };
            sites.push(match site.kept {
                Some(_) => (0, Some(Rc::new(site))),
                None => (self.packing.add(|out| site.write(out)), None),
            });
        }
        assert_eq!(sites.len(), count, "every guard has facts");
        let packed = self.packing.close();
        let types: Box<[Ty]> = trace.types.values().copied().collect();
        let memory = packed.memory() + size_of_val(&types[..]) + count * size_of::<TraceGuard>();
        let home = Rc::new(Home {
            trace: number,
            compiler,
            tree,
            types,
            sites: packed,
            places,
        });
        let guard = |(packed_at, site): (u32, Option<Rc<GuardInfo>>)| {
            let asked = OnceCell::new();
            if let Some(site) = site {
                let guard = asked.get_or_init(|| Box::new(Guard::new(&home, packed_at)));
                let is_new = guard.site.set(site).is_ok();
                debug_assert!(is_new);
            }
            TraceGuard { packed_at, asked }
        };
        let guards: Box<[TraceGuard]> = sites.into_iter().map(guard).collect();
        if count != 0 {
            self.traces.insert(self.next, TraceGuards { home, guards });
            self.next += count as u32;
        }
        memory
    }

    /// A guard, unless its code has been freed.
    pub(crate) fn find(&self, id: GuardId) -> Option<&Guard> {
        let (first, trace) = self.traces.range(..=id.as_u32()).next_back()?;
        trace.get((id.as_u32() - first) as usize)
    }

    fn find_mut(&mut self, id: GuardId) -> Option<&mut Guard> {
        let (first, trace) = self.traces.range_mut(..=id.as_u32()).next_back()?;
        trace.get_mut((id.as_u32() - first) as usize)
    }

    /// The greens of the last merge point in front of a guard, if an observer reports places.
    pub(crate) fn greens_at(&self, guard: GuardId) -> Option<&[u64]> {
        let places = &self.find(guard)?.home.places;
        let behind = places.partition_point(|(first, _)| first.as_u32() <= guard.as_u32());
        let (_, greens) = places.get(behind.checked_sub(1)?)?;
        Some(greens)
    }

    /// The bridge of a guard has been invalidated: the guard leads out of compiled code again.
    pub(crate) fn bridge_is_invalid(&mut self, id: GuardId) {
        if let Some(guard) = self.find_mut(id) {
            guard.failures = 0;
            guard.values.clear();
            guard.invalidations = guard.invalidations.saturating_add(1);
        }
    }

    /// Removes the guards of traces whose code is freed; these are all of them.
    pub(crate) fn remove(&mut self, ids: &[GuardId]) {
        for id in ids {
            self.traces.remove(&id.as_u32());
        }
    }
}

/// The places that a `guard_not_forced` keeps.
fn kept_places(descrs: &Descrs, resume: &Resume) -> Box<KeptPlaces> {
    let args = resume.kept_args();
    let copies = CopyTable::of(descrs, resume, &args);
    Box::new(KeptPlaces { args, copies })
}

/// The words that a guard compares, as fail arguments or constants, and their type.
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
        self.find(id)
            .expect("code that leaves lives, and so do its guards")
    }
}

impl std::ops::IndexMut<GuardId> for Guards {
    fn index_mut(&mut self, id: GuardId) -> &mut Guard {
        self.find_mut(id)
            .expect("code that leaves lives, and so do its guards")
    }
}
