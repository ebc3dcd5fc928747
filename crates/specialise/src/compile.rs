//! Compiling from a merge point, and from a guard that has failed.

use crate::failed_guard::{self, FailedGuard};
use crate::limits::{LeaveReason, SpecialiseLimits};
use crate::portal::{state, types};
use crate::specialiser::{Specialised, Specialiser};
use crate::state::history::SpecialiserHistory;
use crate::state::path::Path;
use verdigris_jitcode::{Reg, Unit};
use verdigris_opt::{Host, Optimiser, TraceBuilder};
use verdigris_trace::{Arg, Const};

/// Compiles from a merge point with these greens on.
pub fn specialise(
    unit: &Unit,
    greens: &[u64],
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: SpecialiseLimits,
) -> Specialised {
    let (green, reds) = state(unit);
    let types = types(unit, reds);
    let (builder, section) = TraceBuilder::new(optimiser, &unit.descrs, host, &types);
    let code = unit.portal();
    let mut way = Path::new(Box::new(section));
    way.push_frame(unit, unit.portal);
    way.top().pc = unit.merge_point;
    let greens = green.iter().zip(greens);
    let greens = greens.map(|(&reg, &word)| (reg, Const::new(code.regs[usize::from(reg.0)], word)));
    let greens: Vec<(Reg, Const)> = greens.collect();
    for &(reg, constant) in &greens {
        way.set(reg, Arg::Const(constant));
    }
    let inputs = way.section.trace.inputs.clone();
    for (&reg, value) in reds.iter().zip(inputs) {
        way.set(reg, Arg::Ref(value));
    }
    way.starts = true;
    let key: Vec<Const> = greens.into_iter().map(|(_, constant)| constant).collect();
    let entry = builder.entry(&types);
    let mut specialiser = Specialiser::new(unit, history, builder, limits);
    let label = (key.clone(), entry.clone());
    specialiser.pending.labels.push(label);
    specialiser.places.start(key, entry);
    specialiser.run(way)
}

/// Compiles from a guard on that has failed: the arm for the value that came, if it is a promotion.
///
/// # Errors
/// If the interpreter has to do the very next instruction again.
pub fn specialise_from(
    unit: &Unit,
    left: &FailedGuard<'_>,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: SpecialiseLimits,
) -> Result<Specialised, LeaveReason> {
    let (builder, section) =
        TraceBuilder::bridge(optimiser, &unit.descrs, host, left.facts, left.types);
    let way = failed_guard::path(unit, left, Box::new(section));
    let done = Specialiser::new(unit, history, builder, limits).run(way);
    match done.at_once {
        Some(why) => Err(why),
        None => Ok(done),
    }
}
