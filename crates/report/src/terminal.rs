//! What a stream can show: the width of lines, and colours. A file or a pipe has neither.
//!
//! Invariant: the environment variable `NO_COLOR`, unless it is empty, turns colours off
//! (<https://no-color.org>), as does `TERM=dumb`.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// The narrowest width that lines are cut to.
const NARROWEST: usize = 40;

/// What a stream can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terminal {
    /// Characters in a line; none if lines may be of any length.
    pub width: Option<usize>,
    /// Whether text may have colours.
    pub has_colours: bool,
}

impl Terminal {
    /// Standard output.
    pub fn stdout() -> Terminal {
        let stream = std::io::stdout();
        Terminal::of(stream.is_terminal(), || width(&stream))
    }

    /// Standard error.
    pub fn stderr() -> Terminal {
        let stream = std::io::stderr();
        Terminal::of(stream.is_terminal(), || width(&stream))
    }

    fn of(is_terminal: bool, width: impl FnOnce() -> Option<usize>) -> Terminal {
        if !is_terminal {
            return Terminal::default();
        }
        let [no_color, term] = ["NO_COLOR", "TERM"].map(std::env::var_os);
        Terminal {
            width: width().map(|width| width.max(NARROWEST)),
            has_colours: wants_colours(no_color.as_deref(), term.as_deref()),
        }
    }

    /// A part of a text in a style, if there are colours.
    pub fn paint(self, style: TextStyle, text: &str) -> String {
        match (self.has_colours, style.code()) {
            (true, Some(code)) if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            _ => text.to_owned(),
        }
    }
}

/// How a part of a text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// As any text.
    Plain,
    /// A heading, or a figure that matters.
    Strong,
    /// A place of the guest program.
    Place,
    /// What to do.
    Remedy,
    /// What is beside the point.
    Dim,
}

impl TextStyle {
    /// The parameter of the escape sequence.
    fn code(self) -> Option<&'static str> {
        match self {
            TextStyle::Plain => None,
            TextStyle::Strong => Some("1"),
            TextStyle::Place => Some("36"),
            TextStyle::Remedy => Some("32"),
            TextStyle::Dim => Some("2"),
        }
    }
}

fn wants_colours(no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

#[cfg(unix)]
fn width(stream: &impl std::os::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn width<T>(_: &T) -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_neither_width_nor_colours() {
        let file = Terminal::of(false, || Some(80));
        assert_eq!(file, Terminal::default());
        assert_eq!(file.paint(TextStyle::Strong, "x"), "x");
    }

    #[test]
    fn the_environment_turns_colours_off() {
        let of = |no_color: Option<&str>, term: Option<&str>| {
            wants_colours(no_color.map(OsStr::new), term.map(OsStr::new))
        };
        assert!(of(None, None) && of(Some(""), Some("xterm")));
        assert!(!of(Some("1"), Some("xterm")) && !of(None, Some("dumb")));
    }

    #[test]
    fn styles_end_where_they_should() {
        let terminal = Terminal {
            width: None,
            has_colours: true,
        };
        assert_eq!(terminal.paint(TextStyle::Remedy, "x"), "\x1b[32mx\x1b[0m");
        assert_eq!(terminal.paint(TextStyle::Plain, "x"), "x");
        assert_eq!(terminal.paint(TextStyle::Remedy, ""), "");
    }
}
