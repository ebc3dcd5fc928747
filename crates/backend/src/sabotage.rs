//! Ways to break the backends of machine code, to see that the tests notice. In: nothing, or with the feature `sabotage` the one way that this
//! thread has chosen. Out: whether the wrong thing has to be done. Invariant: without the feature nothing is ever chosen, and the
//! compiler removes the questions. What is done wrongly may give wrong results, but not touch memory that is not the program's: the campaigns run in
//! this process. The optimiser has its own ways.

/// A way to break a backend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Sabotage {
    /// Stores of references go without the write barrier.
    SkipBarrier,
    /// A double that loses its register is not in its slot.
    WrongSlot,
    /// A guard that fails hands over its first value in the place of the second.
    WrongExit,
    /// Doubles that change places are moved one after the other.
    SwapMoves,
    /// A branch believes that the flags are those of its comparison.
    StaleFlags,
}

impl Sabotage {
    /// All ways.
    pub const ALL: &'static [Sabotage] = &[
        Sabotage::SkipBarrier,
        Sabotage::WrongSlot,
        Sabotage::WrongExit,
        Sabotage::SwapMoves,
        Sabotage::StaleFlags,
    ];

    /// A name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Sabotage::SkipBarrier => "skip-barrier",
            Sabotage::WrongSlot => "wrong-slot",
            Sabotage::WrongExit => "wrong-exit",
            Sabotage::SwapMoves => "swap-moves",
            Sabotage::StaleFlags => "stale-flags",
        }
    }

    /// What is done wrongly.
    pub fn description(self) -> &'static str {
        match self {
            Sabotage::SkipBarrier => "Stores of references go without the write barrier.",
            Sabotage::WrongSlot => "A double that loses its register is not in its slot.",
            Sabotage::WrongExit => {
                "A guard that fails hands over its first value in the place of the second."
            }
            Sabotage::SwapMoves => "Doubles that change places are moved one after the other.",
            Sabotage::StaleFlags => "A branch believes that the flags are those of its comparison.",
        }
    }
}

#[cfg(feature = "sabotage")]
mod chosen {
    use super::Sabotage;
    use std::cell::Cell;

    thread_local! {
        static CHOSEN: Cell<Option<Sabotage>> = const { Cell::new(None) };
    }

    impl Sabotage {
        /// From now on backends of this thread are broken in this way, or in none.
        pub fn choose(way: Option<Sabotage>) {
            CHOSEN.set(way);
        }

        /// Whether the backends of this thread are broken in this way.
        pub fn is_on(self) -> bool {
            CHOSEN.get() == Some(self)
        }
    }
}

#[cfg(not(feature = "sabotage"))]
impl Sabotage {
    /// Whether the backends are broken in this way: never.
    #[inline(always)]
    pub const fn is_on(self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Sabotage;

    #[test]
    fn nothing_is_broken_unasked() {
        for way in Sabotage::ALL {
            assert!(!way.is_on(), "{}", way.name());
        }
    }
}
