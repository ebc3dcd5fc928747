//! `#[cfg(..)]`: which items exist.
//!
//! In: attributes. Out: whether rustc would keep what they are on. Invariant: in a build script the answer is rustc's,
//! because cargo passes every `cfg` value in the environment (`CARGO_CFG_*`, `CARGO_FEATURE_*`); elsewhere unknown
//! values are unset. `cfg(test)` never holds: tests are not part of the interpreter.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, Token};

/// Whether the attributes keep their item.
pub(crate) fn enabled(attrs: &[Attribute]) -> bool {
    attrs
        .iter()
        .filter(|a| a.path().is_ident("cfg"))
        .all(|a| a.parse_args::<Meta>().is_ok_and(|meta| holds(&meta)))
}

/// Whether one predicate holds.
pub(crate) fn holds(meta: &Meta) -> bool {
    match meta {
        Meta::Path(path) => path.get_ident().is_some_and(|id| flag(&id.to_string())),
        Meta::NameValue(pair) => match (&pair.value, pair.path.get_ident()) {
            (
                Expr::Lit(ExprLit {
                    lit: Lit::Str(value),
                    ..
                }),
                Some(key),
            ) => has_value(&key.to_string(), &value.value()),
            _ => false,
        },
        Meta::List(list) => {
            let inner = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            let Ok(inner) = inner else { return false };
            match list.path.get_ident().map(ToString::to_string).as_deref() {
                Some("not") => !inner.iter().any(holds),
                Some("all") => inner.iter().all(holds),
                Some("any") => inner.iter().any(holds),
                _ => false,
            }
        }
    }
}

fn flag(name: &str) -> bool {
    match name {
        "test" => false,
        "true" => true,
        _ => std::env::var_os(format!("CARGO_CFG_{}", shout(name))).is_some(),
    }
}

fn has_value(key: &str, value: &str) -> bool {
    if key == "feature" {
        return std::env::var_os(format!("CARGO_FEATURE_{}", shout(value))).is_some();
    }
    // Cargo joins several values of one key with commas.
    std::env::var(format!("CARGO_CFG_{}", shout(key)))
        .is_ok_and(|values| values.split(',').any(|v| v == value))
}

fn shout(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn predicates() {
        let check = |meta: Meta| holds(&meta);
        assert!(!check(parse_quote!(test)));
        assert!(check(parse_quote!(not(test))));
        assert!(check(parse_quote!(any(test, all()))));
        assert!(!check(parse_quote!(all(test, not(test)))));
        assert!(!check(parse_quote!(feature = "surely-not-there")));
        assert!(!check(parse_quote!(nonsense(1))));
    }
}
