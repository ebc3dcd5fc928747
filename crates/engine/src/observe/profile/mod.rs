//! The guest program is profiled: what the engine does for that. In: passes of merge points, code
//! as it is made, and samples that wait. Out: a [`Profile`]. Invariants: unless somebody wants a
//! profile, each function here is one test; a sample changes nothing but time: no trace is begun
//! because of it, no failure counts, and what was interrupted goes on.
//!
//! While a guest program is profiled, native code notes every call of the portal
//! ([`verdigris_heap::Activations`]), and comes here with every call and back edge while a sample
//! waits. Compiled code is left at the next header then, by its guard for interrupts, and entered
//! again. What a profile knows and what not stands in docs/book/src/reference/profiling.md.

pub(crate) mod code_map;
pub(crate) mod passed_places;
pub(crate) mod state;

use crate::compile::target::TraceTarget;
use crate::observe::event::TraceInfo;
use crate::observe::location::words;
use crate::observe::observers::Observers;
use crate::observe::profile::code_map::{Inlined, PlaceId};
use crate::observe::profile::state::Profiled;
use std::rc::Rc;
use verdigris_heap::hash_greens;
use verdigris_opt::Optimised;
use verdigris_profile::{Place, Profile};
use verdigris_trace::{Opcode, OptimisedTrace, RecordedTrace};

/// The places that a trace's operations are at, as they are found one after the other.
#[derive(Default)]
struct Stack {
    now: Vec<Option<PlaceId>>,
    last: Option<Inlined>,
}

impl Stack {
    /// An operation is in so many activations.
    fn set_depth(&mut self, depth: usize) {
        if self.now.len() != depth {
            self.now.resize(depth, None);
            self.last = None;
        }
    }

    /// The innermost activation has come to a place.
    fn arrive(&mut self, place: PlaceId) {
        if let Some(now) = self.now.last_mut() {
            *now = Some(place);
            self.last = None;
        }
    }

    /// The places of those activations that have come to one.
    fn inlined(&mut self) -> Inlined {
        let now = &self.now;
        let last = self
            .last
            .get_or_insert_with(|| now.iter().flatten().copied().collect());
        Rc::clone(last)
    }
}

fn place_of(profiled: &Profiled, greens: &[u64]) -> PlaceId {
    profiled.places.number(hash_greens(greens), greens)
}

/// A recorded trace says in how many activations its operations were recorded, and the optimised
/// one which of these are left.
fn places_by_origins(
    profiled: &Profiled,
    mut stack: Stack,
    trace: &RecordedTrace,
    optimised: &Optimised,
) -> Vec<Inlined> {
    let mut now = stack.inlined();
    let mut recorded = Vec::with_capacity(trace.ops().len());
    for (op, &depth) in trace.ops().iter().zip(&trace.exits.activations) {
        stack.set_depth(depth as usize);
        if op.opcode() == Opcode::MergePoint
            && let Some(greens) = words(op.args().iter())
        {
            stack.arrive(place_of(profiled, &greens));
        }
        recorded.push(stack.inlined());
    }
    let origins = optimised.origins.iter().copied();
    let origins = origins.chain(std::iter::repeat(None));
    (optimised.trace.ops().iter().zip(origins))
        .map(|(_, origin)| {
            if let Some(inlined) = origin.and_then(|n| recorded.get(n as usize)) {
                now = Rc::clone(inlined);
            }
            Rc::clone(&now)
        })
        .collect()
}

impl Observers {
    /// Where the operations of a trace are that is going to be compiled, for whoever finds its
    /// machine code in a sample; nothing if nobody will.
    pub(super) fn op_places(&self, profiled: &Profiled, info: &TraceInfo<'_>) -> Rc<[Inlined]> {
        let (trace, optimised) = (info.recorded, info.optimised);
        if matches!(info.target, TraceTarget::Stencil) {
            // Many places share the code of an instruction.
            return Rc::default();
        }
        let mut stack = Stack::default();
        let inlined = match info.target {
            TraceTarget::Bridge(guard) => profiled.guard(guard.as_u32()),
            _ => None,
        };
        match (inlined, info.greens) {
            (Some(inlined), _) => stack.now = inlined.iter().copied().map(Some).collect(),
            (None, Some(greens)) => {
                stack.now = vec![Some(place_of(profiled, greens))];
            }
            (None, None) => stack.now = vec![None],
        }
        let places = match trace.exits.activations.is_empty() {
            false => places_by_origins(profiled, stack, trace, optimised),
            true => self.places_by_exits(profiled, stack, &optimised.trace),
        };
        for (op, inlined) in optimised.trace.ops().iter().zip(&places) {
            if let Some(guard) = op.guard() {
                profiled.note_guard(guard.as_u32(), inlined);
            }
        }
        places.into()
    }

    /// Code by partial evaluation has merge points, and guards that say in how many activations
    /// they are.
    fn places_by_exits(
        &self,
        profiled: &Profiled,
        mut stack: Stack,
        trace: &OptimisedTrace,
    ) -> Vec<Inlined> {
        let portal = self.program.unit.portal.as_u32();
        let ops = trace.ops();
        // The depth at each operation is that at the next exit.
        let mut depths = vec![stack.now.len(); ops.len()];
        let mut depth = None;
        for (n, op) in ops.iter().enumerate().collect::<Vec<_>>().into_iter().rev() {
            if let Some(resume) = op.resume() {
                let frames = resume.frames.iter();
                depth = Some(frames.filter(|f| f.code == portal).count().max(1));
            }
            depths[n] = depth.unwrap_or(depths[n]);
        }
        let places = ops.iter().zip(depths).map(|(op, depth)| {
            stack.set_depth(depth);
            if op.opcode() == Opcode::MergePoint
                && let Some(greens) = words(op.args().iter())
            {
                stack.arrive(place_of(profiled, &greens));
            }
            stack.inlined()
        });
        places.collect()
    }

    /// The profile so far. The context is current.
    pub(crate) fn profile(&self) -> Option<Profile> {
        let profiled = self.profiled.as_ref()?;
        profiled.take(None);
        Some(profiled.profile(|greens| self.describe(greens)))
    }

    /// Where a place is, with whatever its author does not say made up for.
    fn describe(&self, greens: &[u64]) -> Place {
        let Some(location) = self.location(greens) else {
            return Place {
                function: self.program.show_greens(greens),
                ..Place::default()
            };
        };
        let function = location
            .function
            .clone()
            .unwrap_or_else(|| match &location.file {
                Some(file) => file.clone(),
                None => location.to_string(),
            });
        Place {
            function,
            file: location.file,
            line: location.line,
        }
    }
}
