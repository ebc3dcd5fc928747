//! The functions of `os`. In: arguments. Out: times, dates, what the system says. Invariant: what
//! fails in the system is nil, its message and its number.
//!
//! Source: Lua 5.4 reference manual, section 6.9.

use super::check;
use super::io;
use super::names::*;
use super::system;
use crate::access;
use crate::arith;
use crate::calendar::{self, Date};
use crate::fault::{self, Fault};
use crate::finalize;
use crate::host;
use crate::interned;
use crate::output;
use crate::stream;
use crate::string::LuaStr;
use crate::table::{self, Table};
use crate::value::{Args, Returned, Value, World, one, text};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use verdigris::prelude::*;

type Called = Result<Returned, Gc<Fault>>;

/// Calls a function, for native code.
pub fn call(world: Gc<World>, id: usize, args: Args, depth: i64) -> Called {
    match id {
        OS_CLOCK => Ok(one(Value::Float(host::clock()))),
        OS_TIME => time(world, args, depth),
        OS_DATE => date(world, args),
        OS_DIFFTIME => {
            let (a, b) = (check::integer(id, args, 0)?, check::integer(id, args, 1)?);
            Ok(one(Value::Float(a as f64 - b as f64)))
        }
        OS_GETENV => {
            let name = check::string(id, args, 0)?.text();
            Ok(match std::env::var(name) {
                Ok(value) => text(value.as_bytes()),
                Err(_) => one(Value::Nil),
            })
        }
        OS_EXECUTE => execute(args),
        OS_EXIT => {
            let status = match args.at(0) {
                Value::Nil | Value::Bool(true) => 0,
                Value::Bool(false) => 1,
                _ => check::integer(id, args, 0)? as i32,
            };
            if matches!(args.at(1), Value::Bool(true)) {
                finalize::end(world);
            }
            stream::flush_all();
            output::flush();
            host::exit(status)
        }
        OS_REMOVE => {
            let name = check::string(id, args, 0)?.text();
            let removed = match std::fs::symlink_metadata(&name) {
                Ok(what) if what.is_dir() => std::fs::remove_dir(&name),
                _ => std::fs::remove_file(&name),
            };
            Ok(done(&name, removed))
        }
        OS_RENAME => {
            let (from, to) = (check::string(id, args, 0)?, check::string(id, args, 1)?);
            Ok(match std::fs::rename(from.text(), to.text()) {
                Ok(()) => one(Value::Bool(true)),
                Err(error) => io::failure(None, &error),
            })
        }
        OS_TMPNAME => match system::temporary_file() {
            Ok((path, _)) => Ok(text(path.as_bytes())),
            Err(_) => Err(fault::message("unable to generate a unique filename")),
        },
        OS_SETLOCALE => locale(args),
        _ => unreachable!("function {id} of the library"),
    }
}

fn done(name: &str, result: std::io::Result<()>) -> Returned {
    match result {
        Ok(()) => one(Value::Bool(true)),
        Err(error) => io::failure(Some(name), &error),
    }
}

fn execute(args: Args) -> Called {
    if args.at(0).is_nil() {
        return Ok(one(Value::Bool(true)));
    }
    let command = check::string(OS_EXECUTE, args, 0)?.text();
    stream::flush_all();
    output::flush();
    let status = Command::new("/bin/sh").args(["-c", &command]).status();
    Ok(match status {
        Ok(status) => io::ended(status),
        Err(error) => io::failure(None, &error),
    })
}

/// There is one locale, that of C.
fn locale(args: Args) -> Called {
    let categories = ["all", "collate", "ctype", "monetary", "numeric", "time"];
    if !args.at(1).is_nil() {
        let category = check::string(OS_SETLOCALE, args, 1)?.text();
        if !categories.contains(&category.as_str()) {
            let what = format!("invalid option '{category}'");
            return Err(check::bad(OS_SETLOCALE, 1, &what));
        }
    }
    let name = match args.at(0) {
        Value::Nil => String::new(),
        _ => check::string(OS_SETLOCALE, args, 0)?.text(),
    };
    Ok(match name.as_str() {
        "" | "C" | "POSIX" => text(b"C"),
        _ => one(Value::Nil),
    })
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |time| time.as_secs() as i64)
}

fn time(world: Gc<World>, args: Args, depth: i64) -> Called {
    if args.at(0).is_nil() {
        return Ok(one(Value::Int(now())));
    }
    let t = check::table(OS_TIME, args, 0)?;
    let mut parts = [0; 6];
    let fields = [
        ("year", None),
        ("month", None),
        ("day", None),
        ("hour", Some(12)),
        ("min", Some(0)),
        ("sec", Some(0)),
    ];
    for (part, (name, default)) in parts.iter_mut().zip(fields) {
        let key = interned::string(world, name.as_bytes());
        let value = access::get_field(world, args.at(0), key, depth)?;
        *part = match (arith::to_integer(arith::to_number(value)), default) {
            (Some(number), _) if i32::try_from(number).is_ok() => number,
            (Some(_), _) => {
                let what = format!("field '{name}' is out-of-bound");
                return Err(fault::message(&what));
            }
            (None, Some(default)) if value.is_nil() => default,
            (None, None) if value.is_nil() => {
                let what = format!("field '{name}' missing in date table");
                return Err(fault::message(&what));
            }
            _ => {
                let what = format!("field '{name}' is not an integer");
                return Err(fault::message(&what));
            }
        };
    }
    let time = calendar::time_of(parts);
    match Date::new(time, true) {
        Some(date) => set_fields(world, t, &date),
        None => {
            let what = "time result cannot be represented in this installation";
            return Err(fault::message(what));
        }
    }
    Ok(one(Value::Int(time)))
}

fn set_fields(world: Gc<World>, t: Gc<Table>, date: &Date) {
    let fields = [
        ("year", date.year),
        ("month", date.month),
        ("day", date.day),
        ("hour", date.hour),
        ("min", date.minute),
        ("sec", date.second),
        ("yday", date.yearday + 1),
        ("wday", date.weekday + 1),
    ];
    for (name, value) in fields {
        let key = interned::string(world, name.as_bytes());
        table::set_str(t, key, Value::Int(value));
    }
    let key = interned::string(world, b"isdst");
    table::set_str(t, key, Value::Bool(date.summer));
}

fn date(world: Gc<World>, args: Args) -> Called {
    let format = match args.at(0) {
        Value::Nil => b"%c".to_vec(),
        _ => check::string(OS_DATE, args, 0)?.as_bytes().to_vec(),
    };
    let time = match args.at(1) {
        Value::Nil => now(),
        _ => check::integer(OS_DATE, args, 1)?,
    };
    let (format, local) = match format.strip_prefix(b"!") {
        Some(format) => (format, false),
        None => (&format[..], true),
    };
    let Some(date) = Date::new(time, local) else {
        let what = "date result cannot be represented in this installation";
        return Err(fault::message(what));
    };
    if format.starts_with(b"*t") {
        let t = table::empty(world);
        set_fields(world, t, &date);
        return Ok(one(Value::Table(t)));
    }
    match date.written_by(format) {
        Ok(shown) => Ok(one(Value::Str(LuaStr::new(&shown)))),
        Err(rest) => {
            let rest = String::from_utf8_lossy(&rest);
            let what = format!("invalid conversion specifier '%{rest}'");
            Err(check::bad(OS_DATE, 0, &what))
        }
    }
}
