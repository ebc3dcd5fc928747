//! The table of diagnostics, and how they are shown: text in the style of rustc with the source
//! line. Every row says in the user's terms what is wrong and names the way out in its help; for
//! loops and recursion, [`crate::effects::suggest_attribute`] finds the one that fits. The page
//! about it is in the folder `errors` of this crate. A code never changes its meaning.

use crate::source::alternatives;
use crate::tast::{FileId, FuncId, SourceFile, Span};
use annotate_snippets::{AnnotationKind, Level, Patch, Renderer, Snippet};
use cranelift_entity::PrimaryMap;
use std::fmt;

macro_rules! codes {
    ($( $variant:ident $code:literal $message:literal $help:literal )*) => {
        /// What is wrong: one row of the table.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum DiagCode {
            $( #[doc = $message] $variant, )*
        }

        impl DiagCode {
            /// Every row, in the order of the table.
            pub const ALL: &'static [DiagCode] = &[$(DiagCode::$variant),*];

            /// The stable name, as `VD0001`.
            pub fn id(self) -> &'static str {
                match self { $(DiagCode::$variant => concat!("VD", $code),)* }
            }

            /// The message; `{0}`, `{1}` stand for the words of the occasion.
            pub fn message(self) -> &'static str {
                match self { $(DiagCode::$variant => $message,)* }
            }

            /// The way out, with the same words; empty if the message says it all.
            pub fn help(self) -> &'static str {
                match self { $(DiagCode::$variant => $help,)* }
            }

            /// The page about it, in Markdown: `verdigris error` prints it.
            pub fn page(self) -> &'static str {
                match self {
                    $(DiagCode::$variant => include_str!(concat!("../../errors/VD", $code, ".md")),)*
                }
            }
        }
    };
}

