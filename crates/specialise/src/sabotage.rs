//! Deliberate mistakes of the specialiser, for tests of the tests. The code still verifies.

verdigris_ops::sabotage_ways! {
    /// The arm of a promotion is taken for every value that comes.
    TrustArm "trust-arm"
    /// The exit behind a call does not have what the call gave.
    LateResult "late-result"
    /// Who leaves behind a call goes on in front of it.
    CallTwice "call-twice"
    /// Behind a call all that is assumed holds as before.
    ForgetInvalidation "forget-invalidation"
    /// The last two arguments of an inlined function change places, if both are integers.
    SwapArguments "swap-arguments"
    /// Code behind an exit begins without the stores of integers that had been put off.
    LoseStore "lose-store"
    /// A side starts without the constant integers of the frames around the innermost one.
    ForgetOuter "forget-outer"
}
