//! Annotations. In: statements and expressions. Out: instructions that keep them in
//! `__annotations__`. Invariant: those of variables of functions are not evaluated, as in CPython;
//! with `from __future__ import annotations` none is, and its text is kept.

use super::{Compiler, Reg, Result};
use crate::bytecode::code::Const;
use crate::bytecode::opcode;
use crate::compile::scope::Kind;
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::Ranged;

const NAME: &str = "__annotations__";

impl<'a> Compiler<'a> {
    /// Makes the dict of annotations of a module or class that has some.
    pub(super) fn begin_annotations(&mut self, body: &'a [Stmt]) -> Result<()> {
        if !has_some(body) {
            return Ok(());
        }
        let top = self.f().top;
        let dict = self.temp()?;
        self.emit(opcode::DICT, dict, 0, 0);
        match self.kind() {
            Kind::Class => {
                let index = self.name(NAME);
                self.emit(opcode::STORE_NAME, dict, 0, index);
            }
            _ => {
                let index = self.global(NAME);
                self.emit(opcode::STORE_GLOBAL, dict, 0, index);
            }
        }
        self.free(top);
        Ok(())
    }

    /// Keeps the annotation of a variable of a module or class.
    pub(super) fn keep_annotation(&mut self, s: &'a ast::StmtAnnAssign) -> Result<()> {
        let Expr::Name(name) = &*s.target else {
            return Ok(());
        };
        let dict = self.temp()?;
        let index = self.global(NAME);
        match self.kind() {
            Kind::Class => self.emit(opcode::LOAD_NAME, dict, 0, index),
            _ => self.emit(opcode::LOAD_GLOBAL, dict, 0, index),
        };
        let key = self.temp()?;
        let name = self.mangled(&name.id);
        self.load_const(Const::Str(name), key)?;
        let value = self.annotation(&s.annotation)?;
        self.emit(opcode::SET_ITEM, dict, key, value);
        Ok(())
    }

    /// The value of an annotation, or its text.
    pub(super) fn annotation(&mut self, annotation: &'a Expr) -> Result<Reg> {
        if !self.annotations_are_texts {
            return self.operand(annotation);
        }
        let range = annotation.range();
        let text = &self.source.text[range.start().to_usize()..range.end().to_usize()];
        let register = self.temp()?;
        self.load_const(Const::Str(rewritten(text)), register)?;
        Ok(register)
    }
}

/// The text of an annotation as CPython writes it: on one line, with its spaces and quotes.
fn rewritten(text: &str) -> String {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut made = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let behind = made.chars().next_back();
        let trimmed = rest.trim_start();
        let mut len = letter.len_utf8();
        if trimmed.len() < rest.len() {
            // Spaces are between words alone, and where they are written below.
            let is_between = behind.is_some_and(is_word) && trimmed.starts_with(is_word);
            made += if is_between { " " } else { "" };
            rest = trimmed;
            continue;
        }
        match letter {
            '"' | '\'' => {
                len = string_len(rest, letter);
                let written = &rest[..len];
                let inner = written.trim_matches(letter);
                let is_plain = !inner.contains(['\'', '\\', '"']) && !behind.is_some_and(is_word);
                match is_plain && inner.len() + 2 == len {
                    true => made += &format!("'{inner}'"),
                    false => made += written,
                }
            }
            ',' => made += ", ",
            '|' => made += " | ",
            ']' => {
                made.truncate(made.trim_end_matches([' ', ',']).len());
                made.push(letter);
            }
            ')' | '}' => {
                made.truncate(made.trim_end().len());
                made.push(letter);
            }
            _ => made.push(letter),
        }
        rest = &rest[len..];
    }
    made
}

/// How long the string is that a text begins with.
fn string_len(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Whether there are annotations of variables in a body, but for those of functions and classes in
/// it.
fn has_some(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::AnnAssign(s) => s.simple,
        Stmt::If(s) => {
            let mut clauses = s.elif_else_clauses.iter();
            has_some(&s.body) || clauses.any(|clause| has_some(&clause.body))
        }
        Stmt::For(s) => has_some(&s.body) || has_some(&s.orelse),
        Stmt::While(s) => has_some(&s.body) || has_some(&s.orelse),
        Stmt::With(s) => has_some(&s.body),
        Stmt::Try(s) => {
            let mut handlers = s.handlers.iter();
            let in_handlers = handlers.any(|handler| {
                let ast::ExceptHandler::ExceptHandler(handler) = handler;
                has_some(&handler.body)
            });
            in_handlers
                || [&s.body, &s.orelse, &s.finalbody]
                    .iter()
                    .any(|b| has_some(b))
        }
        _ => false,
    })
}
