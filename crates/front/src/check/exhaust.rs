//! Whether a `match` attribute_spans everything.
//!
//! In: the type that is matched and the arms. Out: an example of what is missing. Invariant: the
//! answer is rustc's for the patterns of the subset; rustc would say it too, but only after the
//! build script.
//!
//! The search for an example follows Maranget, "Warnings for pattern matching": rows of patterns
//! against a vector of types, one column at a time.

use crate::cx::Cx;
use crate::names::written::int_name;
use crate::tast::{Arm, IntTy, Pat, Type, shape};
use crate::types::ty::int_range;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// What no arm matches, as the message names it.
pub(crate) fn missing(ty: &Type, arms: &[Arm], cx: &Cx) -> Option<String> {
    let unguarded = arms.iter().filter(|a| a.guard.is_none());
    let rows = unguarded.map(|a| vec![&a.pat]).collect();
    let example = Search { cx }
        .example(std::slice::from_ref(ty), rows)?
        .remove(0);
    Some(match (ty, example.as_str()) {
        (_, "_") => "every value".to_owned(),
        (Type::Kind(_), variant) => {
            let name = variant.split('(').next().unwrap_or(variant);
            format!("the variant `{name}`")
        }
        (_, example) => format!("`{example}`"),
    })
}

/// Patterns for several values, which match if all of them do.
type Row<'p> = Vec<&'p Pat>;

static WILD: Pat = Pat::Wild;

/// The numbers of characters: all but the surrogates.
const CHARS: [(i128, i128); 2] = [(0, 0xD7FF), (0xE000, 0x10_FFFF)];

struct Search<'a> {
    cx: &'a Cx,
}

