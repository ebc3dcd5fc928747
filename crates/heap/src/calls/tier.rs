//! The compiler that the author of a guest language wants for a place of the guest program.
//!
//! Source: "Two-Level Just-in-Time Compilation with One Interpreter and One Engine" (2022), section
//! 3, where each call of the guest program names the level that its callee runs on.

use std::fmt;

/// Which compiler may make the code of a place of the guest program: the answer of the function in
/// `#[portal(tier = function)]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tier {
    /// The one that the JIT's parameters name.
    #[default]
    Any,
    /// None: the place is interpreted, however hot it gets.
    Interpreter,
    /// The one that evaluates the interpreter partially. As [`Tier::Any`] where that cannot be
    /// done: if every choice of the instruction is by a red value, so that the code would be the
    /// interpreter once more, and with the parameter `check_hints`, which compares code with a
    /// recorded run.
    Specialised,
    /// The one that records a run.
    Traced,
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tier::Any => "any",
            Tier::Interpreter => "interpreter",
            Tier::Specialised => "specialised",
            Tier::Traced => "traced",
        })
    }
}

/// Makes rustc compare the variables of a merge point with what the function for their tier takes.
/// The closure, which calls that function with them, is never called.
#[inline(always)]
pub fn check_tier(_call: impl FnOnce() -> Tier) {}
