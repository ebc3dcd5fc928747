//! The dialogue. In: lines. Out: what they do, and the values of expressions. Invariant: what is
//! said is what `lua5.4 -i` says, also where it reads a pipe, whose lines it repeats; errors leave
//! the dialogue as it is.

use super::editor::Editor;
use language_support::editor::Line;
use language_support::interrupts::Interrupts;
use verdigris_lua::output;
use verdigris_lua::session::{Chunk, Session};

/// How the message of a text ends that something may follow.
const INCOMPLETE: &str = "near <eof>";

/// The name of what is typed.
const NAME: &str = "=stdin";

/// Reads and runs until there are no more lines.
pub fn run(session: &Session, interrupts: &Interrupts) {
    let mut editor = Editor::new(session);
    while let Some(read) = statement(session, &mut editor) {
        let done = read.and_then(|chunk| {
            interrupts.arm();
            let results = session.run(&chunk, &[])?;
            match results.count() {
                0 => Ok(()),
                _ => session.print(&results),
            }
        });
        output::flush();
        if let Err(message) = done {
            eprintln!("{message}");
        }
    }
    editor.finish();
}

/// The next statement: as many lines as it takes. `None` at the end.
fn statement(session: &Session, editor: &mut Editor) -> Option<Result<Chunk, String>> {
    let first = loop {
        match editor.read(&prompt(session, "_PROMPT", "> ")) {
            Line::Typed(line) => break line,
            Line::Cleared => {}
            Line::End => return None,
        }
    };
    let mut text = match first.strip_prefix('=') {
        Some(expression) => format!("return {expression}"),
        None => first,
    };
    if let Ok(chunk) = session.load(format!("return {text}").as_bytes(), NAME) {
        editor.remember(&text);
        return Some(Ok(chunk));
    }
    loop {
        let loaded = session.load(text.as_bytes(), NAME);
        match &loaded {
            Err(message) if message.ends_with(INCOMPLETE) => {}
            _ => {
                editor.remember(&text);
                return Some(loaded);
            }
        }
        match editor.read(&prompt(session, "_PROMPT2", ">> ")) {
            Line::Typed(line) => text = format!("{text}\n{line}"),
            Line::Cleared => return statement(session, editor),
            Line::End => return Some(loaded),
        }
    }
}

fn prompt(session: &Session, variable: &str, default: &str) -> String {
    session
        .text(variable)
        .unwrap_or_else(|| default.to_string())
}
