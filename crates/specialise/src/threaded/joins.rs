//! The paths of a stencil that wait for each other.

use super::decode::Green;
use crate::state::path::Path;
use verdigris_jitcode::{CodeId, Pc, Reg, Unit};
use verdigris_trace::Const;

/// The content of a register, if it is the same for all paths that join; none for a red.
pub(crate) type Known = Option<(Const, Option<Green>)>;

/// The state that joining paths have in common: of each frame the function, the instruction, and
/// the registers that are needed there.
pub(crate) type Stand = Vec<(CodeId, Pc, Vec<(Reg, Known)>)>;

/// The waiting paths, by their common state.
#[derive(Default)]
pub(crate) struct Joins(pub Vec<(Stand, Vec<Path>)>);

impl Joins {
    pub fn wait(&mut self, stand: Stand, path: Path) {
        match self.0.iter_mut().find(|known| known.0 == stand) {
            Some((_, paths)) => paths.push(path),
            None => self.0.push((stand, vec![path])),
        }
    }
}

/// The state of a path that calls the guest program.
pub(crate) fn stand(path: &Path, unit: &Unit, state: &[Reg]) -> Stand {
    let last = path.frames.len() - 1;
    let frames = path.frames.iter().enumerate().map(|(depth, frame)| {
        let regs = match depth == last {
            true => state.to_vec(),
            false => frame.suspended_regs(unit),
        };
        let regs = regs.into_iter().map(|reg| {
            let constant = frame.regs[usize::from(reg.0)].as_const();
            (reg, constant.map(|constant| (constant, frame.source(reg))))
        });
        (frame.code, frame.pc, regs.collect())
    });
    frames.collect()
}
