//! Patterns: the matcher of `string.find` and the functions like it. In: a subject, a pattern, a
//! place. Out: where the match ends and what it captured, or why the pattern is malformed.
//! Invariant: how deep the matcher recurses is bounded, and so is how many captures there are.
//!
//! Source: Lua 5.4 reference manual, section 6.4.1.

/// How many captures a pattern can have.
const MAX_CAPTURES: usize = 32;

/// How deep the matcher may recurse.
const MAX_DEPTH: usize = 200;

/// The magic characters: a pattern without them is plain text.
const MAGIC: &[u8] = b"^$*+?.([%-";

/// What is wrong with a pattern, as the message says it.
pub type Malformed = String;

type Matched<T> = Result<T, Malformed>;

/// A part of the subject that a pattern has captured.
#[derive(Clone, Copy)]
enum Capture {
    /// It has begun at this place.
    Open(usize),
    /// From one place up to another.
    Text(usize, usize),
    /// A place itself.
    Position(usize),
}

/// How many captures most patterns have at most.
const FEW: usize = 4;

/// The captures of a match. A search makes a matcher for each step, so room for all that there
/// could be is not filled each time.
struct Captures {
    few: [Capture; FEW],
    more: Vec<Capture>,
}

impl Captures {
    const NONE: Captures = Captures {
        few: [Capture::Open(0); FEW],
        more: Vec::new(),
    };

    fn get(&self, index: usize) -> Capture {
        match index.checked_sub(FEW) {
            None => self.few[index],
            Some(index) => self.more[index],
        }
    }

    /// Sets a capture that is there, or the next one.
    fn set(&mut self, index: usize, capture: Capture) {
        match index.checked_sub(FEW) {
            None => self.few[index] = capture,
            Some(index) => match self.more.get_mut(index) {
                Some(known) => *known = capture,
                None => self.more.push(capture),
            },
        }
    }
}

/// What a capture is for a program.
pub enum Captured<'a> {
    /// These bytes.
    Text(&'a [u8]),
    /// This position, the first being 1.
    Position(i64),
}

/// A pattern and a subject, and what has been captured so far.
pub struct Matcher<'a> {
    subject: &'a [u8],
    pattern: &'a [u8],
    captures: Captures,
    count: usize,
    depth: usize,
}

/// Whether a pattern is plain text.
pub fn is_plain(pattern: &[u8]) -> bool {
    !pattern.iter().any(|byte| MAGIC.contains(byte))
}

