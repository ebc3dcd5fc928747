//! `match`. In: statements. Out: instructions that take a value apart, and jump where it does not
//! fit. Invariant: names are bound when the whole pattern fits, before the guard.

use super::stat::both;
use super::{Compiler, Label, Reg, Result};
use crate::bytecode::code::Const;
use crate::bytecode::opcode;
use ruff_python_ast::{self as ast, Pattern, Singleton};
use ruff_text_size::Ranged;

/// Names that a pattern binds, and where their values are.
type Bindings = Vec<(String, Reg)>;

impl<'a> Compiler<'a> {
    pub(super) fn match_stmt(&mut self, s: &'a ast::StmtMatch) -> Result<()> {
        let subject = self.temp()?;
        self.expr(&s.subject, subject)?;
        let end = self.label();
        let certain = self.f().assigned.clone();
        let mut after: Option<Vec<bool>> = None;
        for (n, case) in s.cases.iter().enumerate() {
            let next = self.label();
            let top = self.f().top;
            self.f().assigned = certain.clone();
            if case.guard.is_none() && n + 1 < s.cases.len() {
                self.check_refutable(&case.pattern)?;
            }
            let mut bindings = Bindings::new();
            self.pattern(&case.pattern, subject, next, &mut bindings)?;
            for (name, register) in bindings {
                self.store_name(&name, register)?;
            }
            if let Some(guard) = &case.guard {
                self.jump_unless(guard, next)?;
            }
            self.stmts(&case.body)?;
            let assigned = self.f().assigned.clone();
            after = Some(match after {
                Some(after) => both(&after, &assigned),
                None => assigned,
            });
            self.jump(opcode::JUMP, 0, 0, end);
            self.place(next);
            self.free(top);
        }
        self.place(end);
        let after = after.unwrap_or_else(|| certain.clone());
        self.f().assigned = both(&after, &certain);
        Ok(())
    }

    /// A pattern that everything fits can only be the last one.
    fn check_refutable(&self, pattern: &Pattern) -> Result<()> {
        let text = match pattern {
            Pattern::MatchAs(p) if p.pattern.is_none() => match &p.name {
                None => "wildcard makes remaining patterns unreachable".to_string(),
                Some(name) => format!("name capture '{name}' makes remaining patterns unreachable"),
            },
            _ => return Ok(()),
        };
        Err(self.error(&text, pattern.range()))
    }

    /// Takes the value in a register apart, or goes to `fail`.
    fn pattern(
        &mut self,
        pattern: &'a Pattern,
        value: Reg,
        fail: Label,
        bindings: &mut Bindings,
    ) -> Result<()> {
        let before = self.at(pattern.range());
        match pattern {
            Pattern::MatchValue(p) => {
                let top = self.f().top;
                let wanted = self.operand(&p.value)?;
                self.jump(opcode::UNLESS_EQ, value, wanted, fail);
                self.free(top);
            }
            Pattern::MatchSingleton(p) => {
                let top = self.f().top;
                let wanted = self.temps(2)?;
                let constant = match p.value {
                    Singleton::None => Const::None,
                    Singleton::True => Const::Bool(true),
                    Singleton::False => Const::Bool(false),
                };
                self.load_const(constant, wanted)?;
                let kind = opcode::CMP_IS << 16;
                self.emit(opcode::COMPARE, wanted + 1, value, wanted | kind);
                self.jump(opcode::UNLESS, wanted + 1, 0, fail);
                self.free(top);
            }
            Pattern::MatchSequence(p) => self.sequence_pattern(p, value, fail, bindings)?,
            Pattern::MatchMapping(p) => self.mapping_pattern(p, value, fail, bindings)?,
            Pattern::MatchClass(p) => self.class_pattern(p, value, fail, bindings)?,
            Pattern::MatchStar(p) => self.bind(p.name.as_ref(), value, bindings)?,
            Pattern::MatchAs(p) => {
                if let Some(inner) = &p.pattern {
                    self.pattern(inner, value, fail, bindings)?;
                }
                self.bind(p.name.as_ref(), value, bindings)?;
            }
            Pattern::MatchOr(p) => self.alternatives(p, value, fail, bindings)?,
        }
        self.at(before);
        Ok(())
    }

    fn bind(
        &mut self,
        name: Option<&ast::Identifier>,
        value: Reg,
        bindings: &mut Bindings,
    ) -> Result<()> {
        let Some(name) = name else {
            return Ok(());
        };
        let mangled = self.mangled(name);
        if bindings.iter().any(|(known, _)| *known == mangled) {
            let text = format!("multiple assignments to name '{name}' in pattern");
            return Err(self.error(&text, name.range));
        }
        bindings.push((mangled, value));
        Ok(())
    }

    /// Patterns for values in registers in a row.
    fn parts(
        &mut self,
        patterns: impl Iterator<Item = &'a Pattern>,
        first: Reg,
        fail: Label,
        bindings: &mut Bindings,
    ) -> Result<()> {
        for (n, pattern) in patterns.enumerate() {
            self.pattern(pattern, first + n, fail, bindings)?;
        }
        Ok(())
    }

