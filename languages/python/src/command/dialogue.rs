//! The dialogue. In: lines. Out: what they do, and the values of expressions. Invariant: what is
//! said is what `python3 -i` says: prompts on standard error where no terminal is read; errors are
//! shown and leave the dialogue as it is; `SystemExit` ends it.

use language_support::editor::{self, Line, Terminal};
use language_support::interrupts::Interrupts;
use verdigris_python::compile::incomplete::is_incomplete;
use verdigris_python::output;
use verdigris_python::session::Session;

/// What is said when a line is cleared by Ctrl-C.
const CLEARED: &str = "KeyboardInterrupt";

/// Reads and runs until there are no more lines. The exit status.
pub fn run(session: &Session, interrupts: &Interrupts) -> u8 {
    session.begin_dialogue();
    let mut reader = Reader {
        session,
        terminal: Terminal::open(
            "verdigris-python",
            Box::new(|line: &str| complete(session, line)),
        ),
    };
    loop {
        let Some(text) = reader.statement() else {
            eprintln!();
            return 0;
        };
        interrupts.arm();
        let ended = session.statement(&text);
        output::flush().ok();
        ended.show();
        if ended.leaves() {
            return ended.status;
        }
    }
}

struct Reader<'a> {
    session: &'a Session,
    terminal: Option<Terminal<'a>>,
}

impl Reader<'_> {
    /// The next statement: as many lines as it takes. `None` at the end.
    fn statement(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            let prompt = match text.is_empty() {
                true => self.session.prompt("ps1"),
                false => self.session.prompt("ps2"),
            };
            match self.line(&prompt) {
                Line::Typed(line) => {
                    text += &line;
                    text.push('\n');
                }
                Line::Cleared => {
                    eprintln!("{CLEARED}");
                    text.clear();
                    continue;
                }
                Line::End if text.is_empty() => return None,
                // What has been read so far is run, or said to be faulty.
                Line::End => return Some(text),
            }
            if text.trim().is_empty() {
                text.clear();
            } else if !is_incomplete(&text) {
                if let Some(terminal) = &mut self.terminal {
                    terminal.remember(text.trim_end());
                }
                return Some(text);
            }
        }
    }

    fn line(&mut self, prompt: &str) -> Line {
        if let Some(terminal) = &mut self.terminal {
            return terminal.read(prompt);
        }
        eprint!("{prompt}");
        match output::read_line() {
            Ok(Some(line)) => Line::Typed(line),
            Ok(None) | Err(_) => Line::End,
        }
    }
}

/// The names of variables and attributes that can follow a line. A tabulator at its beginning
/// indents it.
fn complete(session: &Session, line: &str) -> (usize, Vec<String>) {
    if line.trim().is_empty() {
        return (line.len(), vec!["    ".to_string()]);
    }
    let (start, path) = editor::word(line, &['.']);
    let Some((begun, path)) = path.split_last() else {
        return (line.len(), Vec::new());
    };
    let mut names = session.names(path);
    names.retain(|name| name.starts_with(begun) && editor::is_name(name));
    names.sort();
    names.dedup();
    (start, names)
}
