//! Source files: found as rustc finds them, read, and parsed.
//!
//! In: the path of the crate's root and a way to read files. Out: [`SourceFile`]s and their syntax
//! trees, whose spans are byte offsets in the text. Invariant: whatever the text is, parsing ends
//! with a tree or a diagnostic: text that is nested so deeply that recursive passes could exhaust
//! the stack is refused before it is parsed.

use crate::expand::tokens::MARK;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::{FileId, SourceFile, Span};
use cranelift_entity::PrimaryMap;
use proc_macro2::{Delimiter, TokenStream, TokenTree, token_stream};
use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// Tokens between separators, summed over the enclosing groups: a bound on the depth of the syntax
/// tree.
const MAX_WEIGHT: usize = 6000;
/// Nested delimiters.
const MAX_NESTING: usize = 200;

/// Where text comes from.
pub(crate) trait Files {
    /// The text of a file, or why there is none.
    fn read(&self, path: &Path) -> Result<String, String>;
}

/// The file system.
pub(crate) struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|e| e.to_string())
    }
}

/// Files in memory, for tests.
pub(crate) struct Memory(pub FxHashMap<PathBuf, String>);

impl Files for Memory {
    fn read(&self, path: &Path) -> Result<String, String> {
        self.0
            .get(&normal(path))
            .cloned()
            .ok_or_else(|| "no such file".to_owned())
    }
}

/// Where the files of the modules declared in one place are.
#[derive(Clone, Debug)]
pub(crate) struct ModDir {
    /// What `#[path]` is relative to.
    attr: PathBuf,
    /// Where `mod x;` looks.
    child: PathBuf,
}

impl ModDir {
    /// The directory of modules inside `mod name { .. }`.
    pub fn inline(&self, name: &str, path_attr: Option<&str>) -> ModDir {
        let dir = match path_attr {
            Some(path) => self.attr.join(path),
            None => self.child.join(name),
        };
        ModDir {
            attr: dir.clone(),
            child: dir,
        }
    }
}

/// A file that has been parsed.
pub(crate) struct Parsed {
    pub file: FileId,
    pub dir: ModDir,
    pub items: Vec<syn::Item>,
}

/// Reads and parses files.
pub(crate) struct Loader<'a> {
    source: &'a dyn Files,
    /// Removed from the front of paths that are shown.
    base: PathBuf,
    pub files: PrimaryMap<FileId, SourceFile>,
    /// The files by the parser's names for their texts.
    pub names: FxHashMap<String, FileId>,
    /// The files between the root and the one being read.
    open: Vec<PathBuf>,
}

