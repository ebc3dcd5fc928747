//! The range of colours of each result of an operation over all specialisations.
//!
//! It agrees with the report: an expression of this value alone is green if the greatest is, and
//! red if the least is not green.

use crate::analysis::Analysis;
use crate::colour::Colour;
use rustc_hash::FxHashMap;
use verdigris_front::tast::FuncId;
use verdigris_graph::ValueId;

/// The colours of a value over all specialisations of its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ColourRange {
    /// The least of its colours.
    pub least: Colour,
    /// The greatest.
    pub greatest: Colour,
}

impl Analysis<'_> {
    /// The colours of the results of operations behind the merge point; nothing else is compiled.
    pub fn results(&self) -> FxHashMap<(FuncId, ValueId), ColourRange> {
        let mut results: FxHashMap<(FuncId, ValueId), ColourRange> = FxHashMap::default();
        let portal = self.input.source.portal;
        for &id in &self.solution.live {
            let spec = &self.solution.specs[id];
            let flow = &self.flows[spec.func];
            let graph = &self.input.graphs[spec.func].graph;
            let blocks = flow.order.iter().copied();
            for block in blocks.filter(|&b| spec.func != portal || flow.inside[b]) {
                for &value in graph.blocks[block].ops.iter().flat_map(|op| &op.dsts) {
                    let colour = spec.colours[value];
                    let one = ColourRange {
                        least: colour,
                        greatest: colour,
                    };
                    let range = results.entry((spec.func, value)).or_insert(one);
                    range.least = range.least.min(colour);
                    range.greatest = range.greatest.max(colour);
                }
            }
        }
        results
    }
}
