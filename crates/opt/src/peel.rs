//! Loop peeling: the first iterations run in the entry section, the body is specialised to the state they leave.
//!
//! In: a recorded loop. Out: two sections and the state between them. Driver: run the trace once for the entry; take the
//! state at its end as the body's assumption; run the trace again from there; if its end satisfies the assumption, done. Else
//! run another iteration in the entry (values that exist before the loop become virtual one iteration later, as the
//! second of two numbers that chase each other), or weaken the assumption. Weakening ends, for the generic state
//! is satisfied by everything.

use crate::dce;
use crate::host::OptError;
use crate::node::NodeId;
use crate::section::{Cx, Section};
use crate::state::{LabelState, export};
use crate::transfer;
use verdigris_ops::{Effect, Ty};
use verdigris_trace::{Op, Opcode, TargetId, Val};

/// Iterations that the entry section may run beyond the first.
const MAX_EXTENSIONS: u32 = 2;

/// With more facts than this, a body is first run to see which of them it uses: every guard collects the facts that hold
/// there for its bridges, which for all facts at all guards would take time that grows with the square of a trace's length.
const MANY_FACTS: usize = 64;

/// If there are many, a guard collects as many of those that the body uses. A bridge that is not told the rest finds
/// its way through the loop's entry.
const GUARD_FACTS: usize = 32;

/// States that are tried before the generic one.
const MAX_ROUNDS: u32 = 12;

/// A peeled loop.
pub(crate) struct Peeled {
    /// From the recorded trace's inputs to the body.
    pub entry: Section,
    /// The loop.
    pub body: Section,
    /// What the body assumes.
    pub state: LabelState,
}

/// What a run over the trace from an assumed state says.
enum Attempt {
    /// The body.
    Fits(Box<Fitting>),
    /// A weaker state; the shape is the same.
    Weaker(LabelState),
    /// A weaker state of another shape.
    OtherShape(LabelState),
}

/// A body that fits.
struct Fitting {
    section: Section,
    /// What it assumes.
    state: LabelState,
    /// For each fact of the state whether it was used (those that were, hold at the end).
    used: Vec<bool>,
    /// The body allocates an object for a value that comes from outside in the first iteration: with another iteration in
    /// the entry it may stay virtual.
    improvable: bool,
}

/// Peels a loop whose body gets this label.
pub(crate) fn peel(cx: &mut Cx<'_>, body: TargetId) -> Result<Peeled, OptError> {
    let mut entry = Section::at_start(cx);
    entry.run(cx)?;
    let mut roots = entry.jump_nodes(cx);
    let mut state = export(cx, &mut entry, &roots);
    let mut extensions = 0;
    let mut fallback = None;
    for _ in 0..MAX_ROUNDS {
        let want_longer = match attempt(cx, &state, body) {
            Ok(Attempt::Fits(fitting)) => {
                let longer = fitting.improvable && extensions < MAX_EXTENSIONS;
                let peeled = accept(cx, &entry, &roots, body, *fitting);
                match peeled {
                    Some(peeled) if longer => fallback = fallback.or(Some(peeled)),
                    Some(peeled) if fallback.is_none() => return Ok(peeled),
                    Some(peeled) => return Ok(better(fallback, peeled)),
                    None => break,
                }
                longer
            }
            Ok(Attempt::Weaker(weaker)) => {
                state = weaker;
                false
            }
            Ok(Attempt::OtherShape(weaker)) => {
                state = weaker;
                extensions < MAX_EXTENSIONS
            }
            Err(OptError::Contradiction) if !state.facts.is_empty() => {
                state.facts.clear();
                false
            }
            Err(OptError::Contradiction) => break,
        };
        if !want_longer {
            continue;
        }
        extensions += 1;
        match extend(cx, &entry, &roots) {
            Some(longer) => {
                (entry, roots) = longer;
                state = export(cx, &mut entry, &roots);
            }
            None => extensions = MAX_EXTENSIONS,
        }
    }
    match fallback {
        Some(peeled) => Ok(peeled),
        None => generic(cx, body),
    }
}

/// The peeled loop for a body that fits, if the entry can satisfy the state.
fn accept(
    cx: &mut Cx<'_>,
    entry: &Section,
    roots: &[NodeId],
    target: TargetId,
    mut fitting: Fitting,
) -> Option<Peeled> {
    let mut state = fitting.state;
    state.retain_facts(&fitting.used);
    for facts in &mut fitting.section.guard_facts {
        facts.retain(&fitting.used);
    }
    let entry = transfer::close(cx, entry.clone(), roots, target, &state).ok()?;
    Some(finish(entry, fitting.section, state))
}

