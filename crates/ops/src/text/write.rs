//! How names and types are written.

use super::token::Token;
use super::tokens::Tokens;
use crate::Ty;

/// Writes the types of results: ` -> int`, ` -> (int, float)`, nothing if there are none.
pub fn result_types(types: &[Ty]) -> String {
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
        Ok(tokens) if *tokens.peek() == Token::Word(name.to_string()) => name.to_string(),
        _ => format!("`{}`", name.replace('\\', "\\\\").replace('`', "\\`")),
    }
}
