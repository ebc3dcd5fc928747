//! The methods, functions and constants that types of the standard library have themselves.
//!
//! In: a type, a name. Out: whether the type has it, and what its `self` is. Invariant: where a
//! trait of the crate has a member that is listed here for the type, Rust may mean the type's own,
//! whether the translator knows it or not; whatever the translator defines for a scalar type is
//! listed (a test compares them). The list is what std 1.95 has that is stable: of what is not,
//! rustc takes the trait's. What a later std adds is found by the probes that the glue has.

use crate::cx::sources::RefKind::{self, Shared};
use crate::names::written::int_name;
use crate::types::ty::Ty;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Lines of names under each type, or kind of types. A `&` or `&mut:` says what a method takes, `:`
/// that it is no method, `?` that only some of these types have it.
const TEXT: &str = include_str!("../../std_model/texts/own.txt");

/// What `GcArray` has.
pub(in crate::check) const ARRAYS: &[&str] = &[
    "as_slice", "first", "get", "index", "is_empty", "iter", "last", "len",
];

/// What the first argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::check) enum Takes {
    /// It is no method.
    Nothing,
    Value,
    Shared,
    Unique,
}

/// What is known of a name; whether all types of the kind have it.
type Entry = (Takes, bool);

static LISTS: LazyLock<FxHashMap<&str, FxHashMap<&str, Entry>>> = LazyLock::new(|| {
    let mut lists: FxHashMap<&str, FxHashMap<&str, Entry>> = FxHashMap::default();
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
pub(in crate::check) fn lists(ty: &Ty) -> Vec<(&'static str, bool)> {
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
pub(in crate::check) fn find(list: &str, name: &str) -> Option<Entry> {
    LISTS.get(list)?.get(name).copied()
}

/// Whether a type has a name itself, or may have it.
pub(crate) fn has(ty: &Ty, name: &str) -> bool {
    lists(ty).iter().any(|list| find(list.0, name).is_some())
}

/// Whether any type has a name.
pub(in crate::check) fn is_anywhere(name: &str) -> bool {
    LISTS.values().any(|list| list.contains_key(name))
}

/// Whether scalars have a name, and no other type has; what they have by it gives no reference.
pub(in crate::check) fn is_scalars(name: &str) -> bool {
    const OTHERS: &[&str] = &["Option", "Result", "String", "Vec", "array", "slice", "str"];
    let mut lists = LISTS.iter().filter(|list| list.1.contains_key(name));
    is_anywhere(name)
        && !matches!(name, "encode_utf16" | "encode_utf8")
        && lists.all(|list| !OTHERS.contains(list.0))
}

/// Methods of traits in the standard prelude that types have without the crate's doing.
pub(super) const PROVIDED: &[(&str, &[RefKind])] = &[
    ("clamp", &[]),
    ("clone", &[Shared]),
    ("cmp", &[Shared]),
    ("eq", &[Shared]),
    ("ge", &[Shared]),
    ("gt", &[Shared]),
    ("into", &[]),
    ("le", &[Shared]),
    ("lt", &[Shared]),
    ("max", &[]),
    ("min", &[]),
    ("ne", &[Shared]),
    ("partial_cmp", &[Shared]),
    ("try_into", &[]),
];

#[cfg(test)]
mod tests {
    use super::{Takes, find, has, lists};
    use crate::names::written::prim_ty;
    use crate::types::ty::Ty;

    /// What our texts have beside methods of the types: `Ord::clamp`, and what conversions and `%`
    /// are made of.
    const OTHERS: &[&str] = &[
        "clamp",
        "rem",
        "try_from_code",
        "try_from_signed",
        "try_from_unsigned",
        "try_into_u16",
        "try_into_u8",
    ];

    #[test]
    fn what_the_translator_defines_is_listed() {
        let names = [
            "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f64", "char",
        ];
        let mut missing = Vec::new();
        let mut count = 0;
        for ty_name in names {
            let ty = prim_ty(ty_name).expect("a scalar");
            let (_, text) = crate::std_model::scalars::source(&ty).expect("a text");
            let file = syn::parse_file(&text.replace("//!", "// ")).expect("the text parses");
            for item in file.items {
                let syn::Item::Fn(item) = item else { continue };
                let name = item.sig.ident.to_string();
                let public = matches!(item.vis, syn::Visibility::Public(_));
                count += usize::from(public);
                if public && !has(&ty, &name) && !OTHERS.contains(&name.as_str()) {
                    missing.push(format!("{ty_name}::{name}"));
                }
            }
            if let Ty::Int(_) = ty {
                let operators = crate::check::std_calls::scalar::OPERATORS.iter();
                let operators = operators.filter(|row| !has(&ty, row.0));
                missing.extend(operators.map(|row| format!("{ty_name}::{}", row.0)));
            }
        }
        assert!(count > 500, "{count}");
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn the_lists_say_what_methods_take() {
        let u8s = prim_ty("u8").expect("a scalar");
        let of = |name| lists(&u8s).iter().find_map(|list| find(list.0, name));
        assert_eq!(of("pow"), Some((Takes::Value, true)));
        assert_eq!(of("is_ascii"), Some((Takes::Shared, true)));
        assert_eq!(of("make_ascii_lowercase"), Some((Takes::Unique, true)));
        assert_eq!(of("from_be"), Some((Takes::Nothing, true)));
        assert_eq!(of("frobnicate"), None);
        assert_eq!(find("Option", "flatten"), Some((Takes::Value, false)));
    }
}
