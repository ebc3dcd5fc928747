//! The functions that a text defines.

use super::token::{TextError, Token};
use super::tokens::Tokens;
use cranelift_entity::EntityRef;
use std::collections::HashMap;

/// The functions that a text defines, numbered in order, so that calls may refer forward.
#[derive(Debug)]
pub struct FunctionNames<Id> {
    keyword: &'static str,
    ids: HashMap<String, Id>,
}

impl<Id: EntityRef> FunctionNames<Id> {
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
        Ok(FunctionNames { keyword, ids })
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
