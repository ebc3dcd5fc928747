//! Broken interpreters: whatever is done to the tokens of one, the translator answers with jitcode
//! or with diagnostics. In: a tape: which source of the corpus, and what is done to it. Out: a
//! failure, if the translator panics, complains about itself, or says nothing. Invariant: jitcode
//! that comes out has been verified (by the translator).
//!
//! The corpus are the sources of the languages, the examples, the library and the conformance
//! suite, the programs of the front end's tests, and those that it refuses.

use crate::campaign::{Bench, Campaign, Failure};
use crate::front::edits;
use crate::front::edits::Source;
use crate::kept::Case;
use crate::panics;
use crate::shrink::{self, Budget};
use crate::tally::Tally;
use fuzz_tape::Tape;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use verdigris_build::translate_to_unit;
use verdigris_front::DiagCode;

/// The campaign.
pub struct Mutations;

/// Tries to make a failing source smaller.
const TRIES: usize = 800;

/// The line in front of each file of a case with several.
const FILE: &str = "//@ ";

/// The translator's output.
enum Verdict {
    Translated,
    Refused,
    Fails(String),
}

fn verdict(source: &Source) -> Verdict {
    let texts: Vec<(&str, &str)> = source.iter().map(|(p, t)| (&**p, &**t)).collect();
    match panics::catch(|| translate_to_unit(&texts)) {
        Ok(Ok(_)) => Verdict::Translated,
        Ok(Err(diagnostics)) => {
            let own = diagnostics
                .list
                .iter()
                .any(|d| d.code == DiagCode::Internal);
            let shown = diagnostics.to_string();
            match !own && shown.contains("error[VD") {
                true => Verdict::Refused,
                false => Verdict::Fails(format!("the translator complains about itself: {shown}")),
            }
        }
        Err(panic) => Verdict::Fails(format!("the translator panics: {panic}")),
    }
}

fn fails(source: &Source) -> bool {
    matches!(verdict(source), Verdict::Fails(_))
}

/// The source of a tape.
fn source(tape: &[u8]) -> Source {
    let mut tape = Tape::new(tape);
    edits::broken(&CORPUS, &mut tape)
}

/// A source without the lines that it fails without.
fn fewer_lines(source: Source, budget: &mut Budget) -> Source {
    let mut smallest = source;
    for file in 0..smallest.len() {
        let mut size = smallest[file].1.lines().count().next_power_of_two();
        while size > 0 {
            let mut start = 0;
            while start < smallest[file].1.lines().count() && budget.spend() {
                let mut other = smallest.clone();
                let lines = smallest[file].1.lines().enumerate();
                let left = lines.filter(|(n, _)| !(start..start + size).contains(n));
                other[file].1 = left.map(|(_, line)| format!("{line}\n")).collect();
                match fails(&other) {
                    true => smallest = other,
                    false => start += size,
                }
            }
            size /= 2;
        }
    }
    smallest
}

fn case(source: &Source, tape: &[u8]) -> Case {
    let hex: String = tape.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = source
        .iter()
        .map(|(path, text)| format!("{FILE}{path}\n{text}"));
    Case {
        comment: "//".to_string(),
        campaign: Mutations.name(),
        fields: vec![("tape".to_string(), hex)],
        text: text.collect(),
    }
}

