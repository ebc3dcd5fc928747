//! Receivers of methods that traced code calls.

use crate::layout::parts::Parts;
use crate::objects::gc::{Gc, GcClass};

/// A type that functions which traced code calls have as `&self`.
#[diagnostic::on_unimplemented(
    message = "methods of `{Self}` cannot be called from traced code",
    note = "write `#[gc]` on a struct of the heap, `#[value]` on one that is held by value"
)]
pub trait Receive {
    /// What traced code passes: for a heap class its `Gc`, for other types the value.
    type Passed: Parts;
    /// The receiver.
    fn lend(passed: &Self::Passed) -> &Self;
}

impl<T: GcClass> Receive for T {
    type Passed = Gc<T>;
    #[inline(always)]
    fn lend(passed: &Gc<T>) -> &T {
        passed
    }
}

/// Implements [`Receive`] for a type whose values are passed.
#[doc(hidden)]
#[macro_export]
macro_rules! received_by_value {
    ($self:ty) => {
        impl $crate::Receive for $self {
            type Passed = Self;
            #[inline(always)]
            fn lend(passed: &Self) -> &Self {
                passed
            }
        }
    };
}
