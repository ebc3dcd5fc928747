//! Loop peeling: the entry section runs the first iterations, and the body is specialised to the
//! state that they leave.
//!
//! The trace is run once for the entry. The state at its end is what the body assumes, and the
//! trace is run again from there. If the body's end satisfies the assumption, the loop is done.
//! Otherwise the entry gets another iteration (values that exist before the loop become virtual one
//! iteration later, like the second of two numbers that chase each other), or the assumption is
//! weakened. That ends: everything satisfies the generic state.

use crate::bounds::{IntBound, Needs};
use crate::finish::dce;
use crate::host::OptError;
use crate::labels::export::export;
use crate::labels::label_join::Joined;
use crate::labels::{generalise_constants, label_join};
use crate::section::{Cx, Section};
use crate::state::label::{Sid, VirtualState};
use crate::state::node::NodeId;
use crate::state::op_symmetry::makes_word;
use crate::state::remarks::{MissedOptimisation, Remark};
use verdigris_ops::{Effect, Ty};
use verdigris_trace::{Opcode, OptimisedOp, TargetId};

/// Iterations that the entry section may run beyond the first.
const MAX_EXTENSIONS: u32 = 2;

/// With more facts than this, the body is first run to see which of them it uses. Every guard
/// collects the facts that hold there for its bridges, and all facts at all guards would take time
/// that grows with the square of a trace's length.
const MANY_FACTS: usize = 16;

/// If there are many, a guard collects this many of those that the body uses. A bridge that lacks
/// one goes through the loop's entry.
const GUARD_FACTS: usize = 24;

/// States that are tried before the generic one.
const MAX_ROUNDS: u32 = 12;

/// How many of them assume bounds of integers.
const BOUND_ROUNDS: u32 = 6;

/// A peeled loop.
pub(crate) struct Peeled {
    /// From the recorded trace's inputs to the body.
    pub entry: Section,
    /// The loop.
    pub body: Section,
    /// The state that the body assumes.
    pub state: VirtualState,
    /// Remarks on what could not be part of the state.
    pub remarks: Vec<Remark>,
}

/// The result of a run over the trace from an assumed state.
enum Attempt {
    /// The body.
    Fits(Box<Fitting>),
    /// A weaker state; the shape is the same.
    Weaker(VirtualState),
    /// A weaker state of another shape, with remarks on what it has lost.
    OtherShape(VirtualState, Vec<Remark>),
}

/// A body that fits.
struct Fitting {
    section: Section,
    /// The state that it assumes.
    state: VirtualState,
    /// For each fact of the state, whether it was used. Those that were hold at the end.
    used: Vec<bool>,
    /// The bounds that the body needs.
    bounds: Needs,
    /// The body allocates an object for a value that comes from outside in the first iteration.
    /// With another iteration in the entry it may stay virtual.
    improvable: bool,
    /// Its guards have collected no facts, because there are many.
    draft: bool,
}

/// Peels a loop whose body gets this label.
pub(crate) fn peel(cx: &mut Cx<'_>, body: TargetId) -> Result<Peeled, OptError> {
    let mut entry = Section::at_start(cx);
    entry.run(cx)?;
    let mut roots = entry.jump_nodes(cx);
    let mut state = state_of(cx, &mut entry, &roots);
    let mut extensions = 0;
    let mut fallback = None;
    // What the state has lost since the entry's end.
    let mut remarks = Vec::new();
    let mut why_generic = MissedOptimisation::Unsettled;
    for round in 0..MAX_ROUNDS {
        // Bounds that still change after half of the rounds are given up, so that the rest can
        // settle.
        state.keep_bounds(match round {
            0..BOUND_ROUNDS => Needs::ALL,
            _ => Needs::default(),
        });
        let late = cx.whole.late.len();
        let result = attempt(cx, &state, body);
        if cx.whole.late.len() > late {
            // Too many values are delayed: the chosen ones are late from the start.
            state = state_of(cx, &mut entry, &roots);
            remarks.clear();
            continue;
        }
        let want_longer = match result {
            Ok(Attempt::Fits(fitting)) => {
                let longer = fitting.improvable && extensions < MAX_EXTENSIONS;
                let fitting = loosen(cx, *fitting, body);
                let peeled = accept(cx, &entry, &roots, body, fitting, &remarks);
                match peeled {
                    Ok(peeled) if longer => fallback = fallback.or(Some(peeled)),
                    Ok(peeled) if fallback.is_none() => return Ok(peeled),
                    Ok(peeled) => return Ok(better(fallback, peeled)),
                    Err(unfit) => {
                        let (weaker, lost) = *unfit;
                        state = weaker;
                        remarks.extend(lost);
                    }
                }
                longer
            }
            Ok(Attempt::Weaker(weaker)) => {
                state = weaker;
                false
            }
            Ok(Attempt::OtherShape(weaker, lost)) => {
                state = weaker;
                remarks.extend(lost);
                extensions < MAX_EXTENSIONS
            }
            Err(OptError::Contradiction)
                if generalise_constants::weaken(cx, &mut state, &mut remarks) =>
            {
                cov_mark::hit!(constants_of_the_end_are_given_up);
                false
            }
            Err(OptError::Contradiction | OptError::PromotesNew) => {
                cov_mark::hit!(trace_contradicts_its_end);
                why_generic = MissedOptimisation::Contradiction;
                break;
            }
        };
        if !want_longer {
            continue;
        }
        extensions += 1;
        match extend(cx, &entry, &roots) {
            Some(longer) => {
                cov_mark::hit!(entry_runs_another_iteration);
                (entry, roots) = longer;
                state = state_of(cx, &mut entry, &roots);
                remarks.clear();
            }
            None => extensions = MAX_EXTENSIONS,
        }
    }
    match fallback {
        Some(peeled) => Ok(peeled),
        None => generic(cx, body, why_generic),
    }
}