impl<'a> Matcher<'a> {
    /// A matcher for a pattern, whose anchor has been taken off if it counts as one.
    pub fn new(subject: &'a [u8], pattern: &'a [u8]) -> Matcher<'a> {
        Matcher {
            subject,
            pattern,
            captures: Captures::NONE,
            count: 0,
            depth: MAX_DEPTH,
        }
    }

    /// Where a match that begins at this place ends.
    ///
    /// # Errors
    /// If the pattern is malformed, as far as that shows on the way.
    pub fn at(&mut self, start: usize) -> Matched<Option<usize>> {
        self.count = 0;
        self.depth = MAX_DEPTH;
        self.matches(start, 0)
    }

    /// The first match from a place on: where it begins, and where it ends. A match that would end
    /// at `barred` is none.
    ///
    /// # Errors
    /// As [`Matcher::at`].
    #[inline]
    pub fn search(
        &mut self,
        from: usize,
        barred: Option<usize>,
    ) -> Matched<Option<(usize, usize)>> {
        let literal = self.first_literal();
        let mut start = from;
        while start <= self.subject.len() {
            if let Some(byte) = literal {
                match self.subject[start..].iter().position(|&b| b == byte) {
                    Some(skipped) => start += skipped,
                    None => return Ok(None),
                }
            }
            if let Some(end) = self.at(start)?
                && Some(end) != barred
            {
                return Ok(Some((start, end)));
            }
            start += 1;
        }
        Ok(None)
    }

    /// The byte with which each match begins, if that is easy to tell.
    fn first_literal(&self) -> Option<u8> {
        let (&first, rest) = self.pattern.split_first()?;
        let optional = matches!(rest.first(), Some(b'*' | b'?' | b'-'));
        let plain = !MAGIC.contains(&first) && first != b')';
        (plain && !optional).then_some(first)
    }

    /// How many values a match gives: its captures, or the whole of it if there are none.
    pub fn values(&self) -> usize {
        self.count.max(1)
    }

    /// The whole of a match.
    pub fn whole(&self, start: usize, end: usize) -> &'a [u8] {
        &self.subject[start..end]
    }

    /// How many captures there are.
    pub fn captures(&self) -> usize {
        self.count
    }

    /// A capture of a match, or the whole of it if there are none and this is the first.
    ///
    /// # Errors
    /// If there is no such capture, or it was never closed.
    pub fn value(&self, index: usize, start: usize, end: usize) -> Matched<Captured<'a>> {
        if index >= self.count {
            if index == 0 {
                return Ok(Captured::Text(&self.subject[start..end]));
            }
            return Err(format!("invalid capture index %{}", index + 1));
        }
        match self.captures.get(index) {
            Capture::Text(from, to) => Ok(Captured::Text(&self.subject[from..to])),
            Capture::Position(place) => Ok(Captured::Position(place as i64 + 1)),
            Capture::Open(_) => Err("unfinished capture".to_string()),
        }
    }

    fn byte(&self, p: usize) -> Option<u8> {
        self.pattern.get(p).copied()
    }

    /// Matches the pattern from `p` on with the subject from `s` on, one level deeper.
    fn matches(&mut self, s: usize, p: usize) -> Matched<Option<usize>> {
        if self.depth == 0 {
            return Err("pattern too complex".to_string());
        }
        self.depth -= 1;
        let result = self.items(s, p);
        self.depth += 1;
        result
    }

    fn items(&mut self, mut s: usize, mut p: usize) -> Matched<Option<usize>> {
        loop {
            let Some(byte) = self.byte(p) else {
                return Ok(Some(s));
            };
            match (byte, self.byte(p + 1)) {
                (b'(', Some(b')')) => return self.begin(Capture::Position(s), s, p + 2),
                (b'(', _) => return self.begin(Capture::Open(s), s, p + 1),
                (b')', _) => return self.end(s, p + 1),
                (b'$', None) => return Ok((s == self.subject.len()).then_some(s)),
                (b'%', Some(b'b')) => match self.balanced(s, p + 2)? {
                    Some(end) => (s, p) = (end, p + 4),
                    None => return Ok(None),
                },
                (b'%', Some(b'f')) => match self.frontier(s, p + 2)? {
                    Some(next) => p = next,
                    None => return Ok(None),
                },
                (b'%', Some(digit @ b'0'..=b'9')) => match self.again(s, digit)? {
                    Some(end) => (s, p) = (end, p + 2),
                    None => return Ok(None),
                },
                _ => {
                    let end = self.item_end(p)?;
                    match self.byte(end) {
                        Some(b'?') => {
                            if self.single(s, p, end)
                                && let Some(end) = self.matches(s + 1, end + 1)?
                            {
                                return Ok(Some(end));
                            }
                            p = end + 1;
                        }
                        Some(b'+') => {
                            if !self.single(s, p, end) {
                                return Ok(None);
                            }
                            return self.longest(s + 1, p, end);
                        }
                        Some(b'*') => return self.longest(s, p, end),
                        Some(b'-') => return self.shortest(s, p, end),
                        _ if self.single(s, p, end) => (s, p) = (s + 1, end),
                        _ => return Ok(None),
                    }
                }
            }
        }
    }

    /// As many repetitions of an item as leave a match of the rest.
    fn longest(&mut self, s: usize, p: usize, end: usize) -> Matched<Option<usize>> {
        let mut count = 0;
        while self.single(s + count, p, end) {
            count += 1;
        }
        loop {
            if let Some(found) = self.matches(s + count, end + 1)? {
                return Ok(Some(found));
            }
            if count == 0 {
                return Ok(None);
            }
            count -= 1;
        }
    }

    /// As few repetitions of an item as leave a match of the rest.
    fn shortest(&mut self, mut s: usize, p: usize, end: usize) -> Matched<Option<usize>> {
        loop {
            if let Some(found) = self.matches(s, end + 1)? {
                return Ok(Some(found));
            }
            if !self.single(s, p, end) {
                return Ok(None);
            }
            s += 1;
        }
    }

    fn begin(&mut self, capture: Capture, s: usize, p: usize) -> Matched<Option<usize>> {
        if self.count == MAX_CAPTURES {
            return Err("too many captures".to_string());
        }
        self.captures.set(self.count, capture);
        self.count += 1;
        let found = self.matches(s, p)?;
        if found.is_none() {
            self.count -= 1;
        }
        Ok(found)
    }

    fn end(&mut self, s: usize, p: usize) -> Matched<Option<usize>> {
        let open = (0..self.count).rev().find_map(|n| {
            if let Capture::Open(from) = self.captures.get(n) {
                Some((n, from))
            } else {
                None
            }
        });
        let Some((n, from)) = open else {
            return Err("invalid pattern capture".to_string());
        };
        self.captures.set(n, Capture::Text(from, s));
        let found = self.matches(s, p)?;
        if found.is_none() {
            self.captures.set(n, Capture::Open(from));
        }
        Ok(found)
    }

    /// `%bxy`: the end of what begins with an `x` and has as many `y`.
    fn balanced(&mut self, s: usize, p: usize) -> Matched<Option<usize>> {
        let (Some(open), Some(close)) = (self.byte(p), self.byte(p + 1)) else {
            return Err("malformed pattern (missing arguments to '%b')".to_string());
        };
        if self.subject.get(s) != Some(&open) {
            return Ok(None);
        }
        let mut depth = 1;
        for (n, &byte) in self.subject.iter().enumerate().skip(s + 1) {
            if byte == close {
                depth -= 1;
                if depth == 0 {
                    return Ok(Some(n + 1));
                }
            } else if byte == open {
                depth += 1;
            }
        }
        Ok(None)
    }

    /// `%f[set]`: the place in the pattern behind it, if a set begins here.
    fn frontier(&mut self, s: usize, p: usize) -> Matched<Option<usize>> {
        if self.byte(p) != Some(b'[') {
            return Err("missing '[' after '%f' in pattern".to_string());
        }
        let end = self.item_end(p)?;
        let before = if s == 0 { 0 } else { self.subject[s - 1] };
        let here = self.subject.get(s).copied().unwrap_or(0);
        let set = &self.pattern[p + 1..end - 1];
        Ok((!in_set(before, set) && in_set(here, set)).then_some(end))
    }

    /// `%1`: the end of the text of a capture, if that stands here.
    fn again(&mut self, s: usize, digit: u8) -> Matched<Option<usize>> {
        let index = usize::from(digit).wrapping_sub(usize::from(b'1'));
        let wrong = || Err(format!("invalid capture index %{}", index.wrapping_add(1)));
        if index >= self.count {
            return wrong();
        }
        let (from, to) = match self.captures.get(index) {
            Capture::Text(from, to) => (from, to),
            // The text of a position is never found again.
            Capture::Position(_) => return Ok(None),
            Capture::Open(_) => return wrong(),
        };
        let text = &self.subject[from..to];
        Ok(self.subject[s..]
            .starts_with(text)
            .then_some(s + text.len()))
    }

    /// Where an item that matches one character ends.
    fn item_end(&self, p: usize) -> Matched<usize> {
        match self.byte(p) {
            Some(b'%') if self.byte(p + 1).is_none() => {
                Err("malformed pattern (ends with '%')".to_string())
            }
            Some(b'%') => Ok(p + 2),
            Some(b'[') => {
                let mut at = p + 1;
                if self.byte(at) == Some(b'^') {
                    at += 1;
                }
                // The first character is in the set, even if it is a bracket.
                loop {
                    match self.byte(at) {
                        None => return Err("malformed pattern (missing ']')".to_string()),
                        Some(b'%') => at += 2,
                        Some(_) => at += 1,
                    }
                    if self.byte(at) == Some(b']') {
                        return Ok(at + 1);
                    }
                }
            }
            _ => Ok(p + 1),
        }
    }

    /// Whether the character at a place is what an item is for.
    #[inline]
    fn single(&self, s: usize, p: usize, end: usize) -> bool {
        let Some(&byte) = self.subject.get(s) else {
            return false;
        };
        match self.pattern[p] {
            b'.' => true,
            b'%' => in_class(byte, self.pattern[p + 1]),
            b'[' => in_set(byte, &self.pattern[p + 1..end - 1]),
            other => other == byte,
        }
    }
}

/// Whether a character is in a set, of which this is what stands between its brackets.
fn in_set(byte: u8, set: &[u8]) -> bool {
    let (inside, mut rest) = match set {
        [b'^', rest @ ..] => (false, rest),
        _ => (true, set),
    };
    loop {
        let found;
        (found, rest) = match rest {
            [] => return !inside,
            [b'%', class, rest @ ..] => (in_class(byte, *class), rest),
            [from, b'-', to, rest @ ..] => ((*from..=*to).contains(&byte), rest),
            [other, rest @ ..] => (*other == byte, rest),
        };
        if found {
            return inside;
        }
    }
}

/// Whether a character is in the class of a letter; another character stands for itself.
fn in_class(byte: u8, class: u8) -> bool {
    let found = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => matches!(byte, b' ' | b'\t'..=b'\r'),
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => return class == byte,
    };
    found != class.is_ascii_uppercase()
}