/// The one whose body allocates less; the shorter entry if they are alike.
fn better(first: Option<Peeled>, second: Peeled) -> Peeled {
    let allocations = |p: &Peeled| {
        let is_alloc =
            |op: &Op| matches!(op.opcode, Opcode::Data(d) if d.effect() == Effect::Alloc);
        p.body.out.iter().filter(|op| is_alloc(op)).count()
    };
    match first {
        Some(first) if allocations(&first) <= allocations(&second) => first,
        _ => second,
    }
}

/// Runs the trace from an assumed state and compares.
fn attempt(cx: &mut Cx<'_>, state: &LabelState, target: TargetId) -> Result<Attempt, OptError> {
    if state.facts.len() <= MANY_FACTS {
        return run_body(cx, state, target, MANY_FACTS);
    }
    let draft = match run_body(cx, state, target, 0)? {
        Attempt::Fits(draft) => draft,
        weaker => return Ok(weaker),
    };
    let mut demanded = draft.state;
    demanded.retain_facts(&draft.used);
    let mut attempt = run_body(cx, &demanded, target, GUARD_FACTS)?;
    if let Attempt::Fits(fitting) = &mut attempt {
        fitting.improvable = draft.improvable;
    }
    Ok(attempt)
}

/// The same, for a body whose guards collect at most so many facts.
fn run_body(
    cx: &mut Cx<'_>,
    state: &LabelState,
    target: TargetId,
    guard_facts: usize,
) -> Result<Attempt, OptError> {
    let (mut section, roots) = state.enter(cx.descrs);
    section.label_facts.truncate(guard_facts);
    section.bind_inputs(cx, &roots);
    section.run(cx)?;
    let roots = section.jump_nodes(cx);
    let improvable = transfer::takes_virtual(cx, state, &mut section, &roots);
    transfer::settle(cx, state, &mut section, &roots);
    let joined = transfer::join(cx, state, &mut section, &roots);
    if joined.shape_changed {
        return Ok(Attempt::OtherShape(joined.state));
    }
    let used = section.used_facts.clone();
    let lost_used = used
        .iter()
        .zip(&joined.fact_holds)
        .any(|(&used, &holds)| used && !holds);
    if joined.weakened || lost_used {
        return Ok(Attempt::Weaker(joined.state));
    }
    transfer::jump_to(&mut section, &joined, state, target);
    Ok(Attempt::Fits(Box::new(Fitting {
        section,
        state: state.clone(),
        used,
        improvable,
    })))
}

/// Another iteration in the entry section.
fn extend(cx: &mut Cx<'_>, entry: &Section, roots: &[NodeId]) -> Option<(Section, Vec<NodeId>)> {
    let mut longer = entry.clone();
    longer.bind_inputs(cx, roots);
    longer.run(cx).ok()?;
    let roots = longer.jump_nodes(cx);
    Some((longer, roots))
}

/// One iteration in the entry and a body that assumes nothing.
fn generic(cx: &mut Cx<'_>, target: TargetId) -> Result<Peeled, OptError> {
    let types: Vec<Ty> = cx.trace.inputs.iter().map(|&v| cx.trace.types[v]).collect();
    let state = LabelState::generic(&types);
    let entry = run_and_jump(cx, Section::at_start(cx), target)?;
    let (mut section, roots) = state.enter(cx.descrs);
    section.bind_inputs(cx, &roots);
    let body = run_and_jump(cx, section, target)?;
    Ok(finish(entry, body, state))
}

/// The loop as recorded, when peeling is off: one section that jumps to its own start.
pub(crate) fn unpeeled(cx: &mut Cx<'_>, entry: TargetId) -> Result<Section, OptError> {
    let section = Section::at_start(cx);
    let mut section = run_and_jump(cx, section, entry)?;
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
    let args: Vec<Val> = roots.into_iter().map(|n| section.force(cx, n)).collect();
    section.flush_all(cx);
    section.jump(target, &args);
    Ok(section)
}

/// Removes dead operations, and parameters that the body does not need.
fn finish(mut entry: Section, mut body: Section, mut state: LabelState) -> Peeled {
    let needed = dce::remove_dead_loop(&mut body);
    state.keep_params(&needed);
    dce::keep_jump_args(&mut entry, &needed);
    dce::remove_dead(&mut entry);
    Peeled { entry, body, state }
}
