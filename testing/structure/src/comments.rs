//! Comments of all sources: their width, and words that leave open who does what.

use crate::repository::{files, read, root};

/// How wide a line with a comment may be: as wide as rustfmt makes code.
pub const COLUMNS: usize = 100;

/// Words and phrases that say nothing to a reader who does not know the code already.
pub const RIDDLES: &[&str] = &[
    "somebody",
    "nobody",
    "whoever",
    "is for those to know",
    "for those who know",
    "In: nothing",
    "Out: nothing",
    "made anew",
    "So many ",
];

/// A line of a comment.
pub struct Comment {
    pub file: String,
    /// From 1.
    pub line: usize,
    /// The line as it stands in the file.
    pub text: String,
}

/// All lines that are comments, of all Rust sources but those that show mistakes.
pub fn comments() -> Vec<Comment> {
    let files = files();
    let sources = files
        .iter()
        .filter(|f| f.ends_with(".rs") && !f.contains("/tests/ui/"));
    let comments = sources.flat_map(|file| {
        let text = read(&root().join(file));
        let lines: Vec<Comment> = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.trim_start().starts_with("//"))
            .map(|(n, line)| Comment {
                file: file.clone(),
                line: n + 1,
                text: line.to_string(),
            })
            .collect();
        lines
    });
    comments.collect()
}

impl Comment {
    /// Whether the line is too wide and could be broken: outside of tables, grammars and code,
    /// which begin with more than one space, and not in front of one long word.
    pub fn is_wide(&self) -> bool {
        let text = self.text.trim_start().trim_start_matches(['/', '!']);
        let is_code = text.ends_with([';', '}', '{']) || text.trim().starts_with(['#', '`']);
        let is_drawing = is_code || text.starts_with(" |") || text.contains("  ");
        let can_be_broken = text.trim().contains(' ');
        self.text.chars().count() > COLUMNS && can_be_broken && !is_drawing
    }

    /// The riddles of this line.
    pub fn riddles(&self) -> impl Iterator<Item = &'static str> {
        let lower = self.text.to_lowercase();
        let words = RIDDLES.iter().copied();
        words.filter(move |word| lower.contains(word) || self.text.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Comment {
        Comment {
            file: String::new(),
            line: 1,
            text: text.to_string(),
        }
    }

    #[test]
    fn wide_prose_is_found() {
        let prose = "word ".repeat(20);
        assert!(line(&format!("/// {prose}end")).is_wide());
        assert!(!line("/// short").is_wide());
        assert!(!line(&format!("///     {prose}code")).is_wide());
        assert!(!line(&format!("/// {}", "x".repeat(100))).is_wide());
    }

    #[test]
    fn riddles_are_found() {
        let found: Vec<_> = line("/// Nobody knows.").riddles().collect();
        assert_eq!(found, ["nobody"]);
        assert_eq!(line("/// The optimiser knows.").riddles().count(), 0);
    }
}
