//! Deliberate mistakes of the specialiser, for tests of the tests. The code still verifies.

verdigris_ops::sabotage_ways! {
    /// The arm of a promotion is taken for every value that comes.
    TrustArm "trust-arm"
    /// The exit behind a call does not have the call's result.
    LateResult "late-result"
    /// The exit behind a call resumes in front of it.
    CallTwice "call-twice"
    /// Assumptions survive calls that may invalidate them.
    ForgetInvalidation "forget-invalidation"
    /// The last two arguments of an inlined function change places, if both are integers.
    SwapArguments "swap-arguments"
    /// Code behind an exit begins without the delayed stores of integers.
    LoseStore "lose-store"
    /// A side starts without the constant integers of the frames around the innermost one.
    ForgetOuter "forget-outer"
}
