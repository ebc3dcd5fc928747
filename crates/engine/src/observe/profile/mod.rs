//! Profiling of the guest program: the positions of compiled operations, and the [`Profile`]. A
//! sample changes nothing but time: it starts no trace and counts no failure, and the interrupted
//! code continues.
//!
//! While a guest program is profiled, native code notes every call of the portal
//! ([`verdigris_heap::Activations`]), and enters the engine at every call and back edge while a
//! sample waits. Compiled code then leaves at the next header, by its guard for interrupts, and is
//! entered again. docs/book/src/reference/profiling.md tells what a profile knows.

pub(crate) mod code_map;
mod marks;
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
use verdigris_profile::Profile;
use verdigris_report::SourcePos;
use verdigris_trace::{Opcode, OptimisedTrace, RecordedTrace};

/// The stack of places at an operation, updated from one operation to the next.
#[derive(Default)]
struct Stack {
    now: Vec<Option<PlaceId>>,
    last: Option<Inlined>,
}

impl Stack {
    /// Sets the number of activations that an operation is in.
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
    /// The places of the operations of a trace, by which its machine code is found in samples.
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
        Some(profiled.profile(|greens| {
            let pos = self.source_pos(greens);
            pos.unwrap_or_else(|| SourcePos::words(self.program.show_greens(greens)))
        }))
    }
}
