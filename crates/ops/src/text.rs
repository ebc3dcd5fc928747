//! One lexer for the line-based text forms of flow graphs and jitcode, and how names are written in
//! them.
//!
//! In: the text of a form. Out: [`Tokens`], a cursor that parsers read token by token, with errors
//! that name the line. Invariant: [`name`] writes any string so that the lexer reads it back as one
//! [`Token::Word`] with the same text.

use cranelift_entity::EntityRef;
use std::collections::HashMap;
use std::fmt;

/// A lexical unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A name or keyword: `int_add`, `interp::step`, `GcArray<Cell<Obj>>`, or anything in
    /// backticks.
    Word(String),
    /// An integer.
    Int(i64),
    /// The bits of a double: `1.5`, `-0.0`, or `0f` and sixteen hexadecimal digits.
    Float(u64),
    /// A string in double quotes.
    Str(String),
    /// Any other single character.
    Punct(char),
    /// The end of a line that has tokens.
    Newline,
    /// The end of the text.
    End,
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(w) => write!(f, "`{w}`"),
            Token::Int(v) => write!(f, "`{v}`"),
            Token::Float(bits) => write!(f, "`{}`", float(*bits)),
            Token::Str(s) => write!(f, "{s:?}"),
            Token::Punct(c) => write!(f, "`{c}`"),
            Token::Newline => f.write_str("the end of the line"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

/// Why a text could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TextError {}

/// Writes a double so that its bits can be read back.
pub fn float(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_finite() {
        format!("{value:?}")
    } else {
        format!("0f{bits:016x}")
    }
}

/// Writes the types of results: ` -> int`, ` -> (int, float)`, nothing if there are none.
pub fn result_types(types: &[crate::Ty]) -> String {
    match types {
        [] => String::new(),
        [ty] => format!(" -> {ty}"),
        types => {
            let list: Vec<String> = types.iter().map(|ty| ty.to_string()).collect();
            format!(" -> ({})", list.join(", "))
        }
    }
}

/// Writes with which tags a component is used: ` if tag in (2, 5)`.
pub fn used_by(tag: &str, tags: u64) -> String {
    let tags: Vec<String> = (0..64)
        .filter(|n| tags >> n & 1 != 0)
        .map(|n| n.to_string())
        .collect();
    format!(" if {} in ({})", name(tag), tags.join(", "))
}

/// Writes a name: as it is if the lexer reads it as one word, else in backticks.
pub fn name(name: &str) -> String {
    match Tokens::new(name) {
        Ok(tokens) if tokens.tokens[0].0 == Token::Word(name.to_string()) => name.to_string(),
        _ => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
    }
}

/// A cursor over the tokens of a text.
#[derive(Clone, Debug)]
pub struct Tokens {
    tokens: Vec<(Token, u32)>,
    next: usize,
}

impl Tokens {
    /// Splits a text. `//` starts a comment.
    ///
    /// # Errors
    /// If a string, a name in backticks or a number is malformed.
    pub fn new(text: &str) -> Result<Tokens, TextError> {
        let mut tokens = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let number = number as u32 + 1;
            let before = tokens.len();
            lex_line(line, number, &mut tokens)?;
            if tokens.len() > before {
                tokens.push((Token::Newline, number));
            }
        }
        let last = tokens.last().map_or(1, |t| t.1);
        tokens.push((Token::End, last));
        Ok(Tokens { tokens, next: 0 })
    }

    /// The next token.
    pub fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    /// The token behind the next one.
    pub fn peek2(&self) -> &Token {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].0
    }

    /// The line of the next token.
    pub fn line(&self) -> u32 {
        self.tokens[self.next].1
    }

    /// Takes the next token; the end stays where it is.
    pub fn bump(&mut self) -> Token {
        let token = self.tokens[self.next].0.clone();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// An error at the next token.
    pub fn error<T>(&self, message: impl Into<String>) -> Result<T, TextError> {
        Err(TextError {
            line: self.line(),
            message: message.into(),
        })
    }

    /// Takes this character if it is next.
    pub fn eat(&mut self, c: char) -> bool {
        let found = *self.peek() == Token::Punct(c);
        if found {
            self.bump();
        }
        found
    }

    /// Takes this word if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(w) if w == word);
        if found {
            self.bump();
        }
        found
    }

    /// Takes this character.
    ///
    /// # Errors
    /// If something else is next.
    pub fn expect(&mut self, c: char) -> Result<(), TextError> {
        if self.eat(c) {
            Ok(())
        } else {
            self.error(format!("expected `{c}`, found {}", self.peek()))
        }
    }

    /// Takes this word.
    ///
    /// # Errors
    /// If something else is next.
    pub fn expect_word(&mut self, word: &str) -> Result<(), TextError> {
        if self.eat_word(word) {
            Ok(())
        } else {
            self.error(format!("expected `{word}`, found {}", self.peek()))
        }
    }

    /// Takes any word.
    ///
    /// # Errors
    /// If something else is next.
    pub fn word(&mut self, what: &str) -> Result<String, TextError> {
        match self.peek().clone() {
            Token::Word(w) => {
                self.bump();
                Ok(w)
            }
            other => self.error(format!("expected {what}, found {other}")),
        }
    }

    /// Takes an integer.
    ///
    /// # Errors
    /// If something else is next.
    pub fn int(&mut self, what: &str) -> Result<i64, TextError> {
        match *self.peek() {
            Token::Int(v) => {
                self.bump();
                Ok(v)
            }
            _ => self.error(format!("expected {what}, found {}", self.peek())),
        }
    }

    /// Takes the end of the line.
    ///
    /// # Errors
    /// If there is more on the line.
    pub fn newline(&mut self) -> Result<(), TextError> {
        match self.peek() {
            Token::Newline => {
                self.bump();
                Ok(())
            }
            Token::End => Ok(()),
            other => self.error(format!("expected the end of the line, found {other}")),
        }
    }

    /// Takes `-> type` or `-> (type, ..)`, if that is next.
    ///
    /// # Errors
    /// If there is no type behind the arrow.
    pub fn result_types(&mut self) -> Result<Vec<crate::Ty>, TextError> {
        if !self.eat('-') {
            return Ok(Vec::new());
        }
        self.expect('>')?;
        if !self.eat('(') {
            return self.ty().map(|ty| vec![ty]);
        }
        let mut list = Vec::new();
        while !self.eat(')') {
            list.push(self.ty()?);
            self.eat(',');
        }
        Ok(list)
    }

    /// Takes `in "file"`, if that is next; the empty string if not.
    ///
    /// # Errors
    /// If there is no string behind `in`.
    pub fn source_file(&mut self) -> Result<String, TextError> {
        if !self.eat_word("in") {
            return Ok(String::new());
        }
        match self.bump() {
            Token::Str(file) => Ok(file),
            other => self.error(format!("expected a file, found {other}")),
        }
    }

    /// Takes `int`, `ref`, `float` or `word`.
    ///
    /// # Errors
    /// If something else is next.
    pub fn ty(&mut self) -> Result<crate::Ty, TextError> {
        let line = self.line();
        match self.word("a type")?.as_str() {
            "int" => Ok(crate::Ty::Int),
            "ref" => Ok(crate::Ty::Ref),
            "float" => Ok(crate::Ty::Float),
            "word" => Ok(crate::Ty::Word),
            other => Err(TextError {
                line,
                message: format!("`{other}` is not a type (int, ref, float, word)"),
            }),
        }
    }

    /// The position, for [`Tokens::rewind`].
    pub fn mark(&self) -> usize {
        self.next
    }

    /// Goes back to a position.
    pub fn rewind(&mut self, mark: usize) {
        self.next = mark;
    }
}

