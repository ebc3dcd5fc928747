//! What the modules `os` and `os.path` ask of the system. In: the name of an operation, a path, and
//! what else it needs. Out: values, or an `OSError` with the system's words. Invariant: paths are
//! texts; one that is none is said to be missing.

use super::given::Given;
use super::names::{ENVIRONMENT, PACK_FLOAT, PATH_OPERATION};
use crate::heap::dict;
use crate::heap::exception::{self, Thrown};
use crate::heap::instance;
use crate::heap::value::{Tuple, Value, bytes, text};
use crate::heap::world::{classes, intern};
use crate::plain::half;
use crate::run::items::keys;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, symlink};
use verdigris::{List, prelude::*};

type Outcome = Result<Value, Thrown>;

/// Calls such a function.
///
/// # Errors
/// What the system says.
pub fn call(given: Given) -> Outcome {
    match given.id {
        ENVIRONMENT => environment(given),
        PATH_OPERATION => {
            let (name, path) = (given.text(0)?, given.text(1)?);
            let (name, path) = (name.as_str(), path.as_str());
            if path.contains('\0') {
                return Err(given.value_error("embedded null byte"));
            }
            match operate(given, name, path) {
                Ok(outcome) => outcome,
                Err(error) => Err(failed(given, &error)),
            }
        }
        PACK_FLOAT => {
            let x = given.float(0)?;
            let data = match given.int(given.at(1))? {
                2 => half::from_f64(x).map(|bits| bits.to_le_bytes().to_vec()),
                4 => {
                    let single = x as f32;
                    let fits = single.is_finite() || !x.is_finite();
                    fits.then(|| single.to_le_bytes().to_vec())
                }
                _ => Some(x.to_le_bytes().to_vec()),
            };
            Ok(data.map_or(Value::None, |data| bytes(&data)))
        }
        _ => {
            let Value::Bytes(data) = given.at(0) else {
                return Err(given.type_error("a float is unpacked from bytes"));
            };
            Ok(Value::Float(match *data.as_slice() {
                [a, b] => half::to_f64(u16::from_le_bytes([a, b])),
                [a, b, c, d] => f64::from(f32::from_le_bytes([a, b, c, d])),
                _ => data.as_slice().try_into().map_or(0.0, f64::from_le_bytes),
            }))
        }
    }
}

fn environment(given: Given) -> Outcome {
    let made = dict::new();
    for (name, value) in std::env::vars_os() {
        // One that is no text cannot be shown.
        if let (Some(name), Some(value)) = (name.to_str(), value.to_str()) {
            keys::put(given.world, made, text(name), text(value), given.depth)?;
        }
    }
    Ok(Value::Dict(made))
}

/// A path that the system has given.
fn shown(given: Given, path: &std::path::Path) -> Outcome {
    match path.to_str() {
        Some(path) => Ok(text(path)),
        None => Err(given.missing("a path that is not UTF-8")),
    }
}

fn operate(given: Given, name: &str, path: &str) -> io::Result<Outcome> {
    let other = match given.at(2) {
        Value::Str(other) => other.as_str().to_string(),
        _ => String::new(),
    };
    let number = match given.at(2) {
        Value::Int(number) => number,
        _ => 0,
    };
    Ok(Ok(match name {
        "stat" => status(&fs::metadata(path)?),
        "lstat" => status(&fs::symlink_metadata(path)?),
        "listdir" => {
            let made: Gc<List<Value>> = List::new();
            for entry in fs::read_dir(path)? {
                match shown(given, entry?.file_name().as_ref()) {
                    Ok(name) => made.push(name),
                    Err(thrown) => return Ok(Err(thrown)),
                }
            }
            Value::List(made)
        }
        "getcwd" => return Ok(shown(given, &std::env::current_dir()?)),
        "realpath" => return Ok(shown(given, &fs::canonicalize(path)?)),
        "readlink" => return Ok(shown(given, &fs::read_link(path)?)),
        "getpid" => Value::Int(i64::from(std::process::id())),
        "cpu_count" => {
            let count = std::thread::available_parallelism();
            count.map_or(Value::None, |count| Value::Int(count.get() as i64))
        }
        "strerror" => text(&words(&io::Error::from_raw_os_error(number as i32))),
        "urandom" => {
            let mut data = vec![0; usize::try_from(number).unwrap_or(0)];
            fs::File::open("/dev/urandom")?.read_exact(&mut data)?;
            bytes(&data)
        }
        _ => {
            match name {
                "chdir" => std::env::set_current_dir(path)?,
                "mkdir" => fs::DirBuilder::new().mode(number as u32).create(path)?,
                "rmdir" => fs::remove_dir(path)?,
                "remove" => fs::remove_file(path)?,
                "rename" => fs::rename(path, other)?,
                "symlink" => symlink(path, other)?,
                "link" => fs::hard_link(path, other)?,
                _ => fs::set_permissions(path, fs::Permissions::from_mode(number as u32))?,
            }
            Value::None
        }
    }))
}

/// What is known of a file: mode, number, device, links, owners, size, and three times.
fn status(known: &fs::Metadata) -> Value {
    let time = |seconds: i64, rest: i64| Value::Float(seconds as f64 + rest as f64 / 1e9);
    let number = |n: u64| Value::Int(n as i64);
    let parts = [
        number(u64::from(known.mode())),
        number(known.ino()),
        number(known.dev()),
        number(known.nlink()),
        number(u64::from(known.uid())),
        number(u64::from(known.gid())),
        number(known.size()),
        time(known.atime(), known.atime_nsec()),
        time(known.mtime(), known.mtime_nsec()),
        time(known.ctime(), known.ctime_nsec()),
    ];
    let made = Tuple::new(parts.len(), Value::Unbound);
    for (n, part) in parts.into_iter().enumerate() {
        made[n].set(part);
    }
    Value::Tuple(made)
}

/// What an error says, without its number.
fn words(error: &io::Error) -> String {
    let said = error.to_string();
    said.split(" (os error").next().unwrap_or(&said).to_string()
}

/// What the system says about the file that the arguments name.
pub fn failed(given: Given, error: &io::Error) -> Thrown {
    let world = given.world;
    let class = match error.kind() {
        io::ErrorKind::NotFound => classes::FILE_NOT_FOUND_ERROR,
        io::ErrorKind::AlreadyExists => classes::FILE_EXISTS_ERROR,
        io::ErrorKind::PermissionDenied => classes::PERMISSION_ERROR,
        io::ErrorKind::IsADirectory => classes::IS_A_DIRECTORY_ERROR,
        io::ErrorKind::NotADirectory => classes::NOT_A_DIRECTORY_ERROR,
        _ => classes::OS_ERROR,
    };
    let args = Tuple::new(2, Value::None);
    args[0].set(Value::Int(i64::from(error.raw_os_error().unwrap_or(0))));
    args[1].set(text(&words(error)));
    let made = exception::make(world.classes[class], args);
    let name = |what: &str, value| instance::set(made, intern(world, what), value);
    match given.id {
        PATH_OPERATION => {
            name("filename", given.at(1));
            if let Value::Str(other) = given.at(2)
                && !other.data.is_empty()
            {
                name("filename2", given.at(2));
            }
        }
        _ => name("filename", given.at(0)),
    }
    made
}
