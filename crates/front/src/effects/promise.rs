//! The promise of a `#[readonly]` or `#[loop_invariant]` function, as far as its source refutes it.
//!
//! In: the function, and what its body and those that it calls do. Out: a mistake for each write to
//! a place that traced code knows. Invariant: nothing is refused that could be true. Writes to
//! objects that the body itself has made do not count, and methods are not followed: which
//! one is called, only types say. What cannot be known is trusted.

use crate::effects::index::Node;
use crate::effects::named::places;
use crate::effects::reach::Summaries;
use crate::items::FnItemId;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::load::span_of;
use std::collections::BTreeSet;
use verdigris_ops::Places;

/// The writes that break the promise of a function.
pub(super) fn broken(summaries: &mut Summaries<'_>, start: FnItemId) -> Vec<Diagnostic> {
    let (cx, krate) = (summaries.cx, summaries.krate);
    let mut mistakes = Vec::new();
    let (mut reached, mut work) = (BTreeSet::from([start]), vec![start]);
    while let Some(id) = work.pop() {
        let module = krate.fns[id].module;
        let file = krate.modules[module].file;
        let body = summaries.body(Node::Fn(id));
        for set in &body.sets {
            if places(cx, &set.named, Some(module)) == Places::none() {
                continue;
            }
            let place = match set.named.fields.first() {
                Some(field) => format!("the field `{field}`"),
                None => "an item of an array".to_owned(),
            };
            let root = &krate.fns[start];
            let mark = match root.attrs.loop_invariant {
                true => "loop_invariant",
                false => "readonly",
            };
            let words = [root.name.as_str(), &place, mark];
            let mistake = Diagnostic::new(DiagCode::ReadonlyWrites, span_of(file, set.at), &words);
            mistakes.push(match id == start {
                true => mistake,
                false => mistake.note(format!("`{}` calls `{}`", words[0], krate.fns[id].name)),
            });
        }
        work.extend(
            body.certain
                .iter()
                .copied()
                .filter(|id| reached.insert(*id)),
        );
    }
    mistakes
}
