//! Lowers verified flow graphs to jitcode.
//!
//! A value has one register as long as it is live; edges pass operands by parallel moves; the
//! likely successor falls through. Codes are numbered as the graphs are.

mod emit;
mod layout;
mod liveness;
mod moves;
mod nothing;
mod regalloc;
mod split;

use cranelift_entity::EntityRef;
use emit::Emitter;
use verdigris_graph as graph;
use verdigris_jitcode::{CodeId, Codes, Insn, JitCode, Pc, Unit, liveness as live_registers};
use verdigris_ops::{Descrs, FnKind};

/// Lowers all graphs.
///
/// # Panics
/// If the program has no merge point, which the graph verifier excludes.
pub fn lower(program: &graph::GraphProgram) -> Unit {
    let codes: Codes = program.graphs.values().map(lower_graph).collect();
    let portal = CodeId::new(program.portal.index());
    let merge_point = merge_point(&codes[portal]);
    let mut descrs = program.descrs.clone();
    complete_runner(&mut descrs, &codes[portal], merge_point);
    Unit {
        descrs,
        merge_point,
        codes,
        portal,
        objects: program.objects.clone(),
    }
}

/// The signature of the way into the portal at its merge point.
fn complete_runner(descrs: &mut Descrs, portal: &JitCode, at: Pc) {
    let runner = descrs.fns.values_mut().find(|f| f.kind == FnKind::Runner);
    if let (Some(runner), Insn::MergePoint { greens, reds }) =
        (runner, &portal.insns[at.0 as usize])
    {
        let state = greens.iter().chain(reds);
        runner.params = state.map(|r| portal.regs[usize::from(r.0)]).collect();
        runner.ret = portal.ret.clone();
    }
}

fn merge_point(portal: &JitCode) -> Pc {
    let found = portal
        .insns
        .iter()
        .position(|i| matches!(i, Insn::MergePoint { .. }));
    Pc(found.expect("the portal has a merge point") as u32)
}

fn lower_graph(graph: &graph::Graph) -> JitCode {
    let mut graph = split::edges(graph);
    nothing::materialise(&mut graph);
    let live = liveness::Liveness::new(&graph);
    let registers = regalloc::allocate(&graph, &live);
    split::remove_empty(&mut graph, &registers);
    let order = layout::order(&graph);
    let mut code = Emitter::new(&graph, registers).emit(&order);
    code.live = live_registers(&code);
    code
}
