//! Splits a chapter into lines of prose and of code. In: its text. Out: its lines with their
//! numbers. Invariant: a block ends with the fence it began with.

/// What begins a block of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fence<'a> {
    /// The backticks.
    pub ticks: &'a str,
    /// What is behind them.
    pub language: &'a str,
}

/// A line of a chapter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line<'a> {
    Prose(&'a str),
    /// The first line of a block.
    Opens(Fence<'a>),
    /// A line in a block.
    Code(Fence<'a>, &'a str),
    /// The last line of a block.
    Closes,
    /// The chapter ends in a block.
    Unclosed,
}

impl<'a> Line<'a> {
    /// What it says, if it is no fence.
    pub fn text(self) -> Option<&'a str> {
        match self {
            Line::Prose(text) | Line::Code(_, text) => Some(text),
            _ => None,
        }
    }
}

/// The lines of a chapter, from 1 on.
pub fn lines(text: &str) -> Vec<(usize, Line<'_>)> {
    let mut open: Option<Fence> = None;
    let mut found = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        let ticks = &trimmed[..trimmed.len() - trimmed.trim_start_matches('`').len()];
        let line = match open {
            Some(fence) if trimmed == fence.ticks => {
                open = None;
                Line::Closes
            }
            Some(fence) => Line::Code(fence, line),
            None if ticks.len() >= 3 => {
                let language = trimmed[ticks.len()..].trim();
                let fence = Fence { ticks, language };
                open = Some(fence);
                Line::Opens(fence)
            }
            None => Line::Prose(line),
        };
        found.push((n + 1, line));
    }
    if open.is_some() {
        found.push((text.lines().count(), Line::Unclosed));
    }
    found
}
