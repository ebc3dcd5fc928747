//! Ways to break the optimiser, to see that the tests notice. In: nothing, or with the feature `sabotage` the one way that this thread has
//! chosen. Out: whether a place in the optimiser has to do the wrong thing. Invariant: without the feature no way is ever chosen,
//! and the compiler removes the questions.
//!
//! Each way is a mistake that somebody could make: one line, in one file, with traces that verify all the same.

macro_rules! ways {
    ($( $(#[doc = $doc:literal])* $variant:ident $name:literal )*) => {
        /// A way to break the optimiser.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[non_exhaustive]
        pub enum Sabotage {
            $( $(#[doc = $doc])* $variant, )*
        }

        impl Sabotage {
            /// All ways.
            pub const ALL: &'static [Sabotage] = &[$( Sabotage::$variant ),*];

            /// A name for tables.
            pub fn name(self) -> &'static str {
                match self { $( Sabotage::$variant => $name, )* }
            }

            /// What is done wrongly.
            pub fn description(self) -> &'static str {
                match self { $( Sabotage::$variant => concat!($( $doc ),*).trim_ascii(), )* }
            }
        }
    };
}

ways! {
    /// Guards that a test is false are left out, and believed.
    DropGuard "drop-guard"
    /// Delayed stores of items are forgotten when they are due.
    SkipStore "skip-store"
    /// Of a value of several words whose delayed store is due, the last word is forgotten.
    TearValue "tear-value"
    /// The upper bound of a difference subtracts the upper bound.
    WrongBound "wrong-bound"
    /// An object that escapes does not get its last field.
    ForgetField "forget-field"
    /// A store leaves what is known of other objects at the same place, which may be the same object.
    ForgetAlias "forget-alias"
    /// What a call may write is believed to be as it was.
    TrustCall "trust-call"
    /// A guard that fails does not do the youngest delayed store.
    LosePending "lose-pending"
    /// A guard that fails makes objects without their first field.
    LoseField "lose-field"
    /// A loop is entered with another constant than it assumes.
    TrustConstant "trust-constant"
    /// A difference is taken for the opposite one.
    SwapOperands "swap-operands"
    /// A double that is looked at as bits is rounded.
    WrongView "wrong-view"
}

#[cfg(feature = "sabotage")]
mod chosen {
    use super::Sabotage;
    use std::cell::Cell;

    thread_local! {
        static CHOSEN: Cell<Option<Sabotage>> = const { Cell::new(None) };
    }

    impl Sabotage {
        /// From now on optimisers of this thread are broken in this way, or in none.
        pub fn choose(way: Option<Sabotage>) {
            CHOSEN.set(way);
        }

        pub(crate) fn is_on(self) -> bool {
            CHOSEN.get() == Some(self)
        }
    }
}

#[cfg(not(feature = "sabotage"))]
impl Sabotage {
    /// Whether the optimiser is broken in this way: never.
    #[inline(always)]
    pub(crate) const fn is_on(self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Sabotage;

    #[test]
    fn nothing_is_broken_unasked() {
        assert_eq!(Sabotage::ALL.len(), 12);
        for way in Sabotage::ALL {
            assert!(
                !way.is_on() && !way.description().is_empty(),
                "{}",
                way.name()
            );
        }
    }
}
