//! Lines that are typed on a terminal. In: keys. Out: lines. Invariant: a line can be edited, with
//! a history that outlives the process, and with completion of the names that the language knows.

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

/// What can follow the text before the cursor: where what it completes begins, and the names.
pub type Complete<'a> = Box<dyn Fn(&str) -> (usize, Vec<String>) + 'a>;

/// A terminal whose lines are edited.
pub struct Terminal<'a> {
    editor: rustyline::Editor<Names<'a>, FileHistory>,
    history: Option<PathBuf>,
}

impl<'a> Terminal<'a> {
    /// The terminal of this process, if its input and output are one. The history is that of a
    /// command.
    pub fn open(command: &str, complete: Complete<'a>) -> Option<Terminal<'a>> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return None;
        }
        let config = Config::builder().completion_type(CompletionType::List);
        let config = config.max_history_size(HISTORY).ok()?.build();
        let mut editor = rustyline::Editor::with_config(config).ok()?;
        editor.set_helper(Some(Names(complete)));
        let history = history_file(command);
        if let Some(file) = &history {
            // The first time there is none.
            editor.load_history(file).ok();
        }
        Some(Terminal { editor, history })
    }

    /// Shows a prompt and reads a line.
    pub fn read(&mut self, prompt: &str) -> Line {
        match self.editor.readline(prompt) {
            Ok(line) => Line::Typed(line),
            Err(ReadlineError::Interrupted) => Line::Cleared,
            Err(_) => Line::End,
        }
    }

    /// Keeps a statement in the history, also if the process ends with it.
    pub fn remember(&mut self, statement: &str) {
        self.editor.add_history_entry(statement).ok();
        if let Some(file) = &self.history {
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder).ok();
            }
            self.editor.append_history(file).ok();
        }
    }
}

/// Where the history is: in the user's folder for data.
fn history_file(command: &str) -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let data = match folder("XDG_DATA_HOME") {
        Some(data) => PathBuf::from(data),
        None => PathBuf::from(folder("HOME")?).join(".local/share"),
    };
    Some(data.join(command).join("history"))
}

/// Whether a text is a name of letters of ASCII, digits and underscores.
pub fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.bytes().all(is_part)
        && !text
            .bytes()
            .next()
            .is_none_or(|first| first.is_ascii_digit())
}

/// The word at the end of a line as a path of names, the last of which has only begun; and where
/// that one starts. `separators` are what is between the names.
pub fn word<'l>(line: &'l str, separators: &[char]) -> (usize, Vec<&'l str>) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || separators.contains(&c);
    let before = line.trim_end_matches(is_part);
    let word = &line[before.len()..];
    let path: Vec<&str> = word.split(separators).collect();
    let begun = path.last().map_or(0, |last| last.len());
    (line.len() - begun, path)
}

/// Completes names.
struct Names<'a>(Complete<'a>);

impl Completer for Names<'_> {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((self.0)(&line[..position]))
    }
}

impl Helper for Names<'_> {}
impl Highlighter for Names<'_> {}
impl Validator for Names<'_> {}
impl Hinter for Names<'_> {
    type Hint = String;
}
