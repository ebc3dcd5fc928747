//! The functions of `io` and the methods of files. In: arguments. Out: files, what they hold, or
//! nil and the system's message. Invariant: a closed file stays a value, of which only its kind can
//! be asked.
//!
//! Source: Lua 5.4 reference manual, section 6.8.

use super::check;
use super::names::*;
use super::system;
use crate::arith;
use crate::collected;
use crate::concat;
use crate::fault::{self, Fault};
use crate::number;
use crate::output;
use crate::stream::{self, Buffering, Handle, STDOUT, Stream};
use crate::string::LuaStr;
use crate::value::{
    Args, File, Returned, Value, Values, World, list2, nothing, one, several, text,
};
use std::fs::OpenOptions;
use std::io::{self, SeekFrom};
use std::process::{Command, ExitStatus, Stdio};
use verdigris::ByteBuffer;
use verdigris::{Word, prelude::*};

type Called = Result<Returned, Gc<Fault>>;

/// The longest numeral that is read.
const MAX_NUMERAL: usize = 200;

/// Calls a function, for native code.
#[opaque]
pub fn call(world: Gc<World>, id: usize, values: Values, first: usize, count: usize) -> Called {
    let args = Args {
        values,
        first,
        count,
    };
    match id {
        IO_CLOSE if args.count == 0 => close(the_default(world.output.get(), "output")?),
        IO_CLOSE | FILE_CLOSE => close(open_file(id, args)?),
        IO_FLUSH => {
            let file = the_default(world.output.get(), "output")?;
            done(with(file, Stream::flush)?, Value::Bool(true))
        }
        FILE_FLUSH => {
            let file = open_file(id, args)?;
            done(with(file, Stream::flush)?, Value::Bool(true))
        }
        IO_INPUT => redirect(&world.input, id, args, "r"),
        IO_OUTPUT => redirect(&world.output, id, args, "w"),
        IO_OPEN => open(args),
        IO_POPEN => popen(args),
        IO_TMPFILE => temporary(),
        IO_READ => read(the_default(world.input.get(), "input")?, args, 0, id),
        FILE_READ => read(open_file(id, args)?, args, 1, id),
        IO_WRITE => write(the_default(world.output.get(), "output")?, args, 0, id),
        FILE_WRITE => write(open_file(id, args)?, args, 1, id),
        IO_TYPE => {
            check::present(id, args, 0)?;
            Ok(match args.at(0) {
                Value::File(file) if file.stream.get() < 0 => text(b"closed file"),
                Value::File(_) => text(b"file"),
                _ => one(Value::Nil),
            })
        }
        IO_LINES => lines(world, args),
        FILE_LINES => {
            open_file(id, args)?;
            Ok(one(args.at(0)))
        }
        LINE => next_line(args),
        FILE_SEEK => seek(args),
        FILE_SETVBUF => buffer(args),
        FILE_TOSTRING => Ok(match a_file(id, args)? {
            file if file.stream.get() < 0 => text(b"file (closed)"),
            file => text(format!("file ({:#x})", file.to_word()).as_bytes()),
        }),
        FILE_DONE => match a_file(id, args)? {
            file if file.stream.get() < 0 => Ok(nothing(world)),
            file => close(file),
        },
        _ => unreachable!("function {id} of the library"),
    }
}

/// Nil, a message and its number.
pub fn failure(name: Option<&str>, error: &io::Error) -> Returned {
    let message = system::message(error);
    let message = match name {
        Some(name) => format!("{name}: {message}"),
        None => message,
    };
    let list = Values::new(3, Value::Nil);
    list[1].set(Value::Str(LuaStr::new(message.as_bytes())));
    list[2].set(Value::Int(i64::from(error.raw_os_error().unwrap_or(0))));
    several(list)
}

fn done(result: io::Result<()>, value: Value) -> Called {
    Ok(match result {
        Ok(()) => one(value),
        Err(error) => failure(None, &error),
    })
}

fn closed() -> Gc<Fault> {
    fault::message("attempt to use a closed file")
}

fn a_file(id: usize, args: Args) -> Result<Gc<File>, Gc<Fault>> {
    match args.at(0) {
        Value::File(file) => Ok(file),
        other => Err(check::mismatch(id, 0, 7, other, args.count > 0)),
    }
}

fn open_file(id: usize, args: Args) -> Result<Gc<File>, Gc<Fault>> {
    let file = a_file(id, args)?;
    if file.stream.get() < 0 {
        return Err(closed());
    }
    Ok(file)
}

