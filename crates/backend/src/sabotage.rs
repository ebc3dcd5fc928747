//! Ways to break machine code, for tests of the tests (feature `sabotage`). A broken backend may
//! give wrong results, but touches no memory that is not the program's, since the campaigns run in
//! this process. The optimiser has ways of its own.

verdigris_ops::sabotage_ways! {
    /// Stores of references go without the write barrier.
    SkipBarrier "skip-barrier"
    /// A double that loses its register is not in its slot, but something else.
    WrongSlot "wrong-slot"
    /// A guard that fails hands over its first value in the place of the second.
    WrongExit "wrong-exit"
    /// Doubles that change places are moved one after the other.
    SwapMoves "swap-moves"
    /// A branch believes that the flags are those of its comparison.
    StaleFlags "stale-flags"
}