codes! {
    Internal "0000" "the translator failed: {0}" "this is a mistake in Verdigris, not in your program; please report it with the source"
    Syntax "0001" "{0}" "rustc reads the same file: `cargo check` without the build script shows the same mistake"
    TooDeep "0002" "this code is nested too deeply to be translated" "split the expression into several statements or functions"
    FileNotFound "0003" "cannot read the file of {0}" "{1}"
    NoPortal "0004" "the crate has no `#[portal]` function" "put `#[portal]` on the function that contains the interpreter's main loop"
    ManyPortals "0005" "a crate has one `#[portal]` function, and this is another" "remove one of the attributes"
    NoMergePoint "0006" "the portal `{0}` has no `merge_point!`" "make `merge_point!(greens = [..], reds = [..]);` the first statement of the interpreter's main `loop`"
    MisplacedMergePoint "0007" "`merge_point!` must be the first statement of a `loop` in the `#[portal]` function" "move it to the top of the interpreter's main loop"
    SecondMergePoint "0008" "the portal has a second `merge_point!`" "keep one, in the loop that executes all instructions"
    BadMergePoint "0009" "`merge_point!` {0}" "write `merge_point!(greens = [pc, program], reds = [stack]);`"
    NotALocal "0010" "`{0}` in `merge_point!` is not a local variable" "greens and reds are plain names of parameters or `let` variables declared before the loop"
    MisplacedCanEnter "0011" "`can_enter_jit!` is only possible inside the loop of the portal's `merge_point!`" "call it in the opcode handlers that jump backwards"
    UnknownName "0012" "cannot find `{0}` in this scope" "declare or import it, with `use`; what a macro of another crate declares, such as `thread_local!`, traced code cannot see: use it in a function marked `#[opaque]`"
    BadType "0013" "type `{0}` cannot be used in traced code" "traced code handles integers, `bool`, `char`, `f64`, `Gc`, `GcArray`, object types, and tuples, arrays, structs, enums, `Option`s and `Result`s of these; move the code that needs it to a function marked `#[opaque]`"
    ByValueStruct "0014" "`{0}` is a heap type and cannot be held by value" "write `Gc<{0}>`"
    NotGcStruct "0015" "`{0}` is not a `#[gc]` struct" "put `#[gc]` on `struct {0}`"
    BadOption "0016" "`Option<{0}>` cannot be in the heap" "only `Option`s of references (`Gc`, `GcArray`, object types) and, in a `Cell`, of scalars can be; write an enum marked `#[value]`, with a variant for `None`"
    NotACell "0017" "this must be a `Cell` of `verdigris::prelude`" "remove the import of `std::cell::Cell`: the collector must see every write to the heap"
    Mismatch "0018" "mismatched types: expected `{0}`, found `{1}`" ""
    Annotate "0019" "the type of this {0} is not known here" "annotate it, as in `let x: Option<Gc<Frame>> = None;`"
    Unsupported "0020" "{0} cannot be used in traced code" "move it to a function marked `#[opaque]`"
    UnsupportedWithHelp "0021" "{0} cannot be used in traced code" "{1}"
    UnsupportedPattern "0022" "{0} cannot be used in traced code" "{1}"
    UnsupportedMacro "0023" "the macro `{0}!` cannot be used in traced code" "write its expansion, or call it in a function of its own, with `#[opaque]` in front"
    FormattedPanic "0024" "the message of a panic in traced code must be a string literal" "write it as a format string, as in `panic!(\"{{}}\", text)`, or call a function marked `#[opaque]` that panics"
    ExternCall "0025" "call to `{0}`, whose source is not a part of this crate" "call it in a function of its own, with `#[opaque]` in front; or `#[elidable]`, if it only computes"
    TraitMethod "0026" "`{0}` is a method of the trait `{1}`, which is not translated" "move it to an `impl` block without a trait, or call it in a function marked `#[opaque]`"
    NoMethod "0027" "no method `{0}` on `{1}` that can be traced" "{2}"
    NoField "0028" "no field `{0}` on `{1}`" ""
    CellByValue "0029" "a `Cell`, `Quasi` or `Virtualizable` must be read with `.get()` or written with `.set(..)`" ""
    CellInit "0030" "a `{1}` field is initialised with `{1}::new(..)`" "write `{0}: {1}::new(..)`"
    StructOutsideNew "0031" "a `#[gc]` struct can only be built inside `Gc::new`" "write `Gc::new({0} {{ .. }})`"
    BadStructLiteral "0032" "{0}" "list every field of the struct once"
    ArgCount "0033" "`{0}` takes {1}, and {2} given" ""
    Loop "0034" "function `{0}` has a loop; it cannot be inlined into a trace" "put `#[opaque]` in front of the function, and it is called; or `#[unroll_safe]`, if the loop has few turns, which become part of every trace"
    Recursion "0035" "`{0}` is recursive; it cannot be inlined into a trace" "put `#[opaque]` in front of one function of the cycle, and it is called; or recurse through the portal"
    Unreachable "0036" "{0} cannot be named from the crate root" "{1}"
    BadGenerics "0037" "{0}" "write the types between `<` and `>`, as in `Pair::<i64>::new(1)`"
    BadSignature "0038" "{0}" "the parameters and the result of a function that is called, not traced, are made of words: integers, `bool`, `char`, `f64`, `()`, `Gc`, `GcArray`, object types, types marked `#[value]`, and tuples, `Option`s and `Result`s of these"
    BadConst "0039" "{0}" "constants in traced code are made of literals, operators, control flow, other constants and calls of `const` functions of the crate"
    AssignTarget "0040" "cannot assign to this" "{0}"
    BadOperator "0041" "operator `{0}` is not defined on `{1}`" "{2}"
    NotExhaustive "0042" "this `match` does not cover {0}" "add an arm for it, or `_ => unreachable!()`"
    NoLoop "0043" "{0}" ""
    BadCast "0044" "cannot cast `{0}` as `{1}`" "traced code casts between integers, `bool`, `char` and `f64`, as Rust does"
    KindValue "0045" "`kind()` can only be matched directly" "write `match x.kind() {{ .. }}` or `if let Kind::Variant(v) = x.kind()`"
    LiteralRange "0046" "literal out of range for `{0}`" ""
    BadObjectEnum "0047" "{0}" "write `#[object(Obj)] enum ObjKind {{ Int(Gc<IntObj>), .. }}`"
    BadAttribute "0048" "{0}" "{1}"
    NotAFunction "0049" "this is not a function that can be called in traced code" "call the function by its path"
    BadIndex "0050" "cannot index `{0}`" "what traced code can index is a `GcArray`, an array `[T; N]`, and a type of the crate with an `impl Index`"
    MissingLive "0051" "variable `{0}` is used after `merge_point!` but is neither green nor red" "add it to `greens` if it is part of the position in the guest program, otherwise to `reds`"
    ByValue "0052" "`{0}` cannot be held by value in traced code" "{1}"
    NotAValue "0053" "`{0}` is not marked `#[value]`, so it cannot be in the heap" "put `#[value]` on the declaration of `{0}`"
    EndlessInstances "0054" "{0}" "make the recursion end, or go through a `Gc` of one type"
    AmbiguousMember "0055" "it is not clear which `{0}` is meant: {1}" "write `Trait::{0}(..)` or `Type::{0}(..)`"
    NotConcrete "0056" "this value must be green, but it follows from a red one" "`promote` the value"
    ChangingGreen "0057" "the green `{0}` changes with red values: every value of it gets a loop of its own" "`promote` the value"
    RedDispatch "0058" "the instruction is chosen by a red value: every instruction in a trace costs a guard" "`promote` the value"
    MessageValue "0059" "a value of type `{0}` cannot be part of this message" "at most ten words of integers, `bool`, `char`, `f64` and references can be; structs whose fields are visible from the crate root count as their fields; call a function marked `#[opaque]` that panics"
    LargeArray "0060" "this array has {0} items, and traced code can hold {1} by value" "use a `GcArray`, or index a constant array where it is declared, as in `TABLE[i]`"
    DynTrait "0061" "`{0}` is a trait object, which traced code cannot look into" "make the function generic (`impl Trait`), match on an enum with a variant for each type, or on the `kind()` of an `#[object]` type"
    ReadonlyWrites "0062" "`{0}` is marked `#[{2}]`, and writes to {1}" "mark it `#[opaque]`; or `#[elidable]`, if nobody can notice what it writes and its result depends on its arguments alone"
    MisplacedCell "0063" "{0}" "{1}"
    UnknownPlace "0064" "`{0}` is no place in the heap that changes: {1}" "name a field as in `Class.field`, all of them as in `Class.*`, the items of an array as in `Array[]`; `verdigris effects` shows what a function touches"
    BadExpansion "0065" "the macro `{0}!` cannot be expanded: {1}" "macros that the crate defines with `macro_rules!` are expanded as rustc does; write the expansion, or call the macro in a function marked `#[opaque]`"
    Unexpanded "0066" "nobody can tell what `{0}!` declares here, and this module takes `{1}` from a glob import" "import `{1}` by its name, or move the call of the macro to a module of its own"
    UnknownAttribute "0067" "{0} may change this item, and the translator cannot see how" "remove it, write what it makes, or put it on an item that traced code does not reach"
    UnknownCfg "0068" "nobody has said whether the condition `{0}` holds, which this depends on" "say so in the build script, as in `verdigris_build::translate_configured(\"src/main.rs\", &[(\"{0}\", Cfg::Set)])`; what a build script tells rustc by `cargo::rustc-cfg`, the translator does not see"
    OffHeap "0069" "{0} keeps references to objects where the collector does not look" "use a `RootVec` or a `Root` of `verdigris::prelude`, or an object of the heap, such as a `List`; or mark the item `#[rooted_elsewhere]`, if something else keeps the objects alive for as long"
    EndlessAlias "0070" "this type alias stands for itself" "declare a struct or an enum, which may refer to itself"
    NativeOnly "0071" "`{0}` is for native code only, and this is traced code" "{1}"
    GcEnum "0072" "`{0}` is an enum, and what is on the heap is a `#[gc]` struct" "write `#[value] #[derive(Clone, Copy)]` on it and put it into an object, as in `#[gc] struct {0}Object {{ value: {0} }}`; or make a struct of each variant, and an `#[object]` of them"
}

