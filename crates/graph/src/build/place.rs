//! Lines and columns of spans, both from 1, columns in characters.

use crate::ir::Pos;
use cranelift_entity::SecondaryMap;
use verdigris_front::tast::{FileId, Span, TypedProgram};

/// The starts of the lines of every file.
pub struct Lines<'a> {
    program: &'a TypedProgram,
    starts: SecondaryMap<FileId, Vec<usize>>,
    /// Whether every character of a file is a byte, so that they need not be counted: lines may be
    /// long.
    bytes: SecondaryMap<FileId, bool>,
}

impl<'a> Lines<'a> {
    /// Scans the files.
    pub fn new(program: &'a TypedProgram) -> Lines<'a> {
        let mut starts: SecondaryMap<FileId, Vec<usize>> = SecondaryMap::new();
        let mut bytes = SecondaryMap::new();
        for (id, file) in &program.files {
            bytes[id] = file.text.is_ascii();
            let breaks = file.text.bytes().enumerate().filter(|b| b.1 == b'\n');
            starts[id] = [0].into_iter().chain(breaks.map(|b| b.0 + 1)).collect();
        }
        Lines {
            program,
            starts,
            bytes,
        }
    }

    /// Where a span begins.
    pub fn pos(&self, span: Span) -> Pos {
        let Some(file) = self.program.files.get(span.file) else {
            return Pos::default();
        };
        let starts = &self.starts[span.file];
        let at = (span.lo as usize).min(file.text.len());
        let line = starts.partition_point(|&s| s <= at).max(1);
        let start = starts[line - 1];
        let before = match self.bytes[span.file] {
            true => at.saturating_sub(start),
            false => file.text.get(start..at).unwrap_or("").chars().count(),
        };
        Pos {
            line: line as u32,
            column: before as u32 + 1,
        }
    }

    /// The path of a span's file.
    pub fn path(&self, span: Span) -> String {
        let file = self.program.files.get(span.file);
        file.map_or(String::new(), |f| f.path.clone())
    }
}