/// The functions that a text defines, numbered in order, so that calls may refer forward.
#[derive(Debug)]
pub struct Definitions<Id> {
    keyword: &'static str,
    ids: HashMap<String, Id>,
}

impl<Id: EntityRef> Definitions<Id> {
    /// Collects the names behind this keyword at the starts of lines.
    ///
    /// # Errors
    /// If a name is missing or defined twice.
    pub fn collect(mut tokens: Tokens, keyword: &'static str) -> Result<Self, TextError> {
        let mut ids = HashMap::new();
        let mut starts_line = true;
        while *tokens.peek() != Token::End {
            if starts_line && tokens.eat_word(keyword) {
                let name = tokens.word(&format!("the name of a {keyword}"))?;
                let id = Id::new(ids.len());
                if ids.insert(name.clone(), id).is_some() {
                    return tokens.error(format!("{keyword} `{name}` is defined twice"));
                }
            }
            starts_line = tokens.bump() == Token::Newline;
        }
        Ok(Definitions { keyword, ids })
    }

    /// Reads the name of a function that is defined.
    ///
    /// # Errors
    /// If none has this name.
    pub fn at(&self, tokens: &mut Tokens) -> Result<Id, TextError> {
        let keyword = self.keyword;
        let name = tokens.word(&format!("the name of a {keyword}"))?;
        match self.ids.get(&name) {
            Some(&id) => Ok(id),
            None => tokens.error(format!("there is no {keyword} `{name}`")),
        }
    }
}

