//! Names of languages. A name that passes the check gives a workspace that builds without warnings.

/// Names that mean something else to cargo, rustc, or a system on which the folder may be.
const TAKEN: &[&str] = &[
    "alloc",
    "build",
    "con",
    "core",
    "deps",
    "examples",
    "incremental",
    "nul",
    "proc_macro",
    "std",
    "test",
];

/// The packages that languages depend on.
const DEPENDENCIES: &[&str] = &["clap", "expect_test", "fastrand", "verdigris"];

/// The name of the language in the templates.
const PLACEHOLDER: &str = "mylang";

/// The name of the crate that a package of this name has.
fn crate_name(name: &str) -> String {
    name.replace('-', "_")
}

/// Whether a language can have this name.
///
/// # Errors
/// With a message that says why not.
pub fn check(name: &str) -> Result<(), String> {
    let error = |why: &str| {
        Err(format!(
            "error: `{name}` cannot be the name of a language: {why}"
        ))
    };
    let starts_well = name.starts_with(|c: char| c.is_ascii_lowercase());
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    if !starts_well || !name.chars().all(is_word) {
        return error(
            "it is made of lower-case letters, digits, `-` and `_`, and begins with a letter",
        );
    }
    if name.len() > 64 {
        return error("it is longer than 64 letters, which is the most for a package on crates.io");
    }
    let krate = crate_name(name);
    if syn::parse_str::<syn::Ident>(&krate).is_err() {
        return error("it is a keyword of Rust");
    }
    if TAKEN.contains(&krate.as_str()) {
        return error("the word means something else to cargo or to the system");
    }
    if DEPENDENCIES.contains(&krate.as_str()) || krate.starts_with("verdigris_") {
        return error("it is the name of a package that the language depends on");
    }
    Ok(())
}

/// A text of a template, with this name. Before `::` stands the crate, elsewhere the package.
pub fn put_into(text: &str, name: &str) -> String {
    let mut parts = text.split(PLACEHOLDER);
    let mut result = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.starts_with("::") {
            true => result += &crate_name(name),
            false => result += name,
        }
        result += part;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_where_they_belong() {
        let text = "mylang::run of `mylang` in programs/sum.mylang";
        let expected = "my_lang2::run of `my-lang2` in programs/sum.my-lang2";
        assert_eq!(put_into(text, "my-lang2"), expected);
        // A name with the placeholder in it.
        assert_eq!(
            put_into("mylang::x mylang", "mylang2"),
            "mylang2::x mylang2"
        );
    }

    #[test]
    fn names_that_cargo_takes_pass() {
        for name in ["mylang", "my-lang", "l2", "a_b", "oberon"] {
            assert_eq!(check(name), Ok(()));
        }
    }
}
