//! Diagnostics about colours, as the user reads them: each `tests/ui/*.rs` has its text in a
//! `.stderr` beside it.
//!
//! `UPDATE_EXPECT=1 cargo test -p verdigris-colours ui::` writes the texts; read the
//! difference before keeping it.

use crate::support;

use std::path::{Path, PathBuf};
use verdigris_front::DiagCode;

fn cases() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let entries = std::fs::read_dir(dir).expect("tests/ui can be read");
    let mut paths: Vec<PathBuf> = entries
        .map(|e| e.expect("tests/ui can be read").path())
        .filter(|p| p.extension().is_some_and(|e| e == "rs"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn complaints_are_as_written_down() {
    let bless = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    let mut seen = Vec::new();
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("the case can be read");
        let (_, diagnostics) = support::colour(&text);
        assert!(!diagnostics.is_empty(), "{} has no mistake", path.display());
        seen.extend(diagnostics.list.iter().map(|d| d.code));
        let shown = format!("{diagnostics}\n");
        let expected = path.with_extension("stderr");
        if bless {
            std::fs::write(&expected, &shown).expect("the text can be written");
        } else if std::fs::read_to_string(&expected).ok().as_ref() != Some(&shown) {
            wrong.push(format!("{}\n{shown}", path.display()));
        }
    }
    let wrong = wrong.join("\n");
    assert!(wrong.is_empty(), "{wrong}\nBLESS=1 accepts this");
    for code in [
        DiagCode::NotConcrete,
        DiagCode::ChangingGreen,
        DiagCode::RedDispatch,
    ] {
        assert!(seen.contains(&code), "no case for {}", code.id());
    }
}

/// The demand is met once the `promote` is there that the case lacks.
#[test]
fn promote_repairs() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/no_promote.rs");
    let text = std::fs::read_to_string(dir).expect("the case can be read");
    let repaired = text.replace(
        "let shape = object.shape.get();",
        "let shape = promote(object.shape.get());",
    );
    assert_ne!(text, repaired);
    let (_, diagnostics) = support::colour(&repaired);
    assert!(diagnostics.is_empty(), "{diagnostics}");
}
