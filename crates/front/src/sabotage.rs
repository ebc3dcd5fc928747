//! Ways to break the front end. With the feature `sabotage`, the one way that this
//! thread has chosen. Out: whether a place in the front end has to misread the source. Invariant:
//! the typed tree that comes out is one that the later stages accept, so that only comparison with
//! what rustc means can tell.

verdigris_ops::sabotage_ways! {
    /// A method of a trait comes before one of the type itself.
    WrongCallee "wrong-callee"
    /// The operands of a subtraction change places.
    SwapOperands "swap-operands"
    /// The call of a function whose value is thrown away is not made.
    LoseEffect "lose-effect"
    /// A cast of an `i32` fills the upper bits with zeros.
    WrongWidth "wrong-width"
    /// The guards of arms are believed to hold.
    WrongArm "wrong-arm"
    /// In `x += value`, `x` is read before `value` assigns it.
    StaleVariable "stale-variable"
    /// Indices on the left of a compound assignment are evaluated on the other side of the value
    /// than they should be.
    WrongOrder "wrong-order"
    /// A `for` over `a..=b` leaves out `b`.
    OpenRange "open-range"
    /// A `break` out of a `while` or `for` with a label leaves the innermost one.
    WrongLabel "wrong-label"
    /// The right side of `&&` is evaluated whatever the left one is.
    NoShortCircuit "no-short-circuit"
    /// Variables of a macro are seen by its caller.
    NoHygiene "no-hygiene"
}
