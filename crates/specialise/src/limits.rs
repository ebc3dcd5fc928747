//! How far specialising goes. In: parameters of the engine. Out: [`SpecialiseLimits`]. Invariant: whatever
//! ends a way early is an exit with a [`LeaveReason`], from which the interpreter goes on.

use std::fmt;

/// Where code ends, in front of a red that decides how it goes on, until it is known which way is
/// taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lazy {
    /// Nowhere: all ways are compiled.
    None,
    /// Where the interpreter asks how something is represented: at switches, on the class of an
    /// object, the tag of a value, or any other integer, and where it compares with null or with
    /// the length of an array.
    #[default]
    Types,
    /// At branches, too.
    All,
}

/// How far specialising goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpecialiseLimits {
    /// Operations that the optimiser is given in all.
    pub operations: usize,
    /// Ways in all: each split makes one.
    pub ways: usize,
    /// Instructions of one way between two merge points. They bound loops in the interpreter's
    /// functions that fold away.
    pub steps: usize,
    /// How often one way may split at one place of one activation, between two merge points:
    /// iterations of a loop in the interpreter's functions whose end is not known.
    pub unroll: usize,
    /// Frames: bounds recursion of the interpreter's functions.
    pub depth: usize,
    /// Calls of the guest program that are inlined in each other.
    pub inlined: usize,
    /// Operations after which no further calls of the guest program are inlined.
    pub inlining: usize,
    /// Values that a way may have, over all its frames.
    pub live: usize,
    /// Operations between two labels: a section is looked through at each split in it.
    pub section: usize,
    /// How often code may go past a place of the guest program without a label there, if it always
    /// comes from the same place.
    pub passes: u32,
    /// Shapes of one place of the guest program that get a label, before one that assumes nothing.
    pub versions: usize,
    /// Which arms wait until they are taken.
    pub lazy: Lazy,
    /// Whether loops have a guard that an interrupt makes fail.
    pub interruptible: bool,
}

impl Default for SpecialiseLimits {
    fn default() -> SpecialiseLimits {
        SpecialiseLimits {
            operations: 20_000,
            ways: 2000,
            steps: 3000,
            unroll: 4,
            depth: 64,
            inlined: 3,
            inlining: 2000,
            live: 400,
            section: 300,
            passes: 3,
            versions: 4,
            lazy: Lazy::Types,
            interruptible: false,
        }
    }
}

/// Why a way ends in an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaveReason {
    /// The value of a promotion is not known before somebody comes here.
    Promotion,
    /// No way has been taken yet where the guest program goes one or the other.
    Arm,
    /// The greens of a merge point are not known.
    Greens,
    /// The interpreter panics here.
    Panic,
    /// A function marked `#[as_recorded]` answers what holds when it is asked.
    Recorded,
    /// What goes on here cannot happen, or a reference is null where it cannot be.
    Impossible,
    /// An object has a class that its enum does not list.
    Class,
    /// A loop begins that is left to the other compiler or to the interpreter.
    Tier,
    /// The place has no code.
    Cold,
    /// A limit was reached; see [`SpecialiseLimits`].
    Limit,
}

impl LeaveReason {
    /// A word for logs and statistics.
    pub fn name(self) -> &'static str {
        match self {
            LeaveReason::Promotion => "promotion",
            LeaveReason::Arm => "arm that was not taken yet",
            LeaveReason::Greens => "greens are not known",
            LeaveReason::Panic => "panic",
            LeaveReason::Recorded => "as_recorded",
            LeaveReason::Impossible => "impossible",
            LeaveReason::Class => "class",
            LeaveReason::Tier => "not to be specialised",
            LeaveReason::Cold => "no code",
            LeaveReason::Limit => "limit",
        }
    }
}

impl fmt::Display for LeaveReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
