//! From the characters of a pattern to its tree: alternatives, sequences, sets, repetitions. In: a
//! pattern. Out: its tree, or the first mistake. Invariant: mistakes are noticed in the order in
//! which CPython notices them.

use super::case::Fold;
use super::failure::{Failure, Parsed, syntax};
use super::flags;
use super::pattern::Pattern;
use super::reader::{Reader, Token, is_digit, shown};
use super::set::{Kind, Set};
use super::tree::{Assert, Greed, MAX_DEPTH, NO_LIMIT, Node, Tree};
use super::width;

/// A parser, with what it knows of the groups that it has seen.
pub struct Parser<'a> {
    pub(super) reader: Reader<'a>,
    pub(super) is_text: bool,
    pub(super) flags: u32,
    pub(super) quote: fn(&str) -> String,
    pub(super) named: fn(&str) -> Option<char>,
    /// How wide the groups are; `None` of one that is open.
    pub(super) widths: Vec<Option<(usize, usize)>>,
    pub(super) names: Vec<(String, usize)>,
    /// How many groups there were where the outermost look behind began.
    pub(super) behind: Option<usize>,
    /// The groups that conditions name, and where.
    pub(super) conditions: Vec<(usize, usize)>,
    pub(super) depth: usize,
}

/// What a part of a set is.
pub(super) enum Member {
    /// A character.
    Char(u32),
    /// A kind of characters.
    Kind(Kind, bool),
}

/// The tree of a pattern.
///
/// # Errors
/// What is wrong with it.
pub fn parse(pattern: &Pattern) -> Parsed<Tree> {
    let mut parser = Parser {
        reader: Reader::new(pattern.characters)?,
        is_text: pattern.is_text,
        flags: pattern.flags,
        quote: pattern.quote,
        named: pattern.named,
        widths: vec![None],
        names: Vec::new(),
        behind: None,
        conditions: Vec::new(),
        depth: 0,
    };
    let root = parser.alternatives(None)?;
    let flags = flags::completed(parser.flags, pattern.is_text)?;
    if parser.reader.peek().is_some() {
        return Err(parser.reader.mistake("unbalanced parenthesis", 0));
    }
    for &(group, place) in &parser.conditions {
        if group >= parser.widths.len() {
            return Err(syntax(format!("invalid group reference {group}"), place));
        }
    }
    Ok(Tree {
        root,
        is_text: pattern.is_text,
        flags,
        widths: parser.widths,
        names: parser.names,
    })
}

