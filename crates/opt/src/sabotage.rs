//! Ways to break the optimiser, for tests of the tests (feature `sabotage`). The traces still
//! verify.

verdigris_ops::sabotage_ways! {
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
    /// A store leaves what is known of other objects at the same place, which may be the same
    /// object.
    ForgetAlias "forget-alias"
    /// A store at an index leaves what is known of items at all others, which may be the same.
    ForgetIndex "forget-index"
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
