//! Recipe: strings. In: texts. Out: texts. Invariant: a text never changes, so what is computed
//! from constant texts folds.

use crate::program::Program;
use verdigris::{Str, prelude::*};

// ANCHOR: concat
/// One text behind the other. The library's own method makes the object by a call; this is the
/// place for a rope, or for a limit on the length.
pub fn concat(a: Gc<Str>, b: Gc<Str>) -> Gc<Str> {
    a.concat(b)
}
// ANCHOR_END: concat

// ANCHOR: promote
/// The number of a text that the guest program has computed. Compiled code is for this text, behind
/// a check of what is in it, so the search has been done when it was recorded.
pub fn number(program: Gc<Program>, text: Gc<Str>) -> i64 {
    search(program.texts, Str::promote(text))
}

/// `#[elidable]`: the texts of a program never change.
#[elidable]
fn search(texts: GcArray<Gc<Str>>, text: Gc<Str>) -> i64 {
    let all = texts.as_slice();
    let found = all.iter().position(|one| one.same(text));
    found.map_or(-1, |index| index as i64)
}
// ANCHOR_END: promote
