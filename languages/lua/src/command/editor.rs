//! Lines that are typed. In: keys, or the bytes of a pipe. Out: lines. Invariant: on a terminal a
//! line can be edited; from anything else lines are read as `io.read` reads them, and repeated.

use language_support::editor::{self, Line, Terminal};
use std::io::{self, IsTerminal};
use verdigris_lua::output;
use verdigris_lua::session::Session;

/// Reads lines.
pub struct Editor<'a> {
    session: &'a Session,
    terminal: Option<Terminal<'a>>,
}

impl<'a> Editor<'a> {
    /// An editor for the dialogue of a session.
    pub fn new(session: &'a Session) -> Editor<'a> {
        let complete = Box::new(|line: &str| complete(session, line));
        Editor {
            session,
            terminal: Terminal::open("verdigris-lua", complete),
        }
    }

    /// Shows a prompt and reads a line.
    pub fn read(&mut self, prompt: &str) -> Line {
        output::flush();
        match &mut self.terminal {
            Some(terminal) => terminal.read(prompt),
            None => self.read_plainly(prompt),
        }
    }

    fn read_plainly(&self, prompt: &str) -> Line {
        output::write(prompt.as_bytes()).ok();
        output::flush();
        match self.session.read_line() {
            Ok(Some(line)) => {
                if !io::stdin().is_terminal() {
                    output::write(format!("{line}\n").as_bytes()).ok();
                }
                Line::Typed(line)
            }
            Ok(None) | Err(_) => Line::End,
        }
    }

    /// Keeps a statement in the history, also if the process ends with it.
    pub fn remember(&mut self, statement: &str) {
        if let Some(terminal) = &mut self.terminal {
            terminal.remember(statement);
        }
    }

    /// Ends the line of the last prompt, which a terminal does itself.
    pub fn finish(self) {
        if self.terminal.is_none() {
            output::write(b"\n").ok();
        }
    }
}

/// The names of globals and fields that can follow a line.
fn complete(session: &Session, line: &str) -> (usize, Vec<String>) {
    let (start, path) = editor::word(line, &['.', ':']);
    let Some((begun, path)) = path.split_last() else {
        return (line.len(), Vec::new());
    };
    let mut names = session.names(path);
    names.retain(|name| name.starts_with(begun) && editor::is_name(name));
    (start, names)
}
