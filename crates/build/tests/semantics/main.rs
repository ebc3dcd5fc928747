//! Random programs mean the same in all forms: as typed trees with Rust's own arithmetic, as flow
//! graphs, as jitcode.
//!
//! The tree evaluator ([`native`]) computes with Rust's integer types; the graph and jitcode
//! interpreters know only `verdigris_ops::eval`. The jitcode interpreter destroys every register
//! that is not live, at every instruction.

mod code;
mod direct;
mod graphs;
mod native;
mod program;
mod random;
mod world;

use proptest::prelude::*;
use verdigris_front::{DiagCode, tast};
use world::{Outcome, World};

/// Runs a program in all three forms and compares what can be seen from outside.
fn check(source: &tast::TypedProgram, inputs: &[Vec<u64>]) -> Result<(), String> {
    let graphs = match verdigris_graph::build(source) {
        Ok(graphs) => graphs,
        // Random code before the merge point may always panic.
        Err(e) if e.iter().all(|e| e.code == DiagCode::NoMergePoint) => return Ok(()),
        Err(e) => return Err(format!("{e:?}")),
    };
    let unit = verdigris_build::lower(&graphs);
    verdigris_jitcode::verify(&unit)
        .map_err(|e| format!("{e}\n{}", verdigris_jitcode::print_unit(&unit)))?;

    let graph_text = verdigris_graph::print_program(&graphs);
    let reread = verdigris_graph::parse(&graph_text).map_err(|e| format!("{e}\n{graph_text}"))?;
    if reread != graphs {
        return Err(format!("the graphs do not round-trip:\n{graph_text}"));
    }
    let code_text = verdigris_jitcode::print_unit(&unit);
    let reread = verdigris_jitcode::parse(&code_text).map_err(|e| format!("{e}\n{code_text}"))?;
    if reread != unit {
        return Err(format!("the jitcode does not round-trip:\n{code_text}"));
    }

    for args in inputs {
        compare(source, &graphs, &unit, args)
            .map_err(|e| format!("on {args:x?}, {e}\n{graph_text}\n{code_text}"))?;
    }
    Ok(())
}

fn compare(
    source: &tast::TypedProgram,
    graphs: &verdigris_graph::GraphProgram,
    unit: &verdigris_jitcode::Unit,
    args: &[u64],
) -> Result<(), String> {
    let mut native_world = World::new(&source.descrs);
    let native = native::run(source, &mut native_world, args);
    if native == Outcome::TooLong {
        return Ok(());
    }
    let want = (native, native_world.log);
    let mut world = World::new(&graphs.descrs);
    let graph = (graphs::run(graphs, &mut world, args), world.log);
    let mut world = World::new(&unit.descrs);
    let code = (code::run(unit, &mut world, args), world.log);
    if graph != want {
        return Err(format!("the graph gives {graph:?}, not {want:?}"));
    }
    if code != want {
        return Err(format!("the jitcode gives {code:?}, not {want:?}"));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn random_programs_mean_the_same_in_all_forms(seed in any::<u64>(), size in 1u32..7, args in any::<[u64; 4]>()) {
        let source = random::program(seed, size);
        let params = &source.funcs[source.portal].params;
        let locals = &source.funcs[source.portal].locals;
        let args: Vec<u64> = params
            .iter()
            .zip(args)
            .map(|(&p, word)| random::word_of(&locals[p].ty, word))
            .collect();
        check(&source, &[args]).map_err(|e| TestCaseError::fail(format!("seed {seed} size {size}: {e}")))?;
    }
}

#[test]
fn the_random_programs_reach_everything() {
    let mut returned = 0;
    let mut panicked = std::collections::BTreeSet::new();
    for seed in 0..1000 {
        let source = random::program(seed, 5);
        let mut world = World::new(&source.descrs);
        let args = [3, seed, seed / 7, 1];
        let params = &source.funcs[source.portal].params;
        match native::run(&source, &mut world, &args[..params.len()]) {
            Outcome::Returned(_) => returned += 1,
            Outcome::Panicked(message) => {
                panicked.insert(message.chars().take(18).collect::<String>());
            }
            Outcome::TooLong => {}
        }
    }
    assert!(returned > 250, "only {returned} programs return");
    assert!(panicked.len() >= 6, "only these panics: {panicked:?}");
}