fn the_default(file: Value, which: &str) -> Result<Gc<File>, Gc<Fault>> {
    match file {
        Value::File(file) if file.stream.get() >= 0 => Ok(file),
        _ => Err(fault::message(&format!("default {which} file is closed"))),
    }
}

fn with<R>(file: Gc<File>, f: impl FnOnce(&mut Stream) -> R) -> Result<R, Gc<Fault>> {
    let number = usize::try_from(file.stream.get()).map_err(|_| closed())?;
    stream::with(number, f).ok_or_else(closed)
}

/// A file value for a stream.
pub fn file(number: usize) -> Value {
    Value::File(made(number))
}

fn made(number: usize) -> Gc<File> {
    Gc::new(File {
        stream: Cell::new(number as i64),
    })
}

fn keep(handle: Handle) -> Value {
    let file = made(stream::keep(Stream::new(handle)));
    collected::note_file(file);
    Value::File(file)
}

/// Closes a file that the program has lost; how that went is lost, too.
pub fn abandon(file: Gc<File>) {
    if let Ok(number) = usize::try_from(file.stream.get())
        && let Some(stream) = stream::take(number)
    {
        file.stream.set(-1);
        stream.close().ok();
    }
}

fn close(file: Gc<File>) -> Called {
    if with(file, |stream| stream.is_standard())? {
        let message = Value::Str(LuaStr::new(b"cannot close standard file"));
        return Ok(several(list2(Value::Nil, message)));
    }
    let stream = stream::take(file.stream.get() as usize).ok_or_else(closed)?;
    file.stream.set(-1);
    Ok(match stream.close() {
        Ok(None) => one(Value::Bool(true)),
        Ok(Some(status)) => ended(status),
        Err(error) => failure(None, &error),
    })
}

/// How a command has ended, as `os.execute` says it.
pub fn ended(status: ExitStatus) -> Returned {
    use std::os::unix::process::ExitStatusExt;
    let (what, code) = match status.signal() {
        Some(signal) => ("signal", signal),
        None => ("exit", status.code().unwrap_or(0)),
    };
    let list = Values::new(3, Value::Nil);
    if status.success() {
        list[0].set(Value::Bool(true));
    }
    list[1].set(Value::Str(LuaStr::new(what.as_bytes())));
    list[2].set(Value::Int(i64::from(code)));
    several(list)
}

/// Opens a file as C's `fopen` does.
fn opened(name: &str, mode: &str) -> io::Result<Value> {
    let plus = mode.contains('+');
    let mut options = OpenOptions::new();
    match mode.as_bytes()[0] {
        b'r' => options.read(true).write(plus),
        b'w' => options.write(true).create(true).truncate(true).read(plus),
        _ => options.append(true).create(true).read(plus),
    };
    let readable = plus || mode.starts_with('r');
    let writable = plus || !mode.starts_with('r');
    Ok(keep(Handle::File(options.open(name)?, readable, writable)))
}

fn open(args: Args) -> Called {
    let name = check::string(IO_OPEN, args, 0)?.text();
    let mode = match args.at(1) {
        Value::Nil => "r".to_string(),
        _ => check::string(IO_OPEN, args, 1)?.text(),
    };
    let rest = mode.strip_prefix(['r', 'w', 'a']);
    let rest = rest.map(|rest| rest.strip_prefix('+').unwrap_or(rest));
    if !rest.is_some_and(|rest| rest.bytes().all(|byte| byte == b'b')) {
        return Err(check::bad(IO_OPEN, 1, "invalid mode"));
    }
    Ok(match opened(&name, &mode) {
        Ok(file) => one(file),
        Err(error) => failure(Some(&name), &error),
    })
}

fn popen(args: Args) -> Called {
    let command = check::string(IO_POPEN, args, 0)?.text();
    let mode = match args.at(1) {
        Value::Nil => "r".to_string(),
        _ => check::string(IO_POPEN, args, 1)?.text(),
    };
    if mode != "r" && mode != "w" {
        return Err(check::bad(IO_POPEN, 1, "invalid mode"));
    }
    stream::flush_all();
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &command]);
    let started = match mode.as_str() {
        "r" => shell.stdout(Stdio::piped()).spawn(),
        _ => shell.stdin(Stdio::piped()).spawn(),
    };
    Ok(match started {
        Ok(mut child) => match (child.stdout.take(), child.stdin.take()) {
            (Some(pipe), _) => one(keep(Handle::Reads(child, pipe))),
            (_, Some(pipe)) => one(keep(Handle::Writes(child, pipe))),
            _ => unreachable!("a pipe was asked for"),
        },
        Err(error) => failure(Some(&command), &error),
    })
}

