//! Ways to break the optimisation of built traces (feature `sabotage`). The traces still verify.
//! They are apart from the others because other tests must notice them: those of the specialiser.

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