/// The source of a case: one file, if it does not say that there are several.
fn source_of(case: &Case) -> Source {
    if !case.text.starts_with(FILE) {
        return vec![("src/lib.rs".to_string(), case.text.clone())];
    }
    let mut source = Source::new();
    for line in case.text.split_inclusive('\n') {
        match (line.strip_prefix(FILE), source.last_mut()) {
            (Some(path), _) => source.push((path.trim_end().to_string(), String::new())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => {}
        }
    }
    source
}

impl Campaign for Mutations {
    fn name(&self) -> String {
        "front mutations".to_string()
    }

    fn show(&self, tape: &[u8]) -> String {
        let source = source(tape);
        let answer = match verdict(&source) {
            Verdict::Translated => "translated".to_string(),
            Verdict::Refused => "refused".to_string(),
            Verdict::Fails(story) => story,
        };
        format!("{}\n{answer}\n", differing(&source))
    }

    fn check(&self, tape: &[u8], bench: &mut Bench<'_>) -> Option<Failure> {
        let broken = source(tape);
        bench.page.begins(case(&broken, tape));
        bench.tally.add("sources", 1);
        match verdict(&broken) {
            Verdict::Translated => bench.tally.add("translated", 1),
            Verdict::Refused => bench.tally.add("refused", 1),
            Verdict::Fails(story) => {
                bench.page.ends();
                let budget = &mut Budget::new(TRIES, bench.shrinking);
                let tape = shrink::tape(tape, budget, |tape| fails(&source(tape)));
                let small = fewer_lines(source(&tape), budget);
                let story = format!("{story}\nfor\n{}", differing(&source(&tape)));
                return Some(Failure {
                    case: case(&small, &tape),
                    story,
                });
            }
        }
        None
    }

    fn replay(&self, case: &Case) -> Result<Option<Failure>, String> {
        let Verdict::Fails(story) = verdict(&source_of(case)) else {
            return Ok(None);
        };
        let case = case.clone();
        Ok(Some(Failure { case, story }))
    }

    fn enough(&self, tally: &Tally) -> Result<(), String> {
        for wanted in ["translated", "refused"] {
            if tally.get(wanted) == 0 {
                return Err(format!("no source was {wanted}"));
            }
        }
        Ok(())
    }
}

/// The files of a crate, the root first.
fn sources_of(folder: &Path, root: &str) -> Source {
    fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
        for path in entries(dir) {
            if path.is_dir() {
                walk(&path, files);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    let mut files = Vec::new();
    walk(&folder.join("src"), &mut files);
    files.sort();
    files.sort_by_key(|path| !path.ends_with(root));
    let relative = |path: &PathBuf| {
        let path = path.strip_prefix(folder).expect("below the folder");
        path.to_string_lossy().replace('\\', "/")
    };
    files
        .iter()
        .map(|path| (relative(path), read(path)))
        .collect()
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// An interpreter that uses the library, whose modules are here modules of its own: a user's types
/// are checked like its own.
const LIBRARY_USER: &str = "
mod library;
use library::{List, Map, Str, StrBuilder};
use verdigris::prelude::{Cell, Gc, GcArray, concrete, portal};
fn at_most(word: usize, most: usize) -> usize {
    if word <= most { word } else { most }
}
#[portal]
fn run(text: Gc<Str>, mut n: i64) -> i64 {
    let list: Gc<List<i64>> = List::new();
    let map: Gc<Map<i64, i64>> = Map::new();
    loop {
        merge_point!(greens = [text], reds = [list, map, n]);
        list.push(n);
        map.insert(n, list.at(list.len() - 1));
        let builder = StrBuilder::new();
        builder.push_str(text);
        n += builder.finish().len() as i64 + map.get(n).unwrap_or(1);
        if list.pop().is_none() {
            return n;
        }
    }
}
";

fn library(top: &Path) -> Source {
    let files = sources_of(&top.join("crates/library"), "src/library/mod.rs").into_iter();
    let files = files
        .filter(|f| f.0.starts_with("src/library/"))
        .map(|(path, text)| {
            // A promise is the library's alone, so this crate has a function of that name instead.
            let own = "use verdigris::rt::Slot; use crate::at_most;";
            (
                path,
                text.replace("use verdigris::rt::{Slot, at_most};", own),
            )
        });
    let root = ("src/lib.rs".to_string(), LIBRARY_USER.to_string());
    [root].into_iter().chain(files).collect()
}

/// An area of the conformance suite, with a portal of its own.
fn area(path: String, text: String) -> Source {
    let name = path.trim_start_matches("src/").trim_end_matches(".rs");
    let root = format!(
        "use verdigris::{{concrete, prelude::*}};\nmod {name};\n#[portal]\nfn portal(case: i64, a: i64, b: i64) -> i64 {{\n    loop {{\n        \
         merge_point!(greens = [case], reds = [a, b]);\n        return {name}::run(case, a, b);\n    }}\n}}\n"
    );
    vec![("src/lib.rs".to_string(), root), (path, text)]
}

/// The sources that are broken; those of which it is true translate as they are.
static CORPUS: LazyLock<Vec<Source>> = LazyLock::new(|| {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut corpus = whole(&top);
    let tests = top.join("crates/front/tests");
    let lone = |text: String| vec![("src/lib.rs".to_string(), text)];
    let cases = entries(&tests.join("ui")).into_iter();
    let cases = cases.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    corpus.extend(cases.map(|path| lone(read(&path))));
    // Raw strings in this test hold whole interpreters.
    let programs = read(&tests.join("programs.rs"));
    let programs = programs.split("r#\"").skip(1);
    let programs = programs.filter_map(|text| text.split("\"#").next());
    corpus.extend(programs.map(|text| lone(text.to_string())));
    corpus
});

/// The sources that translate as they are.
pub fn whole(top: &Path) -> Vec<Source> {
    let folders = [
        "languages/tlc",
        "languages/boxes",
        "languages/objmodel",
        "examples/calculator",
        "examples/counter",
        "examples/lending",
        "examples/stackvm",
        "examples/values",
    ];
    let mut corpus: Vec<Source> = (folders.iter())
        .map(|folder| sources_of(&top.join(folder), "src/lib.rs"))
        .collect();
    corpus.push(library(top));
    let suite = sources_of(&top.join("conformance"), "src/lib.rs").into_iter();
    let areas = suite.filter(|(_, text)| text.contains("pub const CASES"));
    corpus.extend(areas.map(|(path, text)| area(path, text)));
    corpus
}

/// The lines of a broken source that no whole one has.
fn differing(source: &Source) -> String {
    let known: HashSet<&str> = (CORPUS.iter().flatten())
        .flat_map(|(_, text)| text.lines())
        .collect();
    let lines = (source.iter()).flat_map(|(path, text)| text.lines().map(move |line| (path, line)));
    let new = lines.filter(|(_, line)| !known.contains(line));
    let new: Vec<String> = new.map(|(path, line)| format!("{path}: {line}")).collect();
    new.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_broken_translates() {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        verdigris_testing::for_each(&whole(&top), |source| {
            let root = &source[source.len() - 1].0;
            assert!(matches!(verdict(source), Verdict::Translated), "{root}");
        });
    }

    #[test]
    fn cases_hold_all_files() {
        let source = vec![
            ("src/lib.rs".to_string(), "mod a;\n".to_string()),
            ("src/a.rs".to_string(), "fn f() {}\n".to_string()),
        ];
        let case = case(&source, &[1, 2]);
        assert_eq!(source_of(&case), source);
        let lone = Case {
            text: "fn g() {}\n".to_string(),
            ..case
        };
        assert_eq!(
            source_of(&lone),
            [("src/lib.rs".to_string(), "fn g() {}\n".to_string())]
        );
    }
}