    fn sequence_pattern(
        &mut self,
        p: &'a ast::PatternMatchSequence,
        value: Reg,
        fail: Label,
        bindings: &mut Bindings,
    ) -> Result<()> {
        let is_star = |pattern: &Pattern| matches!(pattern, Pattern::MatchStar(_));
        let star = p.patterns.iter().position(is_star);
        let count = p.patterns.len();
        let fits = self.temp()?;
        let wanted = match star {
            None => count << 1,
            Some(star) => {
                if p.patterns[star + 1..].iter().any(is_star) {
                    let text = "multiple starred expressions in sequence pattern";
                    return Err(self.error(text, p.range));
                }
                (count - 1) << 1 | 1
            }
        };
        self.emit(opcode::MATCH_SEQUENCE, fits, value, wanted);
        self.jump(opcode::UNLESS, fits, 0, fail);
        let first = self.temps(count)?;
        match star {
            None => self.emit(opcode::UNPACK, first, value, count),
            Some(star) => {
                let places = star | (count - star - 1) << 8;
                self.emit(opcode::UNPACK_STAR, first, value, places)
            }
        };
        self.parts(p.patterns.iter(), first, fail, bindings)
    }

    fn mapping_pattern(
        &mut self,
        p: &'a ast::PatternMatchMapping,
        value: Reg,
        fail: Label,
        bindings: &mut Bindings,
    ) -> Result<()> {
        let count = p.keys.len();
        let found = self.temps(2)?;
        let first = self.temps(count)?;
        for (n, key) in p.keys.iter().enumerate() {
            self.expr(key, first + n)?;
        }
        self.emit(opcode::TUPLE, found + 1, first, count);
        self.emit(opcode::MOVE, found, found + 1, 0);
        self.emit(opcode::MATCH_KEYS, found, value, 0);
        self.jump(opcode::IF_NONE, found, 0, fail);
        self.emit(opcode::UNPACK, first, found, count);
        self.parts(p.patterns.iter(), first, fail, bindings)?;
        if let Some(rest) = &p.rest {
            let others = self.temp()?;
            self.emit(opcode::MATCH_REST, others, value, found + 1);
            self.bind(Some(rest), others, bindings)?;
        }
        Ok(())
    }

    fn class_pattern(
        &mut self,
        p: &'a ast::PatternMatchClass,
        value: Reg,
        fail: Label,
        bindings: &mut Bindings,
    ) -> Result<()> {
        let found = self.temps(2)?;
        self.expr(&p.cls, found)?;
        let (positional, named) = (&p.arguments.patterns, &p.arguments.keywords);
        let names = named
            .iter()
            .map(|keyword| Const::Str(keyword.attr.to_string()));
        self.load_const(Const::Tuple(names.collect()), found + 1)?;
        self.emit(opcode::MATCH_CLASS, found, value, positional.len());
        self.jump(opcode::IF_NONE, found, 0, fail);
        let count = positional.len() + named.len();
        let first = self.temps(count)?;
        self.emit(opcode::UNPACK, first, found, count);
        let patterns = positional
            .iter()
            .chain(named.iter().map(|keyword| &keyword.pattern));
        self.parts(patterns, first, fail, bindings)
    }

    /// The first of several patterns that fits. All of them bind the same names.
    fn alternatives(
        &mut self,
        p: &'a ast::PatternMatchOr,
        value: Reg,
        fail: Label,
        bindings: &mut Bindings,
    ) -> Result<()> {
        let done = self.label();
        let mut common: Option<Bindings> = None;
        // Names are few: there is room for them in front of what the alternatives need.
        let room = self.temps(names_in(&p.patterns[0]))?;
        for (n, alternative) in p.patterns.iter().enumerate() {
            let is_last = n + 1 == p.patterns.len();
            if !is_last {
                self.check_refutable(alternative)?;
            }
            let next = if is_last { fail } else { self.label() };
            let mut own = Bindings::new();
            self.pattern(alternative, value, next, &mut own)?;
            let common = common.get_or_insert_with(|| {
                let names = own.iter().enumerate();
                names
                    .map(|(n, (name, _))| (name.clone(), room + n))
                    .collect()
            });
            let is_same = own.len() == common.len();
            for (name, to) in common.iter() {
                match own.iter().find(|(known, _)| known == name) {
                    Some(&(_, from)) if is_same => {
                        self.emit(opcode::MOVE, *to, from, 0);
                    }
                    _ => {
                        let text = "alternative patterns bind different names";
                        return Err(self.error(text, p.range));
                    }
                }
            }
            if !is_same {
                let text = "alternative patterns bind different names";
                return Err(self.error(text, p.range));
            }
            if !is_last {
                self.jump(opcode::JUMP, 0, 0, done);
                self.place(next);
            }
        }
        self.place(done);
        bindings.extend(common.unwrap_or_default());
        Ok(())
    }
}

/// How many names a pattern binds.
fn names_in(pattern: &Pattern) -> usize {
    let of_all = |patterns: &[Pattern]| patterns.iter().map(names_in).sum::<usize>();
    match pattern {
        Pattern::MatchValue(_) | Pattern::MatchSingleton(_) => 0,
        Pattern::MatchSequence(p) => of_all(&p.patterns),
        Pattern::MatchMapping(p) => of_all(&p.patterns) + usize::from(p.rest.is_some()),
        Pattern::MatchClass(p) => {
            let named = p.arguments.keywords.iter().map(|k| names_in(&k.pattern));
            of_all(&p.arguments.patterns) + named.sum::<usize>()
        }
        Pattern::MatchStar(p) => usize::from(p.name.is_some()),
        Pattern::MatchAs(p) => {
            let inner = p.pattern.as_ref().map_or(0, |inner| names_in(inner));
            inner + usize::from(p.name.is_some())
        }
        Pattern::MatchOr(p) => p.patterns.first().map_or(0, names_in),
    }
}