impl<'a> Loader<'a> {
    pub fn new(source: &'a dyn Files, base: PathBuf) -> Loader<'a> {
        Loader {
            source,
            base,
            files: PrimaryMap::new(),
            names: FxHashMap::default(),
            open: Vec::new(),
        }
    }

    /// Reads the root of the crate.
    pub fn root(&mut self, path: &Path) -> Result<Parsed, Box<Diagnostic>> {
        let text = self.source.read(path).map_err(|why| {
            let file = format!("the crate, `{}`: {why}", path.display());
            Box::new(Diagnostic::global(DiagCode::FileNotFound, &[&file, ""]))
        })?;
        let dir = path.parent().unwrap_or(Path::new("")).to_owned();
        let dirs = ModDir {
            attr: dir.clone(),
            child: dir,
        };
        self.parse(path, text, dirs)
    }

    /// Reads the file of `mod name;`, declared at `at`.
    pub fn module(
        &mut self,
        dir: &ModDir,
        name: &str,
        path_attr: Option<&str>,
        at: Span,
    ) -> Result<Parsed, Box<Diagnostic>> {
        let candidates = candidates(dir, name, path_attr);
        let mut found = None;
        for (path, dirs) in &candidates {
            if let Ok(text) = self.source.read(path) {
                found = Some((path.clone(), text, dirs.clone()));
                break;
            }
        }
        let Some((path, text, dirs)) = found else {
            let places: Vec<String> = candidates
                .iter()
                .map(|(p, _)| format!("`{}`", self.shown(p)))
                .collect();
            let help = format!("the module should be in {}", places.join(" or "));
            return Err(Box::new(Diagnostic::new(
                DiagCode::FileNotFound,
                at,
                &[&format!("module `{name}`"), &help],
            )));
        };
        if self.open.contains(&normal(&path)) {
            let help = format!("`{}` contains itself as a module", self.shown(&path));
            return Err(Box::new(Diagnostic::new(
                DiagCode::FileNotFound,
                at,
                &[&format!("module `{name}`"), &help],
            )));
        }
        self.parse(&path, text, dirs)
    }

    /// Declares that everything declared in the last opened file has been read.
    pub fn close(&mut self) {
        self.open.pop();
    }

    fn shown(&self, path: &Path) -> String {
        let path = normal(path);
        let shown = path.strip_prefix(normal(&self.base)).unwrap_or(&path);
        shown.display().to_string()
    }

    fn parse(&mut self, path: &Path, text: String, dir: ModDir) -> Result<Parsed, Box<Diagnostic>> {
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        let parseable = without_shebang(&text);
        let file = self.files.push(SourceFile {
            path: self.shown(path),
            text,
        });
        let tokens = TokenStream::from_str(&parseable).map_err(|e| {
            let span = span_of(file, e.span());
            Diagnostic::new(
                DiagCode::Syntax,
                span,
                &["syntax error: unbalanced delimiter, or not a token of Rust"],
            )
        })?;
        if let Some(first) = tokens.clone().into_iter().next() {
            self.names.insert(first.span().file(), file);
        }
        if let Some(span) = too_deep(tokens.clone()) {
            return Err(Box::new(Diagnostic::new(
                DiagCode::TooDeep,
                span_of(file, span),
                &[],
            )));
        }
        if parseable.contains(MARK)
            && let Some(span) = marked(tokens.clone())
        {
            let what = format!("the letter `{MARK}` in a name");
            let help =
                "the translator uses it to tell the variables of macros apart: take another one";
            let words = [what.as_str(), help];
            let span = span_of(file, span);
            return Err(Box::new(Diagnostic::new(
                DiagCode::UnsupportedWithHelp,
                span,
                &words,
            )));
        }
        let parsed = syn::parse2::<syn::File>(tokens).map_err(|e| {
            let message = format!("syntax error: {e}");
            Diagnostic::new(DiagCode::Syntax, span_of(file, e.span()), &[&message])
        })?;
        self.open.push(normal(path));
        Ok(Parsed {
            file,
            dir,
            items: parsed.items,
        })
    }
}

/// The files that can hold a module, with the directories for its own modules.
fn candidates(dir: &ModDir, name: &str, path_attr: Option<&str>) -> Vec<(PathBuf, ModDir)> {
    let mod_rs = |path: PathBuf| {
        let parent = path.parent().unwrap_or(Path::new("")).to_owned();
        let dirs = ModDir {
            attr: parent.clone(),
            child: parent,
        };
        (path, dirs)
    };
    if let Some(path) = path_attr {
        return vec![mod_rs(dir.attr.join(path))];
    }
    let plain = ModDir {
        attr: dir.child.clone(),
        child: dir.child.join(name),
    };
    vec![
        (dir.child.join(format!("{name}.rs")), plain),
        mod_rs(dir.child.join(name).join("mod.rs")),
    ]
}

/// The same path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if out.file_name().is_some() => {
                out.pop();
            }
            _ => out.push(part),
        }
    }
    out
}

/// The text with a leading `#!` line made a comment, so that offsets stay.
fn without_shebang(text: &str) -> String {
    match text.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => format!("//{rest}"),
        _ => text.to_owned(),
    }
}

/// Our span for one of the parser's.
pub(crate) fn span_of(file: FileId, span: proc_macro2::Span) -> Span {
    let range = span.byte_range();
    Span {
        file,
        lo: range.start as u32,
        hi: range.end as u32,
    }
}

