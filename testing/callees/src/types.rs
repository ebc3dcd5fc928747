//! Types and paths as rustc and the translator print them.
//!
//! In: text. Out: tokens, which can be compared. Invariant: two types agree if one can be the
//! other: rustc leaves out of a path what is needless where it prints it, so of two paths one has
//! to end like the other; and where rustc prints what the translator has no type for (a closure, an
//! associated type, `impl Trait`), anything agrees.

use std::collections::HashSet;

/// A piece of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Token {
    /// A name with what is before it.
    Path(Vec<String>),
    /// A bracket, a comma, a reference.
    Mark(char),
    /// Some type or other.
    Any,
}

/// A type.
pub type Tokens = Vec<Token>;

/// The tokens of a type.
pub fn tokens(text: &str) -> Tokens {
    let mut reader = Reader {
        chars: text.chars().collect(),
        at: 0,
    };
    let mut tokens = Vec::new();
    while let Some(token) = reader.token(&tokens) {
        tokens.push(token);
    }
    tokens
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn token(&mut self, before: &Tokens) -> Option<Token> {
        loop {
            let next = *self.chars.get(self.at)?;
            match next {
                ' ' => self.at += 1,
                ':' => self.at += 1,
                '\'' if self.peek(2) != '\'' && self.peek(1) != '\\' => self.lifetime(),
                '\'' => return Some(self.literal()),
                '{' => {
                    self.skip('{', '}');
                    return Some(Token::Any);
                }
                '<' if begins_type(before) => {
                    self.skip('<', '>');
                    self.rest_of_path();
                    return Some(Token::Any);
                }
                '-' if self.peek(1) == '>' => {
                    self.at += 2;
                    return Some(Token::Path(vec!["->".to_owned()]));
                }
                c if c.is_alphanumeric() || c == '_' => {
                    let path = self.path();
                    match path.as_slice() {
                        [word] if word == "impl" || word == "dyn" => {
                            self.bounds();
                            return Some(Token::Any);
                        }
                        [word] if word == "mut" || word == "const" => {}
                        _ => return Some(Token::Path(known(path))),
                    }
                }
                c => {
                    self.at += 1;
                    return Some(Token::Mark(c));
                }
            }
        }
    }

    /// `'a`, with the comma behind it.
    fn lifetime(&mut self) {
        self.at += 1;
        while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
            self.at += 1;
        }
        if self.peek(0) == ',' {
            self.at += 1;
        }
    }

    fn literal(&mut self) -> Token {
        let from = self.at;
        self.at += if self.peek(1) == '\\' { 3 } else { 2 };
        while self.at < self.chars.len() && self.peek(0) != '\'' {
            self.at += 1;
        }
        self.at += 1;
        let to = self.at.min(self.chars.len());
        Token::Path(vec![self.chars[from..to].iter().collect()])
    }

    fn word(&mut self) -> String {
        if self.peek(0) == 'r' && self.peek(1) == '#' {
            self.at += 2;
        }
        let from = self.at;
        while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
            self.at += 1;
        }
        self.chars[from..self.at].iter().collect()
    }

    fn path(&mut self) -> Vec<String> {
        let mut path = vec![self.word()];
        while self.peek(0) == ':' && self.peek(1) == ':' {
            let next = self.peek(2);
            if !next.is_alphanumeric() && next != '_' {
                break;
            }
            self.at += 2;
            path.push(self.word());
        }
        path
    }

    fn rest_of_path(&mut self) {
        while self.peek(0) == ':' && self.peek(1) == ':' {
            self.at += 2;
            self.word();
        }
    }

    /// What a type that is only known by its traits implements.
    fn bounds(&mut self) {
        let mut depth = 0;
        while let Some(&next) = self.chars.get(self.at) {
            match next {
                '-' if self.peek(1) == '>' => self.at += 1,
                '<' | '(' | '[' => depth += 1,
                '>' | ')' | ']' if depth > 0 => depth -= 1,
                '>' | ')' | ']' | ',' | ';' if depth == 0 => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// What is between two brackets, with these.
    fn skip(&mut self, open: char, close: char) {
        let mut depth = 0;
        while let Some(&next) = self.chars.get(self.at) {
            let arrow = next == '>' && self.at > 0 && self.chars[self.at - 1] == '-';
            if next == open {
                depth += 1;
            } else if next == close && !arrow {
                depth -= 1;
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }
}

/// A path with the translator's name for what it has one for.
fn known(path: Vec<String>) -> Vec<String> {
    let Some(last) = path.last() else { return path };
    if path.len() > 1 && !CRATES.contains(&path[0].as_str()) {
        return path;
    }
    match last.as_str() {
        // All kinds of places in the heap.
        "Quasi" | "Register" | "Slot" | "Virtualizable" => vec!["Cell".to_owned()],
        // Conversions that cannot fail have an error that the translator has no type for.
        "Infallible" => vec!["TryFromIntError".to_owned()],
        _ => path,
    }
}

/// Whether a type begins behind these tokens.
fn begins_type(before: &Tokens) -> bool {
    match before.last() {
        None => true,
        Some(Token::Mark(mark)) => !matches!(mark, '>' | ')' | ']'),
        Some(Token::Path(path)) => path[0] == "->",
        Some(Token::Any) => false,
    }
}

/// Without references.
pub fn values(ty: &[Token]) -> Tokens {
    let kept = ty.iter().filter(|t| **t != Token::Mark('&'));
    kept.cloned().collect()
}

/// How many references there are around a type.
pub fn references(ty: &[Token]) -> usize {
    ty.iter().take_while(|t| **t == Token::Mark('&')).count()
}

/// Without the names of functions that items are inside of.
pub fn outside(path: &[String], functions: &HashSet<String>) -> Vec<String> {
    let last = path.len().saturating_sub(1);
    let kept = path.iter().enumerate();
    let kept = kept.filter(|(n, name)| *n == last || !functions.contains(*name));
    kept.map(|(_, name)| name.clone()).collect()
}

/// With types instead of parameters.
pub fn with(ty: &[Token], known: &[(String, Tokens)]) -> Tokens {
    let mut made = Vec::new();
    for token in ty {
        let found = match token {
            Token::Path(path) if path.len() == 1 => known.iter().rfind(|k| k.0 == path[0]),
            Token::Path(path) => {
                // An associated type of a parameter.
                if known.iter().any(|k| k.0 == path[0]) {
                    made.push(Token::Any);
                    continue;
                }
                None
            }
            Token::Mark(_) | Token::Any => None,
        };
        match found {
            Some((_, ty)) => made.extend(ty.iter().cloned()),
            None => made.push(token.clone()),
        }
    }
    made
}

/// Whether a name is the type of a scalar of traced code. There are no `f32`s in it, but random
/// functions may be in a module of that name.
pub fn is_scalar(name: &str) -> bool {
    matches!(
        name,
        "i8" | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "f64"
            | "bool"
            | "char"
            | "str"
    )
}

/// Whether what rustc prints of a path can be ours, which begins at the root of the crate. rustc
/// leaves out what is needless. What another crate has may be anywhere in it: rustc prints where it
/// can be seen.
pub fn paths_agree(rustc: &[String], ours: &[String]) -> bool {
    let foreign = |path: &[String]| {
        path.first()
            .is_some_and(|name| CRATES.contains(&name.as_str()))
    };
    match (rustc, ours) {
        ([.., left], [right]) if foreign(rustc) => left == right,
        ([.., left], [.., right]) if foreign(ours) => {
            left == right && (foreign(rustc) || rustc.len() == 1)
        }
        _ => ours.ends_with(rustc),
    }
}

/// The crates whose items traced code knows.
const CRATES: &[&str] = &["alloc", "core", "std", "verdigris"];

/// Whether what rustc prints can be what the translator prints.
pub fn agree(rustc: &[Token], ours: &[Token]) -> bool {
    let mut rest = ours;
    for token in rustc {
        match (token, rest.split_first()) {
            (Token::Any, _) => {
                rest = &rest[size_of_type(rest)..];
            }
            (Token::Path(left), Some((Token::Path(right), others))) => {
                if !paths_agree(left, right) {
                    return false;
                }
                rest = others;
            }
            (Token::Mark(left), Some((Token::Mark(right), others))) if left == right => {
                rest = others;
            }
            // rustc leaves out the last arguments if they are the defaults.
            (Token::Mark('>'), Some((Token::Mark(','), others))) => {
                let mut left = others;
                left = &left[size_of_type(left)..];
                while let [Token::Mark(','), others @ ..] = left {
                    left = &others[size_of_type(others)..];
                }
                match left {
                    [Token::Mark('>'), others @ ..] => rest = others,
                    _ => return false,
                }
            }
            _ => return false,
        }
    }
    rest.is_empty()
}

/// How many tokens the type has that these begin with.
fn size_of_type(tokens: &[Token]) -> usize {
    let mut depth = 0;
    for (n, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('<' | '(' | '[') => depth += 1,
            Token::Mark('>' | ')' | ']') if depth == 0 => return n,
            Token::Mark('>' | ')' | ']') => depth -= 1,
            Token::Mark(',' | ';') if depth == 0 => return n,
            _ => {}
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreed(rustc: &str, ours: &str) -> bool {
        agree(&tokens(rustc), &tokens(ours))
    }

    #[test]
    fn types_agree_if_they_can_be_the_same() {
        for (rustc, ours) in [
            ("Num", "probing::Num"),
            ("probing::Num", "probing::Num"),
            ("verdigris::Cell<i64>", "Cell<i64>"),
            ("std::cmp::Ordering", "core::cmp::Ordering"),
            ("(i64, &Num)", "(i64, &a::Num)"),
            ("(i64,)", "(i64,)"),
            ("[Option<char>; 3]", "[Option<char>; 3]"),
            ("List<'_, i64>", "List<i64>"),
            ("fn(i64) -> bool", "fn(i64) -> bool"),
            ("<T as Tr>::Out", "Gc<Thing>"),
            ("Option<<T as Tr>::Out>", "Option<(i64, i64)>"),
            ("{closure@src/lib.rs:1:2: 3:4}", "i64"),
            ("impl Fn(i64) -> i64 + Copy", "_"),
            ("Flag<'x'>", "Flag<'x'>"),
            ("r#type::Num", "type::Num"),
            ("Pair<i64>", "a::Pair<i64, Option<(i64, i64)>>"),
            (
                "verdigris::List<Num>",
                "verdigris::library::list::List<a::Num>",
            ),
        ] {
            assert!(agreed(rustc, ours), "{rustc} {ours}");
        }
        for (rustc, ours) in [
            ("a::Num", "b::Num"),
            ("a::Num", "Num"),
            ("verdigris::Num", "a::Num"),
            ("Num", "Number"),
            ("&Num", "Num"),
            ("Option<i64>", "Option<u64>"),
            ("Option<i64>", "Option"),
            ("Option<<T as Tr>::Out>", "Result<i64, i64>"),
            ("(i64, i64)", "(i64, i64, i64)"),
            ("[i64; 3]", "[i64; 4]"),
            ("Flag<'x'>", "Flag<'y'>"),
        ] {
            assert!(!agreed(rustc, ours), "{rustc} {ours}");
        }
    }

    #[test]
    fn parameters_are_what_they_stand_for() {
        let known = [("T".to_owned(), tokens("(i64, Num)"))];
        let made = with(&tokens("Option<&T>"), &known);
        assert_eq!(made, tokens("Option<&(i64, Num)>"));
        assert_eq!(with(&tokens("T::Out"), &known), [Token::Any]);
    }
}
