//! The text of a program in an assembly language. In: lines. Out: the text. Invariant: a label is
//! given out once.

/// The lines that have been written.
#[derive(Default)]
pub struct Text {
    lines: String,
    labels: usize,
}

impl Text {
    /// Writes these lines, which commas separate here.
    pub fn lines(&mut self, lines: &str) {
        for line in lines.split(", ") {
            self.lines.push_str(line);
            self.lines.push('\n');
        }
    }

    /// A label that nothing else has.
    pub fn label(&mut self) -> usize {
        self.labels += 1;
        self.labels
    }

    /// All that was written.
    pub fn finish(self) -> String {
        self.lines
    }
}
