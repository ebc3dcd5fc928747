//! Ways to break what the optimiser does for code that is written and not recorded. In: nothing, or
//! with the feature `sabotage` the one way that this thread has chosen. Out: whether a place in
//! [`crate::draft`] has to do the wrong thing. Invariant: the traces that come out verify all the
//! same. They are apart from the ways to break the rest of the optimiser, for other tests have to
//! notice them: those that specialise.

verdigris_ops::sabotage_ways! {
    /// Where a test fails, it is believed to hold.
    WrongSide "wrong-side"
    /// A side starts without the youngest store that waits.
    SideStore "side-store"
    /// The first two integers that a side takes change places.
    SwapSide "swap-side"
    /// Stores that wait are forgotten at a label that assumes nothing.
    JoinStores "join-stores"
}
