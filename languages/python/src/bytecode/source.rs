//! The text of a file, and places in it. In: offsets in bytes. Out: lines, columns, and messages
//! that show them. Invariant: lines count from 1, columns from 0 in characters.

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// The kind of error: mostly `SyntaxError`.
    pub kind: &'static str,
    /// What it says.
    pub message: String,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl SyntaxError {
    /// An error of this text between these places.
    pub fn new(message: impl Into<String>, start: usize, end: usize) -> SyntaxError {
        SyntaxError {
            kind: "SyntaxError",
            message: message.into(),
            start,
            end,
        }
    }
}

/// A text with its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source<'a> {
    /// The text.
    pub text: &'a str,
    /// Where each line begins.
    starts: Vec<usize>,
}

impl<'a> Source<'a> {
    /// Finds the lines of a text.
    pub fn new(text: &'a str) -> Source<'a> {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        Source { text, starts }
    }

    /// The line of a place.
    pub fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).max(1)
    }

    /// The text of a line, without its end.
    pub fn line_text(&self, line: usize) -> &'a str {
        let Some(&start) = self.starts.get(line - 1) else {
            return "";
        };
        let end = self.starts.get(line).map_or(self.text.len(), |end| end - 1);
        self.text[start..end].trim_end_matches('\r')
    }

    /// How many characters are before a place in its line.
    pub fn column_of(&self, offset: usize) -> usize {
        let start = self.starts[self.line_of(offset) - 1];
        self.text
            .get(start..offset)
            .map_or(0, |text| text.chars().count())
    }

    /// An error as CPython shows it.
    pub fn show(&self, file: &str, error: &SyntaxError) -> String {
        let line = self.line_of(error.start);
        let text = self.line_text(line);
        let shown = text.trim_start();
        let indent = text.chars().count() - shown.chars().count();
        let column = self.column_of(error.start).saturating_sub(indent);
        let same_line = self.line_of(error.end.max(error.start)) == line;
        let width = match same_line {
            true => self.column_of(error.end) - self.column_of(error.start),
            false => shown.trim_end().chars().count().saturating_sub(column),
        };
        let mut all = format!("  File \"{file}\", line {line}\n");
        if !shown.trim().is_empty() {
            let carets = "^".repeat(width.max(1));
            all += &format!(
                "    {}\n    {}{carets}\n",
                shown.trim_end(),
                " ".repeat(column)
            );
        }
        all + &format!("{}: {}\n", error.kind, error.message)
    }
}

#[cfg(test)]
mod tests {
    use super::{Source, SyntaxError};

    #[test]
    fn an_error_is_shown_in_its_line() {
        let source = Source::new("a = 1\n  b = ä + \n");
        let error = SyntaxError::new("bad", 12, 14);
        let shown = "  File \"f\", line 2\n    b = ä +\n        ^\nSyntaxError: bad\n";
        assert_eq!(source.show("f", &error), shown);
    }

    #[test]
    fn lines_and_columns_are_found() {
        let source = Source::new("x\nyz\n");
        assert_eq!((source.line_of(0), source.line_of(3)), (1, 2));
        assert_eq!(source.column_of(3), 1);
        assert_eq!(source.line_text(2), "yz");
    }
}
