//! `require`. In: a name. Out: what the module returns. Invariant: a module is looked for in
//! `package.loaded`, then in files by the templates of `package.path`, and runs once.

use super::check;
use super::names::REQUIRE;
use crate::call;
use crate::fault::{self, Fault};
use crate::load;
use crate::string::LuaStr;
use crate::table::{self, Table};
use crate::value::{Args, Returned, Value, Values, World, arguments, list2, one, several};
use std::path::Path;
use verdigris::prelude::*;

/// `require`, for native code.
pub fn require(world: Gc<World>, args: Args, depth: i64) -> Result<Returned, Gc<Fault>> {
    let name = check::string(REQUIRE, args, 0)?;
    let package = match table::get_str(world.globals, table::interned(world, b"package")) {
        Value::Table(package) => package,
        _ => return Err(fault::message("'package' is no table")),
    };
    let loaded = match table::get_str(package, table::interned(world, b"loaded")) {
        Value::Table(loaded) => loaded,
        _ => return Err(fault::message("'package.loaded' is no table")),
    };
    let known = table::get_str(loaded, name);
    if !known.is_nil() {
        return Ok(one(known));
    }
    let (file, text) = find(world, package, name)?;
    let closure = load::text(world, &text, &file).map_err(|error| {
        fault::message(&format!(
            "error loading module '{}' from file '{file}':\n\t{error}",
            name.text()
        ))
    })?;
    let file = Value::Str(LuaStr::new(file.as_bytes()));
    let list = list2(Value::Str(name), file);
    let result = call::value(world, Value::Function(closure), arguments(list), depth)?.first;
    if !result.is_nil() {
        table::set(world, loaded, Value::Str(name), result);
    }
    let mut value = table::get_str(loaded, name);
    if value.is_nil() {
        value = Value::Bool(true);
        table::set(world, loaded, Value::Str(name), value);
    }
    let results = Values::new(2, value);
    results[1].set(file);
    Ok(several(results))
}

/// The file of a module and its text.
fn find(
    world: Gc<World>,
    package: Gc<Table>,
    name: Gc<LuaStr>,
) -> Result<(String, Vec<u8>), Gc<Fault>> {
    let path = match table::get_str(package, table::interned(world, b"path")) {
        Value::Str(path) => path.text(),
        _ => return Err(fault::message("'package.path' must be a string")),
    };
    let name = name.text();
    let mut tried = format!("module '{name}' not found:\n\tno field package.preload['{name}']");
    for template in path.split(';').filter(|template| !template.is_empty()) {
        let file = template.replace('?', &name.replace('.', "/"));
        if let Ok(text) = std::fs::read(Path::new(&file)) {
            return Ok((file, text));
        }
        tried += &format!("\n\tno file '{file}'");
    }
    Err(fault::message(&tried))
}
