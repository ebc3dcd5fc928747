//! Positions in the guest program.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A position in the guest program, as far as the guest language tells it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourcePos {
    /// The position in words: `fib.lua:12 in fib`; greens or a guard if the language does not tell.
    pub text: String,
    /// The file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The offset in the program, for a language without lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
    /// The function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

impl SourcePos {
    /// A position of which there are only words.
    pub fn words(text: impl Into<String>) -> SourcePos {
        SourcePos {
            text: text.into(),
            ..SourcePos::default()
        }
    }

    /// The function; the file or the words if the language does not tell.
    pub fn function_name(&self) -> &str {
        let named = self.function.as_deref().or(self.file.as_deref());
        named.unwrap_or(&self.text)
    }
}

impl fmt::Display for SourcePos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}