fn lex_line(line: &str, number: u32, out: &mut Vec<(Token, u32)>) -> Result<(), TextError> {
    let chars: Vec<char> = line.chars().collect();
    let fail = |message: String| TextError {
        line: number,
        message,
    };
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        if c.is_whitespace() {
            at += 1;
            continue;
        }
        if c == '/' && next == '/' {
            break;
        }
        let (token, end) = if c.is_alphabetic() || c == '_' {
            let end = word_end(&chars, at);
            (Token::Word(chars[at..end].iter().collect()), end)
        } else if c.is_ascii_digit() || (c == '-' && next.is_ascii_digit()) {
            number_token(&chars, at).map_err(fail)?
        } else if c == '"' || c == '`' {
            quoted(&chars, at).map_err(fail)?
        } else {
            (Token::Punct(c), at + 1)
        };
        out.push((token, number));
        at = end;
    }
    Ok(())
}

/// Letters, digits and `_`; `::` and `.` and `#` between them; a balanced `<...>` directly behind
/// them.
fn word_end(chars: &[char], start: usize) -> usize {
    let is_word = |i: usize| {
        chars
            .get(i)
            .is_some_and(|c| c.is_alphanumeric() || *c == '_')
    };
    let mut at = start;
    loop {
        while is_word(at) {
            at += 1;
        }
        match chars.get(at) {
            Some('<') => match balanced(chars, at) {
                Some(end) => at = end,
                None => return at,
            },
            Some('.' | '#') if is_word(at + 1) => at += 1,
            Some(':') if chars.get(at + 1) == Some(&':') && is_word(at + 2) => at += 2,
            _ => return at,
        }
    }
}

fn balanced(chars: &[char], start: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (i, c) in chars.iter().enumerate().skip(start) {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i + 1);
        }
    }
    None
}

fn number_token(chars: &[char], start: usize) -> Result<(Token, usize), String> {
    if chars[start] == '0' && chars.get(start + 1) == Some(&'f') {
        let end = (start + 18).min(chars.len());
        let digits: String = chars[start + 2..end].iter().collect();
        let bits = u64::from_str_radix(&digits, 16)
            .ok()
            .filter(|_| digits.len() == 16);
        return bits
            .map(|bits| (Token::Float(bits), end))
            .ok_or_else(|| "`0f` must be followed by sixteen hexadecimal digits".to_string());
    }
    let digit = |i: usize| chars.get(i).is_some_and(char::is_ascii_digit);
    let mut end = start + 1;
    while digit(end) {
        end += 1;
    }
    let mut is_float = false;
    if chars.get(end) == Some(&'.') && digit(end + 1) {
        is_float = true;
        end += 1;
        while digit(end) {
            end += 1;
        }
    }
    if chars.get(end) == Some(&'e') {
        let sign = usize::from(chars.get(end + 1) == Some(&'-'));
        if digit(end + 1 + sign) {
            is_float = true;
            end += 1 + sign;
            while digit(end) {
                end += 1;
            }
        }
    }
    let text: String = chars[start..end].iter().collect();
    if is_float {
        let value: f64 = text.parse().map_err(|_| format!("bad float `{text}`"))?;
        return Ok((Token::Float(value.to_bits()), end));
    }
    let value = text
        .parse()
        .map_err(|_| format!("`{text}` does not fit in 64 bits"))?;
    Ok((Token::Int(value), end))
}

