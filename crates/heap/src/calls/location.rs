//! Positions in the guest program, for people. The text of a [`Location`] is one line without
//! control characters, of bounded length, whatever the guest's names are.

use std::fmt::{self, Write};

/// The most characters of a name in the text.
const MAX_NAME: usize = 80;

/// Where in the guest program a place is: the answer of the function in
/// `#[portal(location = function)]`. Everything in it may be left out.
///
/// ```
/// # use verdigris_heap::Location;
/// let location = Location::new().file("fib.lua").line(12).function("fib");
/// assert_eq!(location.to_string(), "fib.lua:12 in fib");
/// assert_eq!(Location::new().offset(7).to_string(), "offset 7");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file, or what the program is called.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
    /// Where the instruction is, if the program has no lines.
    pub offset: Option<u64>,
    /// The function, or what the guest language has instead.
    pub function: Option<String>,
}

impl Location {
    /// Nothing is known.
    pub fn new() -> Location {
        Location::default()
    }

    /// In this file, or a program of this name.
    #[must_use]
    pub fn file(self, file: impl Into<String>) -> Location {
        let file = Some(file.into());
        Location { file, ..self }
    }

    /// In this line, from 1.
    #[must_use]
    pub fn line(self, line: u32) -> Location {
        let line = Some(line);
        Location { line, ..self }
    }

    /// In this column, from 1.
    #[must_use]
    pub fn column(self, column: u32) -> Location {
        let column = Some(column);
        Location { column, ..self }
    }

    /// At this offset in the program, for a language without lines. The text has it where there is
    /// no line.
    #[must_use]
    pub fn offset(self, offset: usize) -> Location {
        let offset = Some(offset as u64);
        Location { offset, ..self }
    }

    /// In this function.
    #[must_use]
    pub fn function(self, function: impl Into<String>) -> Location {
        let function = Some(function.into());
        Location { function, ..self }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Location::default()
    }

    /// File and place in it.
    fn write_place(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.as_deref();
        match (file, self.line, self.offset) {
            (Some(file), Some(line), _) => {
                name(f, file)?;
                write!(f, ":{line}")?;
            }
            (None, Some(line), _) => write!(f, "line {line}")?,
            (Some(file), None, Some(offset)) => {
                write!(f, "offset {offset} of ")?;
                return name(f, file);
            }
            (None, None, Some(offset)) => return write!(f, "offset {offset}"),
            (Some(file), None, None) => return name(f, file),
            (None, None, None) => return Ok(()),
        }
        match self.column {
            Some(column) => write!(f, ":{column}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_place(f)?;
        let Some(function) = &self.function else {
            return Ok(());
        };
        let has_place = self.file.is_some() || self.line.is_some() || self.offset.is_some();
        if has_place {
            f.write_str(" in ")?;
        }
        name(f, function)
    }
}

/// A name of the guest program.
fn name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    for (n, c) in name.chars().enumerate() {
        if n == MAX_NAME {
            return f.write_char('…');
        }
        match c.is_control() {
            true => write!(f, "{}", c.escape_default())?,
            false => f.write_char(c)?,
        }
    }
    Ok(())
}

/// Makes rustc compare the variables of a merge point with what the function for their location
/// takes. The closure, which calls that function with them, is never called.
#[inline(always)]
pub fn check_location(_call: impl FnOnce() -> Location) {}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn what_is_not_known_is_left_out() {
        let new = Location::new;
        let all = [
            new().file("a.x").line(3).column(9).offset(40).function("f"),
            new().file("a.x").line(3),
            new().line(3).column(9),
            new().line(3).function("f"),
            new().file("a.x").offset(40).function("f"),
            new().offset(40),
            new().file("a.x").function("f"),
            new().function("f"),
            new(),
        ];
        let texts = all.map(|location| location.to_string());
        expect![[r#"
            a.x:3:9 in f
            a.x:3
            line 3:9
            line 3 in f
            offset 40 of a.x in f
            offset 40
            a.x in f
            f
        "#]]
        .assert_eq(&texts.join("\n"));
        assert!(new().is_empty() && !new().line(1).is_empty());
    }

    #[test]
    fn names_of_the_guest_cannot_break_the_line() {
        let location = Location::new()
            .file("a\n# opt\0")
            .line(1)
            .function("x".repeat(500));
        let text = location.to_string();
        assert!(text.starts_with(r"a\n# opt\u{0}:1 in xxx"), "{text}");
        assert!(text.ends_with("x…") && text.chars().count() < 120, "{text}");
    }
}
