//! The analysis: colours, then demands, until no demand makes another value green.

use crate::analysis::Analysis;
use crate::input::ColourInput;
use crate::solver::flow::Flow;
use crate::solver::spec::Forced;
use crate::solver::{demand, solve, views};
use cranelift_entity::PrimaryMap;
use verdigris_front::tast::FuncId;

/// Colours a program.
pub fn analyse(input: ColourInput<'_>) -> Analysis<'_> {
    let mut flows: PrimaryMap<FuncId, Flow> = input.graphs.values().map(Flow::new).collect();
    views::add(&input, &mut flows);
    for (func, flow) in &mut flows {
        flow.prepare_passes(input.descrs, &input.graphs[func].graph);
    }
    let mut forced = Forced::default();
    loop {
        let solution = solve::solve(&input, &flows, &forced);
        let analysis = Analysis {
            input,
            flows,
            solution,
        };
        let before = forced.len();
        demand::collect(&analysis, &mut forced);
        if forced.len() == before {
            return analysis;
        }
        flows = analysis.flows;
    }
}
