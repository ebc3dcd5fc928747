//! Reads the book. In: the folder of its chapters. Out: what is wrong with it, one line each.
//! Invariant: a book about which nothing is said here is one that `mdbook build docs/book` renders
//! as it is meant.

#![forbid(unsafe_code)]

mod chapter;

pub mod steps;

pub use chapter::{Fence, Line, lines};

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// What is wrong with the book in this folder, which has a `SUMMARY.md`.
pub fn faults(folder: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let chapters = chapters(folder);
    let summary = read(&folder.join("SUMMARY.md"));
    let listed: BTreeSet<PathBuf> = links(&summary).into_iter().map(PathBuf::from).collect();
    for chapter in chapters.difference(&listed) {
        faults.push(format!("{}: not in SUMMARY.md", chapter.display()));
    }
    for chapter in listed.difference(&chapters) {
        let name = chapter.display();
        faults.push(format!("SUMMARY.md: there is no chapter {name}"));
    }
    for chapter in &chapters {
        if chapter.ends_with("README.md") {
            let name = chapter.display();
            faults.push(format!(
                "{name}: mdBook makes `index.html` of it and leaves links to it as they are, so it is called `index.md`"
            ));
        }
        let text = read(&folder.join(chapter));
        let found = of_chapter(folder, chapter, &text);
        faults.extend(
            found
                .into_iter()
                .map(|f| format!("{}:{f}", chapter.display())),
        );
    }
    faults
}

/// All files of a folder that end in `.md`, but for the summary.
pub fn chapters(folder: &Path) -> BTreeSet<PathBuf> {
    fn walk(folder: &Path, root: &Path, found: &mut BTreeSet<PathBuf>) {
        let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, root, found);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.insert(path.strip_prefix(root).expect("below").to_path_buf());
            }
        }
    }
    let mut found = BTreeSet::new();
    walk(folder, folder, &mut found);
    found.remove(Path::new("SUMMARY.md"));
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// What is wrong with a chapter: line, colon, message.
fn of_chapter(folder: &Path, chapter: &Path, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let here = folder.join(chapter);
    let here = here.parent().expect("it is in a folder");
    for (n, line) in lines(text) {
        let include = line.text().and_then(include);
        if let Some((file, anchor)) = include {
            if let Err(fault) = included(&here.join(file), anchor) {
                faults.push(format!("{n}: {fault}"));
            }
        } else if line.text().is_some_and(|t| t.contains("{{#")) {
            faults.push(format!(
                "{n}: `{{{{#include FILE:ANCHOR}}}}` is all that is known here, alone in its line"
            ));
        }
        match line {
            Line::Opens(Fence { language: "", .. }) => {
                faults.push(format!(
                    "{n}: a block says its language, `text` if it has none"
                ));
            }
            Line::Opens(Fence { language, .. }) if language.starts_with("rust,") => {
                faults.push(format!("{n}: a block of Rust says `rust` and nothing else"));
            }
            Line::Code(
                Fence {
                    language: "rust", ..
                },
                code,
            ) if include.is_none() && !code.trim().is_empty() && !shows_fragments(chapter) => {
                faults.push(format!(
                    "{n}: Rust is included from a file that is compiled, not written here"
                ));
            }
            Line::Prose(prose) => {
                let found = links(prose);
                let bad = found
                    .iter()
                    .filter_map(|link| leads_nowhere(folder, here, text, link));
                faults.extend(bad.map(|fault| format!("{n}: {fault}")));
            }
            Line::Unclosed => faults.push(format!("{n}: this block has no end")),
            _ => {}
        }
    }
    faults
}

/// Whether a chapter is one to look things up in: its Rust shows how a thing is spelled, in lines
/// that make no program.
fn shows_fragments(chapter: &Path) -> bool {
    ["reference", "internals", "decisions"]
        .iter()
        .any(|folder| chapter.starts_with(folder))
}

/// The file and the anchor of a line that is an include.
fn include(line: &str) -> Option<(&str, Option<&str>)> {
    let inner = line
        .trim()
        .strip_prefix("{{#include ")?
        .strip_suffix("}}")?;
    let inner = inner.trim();
    Some(match inner.split_once(':') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (inner, None),
    })
}

/// Checks that a file exists, and an anchor in it, with an end and something in between.
fn included(file: &Path, anchor: Option<&str>) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let Some(anchor) = anchor else {
        return Ok(());
    };
    let word_behind = |mark: &str, line: &str| {
        let behind = line.split_once(mark)?.1.split_whitespace().next();
        behind.map(str::to_string)
    };
    let find = |mark: &str| {
        let mut lines = text.lines();
        lines.position(|line| word_behind(mark, line).as_deref() == Some(anchor))
    };
    match (find("ANCHOR: "), find("ANCHOR_END: ")) {
        (Some(start), Some(end)) if start + 1 < end => Ok(()),
        (Some(_), Some(_)) => Err(format!("{}: nothing is in `{anchor}`", file.display())),
        _ => Err(format!(
            "{} has no anchor `{anchor}` with an end",
            file.display()
        )),
    }
}

/// The targets of the links in a text, as in `[words](target)`. What is in backticks is none.
fn links(text: &str) -> Vec<String> {
    let outside: String = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
    let behind = outside.split("](").skip(1);
    let targets = behind.filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_string()).collect()
}

/// Why a link leads nowhere.
fn leads_nowhere(folder: &Path, here: &Path, text: &str, link: &str) -> Option<String> {
    if link.contains("://") {
        return None;
    }
    let (file, heading) = match link.split_once('#') {
        Some((file, heading)) => (file, Some(heading)),
        None => (link, None),
    };
    let target = normal(&here.join(file));
    if !target.starts_with(normal(folder)) {
        return Some(format!(
            "`{link}` leads out of the book: name the file by its path, in backticks"
        ));
    }
    let text = match file {
        "" => text.to_string(),
        // A picture.
        _ if !file.ends_with(".md") => {
            return (!target.exists()).then(|| format!("`{link}` leads nowhere"));
        }
        _ => match std::fs::read_to_string(&target) {
            Ok(text) => text,
            Err(_) => return Some(format!("`{link}` leads nowhere")),
        },
    };
    let heading = heading?;
    let known = lines(&text).into_iter().any(|(_, line)| match line {
        Line::Prose(prose) if prose.starts_with('#') => slug(prose) == heading,
        _ => false,
    });
    (!known).then(|| format!("`{link}`: no such heading there"))
}

/// The anchor that a heading gets.
fn slug(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}