impl DiagCode {
    /// Where a user reads more, wherever the sources of Verdigris are.
    pub fn more(self) -> String {
        format!("`verdigris error {}` says more", self.id())
    }

    /// Whether it is advice only, which does not make a build fail.
    pub fn is_warning(self) -> bool {
        matches!(self, DiagCode::ChangingGreen | DiagCode::RedDispatch)
    }
}

/// One complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The row of the table.
    pub code: DiagCode,
    /// What is wrong, in words.
    pub message: String,
    /// The source it is about; `None` if it is about the crate as a whole.
    pub span: Option<Span>,
    /// What the line under the source says, if anything.
    pub label: Option<String>,
    /// Other places that explain it.
    pub labels: Vec<(Span, String)>,
    /// Further explanations.
    pub notes: Vec<String>,
    /// The way out.
    pub help: Option<String>,
    /// An attribute that would help, and the name of the item that it is for.
    pub attribute: Option<(&'static str, Span)>,
    /// The traced function in which it was found, as long as that matters.
    pub found_in: Option<FuncId>,
}

impl Diagnostic {
    /// A complaint about `span`; `words` fill the templates of the row.
    pub fn new(code: DiagCode, span: Span, words: &[&str]) -> Diagnostic {
        Diagnostic {
            span: Some(span),
            ..Diagnostic::global(code, words)
        }
    }

