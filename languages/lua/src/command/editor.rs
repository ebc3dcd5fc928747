//! Lines that are typed. In: keys, or the bytes of a pipe. Out: lines. Invariant: on a terminal a
//! line can be edited, with a history that outlives the process and completion of names; from
//! anything else lines are read as `io.read` reads them, and repeated.

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Helper};
use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use verdigris_lua::output;
use verdigris_lua::session::Session;

/// How many statements the history keeps.
const HISTORY: usize = 1000;

/// What reading a line comes to.
pub enum Line {
    /// A line.
    Typed(String),
    /// Ctrl-C: what was typed counts for nothing.
    Cleared,
    /// There are no more lines.
    End,
}

/// Reads lines.
pub struct Editor<'a> {
    session: &'a Session,
    terminal: Option<rustyline::Editor<Names<'a>, FileHistory>>,
    history: Option<PathBuf>,
}

impl<'a> Editor<'a> {
    /// An editor for the dialogue of a session.
    pub fn new(session: &'a Session) -> Editor<'a> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let mut terminal = is_terminal.then(|| on_terminal(session)).flatten();
        let history = terminal.as_ref().and_then(|_| history_file());
        if let (Some(editor), Some(file)) = (&mut terminal, &history) {
            // The first time there is none.
            editor.load_history(file).ok();
        }
        Editor {
            session,
            terminal,
            history,
        }
    }

    /// Shows a prompt and reads a line.
    pub fn read(&mut self, prompt: &str) -> Line {
        output::flush();
        let Some(editor) = &mut self.terminal else {
            return self.read_plainly(prompt);
        };
        match editor.readline(prompt) {
            Ok(line) => Line::Typed(line),
            Err(ReadlineError::Interrupted) => Line::Cleared,
            Err(_) => Line::End,
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
        let Some(editor) = &mut self.terminal else {
            return;
        };
        editor.add_history_entry(statement).ok();
        if let Some(file) = &self.history {
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder).ok();
            }
            editor.append_history(file).ok();
        }
    }

    /// Ends the line of the last prompt, which a terminal does itself.
    pub fn finish(self) {
        if self.terminal.is_none() {
            output::write(b"\n").ok();
        }
    }
}

fn on_terminal(session: &Session) -> Option<rustyline::Editor<Names<'_>, FileHistory>> {
    let config = Config::builder().completion_type(CompletionType::List);
    let config = config.max_history_size(HISTORY).ok()?.build();
    let mut editor = rustyline::Editor::with_config(config).ok()?;
    editor.set_helper(Some(Names(session)));
    Some(editor)
}

/// Where the history is: in the user's folder for data.
fn history_file() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let data = match folder("XDG_DATA_HOME") {
        Some(data) => PathBuf::from(data),
        None => PathBuf::from(folder("HOME")?).join(".local/share"),
    };
    Some(data.join("verdigris-lua").join("history"))
}

/// Completes names of globals and fields.
struct Names<'a>(&'a Session);

impl Completer for Names<'_> {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let (start, path) = word(&line[..position]);
        let Some((begun, path)) = path.split_last() else {
            return Ok((position, Vec::new()));
        };
        let mut names = self.0.names(path);
        names.retain(|name| name.starts_with(begun) && is_name(name));
        Ok((start, names))
    }
}

impl Helper for Names<'_> {}
impl Highlighter for Names<'_> {}
impl Validator for Names<'_> {}
impl Hinter for Names<'_> {
    type Hint = String;
}

fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(is_part)
        && !text
            .bytes()
            .next()
            .is_none_or(|first| first.is_ascii_digit())
}

/// The word at the end of a line as a path of names, the last of which has only begun; and where
/// that one starts.
fn word(line: &str) -> (usize, Vec<&str>) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
    let before = line.trim_end_matches(is_part);
    let word = &line[before.len()..];
    let path: Vec<&str> = word.split(['.', ':']).collect();
    let begun = path.last().map_or(0, |last| last.len());
    (line.len() - begun, path)
}
