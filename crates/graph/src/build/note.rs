//! Notes the source of values. Graphs do not depend on notes: a name that is not found in the
//! source only loses its colour.

use super::ssa::{Builder, Scalars};
use crate::source::SourceMark;
use std::ops::Range;
use verdigris_front::tast::{Expr, ExprKind, LocalId, Span};

impl Builder<'_> {
    /// Notes the value of an expression, and the name that it gives to a value.
    pub fn note(&mut self, expr: &Expr, value: &Scalars) {
        match &expr.kind {
            // What is inside says more.
            ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::Loop { .. }
            | ExprKind::Block(_)
            | ExprKind::Kind(_) => {}
            ExprKind::Let(local, init) | ExprKind::Assign(local, init) => {
                let value = self.read(*local);
                self.note_name(*local, &value, expr.span, expr.span.lo..init.span.lo);
            }
            ExprKind::MergePoint { greens, reds } => {
                for &local in greens.iter().chain(reds) {
                    let value = self.read(local);
                    self.note_name(local, &value, expr.span, expr.span.lo..expr.span.hi);
                }
            }
            _ => self.note_value(expr.span, value),
        }
    }

    /// Notes the values of the parameters, at their names behind the function's.
    pub fn note_params(&mut self) {
        let func = self.func;
        let body = func.body.span;
        for &local in &func.params {
            let value = self.read(local);
            self.note_name(local, &value, func.span, func.span.hi..body.lo);
        }
    }

    /// Notes a value for the last mention of a local's name between two places.
    pub fn note_name(&mut self, local: LocalId, value: &Scalars, span: Span, range: Range<u32>) {
        let name = self.func.locals[local].name.as_str();
        let Some(text) = self.program.files.get(span.file).map(|f| f.text.as_str()) else {
            return;
        };
        let (start, end) = (range.start as usize, range.end as usize);
        let Some(at) = text.get(start..end).and_then(|t| last_word(t, name)) else {
            return;
        };
        let lo = range.start + at as u32;
        let hi = lo + name.len() as u32;
        self.note_value(Span { lo, hi, ..span }, value);
    }

    fn note_value(&mut self, span: Span, value: &Scalars) {
        if value.is_empty() {
            return;
        }
        let (block, at) = self.here();
        self.notes.marks.push(SourceMark {
            span,
            vals: value.clone(),
            block,
            at,
        });
    }
}

/// Where a name stands last in a text as a word of its own.
fn last_word(text: &str, name: &str) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.rmatch_indices(name).find(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(part) && !after.is_some_and(part)
    });
    found.map(|f| f.0)
}