/// A name with the letter that marks those of macros.
fn marked(tokens: TokenStream) -> Option<proc_macro2::Span> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Group(group) => marked(group.stream()),
        TokenTree::Ident(name) => name.to_string().contains(MARK).then(|| name.span()),
        _ => None,
    })
}

/// Where the text is nested too deeply, found without recursion.
pub(crate) fn too_deep(tokens: TokenStream) -> Option<proc_macro2::Span> {
    struct Group {
        rest: token_stream::IntoIter,
        /// Tokens since the last separator: they may all nest, as in `- - - x` or `a + b + c`.
        run: usize,
        /// Delimited by braces.
        brace: bool,
    }
    let mut open = vec![Group {
        rest: tokens.into_iter(),
        run: 0,
        brace: true,
    }];
    let mut weight = 0;
    let mut after_block = false;
    while let Some(top) = open.last_mut() {
        let Some(token) = top.rest.next() else {
            weight -= top.run;
            // A block ends a statement or an arm unless an `else` follows.
            after_block = top.brace;
            open.pop();
            continue;
        };
        let ends = match &token {
            TokenTree::Punct(p) => matches!(p.as_char(), ';' | ','),
            TokenTree::Ident(id) => after_block && id != "else",
            _ => false,
        };
        after_block = false;
        if ends {
            weight -= top.run;
            top.run = 0;
        }
        top.run += 1;
        weight += 1;
        let span = token.span();
        if let TokenTree::Group(group) = token {
            open.push(Group {
                rest: group.stream().into_iter(),
                run: 0,
                brace: group.delimiter() == Delimiter::Brace,
            });
        }
        if weight > MAX_WEIGHT || open.len() > MAX_NESTING {
            return Some(span);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(text: &str) -> bool {
        too_deep(TokenStream::from_str(text).unwrap()).is_some()
    }

    #[test]
    fn deep_text_is_found_and_long_text_is_not() {
        assert!(deep(&format!("{}1{}", "(".repeat(300), ")".repeat(300))));
        assert!(deep(&format!("fn f() {{ {} x }}", "!".repeat(9000))));
        assert!(deep(&format!("{} {{}}", "if x {} else ".repeat(4000))));
        assert!(!deep(
            &"fn f() { if a { b } while c { d } e(f); }".repeat(2000)
        ));
        assert!(!deep(&format!(
            "fn f() {{ match x {{ {} }} }}",
            "A => {} B => c,".repeat(5000)
        )));
    }

    #[test]
    fn modules_are_where_rustc_looks() {
        let root = ModDir {
            attr: "src".into(),
            child: "src".into(),
        };
        let paths = |dir: &ModDir, name, attr| -> Vec<String> {
            candidates(dir, name, attr)
                .iter()
                .map(|(p, _)| p.display().to_string())
                .collect()
        };
        assert_eq!(paths(&root, "a", None), ["src/a.rs", "src/a/mod.rs"]);
        assert_eq!(paths(&root, "a", Some("x/b.rs")), ["src/x/b.rs"]);
        let a = &candidates(&root, "a", None)[0].1;
        assert_eq!(paths(a, "b", None), ["src/a/b.rs", "src/a/b/mod.rs"]);
        assert_eq!(paths(a, "b", Some("c.rs")), ["src/c.rs"]);
        assert_eq!(
            paths(&a.inline("i", None), "b", Some("c.rs")),
            ["src/a/i/c.rs"]
        );
        let a_mod = &candidates(&root, "a", None)[1].1;
        assert_eq!(paths(a_mod, "b", None), ["src/a/b.rs", "src/a/b/mod.rs"]);
    }

    #[test]
    fn shebang_keeps_offsets() {
        assert_eq!(without_shebang("#!/bin/x\nfn"), "///bin/x\nfn");
        assert_eq!(without_shebang("#![a]\nfn"), "#![a]\nfn");
    }
}
