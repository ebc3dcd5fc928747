//! Chunks: `load`, `loadfile`, and where `require` finds files. In: texts, names, paths. Out:
//! functions, or nil and a message. Invariant: an error of a text is a value, not a fault.
//!
//! Source: Lua 5.4 reference manual, sections 6.1 and 6.3.

use super::check;
use super::names::{LOAD, LOADFILE, PACKAGE_SEARCHPATH};
use super::system;
use crate::chunk_name::ChunkName;
use crate::compile;
use crate::dump;
use crate::fault::Fault;
use crate::lexer::{self, SyntaxError};
use crate::load;
use crate::string::LuaStr;
use crate::value::{Args, Returned, Value, World, list2, one, several};
use std::io::{self, Read};
use verdigris::prelude::*;

type Called = Result<Returned, Gc<Fault>>;

/// `load` of a string.
pub fn load_text(world: Gc<World>, args: Args) -> Called {
    let text = check::string(LOAD, args, 0)?;
    if !compile::has_room(text.as_bytes()) {
        return Ok(failed(&SyntaxError::no_memory().message));
    }
    let name = match args.at(1) {
        Value::Nil => ChunkName::new(text.as_bytes()),
        _ => ChunkName::new(check::string(LOAD, args, 1)?.as_bytes()),
    };
    let mode = mode(LOAD, args, 2)?;
    let environment = (args.count > 3).then(|| args.at(3));
    Ok(loaded(world, text.as_bytes(), &name, &mode, environment))
}

/// `loadfile`
pub fn load_file(world: Gc<World>, args: Args) -> Called {
    let (text, name) = match args.at(0) {
        Value::Nil => {
            let mut text = Vec::new();
            let read = io::stdin().read_to_end(&mut text);
            (read.map(|_| text), ChunkName::new(b"=stdin"))
        }
        _ => {
            let path = check::string(LOADFILE, args, 0)?.text();
            (std::fs::read(&path), ChunkName::file(&path))
        }
    };
    let mode = mode(LOADFILE, args, 1)?;
    let environment = (args.count > 2).then(|| args.at(2));
    match text {
        Ok(text) => {
            let text = lexer::program_of(&text);
            Ok(loaded(world, text, &name, &mode, environment))
        }
        Err(error) => Ok(failed(&unreadable(&name.long, &error))),
    }
}

/// The message of a file that cannot be read.
pub fn unreadable(name: &str, error: &io::Error) -> String {
    let what = match error.kind() {
        io::ErrorKind::IsADirectory => "read",
        _ => "open",
    };
    format!("cannot {what} {name}: {}", system::message(error))
}

fn mode(id: usize, args: Args, index: usize) -> Result<String, Gc<Fault>> {
    match args.at(index) {
        Value::Nil => Ok("bt".to_string()),
        _ => Ok(check::string(id, args, index)?.text()),
    }
}

fn loaded(
    world: Gc<World>,
    text: &[u8],
    name: &ChunkName,
    mode: &str,
    environment: Option<Value>,
) -> Returned {
    let (kind, letter) = match text.first() {
        Some(&dump::FIRST) => ("binary", 'b'),
        _ => ("text", 't'),
    };
    if !mode.contains(letter) {
        return failed(&format!(
            "attempt to load a {kind} chunk (mode is '{mode}')"
        ));
    }
    match load::text(world, text, name, environment) {
        Ok(closure) => one(Value::Function(closure)),
        Err(message) => failed(&message),
    }
}

/// Nil and a message.
fn failed(message: &str) -> Returned {
    let message = Value::Str(LuaStr::new(message.as_bytes()));
    several(list2(Value::Nil, message))
}

/// `package.searchpath`
pub fn search_path(args: Args) -> Called {
    let name = check::string(PACKAGE_SEARCHPATH, args, 0)?.text();
    let path = check::string(PACKAGE_SEARCHPATH, args, 1)?.text();
    let text_or = |index: usize, default: &str| match args.at(index) {
        Value::Nil => Ok(default.to_string()),
        _ => check::string(PACKAGE_SEARCHPATH, args, index).map(|text| text.text()),
    };
    let (separator, replacement) = (text_or(2, ".")?, text_or(3, "/")?);
    let name = match separator.is_empty() {
        true => name,
        false => name.replace(&separator, &replacement),
    };
    let mut tried = Vec::new();
    for template in path.split(';').filter(|template| !template.is_empty()) {
        let file = template.replace('?', &name);
        if std::fs::File::open(&file).is_ok() {
            return Ok(one(Value::Str(LuaStr::new(file.as_bytes()))));
        }
        tried.push(format!("no file '{file}'"));
    }
    Ok(failed(&tried.join("\n\t")))
}

/// Where the system has modules.
const SYSTEM_PATH: &str = "/usr/local/share/lua/5.4/?.lua;/usr/local/share/lua/5.4/?/init.lua;\
    /usr/local/lib/lua/5.4/?.lua;/usr/local/lib/lua/5.4/?/init.lua;\
    /usr/share/lua/5.4/?.lua;/usr/share/lua/5.4/?/init.lua;./?.lua;./?/init.lua";

/// Where modules are looked for: where `LUA_PATH` says, if that counts, or else beside the script
/// and where the system has them.
pub fn default_path(script: &str, ignores_environment: bool) -> String {
    let folder = std::path::Path::new(script).parent();
    let folder = folder.map(|folder| folder.display().to_string());
    let standard = match folder.as_deref() {
        None | Some("" | ".") => SYSTEM_PATH.to_string(),
        Some(folder) => format!("{folder}/?.lua;{folder}/?/init.lua;{SYSTEM_PATH}"),
    };
    let told = std::env::var("LUA_PATH_5_4").or_else(|_| std::env::var("LUA_PATH"));
    let path = match told {
        Ok(path) if !ignores_environment => path,
        _ => return standard,
    };
    let inside = path.replace(";;", &format!(";{standard};"));
    inside.trim_matches(';').to_string()
}
