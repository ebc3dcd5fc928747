//! Which settings a program is tested under. In: the number of a program among those that are
//! tested together. Out: its share of the settings.
//! Invariant: as many programs in a row as there are shares have all settings between them.
//!
//! All programs under all settings take an hour. With `VERDIGRIS_TESTS=all` in the environment it
//! is done.

use crate::settings::{SETTINGS, Setting};
use std::cell::Cell;
use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::Location;

/// How many programs share the settings that are not slow.
pub const FAST_SHARES: usize = 5;
/// How many programs share the slow settings.
pub const SLOW_SHARES: usize = 8;
/// How many programs share all settings, where there are few programs.
pub const SHARES: usize = 3;

/// Whether every program is to be tested under every setting.
pub fn all_settings() -> bool {
    env::var_os("VERDIGRIS_TESTS").is_some_and(|tests| tests == "all")
}

/// One of `shares` shares of these settings. Neighbours, which are alike, are in different ones.
pub fn share<'a>(
    settings: impl IntoIterator<Item = &'a Setting>,
    number: usize,
    shares: usize,
) -> Vec<&'a Setting> {
    let shares = if all_settings() { 1 } else { shares };
    let settings = settings.into_iter().skip(number % shares);
    settings.step_by(shares).collect()
}

/// The settings for program `number` that are not slow: the defaults, and its share of the others.
pub fn fast_settings(number: usize) -> Vec<&'static Setting> {
    let fast = SETTINGS.iter().filter(|setting| !setting.slow);
    let (defaults, others): (Vec<_>, Vec<_>) = fast.partition(|setting| setting.jit.is_empty());
    let others = share(others, number, FAST_SHARES);
    [defaults, others].concat()
}

/// The share of the slow settings of program `number`.
pub fn slow_settings(number: usize) -> Vec<&'static Setting> {
    let slow = SETTINGS.iter().filter(|setting| setting.slow);
    share(slow, number, SLOW_SHARES)
}

/// The number of a program that is tested here: one more for each on this thread, which a test has
/// to itself, and from another one on for each place. So it is the same each time.
pub(crate) fn number_of(place: &Location<'_>) -> usize {
    thread_local! {
        static PROGRAMS: Cell<usize> = const { Cell::new(0) };
    }
    let mut hasher = DefaultHasher::new();
    (place.file(), place.line()).hash(&mut hasher);
    let before = PROGRAMS.replace(PROGRAMS.get() + 1);
    (hasher.finish() as usize >> 8) + before
}