impl Search<'_> {
    /// Values, one per type, that no row matches.
    fn example(&self, types: &[Type], rows: Vec<Row<'_>>) -> Option<Vec<String>> {
        let Some((first, rest)) = types.split_first() else {
            return rows.is_empty().then(Vec::new);
        };
        let rows: Vec<Row<'_>> = rows.into_iter().flat_map(alternatives).collect();
        if rows.iter().any(|row| row.iter().all(|pat| is_name(pat))) {
            return None;
        }
        if rows.iter().all(|row| matches!(row[0], Pat::Wild)) {
            let rows: Vec<&Row<'_>> = rows.iter().collect();
            return self.remaining(rest, &rows, "_".to_owned());
        }
        match first {
            Type::Kind(object) => {
                let mut variants = self.cx.interned.objects[*object].variants.iter();
                let rows = ByHead::new(&rows, |pat| match pat {
                    Pat::Class(class, _) => Some(*class),
                    _ => None,
                });
                variants.find_map(|(name, class)| {
                    self.remaining(rest, &rows.of(class), format!("{name}(_)"))
                })
            }
            Type::Bool => {
                let rows = ByHead::new(&rows, |pat| match pat {
                    Pat::Int(v) => Some(*v),
                    _ => None,
                });
                [(0, "false"), (1, "true")]
                    .iter()
                    .find_map(|(value, name)| {
                        self.remaining(rest, &rows.of(value), (*name).to_owned())
                    })
            }
            Type::Int(int) => {
                let (min, max) = int_range(*int);
                let all = [(wide(*int, min), wide(*int, max))];
                let show = |lo| format!("{lo}_{}", int_name(*int));
                self.missing_word(*int, &all, rest, &rows, show)
            }
            Type::Char => {
                let show = |lo| crate::names::written::char_of(lo as i64);
                self.missing_word(IntTy::U32, &CHARS, rest, &rows, show)
            }
            ty => self.missing_variant(ty, rest, &rows),
        }
    }

    /// An example that starts with a number from these intervals.
    fn missing_word(
        &self,
        int: IntTy,
        all: &[(i128, i128)],
        rest: &[Type],
        rows: &[Row<'_>],
        show: impl Fn(i128) -> String,
    ) -> Option<Vec<String>> {
        let starts = pieces(int, all, rows);
        let mut accepting: Vec<Vec<&Row<'_>>> = vec![Vec::new(); starts.len()];
        for row in rows {
            // A pattern accepts a piece as a whole or not at all.
            let accepted = match bounds(int, row[0]) {
                Some((lo, hi)) => {
                    let first = starts.partition_point(|s| *s < lo);
                    first..starts.partition_point(|s| *s <= hi).max(first)
                }
                None => 0..starts.len(),
            };
            accepting[accepted]
                .iter_mut()
                .for_each(|list| list.push(row));
        }
        let mut pieces = starts.iter().zip(&accepting);
        pieces.find_map(|(lo, rows)| self.remaining(rest, rows, show(*lo)))
    }

    /// An example that starts with this value, given the rows that accept it.
    fn remaining(&self, rest: &[Type], rows: &[&Row<'_>], value: String) -> Option<Vec<String>> {
        let tails = rows.iter().map(|row| row[1..].to_vec()).collect();
        let mut example = self.example(rest, tails)?;
        example.insert(0, value);
        Some(example)
    }

    /// An example that starts with one of a type's variants.
    fn missing_variant(&self, ty: &Type, rest: &[Type], rows: &[Row<'_>]) -> Option<Vec<String>> {
        let count = match ty {
            Type::Option(_) => 2,
            ty => shape(ty, &self.cx.interned.adts).map_or(0, |s| s.len()),
        };
        // The variants with fields first: `Some(_)` is the better example.
        let mut order: Vec<u32> = (0..count as u32).collect();
        order.sort_by_cached_key(|v| self.cx.field_types(ty, *v).is_empty());
        let rows = ByHead::new(rows, |pat| match pat {
            Pat::Variant(_, variant, _) => Some(*variant),
            _ => None,
        });
        order.into_iter().find_map(|variant| {
            let fields = self.cx.field_types(ty, variant);
            let rows = rows.of(&variant);
            let inner = rows.into_iter().map(|row| {
                let head: Row<'_> = match row[0] {
                    Pat::Variant(_, _, pats) => pats.iter().collect(),
                    _ => fields.iter().map(|_| &WILD).collect(),
                };
                [&head, &row[1..]].concat()
            });
            let types = [&fields, rest].concat();
            let mut example = self.example(&types, inner.collect())?;
            let tail = example.split_off(fields.len());
            let mut whole = vec![self.show(ty, variant, example)];
            whole.extend(tail);
            Some(whole)
        })
    }

    fn show(&self, ty: &Type, variant: u32, fields: Vec<String>) -> String {
        let name = match (ty, variant) {
            (Type::Tuple(_), _) => return crate::names::written::tuple_name(fields.into_iter()),
            (Type::Option(_), 0) => "None".to_owned(),
            (Type::Option(_), _) => "Some".to_owned(),
            (Type::Result(..), 0) => "Ok".to_owned(),
            (Type::Result(..), _) => "Err".to_owned(),
            (Type::Adt(id), _) => self.cx.interned.adts[*id].variants[variant as usize]
                .name
                .clone(),
            (Type::Fixed(..), _) => return format!("[{}]", fields.join(", ")),
            _ => "_".to_owned(),
        };
        match fields.is_empty() {
            true => name,
            false => format!("{name}({})", fields.join(", ")),
        }
    }
}

/// A row without alternatives and names in its first column.
fn alternatives(row: Row<'_>) -> Vec<Row<'_>> {
    let with = |pat| {
        let mut row = row.clone();
        row[0] = pat;
        alternatives(row)
    };
    match row[0] {
        Pat::Or(cases) => cases.iter().flat_map(with).collect(),
        Pat::Bind(_, Some(inner)) => with(inner),
        Pat::Bind(_, None) => with(&WILD),
        _ => vec![row],
    }
}

/// Rows by what their first patterns name.
struct ByHead<'r, 'p, K> {
    named: FxHashMap<K, Vec<&'r Row<'p>>>,
    /// Those whose first pattern is `_`.
    wild: Vec<&'r Row<'p>>,
}

impl<'r, 'p, K: Eq + Hash> ByHead<'r, 'p, K> {
    fn new(rows: &'r [Row<'p>], name: impl Fn(&Pat) -> Option<K>) -> Self {
        let mut by_head = ByHead {
            named: FxHashMap::default(),
            wild: Vec::new(),
        };
        for row in rows {
            match (row[0], name(row[0])) {
                (_, Some(name)) => by_head.named.entry(name).or_default().push(row),
                (Pat::Wild, None) => by_head.wild.push(row),
                _ => {}
            }
        }
        by_head
    }

    /// The rows whose first pattern is `_` or names this; which of them comes first says nothing
    /// about what is missing.
    fn of(&self, name: &K) -> Vec<&'r Row<'p>> {
        let named = self.named.get(name).into_iter().flatten();
        named.chain(&self.wild).copied().collect()
    }
}

/// Whether a pattern accepts everything.
fn is_name(pat: &Pat) -> bool {
    match pat {
        Pat::Wild | Pat::Bind(_, None) => true,
        Pat::Bind(_, Some(inner)) => is_name(inner),
        _ => false,
    }
}

fn wide(int: IntTy, word: i64) -> i128 {
    match int.signed() {
        true => i128::from(word),
        false => i128::from(word as u64),
    }
}

/// The first and last integer that a pattern accepts.
fn bounds(int: IntTy, pat: &Pat) -> Option<(i128, i128)> {
    match pat {
        Pat::Int(v) => Some((wide(int, *v), wide(int, *v))),
        Pat::Range(lo, hi) => Some((wide(int, *lo), wide(int, *hi))),
        _ => None,
    }
}

/// The first numbers of the pieces into which patterns cut these intervals.
fn pieces(int: IntTy, all: &[(i128, i128)], rows: &[Row<'_>]) -> Vec<i128> {
    let mut starts: Vec<i128> = all.iter().map(|(min, _)| *min).collect();
    for (lo, hi) in rows.iter().filter_map(|row| bounds(int, row[0])) {
        starts.extend([lo, hi + 1]);
    }
    starts.retain(|s| all.iter().any(|(min, max)| (min..=max).contains(&s)));
    starts.sort_unstable();
    starts.dedup();
    starts
}
