//! What is left in an optimised trace that costs something.

use std::fmt;
use verdigris_ops::FnId;
use verdigris_trace::{Arg, GuardId, TargetId};

macro_rules! escapes {
    ($( $variant:ident $name:literal $doc:literal )*) => {
        /// Why an object escapes and is allocated.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum EscapeReason {
            $( #[doc = $doc] $variant, )*
        }

        impl EscapeReason {
            /// A short name.
            pub fn name(self) -> &'static str {
                match self { $( EscapeReason::$variant => $name, )* }
            }
        }
    };
}

escapes! {
    Stored "stored" "It is stored into an object that exists."
    StoredInside "stored inside" "It is stored into another object that this trace makes."
    Passed "passed" "A call gets it."
    Carried "carried" "It goes over a label."
    Returned "returned" "The guest function returns it."
    Indexed "indexed" "It is an array, and accessed at an index that is no constant."
    Length "length" "It is an array whose length is no constant."
    Compared "compared" "What it is compared with may be the same object."
    Kept "kept" "An exit needs it, and so does something that was removed since."
}

/// A reason why an object is allocated, with its operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualEscape {
    /// EscapeReason.
    pub why: EscapeReason,
    /// The target: an object, function or label. Empty if the reason says all.
    pub what: String,
    /// The operation that makes it escape.
    pub at: usize,
    /// What could see the slot into which it is stored.
    pub seen_by: Option<StoreObserver>,
}

impl fmt::Display for ResidualEscape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        match self.why {
            EscapeReason::Stored => write!(f, "stored into {what}")?,
            EscapeReason::StoredInside => write!(f, "stored into {what}, which is made as well")?,
            EscapeReason::Passed => write!(f, "passed to {what}")?,
            EscapeReason::Carried => write!(f, "carried over the loop's label {what}")?,
            EscapeReason::Returned => f.write_str("returned by the guest function")?,
            EscapeReason::Indexed => f.write_str("accessed at an index that is not constant")?,
            EscapeReason::Length => f.write_str("an array whose length is not constant")?,
            EscapeReason::Compared => f.write_str("compared with what may be the same object")?,
            EscapeReason::Kept => f.write_str("kept by the exits of guards")?,
        }
        match &self.seen_by {
            Some(seen) => write!(f, ", which is seen by {seen}"),
            None => Ok(()),
        }
    }
}

/// What could see that a store was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreObserver {
    /// A call that may read the place.
    Call(String),
    /// A call that may write the place, so that the order of the two matters.
    WritingCall(String),
    /// A load of what may be the same place.
    Load,
    /// A load of an array's item, where one of the two indices is no constant, so that they may be
    /// the same.
    Indexed,
    /// The code behind a label, which does not know that the store is delayed.
    Label(TargetId),
    /// The caller of the guest function.
    Return,
    /// Nothing: more values were delayed than guards may list.
    Evicted,
    /// A guard whose exit cannot do it.
    Guard(&'static str),
}

impl fmt::Display for StoreObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreObserver::Call(name) => write!(f, "{name}, which may read it"),
            StoreObserver::WritingCall(name) => write!(f, "{name}, which may write it"),
            StoreObserver::Load => f.write_str("a load of what may be the same place"),
            StoreObserver::Indexed => f.write_str("a load at an index that may be the same one"),
            StoreObserver::Label(label) => write!(f, "the code behind the loop's label {label}"),
            StoreObserver::Return => f.write_str("the caller of the function"),
            StoreObserver::Evicted => f.write_str("too many delayed values"),
            StoreObserver::Guard(name) => write!(f, "the exit of a {name}"),
        }
    }
}

/// An allocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualAllocation {
    /// The operation.
    pub at: usize,
    /// Its class.
    pub class: String,
    /// EscapeReason.
    pub escapes: Vec<ResidualEscape>,
}

/// A store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualStore {
    /// The operation.
    pub at: usize,
    /// The field, or the class of the array.
    pub what: String,
    /// What could see that it was not done.
    pub seen_by: StoreObserver,
}

/// A call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualCall {
    /// The operation.
    pub at: usize,
    /// The function.
    pub function: FnId,
    /// How many objects keep virtualizable slots across it.
    pub kept: usize,
}

/// A guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResidualGuard {
    /// The operation.
    pub at: usize,
    /// The guard, if it leads out of the trace and has been numbered.
    pub guard: Option<GuardId>,
    /// The value that a promotion expects.
    pub promoted: Option<Arg>,
}

/// The residual operations of a trace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Residual {
    /// Whether an operation is between a label and a jump to it.
    pub in_loop: Vec<bool>,
    /// Allocations.
    pub made: Vec<ResidualAllocation>,
    /// Stores to objects that the trace does not allocate.
    pub stored: Vec<ResidualStore>,
    /// Calls.
    pub called: Vec<ResidualCall>,
    /// Guards.
    pub guarded: Vec<ResidualGuard>,
}
