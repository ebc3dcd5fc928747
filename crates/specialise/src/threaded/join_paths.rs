//! Ways of a stencil that meet where they call the guest program. In: ways at the first merge point
//! of an activation that one of them has called. Out: one way for all that stand in the same frames
//! with the same constants. Invariant: what differs between them is passed as values, so that what
//! follows is compiled once.
//!
//! How many arguments there are, and of which kind, splits ways that then do the same: without
//! joins, an instruction that calls would be compiled for each combination. Source: "Get Your Own
//! Just-In-Time Specializing Compiler For Free" (2007), section 2.6.

use super::holes::Holes;
use super::joins::{Stand, stand};
use crate::specialiser::Specialiser;
use crate::state::path::Path;
use crate::step::flow::Flow;
use std::ops::ControlFlow;
use std::rc::Rc;
use verdigris_jitcode::Reg;
use verdigris_ops::Ty;
use verdigris_opt::LabelShape;
use verdigris_trace::Arg;

impl Specialiser<'_> {
    /// A way of a stencil calls the guest program: it waits until all others have come as far, or
    /// have ended.
    pub fn wait_for_others(&mut self, mut way: Path, state: &[Reg]) -> Flow {
        if self.advance(&mut way).is_err() {
            self.end(way);
            return ControlFlow::Break(crate::step::flow::PathEnd::Done);
        }
        let stand = stand(&way, self.unit, state);
        self.joins.wait(stand, way);
        ControlFlow::Break(crate::step::flow::PathEnd::Done)
    }

    /// Lets ways go on that wait in the same place. False if there are none.
    pub fn join(&mut self) -> bool {
        let Some((stand, mut ways)) = self.joins.0.pop() else {
            return false;
        };
        let way = match ways.len() {
            1 => ways.remove(0),
            _ => self.joined(&stand, ways),
        };
        if let ControlFlow::Continue(way) = self.call_thread(way) {
            self.ways.push(way);
        }
        true
    }

    /// The way behind a label where these go.
    fn joined(&mut self, stand: &Stand, ways: Vec<Path>) -> Path {
        let reds: Vec<(usize, Reg)> = (0..)
            .zip(stand)
            .flat_map(|(depth, (_, _, regs))| {
                let reds = regs.iter().filter(|(_, known)| known.is_none());
                reds.map(move |&(reg, _)| (depth, reg))
            })
            .collect();
        let unit = self.unit;
        let ty = |depth: usize, reg: Reg| unit.codes[stand[depth].0].regs[usize::from(reg.0)];
        let mut types = vec![Ty::Int];
        types.extend(reds.iter().map(|&(depth, reg)| ty(depth, reg)));
        let (label, section) = self.builder.label(LabelShape::any(&types), &types);
        let inputs = section.trace.inputs.clone();
        let first = &ways[0];
        let decoder = first.holes.as_ref().map(|holes| Rc::clone(&holes.decoder));
        let decoder = decoder.expect("only a stencil joins ways so");
        let mut way = first.behind(unit, Box::new(section), Holes::new(decoder, inputs[0]));
        for (&(depth, reg), &input) in reds.iter().zip(&inputs[1..]) {
            way.frames[depth].regs[usize::from(reg.0)] = Arg::Ref(input);
        }
        for way in ways {
            let record = way.holes.as_ref().map(|holes| Arg::Ref(holes.record));
            let values = reds
                .iter()
                .map(|&(depth, reg)| way.frames[depth].regs[usize::from(reg.0)]);
            let values = record.into_iter().chain(values).zip(types.iter().copied());
            let values: Vec<(Arg, Ty)> = values.collect();
            self.builder.jump_to_any(*way.section, &values, &label);
        }
        way
    }
}
