//! Pieces of code for people. In: a log, and where the interpreter's source is. Out: text: each
//! piece with its stages one under the other; operations stand under the line of the interpreter
//! that they are done for, and under the place in the guest program, which is what the greens of
//! the merge point say. Invariant: every operation of the log is there, in its order.

use super::Stage;
use super::log::{Log, Piece, Place};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// All pieces.
pub fn pieces(log: &Log<'_>, root: &Path, stages: &[Stage]) -> String {
    let show = Show {
        log,
        sources: Sources::new(root),
    };
    let mut out = String::new();
    for piece in &log.pieces {
        line(&mut out, &title(piece));
        out.push('\n');
        for stage in stages {
            show.stage(&mut out, piece, *stage);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// What a piece is: where it starts, the value that it is the arm for, and where it waits for
/// values.
fn title(piece: &Piece<'_>) -> String {
    let mut title = format!("# {}", piece.title);
    let operations = piece.opt.iter().filter(|l| !l.starts_with([' ', '/', '[']));
    let mut operations = operations.copied().peekable();
    if let Some(test) = operations
        .peek()
        .and_then(|l| l.strip_prefix("guard_value("))
        && let Some((args, _)) = test.rsplit_once(')')
        && let Some((_, value)) = args.split_once(", ")
    {
        let _ = write!(title, ", the arm for {value}");
    }
    let leaves: Vec<&str> = operations
        .filter_map(|l| l.strip_prefix("leave() "))
        .map(|l| l.split_whitespace().next().unwrap_or(l))
        .collect();
    if !leaves.is_empty() {
        let _ = write!(title, ", leaves at {}", leaves.join(", "));
    }
    title
}

struct Show<'l> {
    log: &'l Log<'l>,
    sources: Sources,
}

/// Where the guest program is: the rest of the line of a merge point.
fn guest(rest: &str) -> String {
    match rest.split_once(" // ") {
        Some((greens, location)) => format!("  guest {location} {greens}"),
        None => format!("  guest {rest}"),
    }
}

impl Show<'_> {
    fn stage(&self, out: &mut String, piece: &Piece<'_>, stage: Stage) {
        match stage {
            Stage::Jitcode => {
                line(
                    out,
                    "## jitcode: a + where there are operations for an instruction",
                );
                self.jitcode(out, &piece.given);
            }
            Stage::Given => {
                line(out, &format!("## given: {}", piece.given_count));
                self.operations(out, &piece.given);
            }
            Stage::Opt => {
                line(out, "## opt: what is left");
                self.operations(out, &piece.opt);
            }
            Stage::Asm => {
                line(out, "## asm");
                piece.asm.iter().for_each(|text| line(out, text));
            }
        }
    }

    /// What the specialiser went through.
    fn jitcode(&self, out: &mut String, lines: &[&str]) {
        let mut heading = Heading::default();
        let mut lines = lines.iter().peekable();
        while let Some(&text) = lines.next() {
            if let Some(place) = Place::read(text) {
                heading.place = Some(place);
                heading.show(out, &self.sources);
                let gives = lines.peek().is_some_and(|next| !next.starts_with("//"));
                let mark = if gives { '+' } else { ' ' };
                let insn = self.insn(place);
                line(
                    out,
                    &format!("    {mark} {} {}: {insn}", place.name, place.pc),
                );
                continue;
            }
            if let Some(end) = text.strip_prefix("// ends in ") {
                line(out, &format!("    {end}"));
            } else if let Some(section) = text.strip_prefix("// ") {
                line(out, section);
                heading = Heading::default();
            } else if let Some(greens) = text.strip_prefix("merge_point") {
                line(out, &guest(greens));
            }
        }
    }

    /// The text of an instruction, without what is live there.
    fn insn(&self, place: Place<'_>) -> &str {
        let function = self.log.functions.iter().find(|f| f.name == place.name);
        let insn = function.and_then(|f| f.insns.get(&place.pc));
        let text = insn.map_or("", |text| {
            text.rsplit_once('{').map_or(*text, |(text, _)| text)
        });
        text.trim_end()
    }

    /// Operations, given or left.
    fn operations(&self, out: &mut String, lines: &[&str]) {
        let mut heading = Heading::default();
        let mut lines = lines.iter().copied().peekable();
        while let Some(text) = lines.next() {
            if let Some(place) = Place::read(text) {
                heading.place = Some(place);
            } else if let Some(end) = text.strip_prefix("// ends in ") {
                // A `finish` is among the operations.
                if end != "finish" {
                    line(out, &format!("      {end}"));
                }
            } else if let Some(section) = text.strip_prefix("// ") {
                let inputs = lines.next_if(|next| next.starts_with('['));
                line(out, &format!("{section} {}", inputs.unwrap_or_default()));
                heading = Heading::default();
            } else if text.starts_with('[') {
                // A label says the same.
                if lines.peek().is_none_or(|next| !next.starts_with("label ")) {
                    line(out, text);
                }
            } else if text.starts_with("label ") {
                line(out, text);
                heading = Heading::default();
            } else if let Some(greens) = text.strip_prefix("merge_point") {
                line(out, &guest(greens));
                heading.shown = None;
            } else if text.starts_with(' ') {
                line(out, &format!("      {}", self.named(text)));
            } else {
                heading.show(out, &self.sources);
                line(out, &format!("      {text}"));
            }
        }
    }

    /// A line of what belongs to a guard, with the names of the frames' functions.
    fn named(&self, text: &str) -> String {
        let mut before = "";
        let words = text.split(' ').map(|word| {
            let named = match before {
                "@" | "|" => self.frame(word),
                _ => None,
            };
            before = word;
            named.unwrap_or_else(|| word.to_string())
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// `3:20` as a function and a place in the source.
    fn frame(&self, word: &str) -> Option<String> {
        let (code, pc) = word.split_once(':')?;
        let function = self.log.functions.get(code.parse::<usize>().ok()?)?;
        let insn = function.insns.get(&pc.parse().ok()?)?;
        let (_, source) = insn.rsplit_once('#')?;
        Some(format!(
            "{} at {pc} ({}:{source})",
            function.name, function.file
        ))
    }
}

/// The line of the source that stands above operations.
#[derive(Default)]
struct Heading<'t> {
    place: Option<Place<'t>>,
    shown: Option<(&'t str, u32)>,
}

impl Heading<'_> {
    /// Shows it, unless it is there already.
    fn show(&mut self, out: &mut String, sources: &Sources) {
        // What has no line of the source belongs to what is around it.
        let Some(place) = self.place.filter(|place| place.line != 0) else {
            return;
        };
        let at = (place.file, place.line);
        if self.shown != Some(at) {
            let source = sources.line(place.file, place.line);
            line(
                out,
                format!("    {}:{}  {source}", place.file, place.line).trim_end(),
            );
            self.shown = Some(at);
        }
    }
}

/// The source files of the interpreter.
struct Sources {
    folder: PathBuf,
    read: RefCell<HashMap<String, Vec<String>>>,
}

impl Sources {
    /// The files of the package that has this root file.
    fn new(root: &Path) -> Sources {
        let mut folders = root.ancestors().skip(1);
        let package = folders.find(|folder| folder.join("Cargo.toml").is_file());
        let folder = package.or(root.parent()).unwrap_or(Path::new(""));
        Sources {
            folder: folder.to_owned(),
            read: RefCell::default(),
        }
    }

    /// A line, without what it is indented by. Empty if there is no such file: the library's are
    /// not in the package.
    fn line(&self, file: &str, line: u32) -> String {
        let mut read = self.read.borrow_mut();
        let lines = read.entry(file.to_string()).or_insert_with(|| {
            let text = std::fs::read_to_string(self.folder.join(file)).unwrap_or_default();
            text.lines().map(|line| line.trim().to_string()).collect()
        });
        let index = (line as usize).checked_sub(1);
        index
            .and_then(|n| lines.get(n))
            .cloned()
            .unwrap_or_default()
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}
