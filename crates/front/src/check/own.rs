//! The methods, functions and constants that types of the standard library have themselves.
//!
//! In: a type, a name. Out: whether the type has it, and what its `self` is. Invariant: where a trait of the crate has a member that is
//! listed here for the type, Rust may mean the type's own, whether the translator knows it or not; whatever the translator
//! defines for a scalar type is listed (a test compares them). The list is what std 1.95 has that is stable: of what is not, rustc takes the trait's.
//! What a later std adds is found by the probes that the glue has.

use crate::infer::Ty;
use crate::names::int_name;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Lines of names under each type, or kind of types. A `&` or `&mut:` says what a method takes, `:` that it is no method, `?` that only
/// some of these types have it.
const TEXT: &str = include_str!("../texts/own.txt");

/// What `GcArray` has.
pub(super) const ARRAYS: &[&str] = &["as_slice", "index", "is_empty", "iter", "len"];

/// What the first argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Takes {
    /// It is no method.
    Nothing,
    Value,
    Shared,
    Unique,
}

/// What is known of a name; whether all types of the kind have it.
type Entry = (Takes, bool);

static LISTS: LazyLock<HashMap<&str, HashMap<&str, Entry>>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, HashMap<&str, Entry>> = HashMap::new();
    let mut list = "";
    for line in TEXT.lines() {
        if !line.starts_with(' ') {
            list = line;
            continue;
        }
        for word in line.split_whitespace() {
            let (always, word) = match word.strip_prefix('?') {
                Some(word) => (false, word),
                None => (true, word),
            };
            let (takes, name) = if let Some(name) = word.strip_prefix("&mut:") {
                (Takes::Unique, name)
            } else if let Some(name) = word.strip_prefix('&') {
                (Takes::Shared, name)
            } else if let Some(name) = word.strip_prefix(':') {
                (Takes::Nothing, name)
            } else {
                (Takes::Value, word)
            };
            let entries = lists.entry(list).or_default();
            entries.insert(name, (takes, always));
        }
    }
    lists
});

/// The lists for a type; with `true` that of slices, which an array is one of only after all else.
pub(super) fn lists(ty: &Ty) -> Vec<(&'static str, bool)> {
    let lists: &[&'static str] = match ty {
        Ty::Int(int) if int.signed() => &["int", "signed", int_name(*int)],
        Ty::Int(int) => &["int", "unsigned", int_name(*int)],
        Ty::Var(_) => &["int", "signed", "unsigned"],
        Ty::F64 => &["float"],
        Ty::Bool => &["bool"],
        Ty::Char => &["char"],
        Ty::Option(_) => &["Option"],
        Ty::Result(..) => &["Result"],
        Ty::Fixed(..) => return vec![("array", false), ("slice", true)],
        Ty::Foreign(foreign) if &*foreign.name == "str" => &["str"],
        Ty::Foreign(foreign) if foreign.name.starts_with('[') => &["slice"],
        _ => &[],
    };
    lists.iter().map(|list| (*list, false)).collect()
}

/// What a list says of a name.
pub(super) fn find(list: &str, name: &str) -> Option<Entry> {
    LISTS.get(list)?.get(name).copied()
}

/// Whether a type has a name itself, or may have it.
pub(super) fn has(ty: &Ty, name: &str) -> bool {
    lists(ty).iter().any(|list| find(list.0, name).is_some())
}

/// Whether any type has a name.
pub(super) fn is_anywhere(name: &str) -> bool {
    LISTS.values().any(|list| list.contains_key(name))
}
