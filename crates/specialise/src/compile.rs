//! Compiling from a merge point, and from a guard that has failed.

use crate::failed_guard::{self, FailedGuard};
use crate::limits::{LeaveReason, SpecialiseLimits};
use crate::portal::{state, types};
use crate::specialiser::{Specialised, Specialiser};
use crate::state::history::SpecialiserHistory;
use crate::state::merge_key::MergeKey;
use crate::state::path::Path;
use verdigris_jitcode::{Reg, Unit};
use verdigris_opt::{Host, Optimiser, TraceBuilder};
use verdigris_trace::{Arg, Const};

/// Compiles from the merge point with these greens.
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
    let mut path = Path::new(Box::new(section));
    path.push_frame(unit, unit.portal);
    path.top().pc = unit.merge_point;
    let greens = green.iter().zip(greens);
    let greens = greens.map(|(&reg, &word)| (reg, Const::new(code.regs[usize::from(reg.0)], word)));
    let greens: Vec<(Reg, Const)> = greens.collect();
    for &(reg, constant) in &greens {
        path.set(reg, Arg::Const(constant));
    }
    let inputs = path.section.trace.inputs.clone();
    for (&reg, value) in reds.iter().zip(inputs) {
        path.set(reg, Arg::Ref(value));
    }
    path.starts = true;
    let key: Vec<Const> = greens.into_iter().map(|(_, constant)| constant).collect();
    let entry = builder.entry(&types);
    let mut specialiser = Specialiser::new(unit, history, builder, limits);
    let label = (MergeKey::start(key.clone()), entry.clone());
    specialiser.pending.labels.push(label);
    specialiser.places.start(key, entry);
    specialiser.run(path)
}

/// Compiles from a failed guard: at a promotion, the arm for the value that came.
///
/// # Errors
/// If the next instruction is left to the interpreter again.
pub fn specialise_from(
    unit: &Unit,
    failed: &FailedGuard<'_>,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    host: &mut dyn Host,
    limits: SpecialiseLimits,
) -> Result<Specialised, LeaveReason> {
    let (builder, section) =
        TraceBuilder::bridge(optimiser, &unit.descrs, host, failed.facts, failed.types);
    let path = failed_guard::path(unit, failed, Box::new(section));
    let done = Specialiser::new(unit, history, builder, limits).run(path);
    match done.at_once {
        Some(why) => Err(why),
        None => Ok(done),
    }
}
