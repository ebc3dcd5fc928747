//! The conditions of the crate that random functions are in. What the translator
//! is told of them, and what cargo is. Invariant: both are the same.

use verdigris_front::Cfg;

/// A condition that holds without a value, one that does not, and one that has a value.
const HOLDS: &str = "chosen";
const MISSING: &str = "forgotten";
const VALUED: (&str, &str) = ("sized", "two");

/// Conditions of `#[cfg(..)]` that hold, and such that do not.
pub(crate) const TRUE: &[&str] = &[
    "chosen",
    "not(test)",
    "sized = \"two\"",
    "all()",
    "not(debug_assertions)",
    "not(forgotten)",
    "any(test, chosen)",
    "all(chosen, not(sized = \"one\"))",
];
pub(crate) const FALSE: &[&str] = &[
    "forgotten",
    "test",
    "sized = \"one\"",
    "any()",
    "debug_assertions",
    "not(chosen)",
    "all(chosen, forgotten)",
    "forgotten = \"two\"",
];

/// The translator's input.
pub fn conditions() -> Vec<(&'static str, Cfg)> {
    let (name, value) = VALUED;
    vec![
        (HOLDS, Cfg::Set),
        (MISSING, Cfg::Unset),
        (name, Cfg::Values(vec![value.to_string()])),
    ]
}

/// The output of a build script for cargo.
pub fn directives() -> String {
    let (name, value) = VALUED;
    format!(
        "cargo::rustc-check-cfg=cfg({HOLDS}, {MISSING}, {name}, values(none(), \"one\", \"two\"))\n\
         cargo::rustc-cfg={HOLDS}\ncargo::rustc-cfg={name}=\"{value}\""
    )
}
