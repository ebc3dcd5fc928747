//! The output of the guest program. In: values. Out: text in the sink of this thread: standard
//! output, or a buffer that the caller of the machine asked for. Invariant: printing neither
//! recurses nor allocates on the guest heap, and what is printed depends neither on the JIT nor on
//! the stage of the object model.
//!
//! Integers print in decimal, texts as they are, nil as `nil`, the others as `<class C>`,
//! `<function f>`, `<C>`.

use crate::image::Image;
use crate::object::{Obj, ObjKind};
use crate::trap::Trap;
use std::cell::RefCell;
use std::io::{self, BufWriter, Stdout, Write};
use verdigris::prelude::*;

/// Where output goes.
enum Sink {
    /// Standard output, buffered.
    Stdout(BufWriter<Stdout>),
    /// Memory.
    Captured(Vec<u8>),
}

struct Output {
    sink: Sink,
    /// The printed part of the current line.
    line: String,
    texts: Vec<String>,
    classes: Vec<String>,
    functions: Vec<String>,
}

thread_local! {
    static OUTPUT: RefCell<Option<Output>> = const { RefCell::new(None) };
    static FAILURE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sends the output of this thread's programs to standard output, or to a buffer, until [`finish`].
pub fn begin(image: &Image, capture: bool) {
    let sink = match capture {
        true => Sink::Captured(Vec::new()),
        false => Sink::Stdout(BufWriter::new(io::stdout())),
    };
    OUTPUT.set(Some(Output {
        sink,
        line: String::new(),
        texts: image.texts.clone(),
        classes: image.classes.clone(),
        functions: image.functions.iter().map(|f| f.name.clone()).collect(),
    }));
}

/// Ends what [`begin`] began; gives the buffer if there is one.
///
/// # Errors
/// If standard output cannot be written.
pub fn finish() -> io::Result<Vec<u8>> {
    match OUTPUT.take().map(|output| output.sink) {
        Some(Sink::Stdout(mut out)) => out.flush().map(|()| Vec::new()),
        Some(Sink::Captured(bytes)) => Ok(bytes),
        None => Ok(Vec::new()),
    }
}

/// Prints a value, and a blank or the end of the line behind it.
#[opaque]
pub fn print(value: Obj, last: bool) -> Result<(), Trap> {
    let written = OUTPUT.with_borrow_mut(|output| match output {
        Some(output) => output.print(value, last),
        None => Ok(()),
    });
    written.map_err(|error| {
        FAILURE.set(error.to_string());
        Trap::Output
    })
}

/// Why the last line could not be written.
pub fn failure() -> String {
    FAILURE.with_borrow(String::clone)
}

impl Output {
    fn print(&mut self, value: Obj, last: bool) -> io::Result<()> {
        self.show(value);
        if !last {
            self.line.push(' ');
            return Ok(());
        }
        self.line.push('\n');
        let line = std::mem::take(&mut self.line);
        match &mut self.sink {
            Sink::Stdout(out) => out.write_all(line.as_bytes()),
            Sink::Captured(bytes) => bytes.write_all(line.as_bytes()),
        }
    }

    fn show(&mut self, value: Obj) {
        let name = |names: &[String], number: i64| names[number as usize].clone();
        let text = match value.kind() {
            ObjKind::Int(int) => int.value.to_string(),
            ObjKind::Nil(_) => "nil".to_string(),
            ObjKind::Text(text) => name(&self.texts, text.number),
            ObjKind::Function(f) => format!("<function {}>", name(&self.functions, f.number)),
            ObjKind::Class(class) => format!("<class {}>", name(&self.classes, class.number)),
            ObjKind::DictInstance(i) => format!("<{}>", name(&self.classes, i.class.number)),
            ObjKind::MapInstance(i) => format!("<{}>", name(&self.classes, i.class.number)),
        };
        self.line.push_str(&text);
    }
}