fn temporary() -> Called {
    Ok(match system::temporary_file() {
        Ok((path, file)) => {
            std::fs::remove_file(&path).ok();
            one(keep(Handle::File(file, true, true)))
        }
        Err(error) => failure(None, &error),
    })
}

fn redirect(place: &Cell<Value>, id: usize, args: Args, mode: &str) -> Called {
    match args.at(0) {
        Value::Nil => {}
        Value::Str(name) => {
            let name = name.text();
            let file = opened(&name, mode).map_err(|error| cannot_open(&name, &error))?;
            place.set(file);
        }
        _ => {
            a_file(id, args)?;
            place.set(args.at(0));
        }
    }
    Ok(one(place.get()))
}

fn cannot_open(name: &str, error: &io::Error) -> Gc<Fault> {
    let message = system::message(error);
    fault::message(&format!("cannot open file '{name}' ({message})"))
}

/// The file of `io.lines`, and whether it is closed at its end.
fn lines(world: Gc<World>, args: Args) -> Called {
    if args.at(0).is_nil() {
        let Value::File(file) = world.input.get() else {
            return Err(closed());
        };
        with(file, |_| ())?;
        return Ok(several(list2(Value::File(file), Value::Bool(false))));
    }
    let name = check::string(IO_LINES, args, 0)?.text();
    let file = opened(&name, "r").map_err(|error| cannot_open(&name, &error))?;
    Ok(several(list2(file, Value::Bool(true))))
}

/// A step of `lines`: the file, whether it is closed at its end, formats.
fn next_line(args: Args) -> Called {
    let Value::File(file) = args.at(0) else {
        unreachable!("the library gives a file");
    };
    if file.stream.get() < 0 {
        return Err(fault::message("file is already closed"));
    }
    let results = read(file, args, 2, LINE)?;
    if results.first.is_nil() {
        if let Some(list) = results.all
            && list.len() > 1
            && let Value::Str(message) = list[1].get()
        {
            return Err(fault::message(&message.text()));
        }
        if args.at(1).truth()
            && let Some(stream) = stream::take(file.stream.get() as usize)
        {
            file.stream.set(-1);
            drop(stream);
        }
    }
    Ok(results)
}

/// Reads by the formats from an argument on.
fn read(file: Gc<File>, args: Args, first: usize, id: usize) -> Called {
    if args.count <= first {
        return Ok(match with(file, |stream| line(stream, false))? {
            Ok(value) => one(value),
            Err(error) => failure(None, &error),
        });
    }
    let list = Values::new(args.count - first, Value::Nil);
    for n in 0..list.len() {
        let at = first + n;
        let value = match args.at(at) {
            Value::Int(_) | Value::Float(_) => {
                let count = check::integer(id, args, at)?;
                with(file, |stream| bytes(stream, count))?
            }
            _ => {
                let format = check::string(id, args, at)?.text();
                let letter = format.strip_prefix('*').unwrap_or(&format).bytes().next();
                match letter {
                    Some(b'n') => with(file, numeral)?,
                    Some(b'l') => with(file, |stream| line(stream, false))?,
                    Some(b'L') => with(file, |stream| line(stream, true))?,
                    Some(b'a') => with(file, |stream| {
                        let mut out = ByteBuffer::new();
                        stream.bytes(usize::MAX, &mut out)?;
                        Ok(Value::Str(LuaStr::new(&out)))
                    })?,
                    _ => return Err(check::bad(id, at, "invalid format")),
                }
            }
        };
        match value {
            Ok(Value::Nil) => {
                let short = Values::new(n + 1, Value::Nil);
                for n in 0..n {
                    short[n].set(list[n].get());
                }
                return Ok(several(short));
            }
            Ok(value) => list[n].set(value),
            Err(error) => return Ok(failure(None, &error)),
        }
    }
    Ok(several(list))
}

fn line(stream: &mut Stream, keep: bool) -> io::Result<Value> {
    let mut out = ByteBuffer::new();
    match stream.line(keep, &mut out)? {
        true => Ok(Value::Str(LuaStr::new(&out))),
        false => Ok(Value::Nil),
    }
}

fn bytes(stream: &mut Stream, count: i64) -> io::Result<Value> {
    let mut out = ByteBuffer::new();
    if count <= 0 {
        return Ok(match stream.peek()? {
            Some(_) => Value::Str(LuaStr::new(b"")),
            None => Value::Nil,
        });
    }
    stream.bytes(count as usize, &mut out)?;
    Ok(match out.is_empty() {
        true => Value::Nil,
        false => Value::Str(LuaStr::new(&out)),
    })
}

