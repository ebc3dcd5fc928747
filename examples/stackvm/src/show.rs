//! Values as text. In: a value. Out: what `print` writes. Invariant: a list that contains itself is shown in finite text.

use crate::value::Value;
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

/// Prints a value and a line end.
#[opaque]
pub fn print(value: Value) {
    println!("{}", show(value));
}
