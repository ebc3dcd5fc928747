//! Failure counts of guards on promoted values, by value: a value that comes often gets a bridge,
//! however many others come now and then.
//!
//! Invariant: a guard takes bounded memory, and a promotion gets a bounded number of bridges.
//! Source: RPython, which counts by the hash of guard and value.

use smallvec::SmallVec;
use verdigris_trace::{NumberReader, Numbers, Opcode, OptimisedOp, Resume, ValRef};

/// The number of values counted at a time. A value is found among many others if it comes at least
/// as often as this many others together.
const VALUES: usize = 16;

/// A guard on a promoted value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Promotion {
    /// The index of the value among the fail arguments.
    arg: usize,
    /// Where in the interpreter it is promoted: code and instruction of the innermost frame, and
    /// the number of frames.
    place: (u32, u32, usize),
    /// The number of bridges between the first guard of this promotion and this one.
    pub(crate) bridges: u32,
}

impl Promotion {
    /// The promotion that a guard belongs to. `from` is that of the guard that its bridge starts
    /// from, and `inputs` are the bridge's inputs. A guard on a value that a search has computed
    /// belongs to the promotion of the searched value.
    pub(crate) fn of(
        op: OptimisedOp<'_>,
        resume: &Resume,
        from: Option<&Promotion>,
        inputs: &[ValRef],
    ) -> Option<Promotion> {
        let frame = resume.frames.innermost()?;
        let place = (frame.code, frame.pc, resume.frames.len());
        let from = from.filter(|from| from.place == place);
        let bridges = from.map_or(0, |from| from.bridges + 1);
        let value = match op.opcode() {
            Opcode::GuardValue => op.arg(0).as_ref()?,
            Opcode::GuardTrue | Opcode::GuardFalse => inputs[from?.arg],
            _ => return None,
        };
        Some(Promotion {
            arg: resume.fail_args.iter().position(|arg| *arg == value)?,
            place,
            bridges,
        })
    }

    /// The code and the instruction of the promotion, and the number of frames there.
    pub(crate) fn place(&self) -> (u32, u32, usize) {
        self.place
    }

    /// Encodes it.
    pub(crate) fn write(&self, out: &mut Numbers) {
        let (code, pc, frames) = self.place;
        let numbers = [self.arg as u64, code.into(), pc.into(), frames as u64];
        numbers.into_iter().for_each(|number| out.put(number));
        out.put(self.bridges.into());
    }

    /// Decodes it.
    pub(crate) fn read(input: &mut NumberReader<'_>) -> Promotion {
        let [arg, code, pc, frames, bridges] = std::array::from_fn(|_| input.get());
        Promotion {
            arg: arg as usize,
            place: (code as u32, pc as u32, frames as usize),
            bridges: bridges as u32,
        }
    }

    /// The value that the guard has failed with.
    pub(crate) fn value(&self, exit: &[u64]) -> u64 {
        exit[self.arg]
    }
}

/// Counts by value. Rare values make room for each other.
#[derive(Clone, Default, Debug)]
pub(crate) struct Values(SmallVec<[(u64, u32); 2]>);

impl Values {
    /// Counts a value. Returns its count since the last [`Values::clear`].
    pub(crate) fn count(&mut self, value: u64) -> u32 {
        if let Some((_, count)) = self.0.iter_mut().find(|(v, _)| *v == value) {
            *count = count.saturating_add(1);
            return *count;
        }
        if self.0.len() < VALUES {
            self.0.push((value, 1));
            return 1;
        }
        // Every value loses one count to the new one; those at zero make room.
        self.0.iter_mut().for_each(|(_, count)| *count -= 1);
        self.0.retain(|(_, count)| *count > 0);
        1
    }

    /// Starts over.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_counted_by_itself() {
        let mut values = Values::default();
        assert_eq!([5, 7, 5, 5, 7].map(|v| values.count(v)), [1, 1, 2, 3, 2]);
        values.clear();
        assert_eq!(values.count(5), 1);
    }

    #[test]
    fn a_value_that_comes_often_is_found_among_many() {
        let mut values = Values::default();
        let most = (0..10_000).map(|n| {
            values.count(1000 + n);
            values.count(7)
        });
        assert!(most.max() > Some(9000));
        assert!(values.0.len() <= VALUES);
    }

    #[test]
    fn values_that_come_once_never_count() {
        let mut values = Values::default();
        assert!((0..10_000).all(|n| values.count(n) == 1));
        // A hundred values in turn: none comes as often as the others together.
        assert!((0..10_000).all(|n| values.count(n % 100) == 1));
    }
}
