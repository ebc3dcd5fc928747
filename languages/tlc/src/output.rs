//! The output of the guest program. In: values. Out: text in the sink of this thread: standard
//! output, or a buffer that the caller of the machine asked for. Invariant: printing neither
//! recurses nor allocates on the guest heap, and a value that refers to itself prints finitely; a
//! list that contains itself many times over is cut off with `...`.
//!
//! Integers print in decimal, nil as `nil`, lists as `(1 2 3)` (`(1 . 2)` if the rest is no list),
//! objects as `<object a=1 b=nil>`; an object within an object is `<object ...>`.

use crate::image::Image;
use crate::object::{Instance, Obj, ObjKind, Stack};
use crate::trap::Trap;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{self, BufWriter, Stdout, Write};
use verdigris::{prelude::*, rooted_elsewhere};

/// Where output goes.
enum Sink {
    /// Standard output, buffered.
    Stdout(BufWriter<Stdout>),
    /// Memory.
    Captured(Vec<u8>),
}

struct Output {
    sink: Sink,
    /// The program's names, for the attributes of objects.
    names: Vec<String>,
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
    let names = image.symbols().into_iter().map(str::to_string).collect();
    OUTPUT.set(Some(Output { sink, names }));
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

/// Writes a line.
///
/// # Errors
/// If standard output cannot be written.
pub fn write_line(line: &str) -> io::Result<()> {
    OUTPUT.with_borrow_mut(|output| match output {
        Some(Output {
            sink: Sink::Stdout(out),
            ..
        }) => writeln!(out, "{line}"),
        Some(Output {
            sink: Sink::Captured(bytes),
            ..
        }) => writeln!(bytes, "{line}"),
        None => Ok(()),
    })
}

/// `PRINT`.
#[opaque]
pub fn print(value: Obj) -> Result<(), Trap> {
    written(&show(value))
}

/// `DUMP`: the frame's stack, the bottom first.
#[opaque]
pub fn dump(stack: Stack, sp: usize) -> Result<(), Trap> {
    let items: Vec<String> = (0..sp).map(|index| show(stack[index].get())).collect();
    written(&format!("[{}]", items.join(", ")))
}

fn written(line: &str) -> Result<(), Trap> {
    write_line(line).map_err(|error| {
        FAILURE.set(error.to_string());
        Trap::Output
    })
}

/// Why the last line could not be written.
pub fn failure() -> String {
    FAILURE.with_borrow(String::clone)
}

/// How much of one value is printed: lists that share their parts can be exponentially longer in
/// print than in memory.
const MAX_TEXT: usize = 100_000_000;

/// The parts still to be printed: parts of the value that is being printed, during which no guest
/// code runs.
#[rooted_elsewhere]
enum Piece {
    Value(Obj),
    /// The rest of a list whose first item has been printed.
    Rest(Obj),
    Text(&'static str),
    Name(usize),
    EndOfObject,
}

/// A value as text.
pub fn show(value: Obj) -> String {
    let mut out = String::new();
    let mut inside = false;
    let mut pending = vec![Piece::Value(value)];
    while let Some(piece) = pending.pop() {
        if out.len() > MAX_TEXT {
            out.push_str("...");
            break;
        }
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Name(index) => out.push_str(&attribute_name(index)),
            Piece::EndOfObject => {
                out.push('>');
                inside = false;
            }
            Piece::Rest(rest) => show_rest(rest, &mut pending),
            Piece::Value(value) => match value.kind() {
                ObjKind::Int(int) => drop(write!(out, "{}", int.value)),
                ObjKind::Nil(_) => out.push_str("nil"),
                ObjKind::Cons(pair) => {
                    out.push('(');
                    pending.extend([Piece::Rest(pair.cdr), Piece::Value(pair.car)]);
                }
                ObjKind::Instance(_) if inside => out.push_str("<object ...>"),
                ObjKind::Instance(object) => {
                    inside = true;
                    show_attributes(object, &mut pending);
                }
            },
        }
    }
    out
}

fn show_rest(rest: Obj, pending: &mut Vec<Piece>) {
    match rest.kind() {
        ObjKind::Nil(_) => pending.push(Piece::Text(")")),
        ObjKind::Cons(pair) => {
            pending.extend([
                Piece::Rest(pair.cdr),
                Piece::Value(pair.car),
                Piece::Text(" "),
            ]);
        }
        _ => pending.extend([Piece::Text(")"), Piece::Value(rest), Piece::Text(" . ")]),
    }
}

fn show_attributes(object: Gc<Instance>, pending: &mut Vec<Piece>) {
    pending.push(Piece::EndOfObject);
    for index in (0..object.attrs.len()).rev() {
        let name = object.shape.attrs[index] as usize;
        let value = Piece::Value(object.attrs[index].get());
        pending.extend([value, Piece::Text("="), Piece::Name(name), Piece::Text(" ")]);
    }
    pending.push(Piece::Text("<object"));
}

fn attribute_name(index: usize) -> String {
    OUTPUT.with_borrow(|output| {
        let name = output.as_ref().and_then(|output| output.names.get(index));
        name.map_or_else(|| format!("#{index}"), String::clone)
    })
}
