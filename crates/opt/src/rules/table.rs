//! The rules, read from `algebra.rules` while the crate is compiled.

use super::parse::{count, rules};
use super::pattern::Rule;

const TEXT: &str = include_str!("algebra.rules");

/// All rules.
// Reading the table takes the compiler a moment, but it ends.
#[allow(long_running_const_eval)]
pub(crate) static RULES: [Rule; count(TEXT)] = rules(TEXT);
