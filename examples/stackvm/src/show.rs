//! Values as text. In: a value. Out: what `print` writes, to standard output or to the caller of
//! [`collect`]. Invariant: a list that contains itself is shown in finite text.

use crate::trap::Trap;
use crate::value::Value;
use std::cell::RefCell;
use std::io::Write;
use verdigris::prelude::*;

/// How deep lists are shown.
const DEPTH: u32 = 8;

/// The text of a value.
pub fn show(value: Value) -> String {
    nested(value, DEPTH)
}

fn nested(value: Value, depth: u32) -> String {
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) => format!("{f:?}"),
        Value::Str(text) => text.as_str().to_owned(),
        Value::List(_) if depth == 0 => "..".to_owned(),
        Value::List(list) => {
            let items = (0..list.len()).map(|n| nested(list.at(n), depth - 1));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Value::Fn(function) => format!("function {}", function.name.as_str()),
    }
}

thread_local! {
    /// The output of programs while [`collect`] runs.
    static COLLECTED: RefCell<Option<String>> = const { RefCell::new(None) };
    static FAILURE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Collects what programs print on this thread while `f` runs, instead of writing it to standard
/// output.
pub fn collect<R>(f: impl FnOnce() -> R) -> (String, R) {
    COLLECTED.set(Some(String::new()));
    let result = f();
    (COLLECTED.take().unwrap_or_default(), result)
}

/// Prints a value and a line end.
#[opaque]
pub fn print(value: Value) -> Result<(), Trap> {
    COLLECTED.with_borrow_mut(|collected| match collected {
        Some(text) => {
            *text += &(show(value) + "\n");
            Ok(())
        }
        None => writeln!(std::io::stdout(), "{}", show(value)).map_err(|error| {
            FAILURE.set(error.to_string());
            Trap::Output
        }),
    })
}

/// Why the last line could not be written.
pub fn failure() -> String {
    FAILURE.with_borrow(String::clone)
}
