//! Mistakes and what the translator says about them: each `tests/ui/*.rs` has its text in a
//! `.stderr` beside it.
//!
//! `UPDATE_EXPECT=1 cargo test -p verdigris-front ui::` writes the texts; read the difference
//! before keeping it.

use std::path::{Path, PathBuf};
use verdigris_front::{DiagCode, check_source};

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
fn diagnostics_are_as_written_down() {
    let bless = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("the case can be read");
        let shown = match check_source(&[("main.rs", &text)]) {
            Ok(_) => "no diagnostics\n".to_owned(),
            Err(diagnostics) => format!("{diagnostics}\n"),
        };
        let expected = path.with_extension("stderr");
        if bless {
            std::fs::write(&expected, &shown).expect("the text can be written");
        } else if std::fs::read_to_string(&expected).ok().as_ref() != Some(&shown) {
            wrong.push(format!("{}\n{shown}", path.display()));
        }
    }
    println!("{} texts with mistakes", cases().len());
    assert!(
        wrong.is_empty(),
        "{}\nBLESS=1 accepts this",
        wrong.join("\n")
    );
}

#[test]
fn every_case_is_a_mistake_with_a_code() {
    let mut seen = Vec::new();
    for path in cases() {
        let text = std::fs::read_to_string(&path).expect("the case can be read");
        let Err(diagnostics) = check_source(&[("main.rs", &text)]) else {
            panic!("{} has no mistake", path.display());
        };
        assert!(
            diagnostics
                .list
                .iter()
                .all(|d| d.code != DiagCode::Internal),
            "{}",
            path.display()
        );
        seen.extend(diagnostics.list.iter().map(|d| d.code));
    }
    // Rows that no source text alone can reach: failures of the translator, unreadable files, those
    // of later stages.
    let elsewhere = [
        DiagCode::Internal,
        DiagCode::FileNotFound,
        // Outside of build scripts nothing is undecided: see tests/modules.rs.
        DiagCode::UnknownCfg,
        DiagCode::MissingLive,
        DiagCode::NotConcrete,
        DiagCode::ChangingGreen,
        DiagCode::RedDispatch,
    ];
    for code in DiagCode::ALL.iter().filter(|c| !elsewhere.contains(c)) {
        assert!(seen.contains(code), "no case for {} ({code:?})", code.id());
    }
}