/// Reads a numeral, as far as what comes can be one.
fn numeral(stream: &mut Stream) -> io::Result<Value> {
    let mut found = ByteBuffer::new();
    while let Some(b' ' | b'\t'..=b'\r') = stream.peek()? {
        stream.pass();
    }
    let mut next = |wanted: &dyn Fn(u8) -> bool, found: &mut ByteBuffer| -> io::Result<bool> {
        match stream.peek()? {
            Some(byte) if wanted(byte) && found.len() < MAX_NUMERAL => {
                found.push(byte);
                stream.pass();
                Ok(true)
            }
            _ => Ok(false),
        }
    };
    let sign = |byte: u8| matches!(byte, b'+' | b'-');
    next(&sign, &mut found)?;
    let mut hexadecimal = false;
    let mut count = 0;
    if next(&|byte| byte == b'0', &mut found)? {
        count = 1;
        if next(&|byte| matches!(byte, b'x' | b'X'), &mut found)? {
            (hexadecimal, count) = (true, 0);
        }
    }
    let digit = |byte: u8| match hexadecimal {
        true => byte.is_ascii_hexdigit(),
        false => byte.is_ascii_digit(),
    };
    while next(&digit, &mut found)? {
        count += 1;
    }
    if next(&|byte| byte == b'.', &mut found)? {
        while next(&digit, &mut found)? {
            count += 1;
        }
    }
    let exponent = |byte: u8| match hexadecimal {
        true => matches!(byte, b'p' | b'P'),
        false => matches!(byte, b'e' | b'E'),
    };
    if count > 0 && next(&exponent, &mut found)? {
        next(&sign, &mut found)?;
        while next(&|byte| byte.is_ascii_digit(), &mut found)? {}
    }
    Ok(arith::numeral(LuaStr::new(&found)))
}

/// Writes the arguments from one on.
fn write(file: Gc<File>, args: Args, first: usize, id: usize) -> Called {
    let mut text = ByteBuffer::new();
    for n in first..args.count {
        check::string(id, args, n)?;
        text.clear();
        match args.at(n) {
            Value::Float(f) if f.is_finite() => text.extend(number::general(f, 14, false).bytes()),
            value => concat::append(&mut text, value),
        }
        let written = match file.stream.get() as usize {
            STDOUT => output::write(&text),
            _ => with(file, |stream| stream.write(&text))?,
        };
        if let Err(error) = written {
            return Ok(failure(None, &error));
        }
    }
    Ok(one(Value::File(file)))
}

/// The number of an option among some; the default if it is not there.
fn option(
    id: usize,
    args: Args,
    index: usize,
    default: Option<&str>,
    options: [&str; 3],
) -> Result<usize, Gc<Fault>> {
    let name = match (args.at(index), default) {
        (Value::Nil, Some(default)) => default.to_string(),
        _ => check::string(id, args, index)?.text(),
    };
    options
        .iter()
        .position(|option| *option == name)
        .ok_or_else(|| check::bad(id, index, &format!("invalid option '{name}'")))
}

fn seek(args: Args) -> Called {
    let file = open_file(FILE_SEEK, args)?;
    let whence = option(FILE_SEEK, args, 1, Some("cur"), ["set", "cur", "end"])?;
    let offset = check::integer_or(FILE_SEEK, args, 2, 0)?;
    let to = match whence {
        // EINVAL, as for every place in front of a file.
        0 if offset < 0 => return Ok(failure(None, &io::Error::from_raw_os_error(22))),
        0 => SeekFrom::Start(offset as u64),
        1 => SeekFrom::Current(offset),
        _ => SeekFrom::End(offset),
    };
    Ok(match with(file, |stream| stream.seek(to))? {
        Ok(place) => one(Value::Int(place as i64)),
        Err(error) => failure(None, &error),
    })
}

fn buffer(args: Args) -> Called {
    let file = open_file(FILE_SETVBUF, args)?;
    let modes = [Buffering::No, Buffering::Full, Buffering::Line];
    let mode = option(FILE_SETVBUF, args, 1, None, ["no", "full", "line"])?;
    check::integer_or(FILE_SETVBUF, args, 2, 0)?;
    let result = with(file, |stream| stream.set_buffering(modes[mode]))?;
    done(result, Value::Bool(true))
}