/// The state at the end of the entry, with all late values stored.
fn state_of(cx: &mut Cx<'_>, entry: &mut Section, roots: &[NodeId]) -> VirtualState {
    entry.flush_late(cx);
    export(cx, entry, roots)
}

/// The body for what it demands and no more: without unused facts if it is a draft, without
/// unneeded bounds (see [`needed_bounds`]), and with the needed ones reduced to the sign, if
/// another run leaves the body as it is. Behind its first iteration a counter is at least 1; a body
/// seldom needs more than that it is not negative, and that is what bridges can show.
fn loosen(cx: &mut Cx<'_>, fitting: Fitting, target: TargetId) -> Fitting {
    let mut demanded = fitting.state.clone();
    if fitting.draft {
        demanded.retain_facts(&fitting.used);
    }
    let mut looser = demanded.clone();
    looser.keep_bounds(fitting.bounds);
    let signs: Vec<Sid> = looser
        .bounds()
        .filter(|&(_, bound)| bound.lo >= 0 && bound != IntBound::NATURAL)
        .map(|(s, _)| s)
        .collect();
    for &s in &signs {
        looser.set_bound(s, IntBound::NATURAL);
    }
    if signs.is_empty() && !fitting.draft {
        return fitting;
    }
    // A cast to a word is no code.
    let opcodes = |s: &Section| {
        let all = s.code.trace.ops().iter().map(|op| op.opcode());
        all.filter(|&opcode| !makes_word(opcode))
            .collect::<Vec<_>>()
    };
    for state in [looser, demanded] {
        let facts = guard_knowledge(&state);
        if let Ok(Attempt::Fits(mut second)) = run_body(cx, &state, target, facts)
            && opcodes(&second.section) == opcodes(&fitting.section)
        {
            second.improvable = fitting.improvable;
            return *second;
        }
        if !fitting.draft {
            break;
        }
    }
    fitting
}

/// The peeled loop for a body that fits, if the entry can satisfy its state. If not, the state that
/// it can satisfy, with remarks on what that has lost.
fn accept(
    cx: &mut Cx<'_>,
    entry: &Section,
    roots: &[NodeId],
    target: TargetId,
    mut fitting: Fitting,
    remarks: &[Remark],
) -> Result<Peeled, Box<(VirtualState, Vec<Remark>)>> {
    let mut state = fitting.state;
    state.retain_facts(&fitting.used);
    state.keep_bounds(fitting.bounds);
    for facts in &mut fitting.section.guards.knowledge {
        facts.retain(&fitting.used, fitting.bounds);
    }
    match label_join::close(cx, entry.clone(), roots, target, &state) {
        Ok(entry) => Ok(finish(cx, entry, fitting.section, state, remarks.to_vec())),
        Err(joined) => {
            let lost = joined.remarks(&state, cx.descrs);
            Err(Box::new((joined.state, lost)))
        }
    }
}

/// The loop whose body allocates less; the one with the shorter entry if they are alike.
fn better(first: Option<Peeled>, second: Peeled) -> Peeled {
    let allocations = |p: &Peeled| {
        let is_alloc = |op: &OptimisedOp<'_>| matches!(op.opcode(), Opcode::Data(d) if d.effect() == Effect::Alloc);
        p.body.code.trace.ops().iter().filter(is_alloc).count()
    };
    match first {
        Some(first) if allocations(&first) <= allocations(&second) => first,
        _ => second,
    }
}

/// Runs the trace from an assumed state, and compares its end.
fn attempt(cx: &mut Cx<'_>, state: &VirtualState, target: TargetId) -> Result<Attempt, OptError> {
    if state.facts.len() <= MANY_FACTS {
        return run_body(cx, state, target, guard_knowledge(state));
    }
    let mut attempt = run_body(cx, state, target, 0)?;
    if let Attempt::Fits(fitting) = &mut attempt {
        fitting.draft = true;
    }
    Ok(attempt)
}

/// How many facts the guards of a body with this state collect.
fn guard_knowledge(state: &VirtualState) -> usize {
    match state.facts.len() {
        0..=MANY_FACTS => MANY_FACTS,
        _ => GUARD_FACTS,
    }
}

