//! A profile as data: samples with their stacks, and shares of the time by any key. Everything is
//! text and numbers, without addresses. Stacks are a tree, so a sample takes a few bytes however
//! deep the guest program was.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};
use verdigris_report::{Activity, SourcePos};

/// An activation on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProfileFrame {
    /// An index of [`Profile::places`].
    pub place: u32,
    /// How it is executed. The VM's own work is a frame of its own inside of the activation that
    /// caused it.
    pub activity: Activity,
}

/// A stack of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(u32);

/// A sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Its time, from the beginning of the profile.
    pub at: Duration,
    /// The thread's processor time since the sample before, if the system tells.
    pub cpu: Option<Duration>,
    /// The number of samples that it stands for: more than one if there was no room for later ones.
    pub weight: u32,
    /// The VM's activity.
    pub activity: Activity,
    /// The stack; none outside of guest code.
    pub stack: Option<StackId>,
}

/// A piece of code that was compiled meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct CompiledCode {
    /// Its title in the log.
    pub title: String,
    /// The time when it was finished, from the beginning of the profile.
    pub at: Duration,
    /// The time that it took, with attempts given up before it.
    pub took: Duration,
}

/// What a mark is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// Compiling had to wait.
    Waits,
    /// The code of a place rests, since entering it did not pay.
    Rests,
    /// A place goes over to another compiler, or what follows is compiled for any value.
    Tier,
    /// An attempt to make code has led to nothing.
    GivenUp,
    /// Code was freed.
    Freed,
}

impl MarkKind {
    /// All, in their order.
    pub const ALL: [MarkKind; 5] = [
        MarkKind::Waits,
        MarkKind::Rests,
        MarkKind::Tier,
        MarkKind::GivenUp,
        MarkKind::Freed,
    ];

    /// Its name on a timeline.
    pub fn name(self) -> &'static str {
        match self {
            MarkKind::Waits => "compiling waits",
            MarkKind::Rests => "code rests",
            MarkKind::Tier => "tier changes",
            MarkKind::GivenUp => "given up",
            MarkKind::Freed => "freed",
        }
    }
}

/// Something else that happened meanwhile.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// What it is about.
    pub kind: MarkKind,
    /// What happened, with its place.
    pub title: String,
    /// The time, from the beginning of the profile.
    pub at: Duration,
    /// When it ended; none for what takes no time, or has not ended.
    pub until: Option<Duration>,
}

/// The profile of a guest program.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Its beginning.
    pub began: SystemTime,
    /// The time between samples, if a clock took them.
    pub interval: Option<Duration>,
    /// The places that stacks refer to.
    pub places: Vec<SourcePos>,
    /// The samples, in order.
    pub samples: Vec<Sample>,
    /// The code that was compiled meanwhile, in order.
    pub made: Vec<CompiledCode>,
    /// What else happened meanwhile, in order.
    pub marks: Vec<Mark>,
    /// Each stack is another one with one more frame inside.
    stacks: Vec<(Option<StackId>, ProfileFrame)>,
    known: HashMap<(Option<StackId>, ProfileFrame), StackId>,
}

impl Profile {
    /// A profile without samples.
    pub fn new(interval: Option<Duration>) -> Profile {
        Profile {
            began: SystemTime::now(),
            interval,
            places: Vec::new(),
            samples: Vec::new(),
            made: Vec::new(),
            marks: Vec::new(),
            stacks: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The stack of these frames, outermost first.
    pub fn stack(&mut self, frames: impl IntoIterator<Item = ProfileFrame>) -> Option<StackId> {
        self.stack_in(None, frames)
    }

    /// The stack of these frames, outermost first, within another one.
    pub fn stack_in(
        &mut self,
        outer: Option<StackId>,
        frames: impl IntoIterator<Item = ProfileFrame>,
    ) -> Option<StackId> {
        let mut stack = outer;
        for frame in frames {
            let next = StackId(self.stacks.len() as u32);
            let id = *self.known.entry((stack, frame)).or_insert(next);
            if id == next {
                self.stacks.push((stack, frame));
            }
            stack = Some(id);
        }
        stack
    }

    /// The frames of a stack, innermost first.
    pub fn frames(&self, stack: Option<StackId>) -> impl Iterator<Item = ProfileFrame> + '_ {
        let mut next = stack;
        std::iter::from_fn(move || {
            let (outer, frame) = self.stacks[next?.0 as usize];
            next = outer;
            Some(frame)
        })
    }

    /// The stacks, each as the one around it (which comes before it) and a frame.
    pub(crate) fn stacks(&self) -> impl Iterator<Item = (Option<usize>, ProfileFrame)> + '_ {
        let stacks = self.stacks.iter();
        stacks.map(|&(outer, frame)| (outer.map(|outer| outer.0 as usize), frame))
    }

    pub(crate) fn index(stack: StackId) -> usize {
        stack.0 as usize
    }

    /// The place of a frame.
    pub fn place(&self, frame: ProfileFrame) -> &SourcePos {
        &self.places[frame.place as usize]
    }

    /// The number of samples, with those that others stand for.
    pub fn weight(&self) -> u64 {
        (self.samples.iter()).map(|s| u64::from(s.weight)).sum()
    }

    /// The share of the samples, from 0 to 1, with this activity.
    pub fn share_of_activity(&self, activity: Activity) -> f64 {
        self.share(|sample| sample.activity == activity)
    }

    /// The share of the samples whose innermost place of the guest program is one of these.
    pub fn self_share(&self, is_it: impl Fn(&SourcePos) -> bool) -> f64 {
        self.share(|sample| {
            let innermost = self.frames(sample.stack).find(|f| f.activity.is_guest());
            innermost.is_some_and(|frame| is_it(self.place(frame)))
        })
    }

    /// The share of the samples with one of these places anywhere in their stack.
    pub fn total_share(&self, is_it: impl Fn(&SourcePos) -> bool) -> f64 {
        self.share(|sample| self.frames(sample.stack).any(|f| is_it(self.place(f))))
    }

    fn share(&self, counts: impl Fn(&Sample) -> bool) -> f64 {
        let counted = self.samples.iter().filter(|sample| counts(sample));
        let counted: u64 = counted.map(|s| u64::from(s.weight)).sum();
        counted as f64 / self.weight().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_one() {
        let mut profile = Profile::new(None);
        let frame = |place| ProfileFrame {
            place,
            activity: Activity::Interpreter,
        };
        let outer = profile.stack([frame(0)]);
        let inner = profile.stack([frame(0), frame(1)]);
        assert_eq!(profile.stack([frame(0), frame(1)]), inner);
        assert_ne!(profile.stack([frame(1)]), inner);
        assert_eq!(profile.stacks.len(), 3);
        let places = |stack| profile.frames(stack).map(|f| f.place).collect::<Vec<_>>();
        assert_eq!((places(outer), places(inner)), (vec![0], vec![1, 0]));
        assert!(places(None).is_empty());
    }
}