/// A string as `{:?}` of Rust's strings writes it, or a name in backticks.
fn quoted(chars: &[char], start: usize) -> Result<(Token, usize), String> {
    let quote = chars[start];
    let mut text = String::new();
    let mut at = start + 1;
    loop {
        match chars.get(at) {
            None => return Err(format!("missing {quote} at the end of the line")),
            Some('\\') => {
                let (c, end) = escape(chars, at + 1)?;
                text.push(c);
                at = end;
            }
            Some(c) if *c == quote => {
                let token = if quote == '"' {
                    Token::Str(text)
                } else {
                    Token::Word(text)
                };
                return Ok((token, at + 1));
            }
            Some(c) => {
                text.push(*c);
                at += 1;
            }
        }
    }
}

fn escape(chars: &[char], at: usize) -> Result<(char, usize), String> {
    match chars.get(at) {
        Some('n') => Ok(('\n', at + 1)),
        Some('r') => Ok(('\r', at + 1)),
        Some('t') => Ok(('\t', at + 1)),
        Some('0') => Ok(('\0', at + 1)),
        Some('u') if chars.get(at + 1) == Some(&'{') => {
            let digits: String = chars[at + 2..].iter().take_while(|c| **c != '}').collect();
            let c = u32::from_str_radix(&digits, 16)
                .ok()
                .and_then(char::from_u32)
                .ok_or_else(|| format!("bad escape \\u{{{digits}}}"))?;
            Ok((c, at + 3 + digits.len()))
        }
        Some(c) => Ok((*c, at + 1)),
        None => Err("a backslash ends the line".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lex(text: &str) -> Vec<Token> {
        let tokens = Tokens::new(text).expect("lexes");
        tokens.tokens.into_iter().map(|t| t.0).collect()
    }

    #[test]
    fn names_are_one_word() {
        for n in [
            "run",
            "interp::step",
            "GcArray<Cell<Obj>, crate::OnStack>",
            "Point.x",
            "GcArray<u8>.len",
            "a b",
            "<T as Trait>::f",
            "we`ird\\",
            "9lives",
            "",
        ] {
            assert_eq!(lex(&name(n))[0], Token::Word(n.to_string()), "{n}");
        }
    }

    #[test]
    fn numbers_and_strings_round_trip() {
        for bits in [
            0,
            1,
            1u64 << 63,
            f64::NAN.to_bits(),
            f64::INFINITY.to_bits(),
            1e300f64.to_bits(),
            1.5e-7f64.to_bits(),
        ] {
            assert_eq!(lex(&float(bits))[0], Token::Float(bits));
        }
        assert_eq!(lex("-9223372036854775808")[0], Token::Int(i64::MIN));
        for s in ["", "a\"b\\c\n\t\u{7f}é{}", "`x`"] {
            assert_eq!(lex(&format!("{s:?}"))[0], Token::Str(s.to_string()));
        }
    }

    #[test]
    fn comments_and_blank_lines_vanish() {
        assert_eq!(
            lex("a // b\n\n@c"),
            [
                Token::Word("a".into()),
                Token::Newline,
                Token::Punct('@'),
                Token::Word("c".into()),
                Token::Newline,
                Token::End
            ]
        );
    }

    #[test]
    fn bad_tokens_name_their_line() {
        let message = |text| Tokens::new(text).expect_err("refused").to_string();
        assert_eq!(
            message("a\n\"b"),
            "line 2: missing \" at the end of the line"
        );
        assert_eq!(
            message("99999999999999999999"),
            "line 1: `99999999999999999999` does not fit in 64 bits"
        );
    }
}
