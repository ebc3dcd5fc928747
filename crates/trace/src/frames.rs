//! The frames of an exit, outermost first, in two tables.
//!
//! The registers of a frame lie behind those of the frame outside it, so that what neighbouring
//! guards have in common is at the start. A guard of a real interpreter has eight frames of three
//! registers each; a vector for each was most of a guard's allocations.

use crate::resume::Src;

/// A frame in terms of [`Src`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResumeFrame<'r> {
    /// Raw `CodeId`.
    pub code: u32,
    /// As in [`Snapshot::pc`](crate::Snapshot::pc).
    pub pc: u32,
    /// Live registers and where their values come from.
    pub regs: &'r [(u16, Src)],
}

/// Frames, outermost first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResumeFrames {
    heads: Vec<Head>,
    regs: Vec<(u16, Src)>,
}

/// A frame without its registers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Head {
    code: u32,
    pc: u32,
    /// Where its registers end; they begin where those of the frame outside it end.
    end: u32,
}

impl ResumeFrames {
    /// Forgets all frames but so many outer ones, and keeps the memory.
    pub fn truncate(&mut self, frames: usize) {
        self.heads.truncate(frames);
        let end = self.heads.last().map_or(0, |head| head.end);
        self.regs.truncate(end as usize);
    }

    /// Adds the frame inside of those that are there.
    pub fn push_inner(&mut self, code: u32, pc: u32, regs: impl IntoIterator<Item = (u16, Src)>) {
        self.regs.extend(regs);
        let end = self.regs.len() as u32;
        self.heads.push(Head { code, pc, end });
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether there are no frames.
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// The innermost frame.
    pub fn innermost(&self) -> Option<ResumeFrame<'_>> {
        self.iter().next()
    }

    /// The frames, innermost first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = ResumeFrame<'_>> + ExactSizeIterator {
        (0..self.heads.len()).rev().map(|n| {
            let Head { code, pc, end } = self.heads[n];
            let start = match n {
                0 => 0,
                _ => self.heads[n - 1].end,
            };
            let regs = &self.regs[start as usize..end as usize];
            ResumeFrame { code, pc, regs }
        })
    }

    /// Where all registers of all frames come from.
    pub fn srcs(&self) -> impl Iterator<Item = Src> + '_ {
        self.regs.iter().map(|reg| reg.1)
    }

    /// The same, to be changed.
    pub fn srcs_mut(&mut self) -> impl Iterator<Item = &mut Src> {
        self.regs.iter_mut().map(|reg| &mut reg.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_frame_has_its_registers() {
        let frames = [
            (3, 7, vec![(0, Src::Fail(0)), (2, Src::Virtual(1))]),
            (1, 9, vec![]),
            (0, 0, vec![(5, Src::Fail(0))]),
        ];
        let mut table = ResumeFrames::default();
        assert_eq!(table.innermost(), None);
        for (code, pc, regs) in frames.clone() {
            table.push_inner(code, pc, regs);
        }
        let read = |frame: ResumeFrame<'_>| (frame.code, frame.pc, frame.regs.to_vec());
        assert_eq!(table.len(), 3);
        assert!(table.iter().rev().map(read).eq(frames.clone()));
        assert!(table.iter().map(read).eq(frames.clone().into_iter().rev()));
        table.truncate(2);
        assert_eq!(table.innermost().map(read), Some(frames[1].clone()));
    }
}
