//! Remarks about missed optimisations, for the log and the statistics.
//!
//! They are about the trace that is handed out, not about attempts that were dropped.

use std::fmt;

macro_rules! losses {
    ($( $(#[doc = $doc:literal])* $variant:ident $name:literal $message:literal )*) => {
        /// Why a value could not stay in registers, and is stored, loaded or allocated again and
        /// again.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum MissedOptimisation {
            $( $(#[doc = $doc])* $variant, )*
        }

        impl MissedOptimisation {
            /// All of them.
            pub const ALL: &'static [MissedOptimisation] = &[$( MissedOptimisation::$variant ),*];

            /// A short name, for statistics.
            pub fn name(self) -> &'static str {
                match self { $( MissedOptimisation::$variant => $name, )* }
            }

            /// A message for people.
            pub fn message(self) -> &'static str {
                match self { $( MissedOptimisation::$variant => $message, )* }
            }
        }
    };
}

losses! {
    /// A place is stored to soon, since too many values waited.
    TooManyStores "too many stores"
        "is stored soon when it is written, and in each iteration: more values wait than guards may list"
    /// An object would hold more words than a virtual may.
    Crowded "crowded"
        "is allocated: it would hold more words other than zero than an object may that is not made"
    /// A loop's state begins with an object that its end has made.
    Made "made"
        "is an object that the loop begins without making, and that is made by its end"
    /// A loop's state begins with an object of another class or length.
    OtherShape "other shape"
        "is an object that is not made, of another class or length at the loop's end than at its start"
    /// One object takes two places of a loop's state.
    Shared "shared"
        "holds one object at the loop's end where the loop begins with two, or the other way round"
    /// What was one value at a loop's start is two at its end.
    Split "split"
        "is one value at the loop's start, and another one at its end"
    /// A word of a value is of another type at a loop's end.
    OtherType "other type"
        "is of one type at the loop's start, and of another one at its end"
    /// A constant of a loop's state is something else at its end.
    NotConstant "not constant"
        "is a constant at the loop's start, and something else at its end"
    /// A constant at a loop's end leads to another path than the loop's trace.
    OtherPath "other path"
        "is a constant at the loop's end with which its own trace would be left at once"
    /// A place that a loop's state keeps in a register is unknown at its end.
    Unknown "unknown"
        "is kept in a register at the loop's start, and may have changed at its end"
    /// No state settled.
    Unsettled "unsettled"
        "keeps nothing in registers: what its iterations begin with did not settle"
    /// The state at the end of an iteration contradicts the trace.
    Contradiction "contradiction"
        "keeps nothing in registers: the trace contradicts what its own end says"
}

impl fmt::Display for MissedOptimisation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// A missed optimisation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// Why.
    pub missed: MissedOptimisation,
    /// Its subject: a slot, or a path to a value of the loop.
    pub what: String,
}

impl Remark {
    pub(crate) fn new(missed: MissedOptimisation, what: String) -> Remark {
        Remark { missed, what }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.missed)
    }
}