impl Parser<'_> {
    /// Alternatives, up to the end of their group. The flags are those of a group, or `None` where
    /// those of the whole pattern can still change.
    pub(super) fn alternatives(&mut self, scope: Option<u32>) -> Parsed<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Failure::Depth);
        }
        let mut all = Vec::new();
        loop {
            let is_first = scope.is_none() && all.is_empty();
            all.push(self.sequence(scope, is_first)?);
            if !self.reader.eat('|')? {
                break;
            }
        }
        self.depth -= 1;
        Ok(match all.len() {
            1 => all.swap_remove(0),
            _ => Node::Alt(all),
        })
    }

    /// Parts behind each other. Flags of the whole pattern may stand at its beginning alone.
    pub(super) fn sequence(&mut self, scope: Option<u32>, is_first: bool) -> Parsed<Node> {
        let mut parts = Vec::new();
        while let Some(token) = self.reader.peek() {
            if token.is('|') || token.is(')') {
                break;
            }
            self.reader.take()?;
            let flags = scope.unwrap_or(self.flags);
            let c = match token {
                Token::Escaped(c) => {
                    parts.push(self.escape(c, flags)?);
                    continue;
                }
                Token::Plain(c) => c,
            };
            let is_verbose = flags & flags::VERBOSE != 0;
            match shown(c) {
                ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c' if is_verbose => {}
                '#' if is_verbose => self.skip_comment()?,
                '[' => parts.push(self.set(flags)?),
                '?' | '*' | '+' | '{' => self.repetition(c, flags, &mut parts)?,
                '.' => parts.push(Node::Any {
                    with_newline: flags & flags::DOTALL != 0,
                }),
                '(' => {
                    let is_start = is_first && parts.is_empty();
                    if let Some(node) = self.group(scope, is_start)? {
                        parts.push(node);
                    }
                }
                '^' => parts.push(Node::Assert(match flags & flags::MULTILINE {
                    0 => Assert::TextStart,
                    _ => Assert::LineStart,
                })),
                '$' => parts.push(Node::Assert(match flags & flags::MULTILINE {
                    0 => Assert::LastLineEnd,
                    _ => Assert::LineEnd,
                })),
                _ => parts.push(self.character(c, flags)),
            }
        }
        Ok(match parts.len() {
            1 => parts.swap_remove(0),
            _ => Node::Seq(parts),
        })
    }

    fn skip_comment(&mut self) -> Parsed<()> {
        while let Some(token) = self.reader.take()? {
            if token.is('\n') {
                break;
            }
        }
        Ok(())
    }

    /// Whether kinds of characters are those of ASCII.
    pub(super) fn is_ascii(&self, flags: u32) -> bool {
        !self.is_text || flags & flags::ASCII != 0
    }

    /// Which cases are the same.
    pub(super) fn fold(&self, flags: u32) -> Fold {
        match (flags & flags::IGNORECASE != 0, self.is_ascii(flags)) {
            (false, _) => Fold::No,
            (true, true) => Fold::Ascii,
            (true, false) => Fold::Unicode,
        }
    }

    /// A character that stands for itself.
    pub(super) fn character(&self, c: u32, flags: u32) -> Node {
        match Set::of_char(c, self.fold(flags)) {
            Some(set) => Node::Set(Box::new(set)),
            None => Node::Char(c),
        }
    }

    /// A set whose bracket has been read.
    fn set(&mut self, flags: u32) -> Parsed<Node> {
        let start = self.reader.place() - 1;
        let unterminated = || syntax("unterminated character set", start);
        let mut set = Set::default();
        let is_ascii = self.is_ascii(flags);
        let is_negated = self.reader.eat('^')?;
        let mut single = None;
        let mut count = 0;
        loop {
            let first = self.reader.take()?.ok_or_else(unterminated)?;
            if first.is(']') && count > 0 {
                break;
            }
            count += 1;
            let low = self.member(first)?;
            if !self.reader.eat('-')? {
                match low {
                    Member::Char(c) => {
                        set.add_range(c, c);
                        single = Some(c);
                    }
                    Member::Kind(kind, is_other) => {
                        set.add_kind(kind, is_other, is_ascii);
                        count += 1;
                    }
                }
                continue;
            }
            count += 1;
            let last = self.reader.take()?.ok_or_else(unterminated)?;
            if last.is(']') {
                match low {
                    Member::Char(c) => set.add_range(c, c),
                    Member::Kind(kind, is_other) => set.add_kind(kind, is_other, is_ascii),
                }
                set.add_range(u32::from('-'), u32::from('-'));
                break;
            }
            match (low, self.member(last)?) {
                (Member::Char(low), Member::Char(high)) if low <= high => set.add_range(low, high),
                _ => {
                    let message =
                        format!("bad character range {}-{}", first.written(), last.written());
                    let back = first.width() + 1 + last.width();
                    return Err(self.reader.mistake(message, back));
                }
            }
        }
        // A set of one character is that character, so that texts are found by it.
        match single {
            Some(c) if count == 1 && !is_negated => Ok(self.character(c, flags)),
            _ => Ok(Node::Set(Box::new(
                set.finished(is_negated, self.fold(flags)),
            ))),
        }
    }

    /// One end of a range, or a member of a set.
    fn member(&mut self, token: Token) -> Parsed<Member> {
        match token {
            Token::Plain(c) => Ok(Member::Char(c)),
            Token::Escaped(c) => self.set_escape(c),
        }
    }

    /// How often the part before it is repeated; the first character of that has been read.
    fn repetition(&mut self, c: u32, flags: u32, parts: &mut Vec<Node>) -> Parsed<()> {
        let place = self.reader.place();
        let (least, most) = match shown(c) {
            '?' => (0, 1),
            '*' => (0, NO_LIMIT),
            '+' => (1, NO_LIMIT),
            _ => match self.bounds()? {
                Some(bounds) => bounds,
                None => {
                    self.reader.go_back(place);
                    parts.push(self.character(c, flags));
                    return Ok(());
                }
            },
        };
        match parts.last() {
            None | Some(Node::Assert(_)) => return Err(syntax("nothing to repeat", place - 1)),
            Some(Node::Repeat { .. }) => return Err(syntax("multiple repeat", place - 1)),
            Some(_) => {}
        }
        let greed = match (self.reader.eat('?')?, self.reader.peek()) {
            (true, _) => Greed::Lazy,
            (false, Some(token)) if token.is('+') => {
                self.reader.take()?;
                Greed::Possessive
            }
            _ => Greed::Greedy,
        };
        if let Some(part) = parts.pop() {
            parts.push(Node::Repeat {
                body: Box::new(part),
                least,
                most,
                greed,
            });
        }
        Ok(())
    }

    /// What stands in braces; `None` if that is no repetition.
    fn bounds(&mut self) -> Parsed<Option<(u32, u32)>> {
        if self.reader.peek().is_some_and(|token| token.is('}')) {
            return Ok(None);
        }
        let start = self.reader.place();
        let low = self.reader.some_of(usize::MAX, is_digit)?;
        let high = if self.reader.eat(',')? {
            self.reader.some_of(usize::MAX, is_digit)?
        } else {
            low.clone()
        };
        if !self.reader.eat('}')? {
            return Ok(None);
        }
        let number = |digits: &str, default| match digits {
            "" => Ok(default),
            _ => match digits.parse::<u32>() {
                Ok(number) if number < NO_LIMIT => Ok(number),
                _ => Err(Failure::Overflow),
            },
        };
        let (least, most) = (number(&low, 0)?, number(&high, NO_LIMIT)?);
        if most < least {
            return Err(syntax("min repeat greater than max repeat", start));
        }
        Ok(Some((least, most)))
    }

    /// Closes a group.
    pub(super) fn close(&mut self, group: usize, body: &Node) {
        self.widths[group] = Some(width::of(body, &self.widths));
    }
}
