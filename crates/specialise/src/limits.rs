//! Limits and options of the specialiser. A path that reaches a limit ends in an exit, from which
//! the interpreter goes on.

use std::fmt;

/// Where code ends in front of an undecided branch until it is known which arm is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lazy {
    /// Nowhere: all paths are compiled.
    None,
    /// Where the interpreter asks how something is represented: at switches, on the class of an
    /// object, the tag of a value, or any other integer, and where it compares with null or with
    /// the length of an array.
    #[default]
    Types,
    /// At branches, too.
    All,
}

/// Limits and options of the specialiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpecialiseLimits {
    /// Operations in all.
    pub operations: usize,
    /// Paths in all: each split makes one.
    pub paths: usize,
    /// Instructions of one path between two merge points: bounds loops that fold away.
    pub path_steps: usize,
    /// How often one path may split at one instruction of one activation between two merge points:
    /// iterations of a loop in the interpreter's functions that is not closed.
    pub unrolled_splits: usize,
    /// Frames: bounds recursion of the interpreter's functions.
    pub frames: usize,
    /// Depth of inlined calls of the guest program.
    pub inline_depth: usize,
    /// Operations after which no further calls of the guest program are inlined.
    pub inline_budget: usize,
    /// Values that a path may have, over all its frames.
    pub live_values: usize,
    /// Operations between two labels: each split in a section searches it.
    pub section_operations: usize,
    /// How often code may pass a position of the guest program without a label, if it always comes
    /// from the same one.
    pub unlabelled_visits: u32,
    /// Labels with particular shapes at one position, before one that assumes nothing.
    pub versions: usize,
    /// How many paths go through one place within an instruction of the guest program on their own,
    /// before the others join there. A loop in the interpreter's functions is closed two turns
    /// later, unless it has reached the limit on splits before.
    pub separate_paths: usize,
    /// Which arms are compiled only once they are taken.
    pub lazy: Lazy,
    /// Whether loops have a guard that an interrupt makes fail.
    pub interruptible: bool,
}

impl Default for SpecialiseLimits {
    fn default() -> SpecialiseLimits {
        SpecialiseLimits {
            operations: 4000,
            paths: 2000,
            path_steps: 3000,
            unrolled_splits: 4,
            frames: 64,
            inline_depth: 3,
            inline_budget: 2000,
            live_values: 400,
            section_operations: 300,
            unlabelled_visits: 3,
            versions: 4,
            separate_paths: 2,
            lazy: Lazy::Types,
            interruptible: false,
        }
    }
}

/// Why a path ends in an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaveReason {
    /// The value of a promotion is not known until code gets here.
    Promotion,
    /// No arm has been taken yet at a branch.
    Arm,
    /// The greens of a merge point are not known.
    Greens,
    /// The interpreter panics here.
    Panic,
    /// The result of a function marked `#[as_recorded]` is known at run time only.
    Recorded,
    /// The path is impossible, or a reference is null that cannot be.
    Impossible,
    /// An object has a class that its enum does not list.
    Class,
    /// A loop that is left to the other compiler or to the interpreter.
    Tier,
    /// The place has no code.
    Cold,
    /// A limit was reached; see [`SpecialiseLimits`].
    Limit,
}

impl LeaveReason {
    /// The name for logs and statistics.
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
