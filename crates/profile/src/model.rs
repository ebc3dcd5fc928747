//! A profile as data. In: samples, each with the calls that it was found in. Out: shares of the
//! time, by whatever somebody groups them. Invariants: all is text and numbers, with no address in
//! it; stacks are a tree, so that a sample takes the same few bytes however deep the guest program
//! was.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

/// What a VM was doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// Native code interpreted the guest program, or a function ran that it had called.
    Interpreter,
    /// Code of recorded runs, or a function that it had called.
    Traces,
    /// The same of code by partial evaluation.
    Specialised,
    /// The same of threaded code.
    Threaded,
    /// Finding the interpreter's state behind an exit of compiled code.
    Leaving,
    /// Recording a run.
    Tracing,
    /// Optimising.
    Optimising,
    /// Making machine code.
    Compiling,
    /// The collector, in whatever it interrupted.
    Collecting,
}

impl Tier {
    /// All of them.
    pub const ALL: [Tier; 9] = [
        Tier::Interpreter,
        Tier::Traces,
        Tier::Specialised,
        Tier::Threaded,
        Tier::Leaving,
        Tier::Tracing,
        Tier::Optimising,
        Tier::Compiling,
        Tier::Collecting,
    ];

    /// What it is called, as in statistics.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Interpreter => "interpreter",
            Tier::Traces => "traces",
            Tier::Specialised => "partial evaluation",
            Tier::Threaded => "threaded code",
            Tier::Leaving => "leaving code",
            Tier::Tracing => "tracing",
            Tier::Optimising => "optimising",
            Tier::Compiling => "compiling",
            Tier::Collecting => "collecting",
        }
    }

    /// Whether the guest program's own instructions were at work, in whichever form.
    pub fn is_guest(self) -> bool {
        self <= Tier::Threaded
    }
}

/// Where the guest program was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The function; the place in words, if the language does not say which function that is.
    pub function: String,
    /// The file, if it is known.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
}

/// An activation on a stack: a place, and what it was executed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame {
    /// An index of [`Profile::places`].
    pub place: u32,
    /// What executes it; what the VM does itself is a frame of its own, called for from the one
    /// around it.
    pub tier: Tier,
}

/// A stack of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StackId(u32);

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When, from the beginning of the profile.
    pub at: Duration,
    /// The processor time of the thread since the sample before, if the system tells it.
    pub cpu: Option<Duration>,
    /// For how many samples it stands: for more than one, if there was no room for those behind it.
    pub weight: u32,
    /// What the VM was doing.
    pub tier: Tier,
    /// Where; none outside of all guest code.
    pub stack: Option<StackId>,
}

/// A piece of code that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Made {
    /// What the log calls it.
    pub title: String,
    /// When it was finished, from the beginning of the profile.
    pub at: Duration,
    /// How long that took, and what was given up before it.
    pub took: Duration,
}

/// Where the time of a guest program has gone.
#[derive(Clone, Debug)]
pub struct Profile {
    /// When it began.
    pub began: SystemTime,
    /// The time between samples, if they were taken by a clock.
    pub interval: Option<Duration>,
    /// The places that stacks refer to.
    pub places: Vec<Place>,
    /// The samples, in order.
    pub samples: Vec<Sample>,
    /// What was compiled meanwhile, in order.
    pub made: Vec<Made>,
    /// Each stack is another one with a frame inside of it.
    stacks: Vec<(Option<StackId>, Frame)>,
    known: HashMap<(Option<StackId>, Frame), StackId>,
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
            stacks: Vec::new(),
            known: HashMap::new(),
        }
    }

    /// The stack of these frames, outermost first.
    pub fn stack(&mut self, frames: impl IntoIterator<Item = Frame>) -> Option<StackId> {
        self.stack_in(None, frames)
    }

    /// The stack of these frames, outermost first, within another one.
    pub fn stack_in(
        &mut self,
        outer: Option<StackId>,
        frames: impl IntoIterator<Item = Frame>,
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
    pub fn frames(&self, stack: Option<StackId>) -> impl Iterator<Item = Frame> + '_ {
        let mut next = stack;
        std::iter::from_fn(move || {
            let (outer, frame) = self.stacks[next?.0 as usize];
            next = outer;
            Some(frame)
        })
    }

    /// The stacks, each as the one around it (which comes before it) and a frame.
    pub(crate) fn stacks(&self) -> impl Iterator<Item = (Option<usize>, Frame)> + '_ {
        let stacks = self.stacks.iter();
        stacks.map(|&(outer, frame)| (outer.map(|outer| outer.0 as usize), frame))
    }

    pub(crate) fn index(stack: StackId) -> usize {
        stack.0 as usize
    }

    /// The place of a frame.
    pub fn place(&self, frame: Frame) -> &Place {
        &self.places[frame.place as usize]
    }

    /// How many samples there are, those that others stand for included.
    pub fn weight(&self) -> u64 {
        (self.samples.iter()).map(|s| u64::from(s.weight)).sum()
    }

    /// The share of the samples, from 0 to 1, in which the VM was doing this.
    pub fn share_of_tier(&self, tier: Tier) -> f64 {
        self.share(|sample| sample.tier == tier)
    }

    /// The share of the samples whose innermost place of the guest program is one of these.
    pub fn self_share(&self, is_it: impl Fn(&Place) -> bool) -> f64 {
        self.share(|sample| {
            let innermost = self.frames(sample.stack).find(|f| f.tier.is_guest());
            innermost.is_some_and(|frame| is_it(self.place(frame)))
        })
    }

    /// The share of the samples that have one of these places somewhere in their stack.
    pub fn total_share(&self, is_it: impl Fn(&Place) -> bool) -> f64 {
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
        let frame = |place| Frame {
            place,
            tier: Tier::Interpreter,
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
