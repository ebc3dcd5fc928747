//! The modules `sys` and `time`. In: arguments. Out: results.

use super::coroutines;
use super::decimals;
use super::display;
use super::evaluate;
use super::files::{self, failed};
use super::given::Given;
use super::names::*;
use super::regex;
use super::threads;
use crate::bytecode::source::Source;
use crate::clock;
use crate::heap::exception::{self, Thrown};
use crate::heap::instance::Instance;
use crate::heap::places;
use crate::heap::value::{Tuple, Value, bytes, text};
use crate::heap::world::{MAX_DEPTH, classes, intern};
use crate::output;
use crate::plain::{digest, fault};
use crate::run::call;
use crate::run::items::keys;
use crate::run::objects::{attribute, import, special};
use std::io::Write as _;
use verdigris::prelude::*;

/// Calls such a function.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Result<Value, Thrown> {
    given.check_keywords(&[])?;
    let world = given.world;
    match given.id {
        SYS_EXIT => exit(given),
        SYS_SETRECURSIONLIMIT => {
            let limit = given.int(given.at(0))?;
            if limit < 1 {
                let message = "recursion limit must be greater or equal than 1";
                return Err(given.value_error(message));
            }
            if limit > MAX_DEPTH {
                let what = format!("a recursion limit above {}", MAX_DEPTH);
                return Err(given.missing(&what));
            }
            world.limit.set(limit);
            Ok(Value::None)
        }
        SYS_GETRECURSIONLIMIT => Ok(Value::Int(world.limit.get())),
        SYS_EXC_INFO => {
            let made = Tuple::new(3, Value::None);
            if let Value::Instance(handled) = world.handled.get() {
                made[0].set(Value::Class(handled.map.get().class));
                made[1].set(Value::Instance(handled));
                let traceback = exception::part(handled).traceback.get();
                made[2].set(special::visible(traceback));
            }
            Ok(Value::Tuple(made))
        }
        FILE_ISATTY | FILE_READABLE => Ok(Value::Bool(false)),
        FILE_WRITABLE => Ok(Value::Bool(true)),
        FILE_FILENO => match given.at(0) {
            Value::Instance(file) => Ok(file.native),
            _ => Err(given.wrong_object()),
        },
        FILE_WRITELINES => {
            let all = super::collect::list_of(world, given.at(1), given.depth)?;
            let writer = intern(world, "write");
            let writer = attribute::get(world, given.at(0), writer, given.depth)?;
            for n in 0..all.len() {
                call::value(world, writer, call::one(all.at(n)), given.depth)?;
            }
            Ok(Value::None)
        }
        FILE_WRITE | FILE_FLUSH => {
            let Value::Instance(file) = given.at(0) else {
                return Err(given.wrong_object());
            };
            if given.id == FILE_FLUSH {
                flush(given)?;
                return Ok(Value::None);
            }
            let text = given.text(1)?;
            let to_errors = stream_of(file) == Some(2);
            output::write(text.as_str(), to_errors)
                .map_err(|error| fault::new(world, classes::OS_ERROR, &error.to_string()))?;
            Ok(Value::Int(text.chars as i64))
        }
        SYS_INTERN => Ok(given.at(0)),
        SYS_DISPLAYHOOK => display::hook(world, given.at(0), given.depth),
        SYS_GETFRAME => {
            let wanted = match given.at(0) {
                Value::Unbound => 0,
                n => given.int(n)?.max(0),
            };
            let mut frame = places::frames(world, given.depth);
            for _ in 0..wanted {
                frame = frame.and_then(|frame| frame.back);
            }
            match frame {
                Some(frame) => Ok(Value::Frame(frame)),
                None => Err(given.value_error("call stack is not deep enough")),
            }
        }
        TIME_SLEEP => {
            let seconds = given.float(0)?;
            if seconds < 0.0 {
                return Err(given.value_error("sleep length must be non-negative"));
            }
            if !world.threads.is_empty() {
                // Others have their turn meanwhile.
                return import::call(world, "_thread", "_sleep", &[given.at(0)], given.depth);
            }
            threads::wait(world, seconds)?;
            Ok(Value::None)
        }
        TIME_TIME => Ok(Value::Float(clock::since_epoch() as f64 / 1e9)),
        TIME_TIME_NS => Ok(Value::Int(clock::since_epoch())),
        TIME_PERF_COUNTER | TIME_MONOTONIC => Ok(Value::Float(clock::running() as f64 / 1e9)),
        TIME_PERF_COUNTER_NS => Ok(Value::Int(clock::running())),
        _ => Ok(Value::Float(clock::of_process() as f64 / 1e9)),
    }
}

