//! What paths have in common that meet: the position of the interpreter, and the constants that
//! belong to it.

use super::frame::{PathFrame, position};
use super::path::Path;
use verdigris_jitcode::{CodeId, Pc, Reg, Unit};
use verdigris_trace::Const;

/// A function, an instruction, and the constants among the values that are needed there.
type Stand = (CodeId, Pc, Vec<Option<Const>>);

/// The position of the interpreter, and the constants that belong to it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct MergeKey {
    /// The outer frames, each at its call.
    outer: Vec<Stand>,
    inner: InnerPosition,
}

/// Where the innermost frame is.
#[derive(Clone, PartialEq, Eq, Hash)]
enum InnerPosition {
    /// At the merge point, with these greens.
    MergePoint(Vec<Const>),
    /// Within an instruction of the guest program.
    Within {
        top: Stand,
        /// The number of the position in the guest program.
        place: Option<u32>,
        /// The next merge point is a loop's header.
        pending: bool,
    },
}

impl MergeKey {
    /// The key of the first merge point, with these greens.
    pub fn start(greens: Vec<Const>) -> MergeKey {
        MergeKey {
            outer: Vec::new(),
            inner: InnerPosition::MergePoint(greens),
        }
    }

    /// The key of a path at a merge point with these greens.
    pub fn of(path: &Path, unit: &Unit, greens: Vec<Const>) -> MergeKey {
        MergeKey {
            outer: outer(path, unit),
            inner: InnerPosition::MergePoint(greens),
        }
    }

    /// The key of a path within an instruction of the guest program.
    pub fn within(path: &Path, unit: &Unit) -> MergeKey {
        let top = path.frames.last().expect("a path has a frame");
        let live = unit.codes[top.code].live_at(top.pc).iter().copied();
        MergeKey {
            outer: outer(path, unit),
            inner: InnerPosition::Within {
                top: stand(top, live),
                place: path.section.place,
                pending: path.pending,
            },
        }
    }

    /// Whether it is within an instruction of the guest program.
    pub fn is_within(&self) -> bool {
        matches!(self.inner, InnerPosition::Within { .. })
    }

    /// [`Path::position`] of the paths there, if it is within an instruction.
    pub fn position(&self) -> Option<u64> {
        let InnerPosition::Within { top, place, .. } = &self.inner else {
            return None;
        };
        let stands = self.outer.iter().chain([top]);
        Some(position(*place, stands.map(|&(code, pc, _)| (code, pc))))
    }
}

fn outer(path: &Path, unit: &Unit) -> Vec<Stand> {
    let (_, outer) = path.frames.split_last().expect("a path has a frame");
    let stands = outer.iter();
    let stands = stands.map(|frame| stand(frame, frame.suspended_regs(unit).into_iter()));
    stands.collect()
}

fn stand(frame: &PathFrame, regs: impl Iterator<Item = Reg>) -> Stand {
    let known = regs.map(|reg| frame.regs[usize::from(reg.0)].as_const());
    (frame.code, frame.pc, known.collect())
}
