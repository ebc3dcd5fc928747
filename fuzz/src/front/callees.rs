//! The meaning of calls in random functions. In: functions. Out: the first of each whose callees
//! are others to the translator than to rustc. Invariant: rustc compiles the text that the
//! translator reads, with the same conditions.
//!
//! Random functions have much that is never reached, and closures that nothing calls. Both
//! compilers leave some of that out, each what it notices, so what only one of them calls is no
//! mistake here; a callee that stands for another one is.

use std::collections::BTreeMap;
use std::path::Path;
use verdigris_callees::{Report, compare_with_text, rustc};
use verdigris_front::{Cfg, callees_of_source};

/// Compares the callees of a batch, whose functions are in this file, too; its crate is compiled in
/// this profile, and rustc's text written beside the file on the way.
///
/// # Errors
/// If rustc or the translator refuses it, or if rustc's text cannot be read.
pub fn compare(
    functions: &[String],
    file: &Path,
    workspace: &Path,
    profile: &str,
) -> Result<Report, String> {
    let package = rustc::Package {
        workspace,
        name: "random-functions",
        profile,
        environment: &[("VERDIGRIS_FUNCTIONS_FILE", file)],
    };
    let text = file.with_extension("mir");
    let theirs = rustc::mir_of_package(&package, &text)?;
    let _ = std::fs::remove_file(&text);
    compare_texts(&generate_functions::interpreter(functions)?, &theirs)
}

/// Compares the callees of an interpreter with random functions with those in the text of rustc's
/// MIR.
///
/// # Errors
/// If the translator refuses it, or if rustc's text cannot be read.
pub fn compare_texts(interpreter: &str, mir: &str) -> Result<Report, String> {
    let own = generate_functions::conditions().into_iter();
    let mut conditions = rustc::conditions()?;
    conditions.extend(own.map(|(name, cfg)| (name.to_owned(), cfg)));
    let conditions: Vec<(&str, Cfg)> = (conditions.iter())
        .map(|(name, cfg)| (name.as_str(), cfg.clone()))
        .collect();
    let ours = callees_of_source(&[("functions.rs", interpreter)], &conditions);
    let ours = ours.map_err(|diagnostics| diagnostics.to_string())?;
    compare_with_text(&ours, mir)
}

/// The functions of a batch in which one callee is taken for another, by their numbers.
pub fn mistaken(report: &Report) -> BTreeMap<usize, String> {
    let differences = report.differences.iter().filter(|d| d.mistaken);
    let mut found = BTreeMap::new();
    for difference in differences {
        // `f12::h3`
        let module = difference.function.trim_start_matches(['<', '&']);
        let number = module.strip_prefix('f').and_then(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_digit())?;
            rest[..end].parse().ok()
        });
        let number = number.unwrap_or(0);
        found
            .entry(number)
            .or_insert_with(|| difference.to_string());
    }
    found
}
