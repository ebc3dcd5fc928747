//! What stands in parentheses. In: a pattern behind `(`. Out: a node, or nothing for comments and
//! flags. Invariant: groups are numbered in the order in which they open.

use super::failure::{Failure, Parsed, syntax};
use super::flags::{self, combined};
use super::inline::Inline;
use super::parse::Parser;
use super::reader::{Token, is_identifier, shown};
use super::tree::Node;

/// How many groups a pattern may have.
const MAX_GROUPS: usize = (1 << 30) - 1;

/// What a group is for.
enum Role {
    Captured(Option<String>),
    Plain(u32, u32),
    Atomic,
}

impl Parser<'_> {
    /// A group, whose parenthesis has been read. `is_start` says that flags of the whole pattern
    /// may stand here.
    pub(super) fn group(&mut self, scope: Option<u32>, is_start: bool) -> Parsed<Option<Node>> {
        let start = self.reader.place() - 1;
        let flags = scope.unwrap_or(self.flags);
        if !self.reader.eat('?')? {
            return self.body(Role::Captured(None), start, flags).map(Some);
        }
        let token = self.next()?;
        let c = match token {
            Token::Plain(c) => c,
            Token::Escaped(_) => return Err(self.unknown(&token.written())),
        };
        match shown(c) {
            'P' => self.with_p(start, flags).map(Some),
            ':' => self.body(Role::Plain(0, 0), start, flags).map(Some),
            '>' => self.body(Role::Atomic, start, flags).map(Some),
            '#' => {
                self.comment(start)?;
                Ok(None)
            }
            '=' | '!' => self.look(c, false, start, flags).map(Some),
            '<' => {
                let token = self.next()?;
                match token {
                    Token::Plain(c) if token.is('=') || token.is('!') => {
                        self.look(c, true, start, flags).map(Some)
                    }
                    _ => Err(self.unknown(&format!("<{}", token.written()))),
                }
            }
            '(' => self.condition(start, flags).map(Some),
            _ if flags::of_letter(c).is_some() || token.is('-') => match self.inline_flags(c)? {
                Inline::Whole if is_start => Ok(None),
                Inline::Whole => {
                    let message = "global flags not at the start of the expression";
                    Err(syntax(message, start))
                }
                Inline::Group(on, off) => self.body(Role::Plain(on, off), start, flags).map(Some),
            },
            _ => Err(self.unknown(&token.written())),
        }
    }

    fn next(&mut self) -> Parsed<Token> {
        let end = self.reader.mistake("unexpected end of pattern", 0);
        self.reader.take()?.ok_or(end)
    }

    /// An extension that is none.
    fn unknown(&self, written: &str) -> Failure {
        let message = format!("unknown extension ?{written}");
        self.reader.mistake(message, written.chars().count() + 1)
    }

    fn comment(&mut self, start: usize) -> Parsed<()> {
        loop {
            match self.reader.take()? {
                None => return Err(syntax("missing ), unterminated comment", start)),
                Some(token) if token.is(')') => return Ok(()),
                Some(_) => {}
            }
        }
    }

    /// The end of a group.
    fn end(&mut self, start: usize) -> Parsed<()> {
        if self.reader.eat(')')? {
            return Ok(());
        }
        Err(syntax("missing ), unterminated subpattern", start))
    }

    /// What has a name.
    fn with_p(&mut self, start: usize, flags: u32) -> Parsed<Node> {
        if self.reader.eat('<')? {
            let name = self.reader.until('>', "group name")?;
            self.check_name(&name)?;
            return self.body(Role::Captured(Some(name)), start, flags);
        }
        if self.reader.eat('=')? {
            let name = self.reader.until(')', "group name")?;
            self.check_name(&name)?;
            let group = self.group_of(&name)?;
            return self.back_to(group, name.chars().count() + 1, flags);
        }
        let token = self.next()?;
        Err(self.unknown(&format!("P{}", token.written())))
    }

    fn check_name(&self, name: &str) -> Parsed<()> {
        if is_identifier(name) {
            return Ok(());
        }
        let message = format!("bad character in group name {}", (self.quote)(name));
        Err(self.reader.mistake(message, name.chars().count() + 1))
    }

    fn group_of(&self, name: &str) -> Parsed<usize> {
        if let Some((_, group)) = self.names.iter().find(|(known, _)| known == name) {
            return Ok(*group);
        }
        let message = format!("unknown group name {}", (self.quote)(name));
        Err(self.reader.mistake(message, name.chars().count() + 1))
    }

    /// The rest of a group.
    fn body(&mut self, role: Role, start: usize, flags: u32) -> Parsed<Node> {
        let index = match &role {
            Role::Captured(name) => Some(self.open(name.as_deref())?),
            _ => None,
        };
        let inner = match role {
            Role::Plain(on, off) => combined(flags, on, off),
            _ => flags,
        };
        let body = self.alternatives(Some(inner))?;
        self.end(start)?;
        Ok(match (index, role) {
            (Some(index), _) => {
                self.close(index, &body);
                let body = Box::new(body);
                Node::Group { index, body }
            }
            (None, Role::Atomic) => Node::Atomic(Box::new(body)),
            (None, _) => Node::Plain(Box::new(body)),
        })
    }

    fn open(&mut self, name: Option<&str>) -> Parsed<usize> {
        let index = self.widths.len();
        if index >= MAX_GROUPS {
            return Err(self.reader.mistake("too many groups", 0));
        }
        self.widths.push(None);
        let Some(name) = name else {
            return Ok(index);
        };
        if let Some((_, other)) = self.names.iter().find(|(known, _)| known == name) {
            let quoted = (self.quote)(name);
            let message =
                format!("redefinition of group name {quoted} as group {index}; was group {other}");
            return Err(self.reader.mistake(message, name.chars().count() + 1));
        }
        self.names.push((name.to_string(), index));
        Ok(index)
    }

    /// What looks ahead or behind.
    fn look(&mut self, c: u32, is_behind: bool, start: usize, flags: u32) -> Parsed<Node> {
        let is_outermost = is_behind && self.behind.is_none();
        if is_outermost {
            self.behind = Some(self.widths.len());
        }
        let body = self.alternatives(Some(flags))?;
        if is_outermost {
            self.behind = None;
        }
        self.end(start)?;
        let is_negative = c == u32::from('!');
        if is_negative && body == Node::Seq(Vec::new()) {
            return Ok(Node::Never);
        }
        Ok(Node::Look {
            is_behind,
            is_negative,
            body: Box::new(body),
        })
    }

    /// A condition on a group.
    fn condition(&mut self, start: usize, flags: u32) -> Parsed<Node> {
        let name = self.reader.until(')', "group name")?;
        let width = name.chars().count();
        let group = if is_identifier(&name) {
            self.group_of(&name)?
        } else {
            let digits = name.trim().strip_prefix('+').unwrap_or(name.trim());
            let is_number = !digits.is_empty() && digits.bytes().all(|d| d.is_ascii_digit());
            if !is_number {
                let message = format!("bad character in group name {}", (self.quote)(&name));
                return Err(self.reader.mistake(message, width + 1));
            }
            let group = digits.parse().unwrap_or(usize::MAX);
            if group == 0 {
                return Err(self.reader.mistake("bad group number", width + 1));
            }
            if group >= MAX_GROUPS {
                let message = format!("invalid group reference {digits}");
                return Err(self.reader.mistake(message, width + 1));
            }
            if !self.conditions.iter().any(|&(known, _)| known == group) {
                self.conditions
                    .push((group, self.reader.place() - width - 1));
            }
            group
        };
        self.check_behind(group)?;
        let yes = Box::new(self.sequence(Some(flags), false)?);
        let no = if self.reader.eat('|')? {
            let no = self.sequence(Some(flags), false)?;
            if self.reader.peek().is_some_and(|token| token.is('|')) {
                let message = "conditional backref with more than two branches";
                return Err(self.reader.mistake(message, 0));
            }
            Some(Box::new(no))
        } else {
            None
        };
        self.end(start)?;
        Ok(Node::Cond { group, yes, no })
    }
}
