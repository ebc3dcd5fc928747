//! The manual, chapter by chapter. In: `manual/*.lua`, programs that assert what they say. Out:
//! nothing: each ends without an error, under its share of the settings, and under `lua5.4` if the
//! system has it. Invariant under test: what a program sees is what the manual says and the
//! reference implementation does.

use crate::common::guest;
use std::path::{Path, PathBuf};
use std::process::Command;
use verdigris_lua::machine::load;
use verdigris_testing::{agree_under, fast_settings, for_each};

fn chapters() -> Vec<(usize, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/manual");
    let entries = std::fs::read_dir(folder).expect("there is the folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "lua"))
        .collect();
    paths.sort();
    paths.into_iter().enumerate().collect()
}

#[test]
fn every_chapter_holds_under_its_settings() {
    for_each(&chapters(), |(number, path)| {
        let text = std::fs::read(path).expect("the chapter can be read");
        let name = path.file_name().expect("a name").to_string_lossy();
        let program = load(&text, &name).unwrap_or_else(|error| panic!("{error}"));
        match agree_under(fast_settings(*number), guest(&program, &[])) {
            Ok(outcome) => assert_eq!(outcome.error, None, "{name}"),
            Err(difference) => panic!("{name}: {difference}"),
        }
    });
}

#[test]
fn every_chapter_holds_under_the_reference_implementation() {
    for (_, path) in chapters() {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            unreachable!("a chapter is a file in a folder");
        };
        let run = Command::new("lua5.4")
            .current_dir(folder)
            .arg(name)
            .output();
        let Ok(run) = run else {
            eprintln!("skipped: there is no lua5.4");
            return;
        };
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{}: {said}", path.display());
    }
}