    /// A complaint about the crate as a whole.
    pub fn global(code: DiagCode, words: &[&str]) -> Diagnostic {
        let word = words.first().copied().unwrap_or_default();
        let instead = match code {
            DiagCode::BadType => alternatives::of_type(word),
            DiagCode::ExternCall => alternatives::of_function(word),
            DiagCode::UnsupportedMacro => alternatives::of_macro(word),
            _ => None,
        };
        let help = instead.unwrap_or_else(|| fill(code.help(), words));
        Diagnostic {
            code,
            message: fill(code.message(), words),
            span: None,
            label: None,
            labels: Vec::new(),
            notes: Vec::new(),
            help: (!help.is_empty()).then_some(help),
            attribute: None,
            found_in: None,
        }
    }

    /// Says something right under the source.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.label = Some(text.into());
        self
    }

    /// Points at another place.
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push((span, text.into()));
        self
    }

    /// Adds an explanation.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Replaces the help of the row.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Proposes an attribute for the item with this name.
    pub fn attribute(mut self, attribute: &'static str, name: Span) -> Diagnostic {
        self.attribute = Some((attribute, name));
        self
    }

    /// Where the proposed attribute would stand: this line at this byte of the file. None if the
    /// item does not begin its line.
    pub fn insertion(
        &self,
        files: &PrimaryMap<FileId, SourceFile>,
    ) -> Option<(FileId, usize, String)> {
        let (attribute, name) = self.attribute?;
        let before = files.get(name.file)?.text.get(..name.lo as usize)?;
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let head = before[line..].trim_start();
        let mut words = head.split_whitespace();
        let is_item = matches!(words.next_back(), Some("fn" | "struct" | "enum"))
            && words.all(|word| word == "const" || word.starts_with("pub"));
        let indent = &before[line..before.len() - head.len()];
        is_item.then(|| (name.file, line, format!("{indent}{attribute}\n")))
    }

    /// All in one line: place, message, code.
    pub fn line(&self, files: &PrimaryMap<FileId, SourceFile>) -> String {
        let place = self.span.and_then(|span| {
            let file = files.get(span.file)?;
            let before = file.text.get(..span.lo as usize)?;
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            Some(format!("{}:{line}:{column}: ", file.path))
        });
        let text = format!(
            "{}{} [{}]",
            place.unwrap_or_default(),
            self.message,
            self.code.id()
        );
        text.replace('\n', " ")
    }

    /// The text, with the source line, coloured for a terminal if `styled`.
    pub fn render(&self, files: &PrimaryMap<FileId, SourceFile>, styled: bool) -> String {
        let level = match self.code.is_warning() {
            true => Level::WARNING,
            false => Level::ERROR,
        };
        let mut group = level
            .primary_title(self.message.as_str())
            .id(self.code.id())
            .elements(std::iter::empty::<annotate_snippets::Message<'_>>());
        for file in self.files() {
            group = group.element(self.snippet(file, &files[file]));
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(note.as_str()));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let more = self.code.more();
        group = group.element(Level::NOTE.message(more.as_str()));
        let renderer = if styled {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        let Some((file, at, text)) = self.insertion(files) else {
            return renderer.render(&[group]);
        };
        let file = &files[file];
        let patch = Patch::new(at..at, text);
        let snippet = Snippet::source(file.text.as_str()).path(file.path.as_str());
        let place = Level::HELP.secondary_title("it would stand here");
        renderer.render(&[group, place.element(snippet.patch(patch))])
    }

    /// The files that are shown, the one of the main span first.
    fn files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = Vec::new();
        let spans = self
            .span
            .iter()
            .chain(self.labels.iter().map(|(span, _)| span));
        for span in spans {
            if !files.contains(&span.file) {
                files.push(span.file);
            }
        }
        files
    }

    fn snippet<'a>(
        &'a self,
        id: FileId,
        file: &'a SourceFile,
    ) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
        let mut snippet = Snippet::source(file.text.as_str()).path(file.path.as_str());
        if let Some(span) = self.span.filter(|s| s.file == id) {
            let primary = AnnotationKind::Primary.span(clamp(span, &file.text));
            snippet = snippet.annotation(primary.label(self.label.as_deref()));
        }
        for (span, text) in self.labels.iter().filter(|(s, _)| s.file == id) {
            let context = AnnotationKind::Context.span(clamp(*span, &file.text));
            snippet = snippet.annotation(context.label(text.as_str()));
        }
        snippet
    }
}

