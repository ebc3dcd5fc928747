//! Whether a guest program does the same under every setting. In: a guest. Out: what it does, or
//! the first difference. Invariant: what it does without the JIT is right.

use crate::run::{Outcome, Run};
use crate::settings::{PLAIN, SETTINGS, Setting};
use crate::turns::{SHARES, number_of, share};
use std::fmt;
use std::panic::Location;
use verdigris::Options;

/// A setting under which a program does something else than without the JIT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The setting.
    pub setting: Setting,
    /// The program's outcome without the JIT.
    pub expected: Outcome,
    /// Its outcome under the setting.
    pub found: Outcome,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setting { name, jit, .. } = self.setting;
        let (expected, found) = (&self.expected, &self.found);
        write!(
            f,
            "under `{jit}` ({name}) it does\n{found}\nand without the JIT\n{expected}"
        )
    }
}

/// Runs a guest under all of [`SETTINGS`].
///
/// # Errors
/// The first difference.
pub fn agree(guest: impl Fn(Options) -> Run) -> Result<Outcome, Box<Difference>> {
    agree_under(SETTINGS.iter(), guest)
}

/// Runs a guest without the JIT, and then under these settings.
///
/// # Errors
/// The first difference.
pub fn agree_under<'a>(
    settings: impl IntoIterator<Item = &'a Setting>,
    guest: impl Fn(Options) -> Run,
) -> Result<Outcome, Box<Difference>> {
    let expected = guest(PLAIN.options()).outcome;
    for &setting in settings {
        let found = guest(setting.options()).outcome;
        if found != expected {
            return Err(Box::new(Difference {
                setting,
                expected,
                found,
            }));
        }
    }
    Ok(expected)
}

/// The outcome of a guest under its share of [`SETTINGS`]: three guests in a row have all of them.
///
/// # Panics
/// If it does not do the same under each.
#[track_caller]
pub fn agreed(guest: impl Fn(Options) -> Run) -> Outcome {
    let settings = share(SETTINGS.iter(), number_of(Location::caller()), SHARES);
    match agree_under(settings, guest) {
        Ok(outcome) => outcome,
        Err(difference) => panic!("{difference}"),
    }
}

/// The outcome of a guest that runs for `many` turns, as many as it takes until something is hot by
/// default. Under settings that compile what has hardly run it does the same for `few` turns: there
/// more of them are more of the same, and where every allocation collects they take a long time.
///
/// # Panics
/// If it does not do the same under each.
#[track_caller]
pub fn agreed_for<G: Fn(Options) -> Run>(
    [few, many]: [i64; 2],
    guest: impl Fn(i64) -> G,
) -> Outcome {
    let number = number_of(Location::caller());
    let of = |turns, late| {
        let settings = SETTINGS.iter().filter(|setting| setting.is_late() == late);
        let settings = share(settings, number, if late { 1 } else { SHARES });
        match agree_under(settings, guest(turns)) {
            Ok(outcome) => outcome,
            Err(difference) => panic!("{turns} turns {difference}"),
        }
    };
    of(few, false);
    of(many, true)
}
