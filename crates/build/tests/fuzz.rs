//! Broken interpreters: whatever is done to the tokens of one, the translator answers with jitcode or with diagnostics.
//!
//! In: the sources of the languages, the examples, the library and the conformance suite, and edits that leave most of the
//! text meaningful: of single tokens, of runs of them, and items put in from other crates. Out: nothing. Invariant: no
//! panic, no mistake of the translator's own, and jitcode that verifies (which the translator checks itself).
//! `VERDIGRIS_FUZZ=COUNT,SEED cargo test -p verdigris-build --test fuzz` runs longer.

use std::path::{Path, PathBuf};
use verdigris_build::translate_to_unit;
use verdigris_front::Code;

/// Translations in an ordinary test run.
const COUNT: u64 = 120;

/// Tokens that mean something in many places.
const TOKENS: &[&str] = &[
    "&",
    "*",
    "!",
    "-",
    "+",
    "?",
    "_",
    "0",
    "1",
    "-1",
    "255",
    "1.5",
    "true",
    "b'x'",
    "i64::MAX",
    "usize",
    "i8",
    "u64",
    "f64",
    "bool",
    "Self",
    "self",
    "Some",
    "None",
    "Ok",
    "Err",
    "..",
    "..=",
    "|",
    "||",
    "&&",
    "==",
    "<",
    ">>",
    "=",
    "+=",
    "as",
    "return",
    "break",
    "continue",
    "loop",
    "mut",
    "ref",
    "if",
    "match",
    "()",
    "(0, 1)",
    "[0; 3]",
    ".0",
    ".get()",
    ".len()",
    ".unwrap()",
    ".clone()",
    "::<i64>",
    "<T>",
    "{ }",
    ";",
    ",",
    "dyn",
    "impl",
    "move",
    "|x| x",
    "'a:",
    "\"s\"",
    "Gc",
    "GcArray",
    "Option",
    "#[opaque]",
    "#[unroll_safe]",
    "#[gc]",
    "const",
    "static",
    "fn",
    "unsafe",
];

type Source = Vec<(String, String)>;

/// The files of a crate, the root first.
fn sources_of(folder: &Path, root: &str) -> Source {
    fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(dir).expect("a folder") {
            let path = entry.expect("an entry").path();
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
    let read = |path: &PathBuf| std::fs::read_to_string(path).expect("can be read");
    files
        .iter()
        .map(|path| (relative(path), read(path)))
        .collect()
}

/// The library as modules of a crate of its own: a user's types are checked like its own.
fn library(top: &Path) -> Source {
    const ROOT: &str = "
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
    let files = sources_of(&top.join("crates/library"), "src/library/mod.rs");
    // A promise is the library's alone, so this crate has a function of that name instead.
    let files = files
        .into_iter()
        .filter(|f| f.0.starts_with("src/library/"))
        .map(|(path, text)| {
            let text = text.replace(
                "use verdigris::rt::{Slot, at_most};",
                "use verdigris::rt::Slot; use crate::at_most;",
            );
            (path, text)
        });
    let root = ("src/lib.rs".to_string(), ROOT.to_string());
    [root].into_iter().chain(files).collect()
}

/// The crates that are broken.
fn corpus() -> Vec<Source> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut corpus = Vec::new();
    for folder in [
        "languages/tlc",
        "languages/boxes",
        "languages/objmodel",
        "examples/calculator",
        "examples/counter",
        "examples/lending",
        "examples/stackvm",
        "examples/values",
    ] {
        corpus.push(sources_of(&top.join(folder), "src/lib.rs"));
    }
    corpus.push(library(&top));
    // The areas of the suite one by one.
    for (path, text) in sources_of(&top.join("conformance"), "src/lib.rs") {
        let name = path
            .trim_start_matches("src/")
            .trim_end_matches(".rs")
            .to_string();
        if text.contains("pub const CASES") {
            let root = format!(
                "use verdigris::prelude::*;\nmod {name};\n#[portal]\nfn portal(case: i64, a: i64, b: i64) -> i64 {{\n    loop {{\n        \
                 merge_point!(greens = [case], reds = [a, b]);\n        return {name}::run(case, a, b);\n    }}\n}}\n"
            );
            corpus.push(vec![("src/lib.rs".to_string(), root), (path, text)]);
        }
    }
    corpus
}

