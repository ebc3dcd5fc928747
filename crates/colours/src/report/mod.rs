//! The coloured source: the functions that the portal reaches, in pieces that are in order and do
//! not overlap. Where expressions are nested, the inner one wins.

pub(crate) mod chain;
pub(crate) mod findings;
mod html;
mod origin;
pub(crate) mod results;
pub(crate) mod text;

use crate::analysis::Analysis;
use crate::colour::Colour;
use crate::solver::spec::SpecId;
use chain::{ReasonLink, explain};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use verdigris_front::tast::{FileId, SourceFile, Span};
use verdigris_graph::{SourceMark, ValueId};

/// The colour of a piece of source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Shade {
    /// Green wherever it is used.
    Green,
    /// Red wherever it is used.
    Red,
    /// Green for some arguments of the function, red for others.
    Both,
}

/// A coloured piece of source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paint {
    /// Where.
    pub span: Span,
    /// Its colour.
    pub shade: Shade,
    /// Why it is red, if it is.
    pub why: Vec<ReasonLink>,
}

/// A file with something that the portal reaches.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Its path, as messages show it.
    pub path: String,
    /// Its text.
    pub text: String,
    /// The functions in it: from their name to the end of their body, in order.
    pub functions: Vec<Span>,
    /// The pieces, in order.
    pub paints: Vec<Paint>,
}

/// The coloured source.
#[derive(Clone, Debug)]
pub struct ColourReport {
    /// The files, the one with the portal first.
    pub files: Vec<FileReport>,
    /// `path:line:column` of every place that reasons mention.
    pub(crate) places: FxHashMap<(u32, u32), String>,
}

/// The colours of an expression in all specialisations.
#[derive(Default)]
struct Seen {
    green: bool,
    red: Option<(SpecId, ValueId)>,
}

impl ColourReport {
    /// Colours the source.
    pub fn new(analysis: &Analysis<'_>) -> ColourReport {
        let mut seen: BTreeMap<(FileId, u32, u32), Seen> = BTreeMap::new();
        let mut files: Vec<FileId> = Vec::new();
        let mut functions: BTreeMap<(FileId, u32), Span> = BTreeMap::new();
        for &id in &analysis.solution.live {
            let spec = &analysis.solution.specs[id];
            let func = &analysis.input.source.funcs[spec.func];
            if !files.contains(&func.span.file) {
                files.push(func.span.file);
            }
            let whole = Span {
                hi: func.body.span.hi.max(func.span.hi),
                ..func.span
            };
            functions.insert((whole.file, whole.lo), whole);
            for mark in &analysis.input.graphs[spec.func].notes.marks {
                look(analysis, id, mark, &mut seen);
            }
        }
        let mut report = ColourReport {
            files: Vec::new(),
            places: FxHashMap::default(),
        };
        for file in files {
            let in_file = functions.iter().filter(|f| f.0.0 == file);
            let functions = in_file.map(|f| *f.1).collect();
            let pieces: Vec<Piece<'_>> = seen
                .iter()
                .filter(|s| s.0.0 == file)
                .map(|(&(file, lo, hi), seen)| (Span { file, lo, hi }, seen))
                .collect();
            report.file(
                analysis,
                &analysis.input.source.files[file],
                functions,
                &pieces,
            );
        }
        report
    }

    fn file(
        &mut self,
        analysis: &Analysis<'_>,
        source: &SourceFile,
        functions: Vec<Span>,
        pieces: &[Piece<'_>],
    ) {
        let mut paints = Vec::new();
        for (lo, hi, n) in flatten(source.text.len(), pieces) {
            let (span, seen) = pieces[n];
            let shade = match (seen.green, seen.red) {
                (_, None) => Shade::Green,
                (false, Some(_)) => Shade::Red,
                (true, Some(_)) => Shade::Both,
            };
            let why = seen
                .red
                .map_or(Vec::new(), |(id, value)| explain(analysis, id, value).links);
            self.note_places(analysis, &why);
            let span = Span { lo, hi, ..span };
            paints.push(Paint { span, shade, why });
        }
        self.files.push(FileReport {
            path: source.path.clone(),
            text: source.text.clone(),
            functions,
            paints,
        });
    }

    fn note_places(&mut self, analysis: &Analysis<'_>, why: &[ReasonLink]) {
        for span in why.iter().filter_map(|l| l.span) {
            let Some(file) = analysis.input.source.files.get(span.file) else {
                continue;
            };
            let key = (span.file.as_u32(), span.lo);
            self.places.entry(key).or_insert_with(|| {
                let before = file.text.get(..span.lo as usize).unwrap_or("");
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                format!("{}:{line}:{column}", file.path)
            });
        }
    }

    /// The reason of a colour, a line for each link.
    pub fn reason(&self, paint: &Paint) -> String {
        let lines = paint.why.iter().map(|link| {
            let place = link
                .span
                .and_then(|s| self.places.get(&(s.file.as_u32(), s.lo)));
            match place {
                Some(place) => format!("{} ({place})", link.text),
                None => link.text.clone(),
            }
        });
        lines.collect::<Vec<String>>().join("\n")
    }
}

/// A piece of source with what it is.
type Piece<'s> = (Span, &'s Seen);

fn look(
    analysis: &Analysis<'_>,
    id: SpecId,
    mark: &SourceMark,
    seen: &mut BTreeMap<(FileId, u32, u32), Seen>,
) {
    let spec = &analysis.solution.specs[id];
    let key = (mark.span.file, mark.span.lo, mark.span.hi);
    let red = mark.vals.iter().filter_map(|v| v.value());
    let red = red.max_by_key(|&v| spec.colours[v]);
    let red = red.filter(|&v| spec.colours[v] != Colour::Green);
    let seen = seen.entry(key).or_default();
    match red {
        None => seen.green = true,
        Some(value) => {
            seen.red.get_or_insert((id, value));
        }
    }
}

/// Ranges of the text with the innermost piece that covers each.
fn flatten(len: usize, pieces: &[Piece<'_>]) -> Vec<(u32, u32, usize)> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&n| std::cmp::Reverse(pieces[n].0.hi.saturating_sub(pieces[n].0.lo)));
    let mut cover: Vec<usize> = vec![usize::MAX; len];
    for n in order {
        let span = pieces[n].0;
        let (lo, hi) = (span.lo as usize, (span.hi as usize).min(len));
        if lo < hi {
            cover[lo..hi].fill(n);
        }
    }
    let mut out: Vec<(u32, u32, usize)> = Vec::new();
    for (at, &n) in cover.iter().enumerate() {
        match out.last_mut() {
            Some(last) if last.2 == n && last.1 as usize == at => last.1 += 1,
            _ if n != usize::MAX => out.push((at as u32, at as u32 + 1, n)),
            _ => {}
        }
    }
    out
}