/// The same, for a body whose guards collect at most this many facts.
fn run_body(
    cx: &mut Cx<'_>,
    state: &VirtualState,
    target: TargetId,
    facts: usize,
) -> Result<Attempt, OptError> {
    let (mut section, roots) = state.assume(cx.descrs);
    section.facts.keys.truncate(facts);
    section.bind_inputs(cx, &roots);
    section.run(cx)?;
    let roots = section.jump_nodes(cx);
    let improvable = label_join::takes_virtual(cx, state, &mut section, &roots);
    let joined = label_join::prepare_jump(cx, state, &mut section, &roots);
    if joined.shape_changed {
        let remarks = joined.remarks(state, cx.descrs);
        return Ok(Attempt::OtherShape(joined.state, remarks));
    }
    let used = joined.needed_facts(state, &section.facts.used);
    let lost_used = used
        .iter()
        .zip(&joined.fact_holds)
        .any(|(&used, &holds)| used && !holds);
    let bounds = needed_bounds(state, &section, &joined);
    if joined.weakened || lost_used || bounds.is_none() {
        return Ok(Attempt::Weaker(joined.state));
    }
    if let Some(stored) = state.without_stranded_stores(&used) {
        return Ok(Attempt::Weaker(stored));
    }
    label_join::jump_to(&mut section, &joined, state, target);
    Ok(Attempt::Fits(Box::new(Fitting {
        section,
        state: state.clone(),
        used,
        bounds: bounds.unwrap_or_default(),
        improvable,
        draft: false,
    })))
}

/// The bounds that the label must assume: those that the body has used, and those without which
/// these would not hold at the body's end. `None` if one of them does not hold there. The others
/// are dropped, so that more bridges fit. (A second run without them would give the same code; the
/// ranges of the first have both results, see `bounds::range`.)
fn needed_bounds(state: &VirtualState, section: &Section, joined: &Joined) -> Option<Needs> {
    let mut needed = section.nodes.used_bounds();
    loop {
        let before = needed;
        for (number, (s, bound)) in state.bounds().enumerate() {
            let Some(n) = joined.nodes[s.0 as usize] else {
                continue;
            };
            let range = section.nodes.range(n);
            if !Needs::one(number).are_among(needed) || range.sure.is_within(bound) {
                continue;
            }
            if !range.assumed.is_within(bound) {
                return None;
            }
            needed = needed.and(range.needs);
        }
        if needed == before {
            return Some(needed);
        }
    }
}

/// Runs another iteration in the entry section.
fn extend(cx: &mut Cx<'_>, entry: &Section, roots: &[NodeId]) -> Option<(Section, Vec<NodeId>)> {
    let mut longer = entry.clone();
    longer.bind_inputs(cx, roots);
    longer.run(cx).ok()?;
    let roots = longer.jump_nodes(cx);
    Some((longer, roots))
}

/// One iteration in the entry and a body that assumes nothing.
fn generic(cx: &mut Cx<'_>, target: TargetId, why: MissedOptimisation) -> Result<Peeled, OptError> {
    let types: Vec<Ty> = cx.trace.inputs.iter().map(|&v| cx.trace.types[v]).collect();
    let state = VirtualState::generic(&types);
    let entry = run_and_jump(cx, Section::at_start(cx), target)?;
    let (mut section, roots) = state.assume(cx.descrs);
    section.bind_inputs(cx, &roots);
    let body = run_and_jump(cx, section, target)?;
    let remark = Remark::new(why, "the loop".to_owned());
    Ok(finish(cx, entry, body, state, vec![remark]))
}

/// The unpeeled loop: one section that jumps to its own start.
pub(crate) fn unpeeled(cx: &mut Cx<'_>, entry: TargetId) -> Result<Section, OptError> {
    let section = Section::at_start(cx);
    let mut section = run_and_jump(cx, section, entry)?;
    section.drop_idle_checks(cx);
    dce::remove_dead(&mut section);
    Ok(section)
}

fn run_and_jump(
    cx: &mut Cx<'_>,
    mut section: Section,
    target: TargetId,
) -> Result<Section, OptError> {
    section.run(cx)?;
    let roots = section.jump_nodes(cx);
    let types: Vec<Ty> = cx.trace.inputs.iter().map(|&v| cx.trace.types[v]).collect();
    let args = section.force_all_as(cx, &roots, &types);
    section.flush_all(cx);
    section.jump(target, &args);
    Ok(section)
}

/// Removes dead operations, and parameters that the body does not need.
fn finish(
    cx: &Cx<'_>,
    mut entry: Section,
    mut body: Section,
    mut state: VirtualState,
    remarks: Vec<Remark>,
) -> Peeled {
    entry.drop_idle_checks(cx);
    body.drop_idle_checks(cx);
    let needed = dce::remove_dead_loop(&mut body);
    state.keep_params(&needed);
    dce::keep_jump_args(&mut entry, &needed);
    dce::remove_dead(&mut entry);
    Peeled {
        entry,
        body,
        state,
        remarks,
    }
}