/// Words, and what is between them.
fn tokens(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if word(c) && last.chars().all(word) => last.push(c),
            Some(last) if c.is_whitespace() && last.chars().all(char::is_whitespace) => {
                last.push(c)
            }
            _ => out.push(c.to_string()),
        }
    }
    out
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    /// A place among the tokens that is a word or a sign.
    fn place(&mut self, list: &[String]) -> usize {
        for _ in 0..20 {
            let at = self.below(list.len());
            if !list[at].trim().is_empty() {
                return at;
            }
        }
        self.below(list.len())
    }

    /// One edit.
    fn edit(&mut self, list: &mut Vec<String>) {
        let at = self.place(list);
        match self.below(8) {
            0 => list[at] = TOKENS[self.below(TOKENS.len())].to_string(),
            // A word of the same file instead of this one: often a name of another type.
            1 | 2 => list[at] = list[self.place(list)].clone(),
            3 => {
                let token = TOKENS[self.below(TOKENS.len())];
                list.insert(at, format!(" {token} "));
            }
            4 => {
                list.remove(at);
            }
            5 => {
                let other = self.place(list);
                list.swap(at, other);
            }
            6 => {
                let to = (at + 2 + self.below(20)).min(list.len());
                list.drain(at..to);
            }
            _ => {
                let from = self.below(list.len());
                let to = (from + 1 + self.below(12)).min(list.len());
                let copied = list[from..to].to_vec();
                list.splice(at..at, copied);
            }
        }
    }

    /// Puts an item or a statement of another text in place of one, or in front of it.
    fn graft(&mut self, list: &mut Vec<String>, other: &[String]) {
        let Some(new) = self.piece(other) else { return };
        let Some(old) = self.piece(list) else { return };
        let new = other[new].to_vec();
        match self.below(2) {
            0 => list.splice(old, new),
            _ => list.splice(old.start..old.start, new),
        };
    }

    /// From behind a `;`, `{` or `}` to the next end of an item or statement.
    fn piece(&mut self, list: &[String]) -> Option<std::ops::Range<usize>> {
        let ends = |token: &String| matches!(token.as_str(), ";" | "{" | "}");
        let from = self.below(list.len());
        let start = from + 1 + list.get(from..)?.iter().position(ends)?;
        let mut depth = 0;
        for (n, token) in list.get(start..)?.iter().enumerate() {
            match token.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth < 0 {
                return None;
            }
            if depth == 0 && matches!(token.as_str(), ";" | "}") {
                return Some(start..start + n + 1);
            }
        }
        None
    }
}

/// Breaks one file of a crate.
fn broken(corpus: &[Source], random: &mut Random) -> Source {
    let mut source = corpus[random.below(corpus.len())].clone();
    let file = random.below(source.len());
    let mut list = tokens(&source[file].1);
    for _ in 0..1 + random.below(3) {
        if random.below(4) == 0 {
            let other = &corpus[random.below(corpus.len())];
            let other = &other[random.below(other.len())].1;
            random.graft(&mut list, &tokens(other));
        } else if !list.is_empty() {
            random.edit(&mut list);
        }
    }
    source[file].1 = list.concat();
    source
}

#[test]
fn no_edit_makes_the_translator_fail() {
    let wanted = std::env::var("VERDIGRIS_FUZZ").unwrap_or_default();
    let (count, seed) = wanted.split_once(',').unwrap_or((&wanted, "1"));
    let (count, seed): (u64, u64) = (count.parse().unwrap_or(COUNT), seed.parse().unwrap_or(1));
    let corpus = corpus();
    for source in &corpus {
        let texts: Vec<(&str, &str)> = source.iter().map(|(p, t)| (&**p, &**t)).collect();
        translate_to_unit(&texts).unwrap_or_else(|e| panic!("{e}"));
    }
    let (mut translated, mut refused) = (0, 0);
    for n in 0..count {
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (seed << 32) ^ n.wrapping_mul(0x2545_F491));
        random.below(1);
        let source = broken(&corpus, &mut random);
        let texts: Vec<(&str, &str)> = source.iter().map(|(p, t)| (&**p, &**t)).collect();
        match std::panic::catch_unwind(|| translate_to_unit(&texts)) {
            Ok(Ok(_)) => translated += 1,
            Ok(Err(diagnostics)) => {
                refused += 1;
                let own = diagnostics.list.iter().any(|d| d.code == Code::Internal);
                let shown = diagnostics.to_string();
                assert!(
                    !own && shown.contains("error[VD"),
                    "edit {n}: {shown}\n{}",
                    differing(&corpus, &source)
                );
            }
            Err(_) => panic!(
                "edit {n} makes the translator panic:\n{}",
                differing(&corpus, &source)
            ),
        }
    }
    println!("{translated} broken sources translated, {refused} refused");
    assert!(translated > 0 && refused > 0);
}

/// The lines of a broken crate that no whole one has.
fn differing(corpus: &[Source], source: &Source) -> String {
    let known: std::collections::HashSet<&str> = corpus
        .iter()
        .flatten()
        .flat_map(|(_, text)| text.lines())
        .collect();
    let lines = source
        .iter()
        .flat_map(|(path, text)| text.lines().map(move |line| (path, line)));
    let new: Vec<String> = lines
        .filter(|(_, line)| !known.contains(line))
        .map(|(path, line)| format!("{path}: {line}"))
        .collect();
    new.join("\n")
}
