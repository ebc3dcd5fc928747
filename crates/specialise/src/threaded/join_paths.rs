//! Joins paths of a stencil that call the guest program from the same frames with the same
//! constants.
//!
//! Number and kinds of arguments split paths that then do the same; without joins, a calling
//! instruction would be compiled for each combination. Source: "Get Your Own Just-In-Time
//! Specializing Compiler For Free" (2007), section 2.6.

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
    /// Makes a path that calls the guest program wait until all others have come as far or ended.
    pub fn wait_for_others(&mut self, mut path: Path, state: &[Reg]) -> Flow {
        if self.advance(&mut path).is_err() {
            self.end(path);
            return ControlFlow::Break(crate::step::flow::PathEnd::Done);
        }
        let stand = stand(&path, self.unit, state);
        self.joins.wait(stand, path);
        ControlFlow::Break(crate::step::flow::PathEnd::Done)
    }

    /// Joins paths that wait in the same state. Returns false if there are none.
    pub fn join(&mut self) -> bool {
        let Some((stand, mut paths)) = self.joins.0.pop() else {
            return false;
        };
        let path = match paths.len() {
            1 => paths.remove(0),
            _ => self.joined(&stand, paths),
        };
        if let ControlFlow::Continue(path) = self.call_thread(path) {
            self.paths.push(path);
        }
        true
    }

    /// The path behind a new label that all of these jump to.
    fn joined(&mut self, stand: &Stand, paths: Vec<Path>) -> Path {
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
        let first = &paths[0];
        let decoder = first.holes.as_ref().map(|holes| Rc::clone(&holes.decoder));
        let decoder = decoder.expect("only a stencil joins paths so");
        let mut path = first.behind(unit, Box::new(section), Holes::new(decoder, inputs[0]));
        for (&(depth, reg), &input) in reds.iter().zip(&inputs[1..]) {
            path.frames[depth].regs[usize::from(reg.0)] = Arg::Ref(input);
        }
        for path in paths {
            let record = path.holes.as_ref().map(|holes| Arg::Ref(holes.record));
            let values = reds
                .iter()
                .map(|&(depth, reg)| path.frames[depth].regs[usize::from(reg.0)]);
            let values = record.into_iter().chain(values).zip(types.iter().copied());
            let values: Vec<(Arg, Ty)> = values.collect();
            self.builder.jump_to_any(*path.section, &values, &label);
        }
        path
    }
}