/// Writes what was printed so far.
///
/// # Errors
/// If that fails.
pub fn flush(given: Given) -> Result<(), Thrown> {
    output::flush().map_err(|error| {
        crate::plain::fault::new(given.world, classes::OS_ERROR, &error.to_string())
    })
}

/// What the part of the library that is written in Python is made of.
///
/// # Errors
/// What a module raises, and what the system says about a file.
pub fn of_library(given: Given) -> Result<Value, Thrown> {
    given.check_keywords(&[])?;
    let world = given.world;
    match given.id {
        SOURCE_MODULE => {
            let (name, written) = (given.text(0)?, given.text(1)?);
            let Value::Dict(globals) = given.at(2) else {
                return Err(given.type_error("the globals of a module must be a dict"));
            };
            let (name, written) = (name.as_str(), written.as_str());
            import::of_text(world, name, written, globals, given.depth)
        }
        MODULE_NAMES | MODULE_GET => evaluate::call(given),
        REGEX_COMPILE..=REGEX_PART => regex::call(given),
        CODE_KIND | ITERABLE_COROUTINE | PLACE_OF => coroutines::of_library(given),
        DECIMAL_OPERATION | DECIMAL_PARSE | DECIMAL_SHOW => decimals::call(given),
        SOURCE_LINE => match given.at(0) {
            Value::Code(code) => {
                let line = given.int(given.at(1))?;
                let source = Source::new(code.module.source.as_str());
                Ok(text(source.line_text(line.max(0) as usize)))
            }
            _ => Err(given.wrong_object()),
        },
        TRACEBACK_TEXT => match given.at(0) {
            Value::Traceback(traceback) => Ok(text(&crate::run::text::traceback::lines(traceback))),
            Value::Instance(own) if exception::is_exception(given.at(0)) => {
                Ok(text(&crate::run::text::traceback::text(world, own)))
            }
            _ => Err(given.type_error("an exception is needed")),
        },
        PATH_OPERATION | ENVIRONMENT | PACK_FLOAT | UNPACK_FLOAT => files::call(given),
        DIGEST => {
            let Value::Bytes(data) = given.at(1) else {
                return Err(given.type_error("a digest is of bytes"));
            };
            match digest::of(given.text(0)?.as_str(), data.as_slice()) {
                Some(digest) => Ok(bytes(&digest)),
                None => Err(given.value_error("unsupported hash type")),
            }
        }
        READ_FILE => {
            let path = given.text(0)?;
            let data = std::fs::read(path.as_str()).map_err(|error| failed(given, &error))?;
            Ok(bytes(&data))
        }
        WRITE_FILE => {
            let (path, mode) = (given.text(0)?, given.text(2)?);
            let Value::Bytes(written) = given.at(1) else {
                return Err(given.type_error("what is written must be bytes"));
            };
            let mut options = std::fs::OpenOptions::new();
            match mode.as_str() {
                "a" => options.append(true).create(true),
                "x" => options.write(true).create_new(true),
                _ => options.write(true).create(true).truncate(true),
            };
            let file = options.open(path.as_str());
            file.and_then(|mut file| file.write_all(written.as_slice()))
                .map_err(|error| failed(given, &error))?;
            Ok(Value::None)
        }
        _ => match output::read_line() {
            Ok(Some(line)) => Ok(text(&(line + "\n"))),
            Ok(None) => Ok(Value::Str(world.empty)),
            Err(error) => Err(failed(given, &error)),
        },
    }
}

/// `sys.exit(code)`
///
/// # Errors
/// The `SystemExit`.
pub fn exit(given: Given) -> Result<Value, Thrown> {
    let args = match given.at(0) {
        Value::Unbound => Tuple::new(0, Value::Unbound),
        code => {
            let args = Tuple::new(1, Value::Unbound);
            args[0].set(code);
            args
        }
    };
    let class = given.world.classes[classes::SYSTEM_EXIT];
    Err(exception::make(class, args))
}

/// What `sys.stdout` is at present.
///
/// # Errors
/// A `RuntimeError` if it is gone.
pub fn standard_output(given: Given) -> Result<Value, Thrown> {
    let world = given.world;
    let module = keys::get(world, world.modules, text("sys"), given.depth)?;
    let stream = match module {
        Value::Module(module) => module.globals.get(intern(world, "stdout")),
        _ => None,
    };
    match stream.map(|global| global.get()) {
        None | Some(Value::Unbound) => {
            Err(fault::new(world, classes::RUNTIME_ERROR, "lost sys.stdout"))
        }
        Some(stream) => Ok(stream),
    }
}

/// The number of a standard stream: 1 or 2.
pub fn stream_of(file: Gc<Instance>) -> Option<i64> {
    match file.native {
        Value::Int(number) => Some(number),
        _ => None,
    }
}
