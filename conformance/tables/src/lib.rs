//! The tables of the conformance suite: which functions it has, and how to call one by its number.
//!
//! In: the files of `conformance/src`. A file that has functions
//! `pub fn name(a: i64, b: i64) -> i64` is an area. Out: the end of each area, `CASES` and `run`,
//! and the end of `lib.rs`, the list of areas. No macro can write them: the translator reads the
//! source before macros are expanded. Invariant: what is above the mark of a file is never touched.

#![forbid(unsafe_code)]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use syn::{FnArg, Item, ItemFn, ReturnType, Type, Visibility};

/// The line from which on a file is written by this crate.
const MARK: &str = "// What follows is written by `cargo run -p conformance-tables`.\n";

/// A file of the suite, as it is and as it should be.
struct Planned {
    path: PathBuf,
    old: String,
    new: String,
}

/// An area of the suite.
pub struct Area {
    /// The module.
    pub name: String,
    /// Its functions, in the order of the file.
    pub cases: Vec<String>,
}

/// The folder of the suite's sources.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src")
}

/// Brings all tables up to date; says what there is.
///
/// # Errors
/// If a file cannot be read, parsed or written.
pub fn write() -> Result<String, String> {
    let (areas, files) = plan()?;
    let mut written = 0;
    for file in files.iter().filter(|f| f.old != f.new) {
        std::fs::write(&file.path, &file.new)
            .map_err(|e| format!("{}: {e}", file.path.display()))?;
        written += 1;
    }
    let count: usize = areas.iter().map(|a| a.cases.len()).sum();
    Ok(format!(
        "{count} functions in {} areas; {written} files changed",
        areas.len()
    ))
}

/// Checks that all tables are up to date.
///
/// # Errors
/// With the names of the files that are not, or if a file cannot be read or parsed.
pub fn check() -> Result<(), String> {
    let (_, files) = plan()?;
    let stale: Vec<String> = files
        .iter()
        .filter(|f| f.old != f.new)
        .map(|f| f.path.display().to_string())
        .collect();
    match stale.as_slice() {
        [] => Ok(()),
        stale => Err(format!(
            "`cargo run -p conformance-tables` has not been run since {} changed",
            stale.join(", ")
        )),
    }
}

/// The areas of the suite.
///
/// # Errors
/// If a file cannot be read or parsed.
pub fn areas() -> Result<Vec<Area>, String> {
    plan().map(|(areas, _)| areas)
}

fn plan() -> Result<(Vec<Area>, Vec<Planned>), String> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(sources())
        .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect())
        .map_err(|e| format!("{}: {e}", sources().display()))?;
    paths.retain(|p| p.extension().is_some_and(|e| e == "rs"));
    paths.sort();
    let mut areas = Vec::new();
    let mut files = Vec::new();
    let mut root = None;
    for path in paths {
        let old = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        if path.ends_with("lib.rs") {
            root = Some((path, old));
            continue;
        }
        let cases = cases(&old).map_err(|e| format!("{}: {e}", path.display()))?;
        if cases.is_empty() {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let new = with_table(&old, &area_table(&cases));
        areas.push(Area {
            name: name.into_owned(),
            cases,
        });
        files.push(Planned { path, old, new });
    }
    let (path, old) = root.ok_or("there is no lib.rs")?;
    let new = with_table(&old, &root_table(&areas));
    files.push(Planned { path, old, new });
    Ok((areas, files))
}

/// The public functions from two integers to one, in the order of the file.
fn cases(text: &str) -> Result<Vec<String>, syn::Error> {
    let written = text.find(MARK).unwrap_or(text.len());
    let file = syn::parse_file(&text[..written])?;
    let fns = file.items.into_iter().filter_map(|item| match item {
        Item::Fn(f) if is_case(&f) => Some(f.sig.ident.to_string()),
        _ => None,
    });
    Ok(fns.collect())
}

fn is_case(f: &ItemFn) -> bool {
    let params: Vec<&FnArg> = f.sig.inputs.iter().collect();
    let typed = |arg: &&FnArg| matches!(arg, FnArg::Typed(arg) if is_i64(&arg.ty));
    matches!(f.vis, Visibility::Public(_))
        && params.len() == 2
        && params.iter().all(typed)
        && matches!(&f.sig.output, ReturnType::Type(_, ty) if is_i64(ty))
}

fn is_i64(ty: &Type) -> bool {
    matches!(ty, Type::Path(ty) if ty.path.is_ident("i64"))
}

/// The text with another end.
fn with_table(text: &str, table: &str) -> String {
    let kept = text.find(MARK).map_or(text, |at| &text[..at]);
    format!("{}\n\n{MARK}\n{table}", kept.trim_end())
}

fn area_table(cases: &[String]) -> String {
    let mut out = String::from(
        "/// The functions, in the order of their numbers.\n#[rustfmt::skip]\npub const CASES: &[&str] = &[\n",
    );
    for name in cases {
        let _ = writeln!(out, "    \"{name}\",");
    }
    out.push_str(
        "];\n\n/// Function number `case` of two numbers.\n#[rustfmt::skip]\n\
         pub fn run(case: i64, a: i64, b: i64) -> i64 {\n    match case {\n",
    );
    for (n, name) in cases.iter().enumerate() {
        let _ = writeln!(out, "        {n} => {name}(a, b),");
    }
    out.push_str("        _ => panic!(\"there is no such function\"),\n    }\n}\n");
    out
}

fn root_table(areas: &[Area]) -> String {
    let mut out = String::new();
    for area in areas {
        let _ = writeln!(out, "pub mod {};", area.name);
    }
    out.push_str(
        "\n/// The areas, in the order of their numbers, with their functions.\n#[rustfmt::skip]\n\
         pub const AREAS: &[(&str, &[&str])] = &[\n",
    );
    for Area { name, .. } in areas {
        let _ = writeln!(out, "    (\"{name}\", {name}::CASES),");
    }
    out.push_str(
        "];\n\n/// Function number `case` of area number `area`, of two numbers.\n#[rustfmt::skip]\n\
         pub fn run(area: i64, case: i64, a: i64, b: i64) -> i64 {\n    match area {\n",
    );
    for (n, Area { name, .. }) in areas.iter().enumerate() {
        let _ = writeln!(out, "        {n} => {name}::run(case, a, b),");
    }
    out.push_str("        _ => panic!(\"there is no such area\"),\n    }\n}\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_up_to_date() {
        check().unwrap_or_else(|e| panic!("{e}"));
    }

    #[test]
    fn cases_are_found_and_the_rest_is_kept() {
        let text = "//! An area.\nfn help(a: i64, b: i64) -> i64 { a }\n\
             pub fn one(a: i64, _: i64) -> i64 { a }\n\
             pub fn other(a: i64) -> i64 { a }\npub fn two(x: i64, y: i64) -> i64 { x }\n";
        assert_eq!(cases(text).expect("parses"), ["one", "two"]);
        let table = area_table(&["one".to_string(), "two".to_string()]);
        let once = with_table(text, &table);
        assert!(once.starts_with(text) && once.contains("1 => two(a, b)"));
        assert_eq!(with_table(&once, &table), once);
        assert_eq!(cases(&once).expect("parses"), ["one", "two"]);
    }
}