/// The byte range of a span, within the text and on character boundaries whatever the span says.
fn clamp(span: Span, text: &str) -> std::ops::Range<usize> {
    let floor = |mut at: usize| {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let lo = floor(span.lo as usize);
    let hi = floor(span.hi as usize);
    lo..hi.max(lo)
}

/// Puts the words into `{0}`, `{1}`, ..; `{{` and `}}` are braces.
fn fill(template: &str, words: &[&str]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        if tail.starts_with("{{") || tail.starts_with("}}") {
            out.push_str(&tail[..1]);
            rest = &tail[2..];
            continue;
        }
        let word = tail
            .strip_prefix('{')
            .and_then(|t| t.split_once('}'))
            .and_then(|(n, after)| Some((n.parse::<usize>().ok()?, after)));
        match word {
            Some((n, after)) => {
                out.push_str(words.get(n).copied().unwrap_or("?"));
                rest = after;
            }
            None => {
                out.push_str(&tail[..1]);
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// All complaints about one crate, with the sources they point into.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    /// The source files.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// The complaints, in the order they were found.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// No complaints yet.
    pub fn new(files: PrimaryMap<FileId, SourceFile>) -> Diagnostics {
        Diagnostics {
            files,
            list: Vec::new(),
        }
    }

    /// Adds a complaint, unless it has been made already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.list.contains(&diagnostic) {
            self.list.push(diagnostic);
        }
    }

    /// Whether there is nothing to complain about.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Orders by place: complaints are found in the order of reachability, and read in the order of
    /// the source.
    pub fn sort(&mut self) {
        let key = |d: &Diagnostic| d.span.map(|s| (s.file, s.lo, s.hi));
        self.list.sort_by_key(key);
    }

    /// The text of all complaints, coloured for a terminal if `styled`.
    pub fn render(&self, styled: bool) -> String {
        let texts: Vec<String> = self
            .list
            .iter()
            .map(|d| d.render(&self.files, styled))
            .collect();
        texts.join("\n\n")
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_numbered_without_gaps() {
        for (i, code) in DiagCode::ALL.iter().enumerate() {
            assert_eq!(code.id(), format!("VD{i:04}"));
        }
    }

    #[test]
    fn templates_are_filled() {
        assert_eq!(fill("a {0} b {1} {{ {0} }}", &["x", "y"]), "a x b y { x }");
        assert_eq!(fill("{9} {", &[]), "? {");
    }

    #[test]
    fn wild_spans_are_shown_without_a_panic() {
        let mut files = PrimaryMap::new();
        let text = "let ä = 1;".to_owned();
        let file = files.push(SourceFile {
            path: "a.rs".into(),
            text,
        });
        for (lo, hi) in [(0, 900), (5, 5), (900, 2), (3, 1)] {
            let span = Span { file, lo, hi };
            let shown = Diagnostic::new(DiagCode::CellByValue, span, &[]).render(&files, false);
            assert!(shown.starts_with("error[VD0029]"), "{shown}");
        }
    }
}
