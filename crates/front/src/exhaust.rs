//! Whether a `match` covers everything.
//!
//! In: the type that is matched and the arms. Out: an example of what is missing. Invariant: the answer is rustc's for
//! the patterns of the subset; rustc would say it too, but only after the build script.

use crate::check::int_range;
use crate::names::int_name;
use crate::tast::{Arm, IntTy, Object, ObjectId, Pat, Type};
use cranelift_entity::PrimaryMap;

/// What no arm matches, as the message names it.
pub(crate) fn missing(
    ty: &Type,
    arms: &[Arm],
    objects: &PrimaryMap<ObjectId, Object>,
) -> Option<String> {
    let pats: Vec<&Pat> = arms
        .iter()
        .filter(|a| a.guard.is_none())
        .map(|a| &a.pat)
        .collect();
    let flat = flatten(&pats);
    if flat.iter().any(|p| covers_all(p)) {
        return None;
    }
    match ty {
        Type::Kind(object) => objects[*object]
            .variants
            .iter()
            .find(|(_, class)| {
                !flat
                    .iter()
                    .any(|p| matches!(p, Pat::Class(c, _) if c == class))
            })
            .map(|(name, _)| format!("the variant `{name}`")),
        Type::Option(_) => {
            let some = flat
                .iter()
                .any(|p| matches!(p, Pat::Some(inner) if covers_all(inner)));
            let none = flat.iter().any(|p| matches!(p, Pat::None));
            match (some, none) {
                (true, true) => None,
                (false, _) => Some("`Some(_)`".to_owned()),
                (true, false) => Some("`None`".to_owned()),
            }
        }
        Type::Bool => [(0, "`false`"), (1, "`true`")]
            .iter()
            .find(|(value, _)| !flat.iter().any(|p| matches!(p, Pat::Int(v) if v == value)))
            .map(|(_, name)| (*name).to_owned()),
        Type::Int(int) => missing_int(*int, &flat),
        _ => Some("every value".to_owned()),
    }
}

/// Alternatives as separate patterns, and `x @ p` as `p`.
fn flatten<'p>(pats: &[&'p Pat]) -> Vec<&'p Pat> {
    let mut todo: Vec<&Pat> = pats.to_vec();
    let mut flat = Vec::new();
    while let Some(pat) = todo.pop() {
        match pat {
            Pat::Or(cases) => todo.extend(cases),
            Pat::Bind(_, Some(inner)) => todo.push(inner),
            pat => flat.push(pat),
        }
    }
    flat
}

fn covers_all(pat: &Pat) -> bool {
    match pat {
        Pat::Wild | Pat::Bind(_, None) => true,
        Pat::Bind(_, Some(inner)) => covers_all(inner),
        Pat::Or(cases) => cases.iter().any(covers_all),
        _ => false,
    }
}

/// The least integer that is not matched.
fn missing_int(int: IntTy, flat: &[&Pat]) -> Option<String> {
    let wide = |word: i64| match int.signed() {
        true => i128::from(word),
        false => i128::from(word as u64),
    };
    let mut ranges: Vec<(i128, i128)> = flat
        .iter()
        .filter_map(|p| match p {
            Pat::Int(v) => Some((wide(*v), wide(*v))),
            Pat::Range(lo, hi) => Some((wide(*lo), wide(*hi))),
            _ => None,
        })
        .collect();
    ranges.sort_unstable();
    let (min, max) = int_range(int);
    let mut next = wide(min);
    for (lo, hi) in ranges {
        if lo > next {
            break;
        }
        next = next.max(hi + 1);
    }
    (next <= wide(max)).then(|| format!("`{next}_{}`", int_name(int)))
}
