//! Whether a text may ask who has called it. In: a text. Out: what has to be noted of calls from
//! now on ([`crate::levels`]). Invariant: where this says nothing, the functions of `debug` that
//! the text names need to know their caller alone, or what an error has left.
//!
//! Most programs name none of these functions, and of the others most do so where an error is
//! handled, `xpcall(f, debug.traceback)`. Neither should pay for those that walk up the stack.

use crate::lexer::{Lexer, Token};

/// The functions that look at levels.
const FUNCTIONS: [&str; 2] = [GETINFO, TRACEBACK];
const GETINFO: &str = "getinfo";
const TRACEBACK: &str = "traceback";
/// Those that look at variables.
const VARIABLES: [&str; 2] = ["getlocal", "setlocal"];

/// What a text may ask for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Asks {
    /// Nothing.
    Nothing,
    /// Which functions are active.
    Functions,
    /// Their variables.
    Variables,
}

impl Asks {
    /// What a text may ask for.
    pub fn of(text: &[u8]) -> Asks {
        let names = |name: &&str| memchr::memmem::find(text, name.as_bytes()).is_some();
        if !VARIABLES.iter().chain(&FUNCTIONS).any(names) {
            return Asks::Nothing;
        }
        let tokens = tokens(text);
        let handlers = handlers(&tokens);
        let mut place = Place::default();
        let mut asks = Asks::Nothing;
        for (n, token) in tokens.iter().enumerate() {
            let asked = match name_of(token) {
                Some(TRACEBACK) if !place.handles_errors(&handlers) => Asks::Functions,
                Some(GETINFO) if !asks_for_place(&tokens[n + 1..]) => Asks::Functions,
                Some(name) if VARIABLES.contains(&name) && !asks_for_caller(&tokens[n + 1..]) => {
                    Asks::Variables
                }
                _ => Asks::Nothing,
            };
            asks = asks.max(asked);
            place.pass(&tokens, n);
        }
        asks
    }
}

/// The tokens up to the first error.
fn tokens(text: &[u8]) -> Vec<Token> {
    let mut lexer = Lexer::new(text);
    let next = || lexer.token().ok().filter(|token| *token != Token::End);
    std::iter::from_fn(next).collect()
}

/// A name, or a string that is one.
fn name_of(token: &Token) -> Option<&str> {
    match token {
        Token::Name(name) => Some(name),
        Token::Text(text) => std::str::from_utf8(text).ok(),
        _ => None,
    }
}

/// Whether these are the arguments of a call about level 0 or 1.
fn asks_for_caller(tokens: &[Token]) -> bool {
    matches!(
        tokens,
        [
            Token::Sign("("),
            Token::Int(0 | 1),
            Token::Sign("," | ")"),
            ..
        ]
    )
}

/// Whether these are the arguments of a call of `getinfo` which who has called does not change.
fn asks_for_place(tokens: &[Token]) -> bool {
    asks_for_caller(tokens)
        && match tokens.get(3) {
            Some(Token::Text(what)) => !what.contains(&b'n') && !what.contains(&b't'),
            _ => false,
        }
}

/// What is named as the second argument of `xpcall`.
fn handlers(tokens: &[Token]) -> Vec<&str> {
    let mut handlers = Vec::new();
    let mut place = Place::default();
    for n in 0..tokens.len() {
        if let [Token::Name(name), Token::Sign("," | ")"), ..] = &tokens[n..]
            && place.parens.last() == Some(&Some(1))
        {
            handlers.push(name.as_str());
        }
        place.pass(tokens, n);
    }
    handlers
}

/// Where a token is.
#[derive(Default)]
struct Place<'t> {
    /// The brackets around it: for the arguments of `xpcall`, which one it is.
    parens: Vec<Option<usize>>,
    /// The blocks around it; for functions with a name, that.
    blocks: Vec<Option<&'t str>>,
}

impl<'t> Place<'t> {
    /// Whether this is the message handler of `xpcall`, or in one.
    fn handles_errors(&self, handlers: &[&str]) -> bool {
        let is_handler = |name: &Option<&str>| name.is_some_and(|name| handlers.contains(&name));
        self.parens.contains(&Some(1)) || self.blocks.iter().any(is_handler)
    }

    fn pass(&mut self, tokens: &'t [Token], n: usize) {
        let before = |distance: usize| n.checked_sub(distance).map(|n| &tokens[n]);
        match &tokens[n] {
            Token::Sign("(" | "{" | "[") => {
                let of_xpcall = matches!(before(1), Some(Token::Name(name)) if name == "xpcall");
                self.parens.push(of_xpcall.then_some(0));
            }
            Token::Sign(")" | "}" | "]") => {
                self.parens.pop();
            }
            Token::Sign(",") => {
                if let Some(Some(argument)) = self.parens.last_mut() {
                    *argument += 1;
                }
            }
            Token::Word("function") => {
                let mut name = match (before(2), before(1)) {
                    (Some(Token::Name(name)), Some(Token::Sign("="))) => Some(name.as_str()),
                    _ => None,
                };
                for token in &tokens[n + 1..] {
                    match token {
                        Token::Name(part) => name = Some(part),
                        Token::Sign("." | ":") => {}
                        _ => break,
                    }
                }
                self.blocks.push(name);
            }
            Token::Word("do" | "if" | "repeat") => self.blocks.push(None),
            Token::Word("end" | "until") => {
                self.blocks.pop();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Asks;

    #[test]
    fn who_walks_up_the_stack_asks() {
        for text in [
            "local line = debug.getinfo(2, 'l').currentline",
            "local getinfo = debug.getinfo",
            "local name = debug.getinfo(1, 'n').name",
            "local all = debug.getinfo(1)",
            "return debug['getinfo'](level)",
            "print(debug.traceback())",
            "xpcall(function() print(debug.traceback()) end, print)",
            "local function other(e) return debug.traceback(e) end xpcall(f, handler)",
        ] {
            assert_eq!(Asks::of(text.as_bytes()), Asks::Functions, "{text}");
        }
    }

    #[test]
    fn variables_are_more_than_functions() {
        for text in [
            "debug.getlocal(1 + 1, 1)",
            "f(debug.setlocal) print(debug.traceback())",
        ] {
            assert_eq!(Asks::of(text.as_bytes()), Asks::Variables, "{text}");
        }
    }

    #[test]
    fn who_handles_errors_does_not() {
        for text in [
            "print 'hello'",
            "local line = debug.getinfo(1, 'l').currentline",
            "print(xpcall(f, debug.traceback, 1, 2))",
            "xpcall(f, function(e) if e then return debug.traceback(e, 2) end end)",
            "local function report(e) for i = 1, 2 do g() end return debug.traceback(e) end
             xpcall(f, report)",
            "function M.report(e) return debug.traceback(e) end xpcall(f, M.report, 3)",
            "report = function(e) repeat until x; return debug.traceback(e) end xpcall(f, report)",
            "local a, b = debug.getlocal(1, 2)",
        ] {
            assert_eq!(Asks::of(text.as_bytes()), Asks::Nothing, "{text}");
        }
    }
}
