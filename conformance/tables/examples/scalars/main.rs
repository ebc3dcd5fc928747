//! Writes the areas of the conformance suite that go through the methods of the scalar types. In:
//! the tables of [`rows`]. Out: a file for each type; `cargo run -p conformance-tables` adds the
//! tables of cases afterwards, and `cargo fmt` lays them out. Invariant: a function uses every
//! method of one row, with each form of result made into one number.
//!
//! The files are committed. In cargo's `OUT_DIR` neither reader of the suite would find them: rustc
//! takes the path of a module from no macro, the translator does not read `include!`, and a source
//! that the two read differently is what must not be. A test here says when they are not up to
//! date.

mod rows;

use rows::Form::{self, Float, Int, Opt, Pair};
use rows::{BOTH, BYTE, CHAR, F64, Row, SIGNED, UNSIGNED};
use std::fmt::Write;

/// An expression as an integer.
fn number(form: Form, expr: &str) -> String {
    match form {
        Int => format!("({expr}) as i64"),
        Opt => format!("match {expr} {{ Some(v) => v as i64, None => -7777 }}"),
        Pair => format!("{{ let (v, over) = {expr}; v as i64 * 2 + over as i64 }}"),
        Float => format!("bits({expr})"),
    }
}

/// The text of the area of the type `name`; `other` is the one of the other sign.
fn area(name: &str, other: &str, rows: &[&[Row]], head: &str) -> (String, String) {
    let mut text = format!(
        "//! The methods of `{name}`. In: two integers. Out: one.\n\
         //!\n\
         //! Written by `cargo run -p conformance-tables --example scalars`.\n\n\
         #![allow(unused_variables)]\n\n{head}\n\
         fn mix(sum: i64, part: i64) -> i64 {{\n    sum.wrapping_mul(31).wrapping_add(part)\n}}\n"
    );
    for (row, methods) in rows.iter().flat_map(|rows| rows.iter()) {
        let _ = write!(text, "\npub fn {row}(a: i64, b: i64) -> i64 {{\n");
        let all: String = methods.iter().map(|(_, expr)| *expr).collect();
        let uses = |name: &str| {
            all.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == name)
        };
        for (local, value) in [("x", "number(a)"), ("y", "number(b)"), ("n", "b as u32")] {
            if uses(local) {
                let value = if local == "n" {
                    "(b & 63) as u32"
                } else {
                    value
                };
                let _ = writeln!(text, "    let {local} = {value};");
            }
        }
        let _ = writeln!(text, "    let mut sum = 0;");
        for (form, expr) in *methods {
            let expr = expr.replace("$T", name).replace("$O", other);
            let _ = writeln!(text, "    sum = mix(sum, {});", number(*form, &expr));
        }
        let _ = writeln!(text, "    sum\n}}");
    }
    (format!("scalar_{name}.rs"), text)
}

/// The names of all files, with their texts up to the tables of cases.
fn areas() -> Vec<(String, String)> {
    let mut areas = Vec::new();
    let head = |name: &str| {
        format!(
            "/// Two of the edges are those of the type.\nfn number(a: i64) -> {name} {{\n    match a {{\n        7 => {name}::MIN,\n        12 => {name}::MAX,\n        _ => a as {name},\n    }}\n}}\n"
        )
    };
    for bits in ["8", "16", "32", "64", "size"] {
        let (signed, unsigned) = (format!("i{bits}"), format!("u{bits}"));
        areas.push(area(&signed, &unsigned, &[BOTH, SIGNED], &head(&signed)));
        let more = if bits == "8" { BYTE } else { &[] };
        areas.push(area(
            &unsigned,
            &signed,
            &[BOTH, UNSIGNED, more],
            &head(&unsigned),
        ));
    }
    let number = "/// Characters of ASCII, and some of all others.\nfn number(a: i64) -> char {\n    match char::from_u32(a as u32 & 0x7FF) {\n        Some(c) if a < 1000 => c,\n        _ => match char::from_u32(a as u32 & 0x1F_FFFF) {\n            Some(c) => c,\n            None => '\\u{3b1}',\n        },\n    }\n}\n";
    areas.push(area("char", "", &[CHAR, BYTE], number));
    let number = "/// Some of the edges are those of doubles.\nfn number(a: i64) -> f64 {\n    match a {\n        7 => f64::NAN,\n        8 => -0.0,\n        9 => f64::INFINITY,\n        12 => f64::NEG_INFINITY,\n        33 => 0.5,\n        64 => -2.5,\n        100 => 4503599627370497.5,\n        1001 => 1e300,\n        _ => a as f64 * 0.37,\n    }\n}\n\n/// All NaNs are one.\nfn bits(x: f64) -> i64 {\n    if x.is_nan() { 1 } else { x.to_bits() as i64 }\n}\n";
    areas.push(area("f64", "", &[F64], number));
    areas
}

fn main() -> std::io::Result<()> {
    for (file, text) in areas() {
        std::fs::write(conformance_tables::sources().join(file), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::areas;

    /// What rustfmt does not decide.
    fn bare(text: &str) -> String {
        let decided = |c: char| c.is_whitespace() || c == ',';
        text.chars().filter(|&c| !decided(c)).collect()
    }

    #[test]
    fn the_files_are_up_to_date() {
        for (file, text) in areas() {
            let path = conformance_tables::sources().join(&file);
            let kept = std::fs::read_to_string(path).expect("an area");
            let above = kept
                .split("// What follows is written by")
                .next()
                .expect("a text");
            assert!(
                bare(above) == bare(&text),
                "{file} is not what `cargo run -p conformance-tables --example scalars` writes"
            );
        }
    }
}
