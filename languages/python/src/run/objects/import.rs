//! Imports. In: names. Out: modules. Invariant: a module is run once; one that fails is not kept.

use crate::bytecode::source::Source;
use crate::compile::entry;
use crate::heap::class;
use crate::heap::dict::Dict;
use crate::heap::exception::Thrown;
use crate::heap::function::{Closure, Code, Frame, Function, Module, set_global};
use crate::heap::value::{Registers, Value, text};
use crate::heap::variables;
use crate::heap::world::{World, classes, intern, interned};
use crate::library::{self, PREFIX};
use crate::load;
use crate::plain::{self, fault};
use crate::run::call;
use crate::run::interp;
use crate::run::items::keys;
use crate::run::native::collect;
use crate::run::objects::attribute;
use std::path::Path;
use verdigris::{Map, Str, prelude::*};

/// The module of a name; of one with dots the first package, if that is wanted.
///
/// # Errors
/// That there is none, or what it raises.
#[opaque]
pub fn module(
    world: Gc<World>,
    from: Gc<Module>,
    name: Gc<Str>,
    wants_top: bool,
    depth: i64,
) -> Result<Value, Thrown> {
    let whole = absolute(world, from, name.as_str())?;
    let mut top = Value::Unbound;
    let mut parent = Value::Unbound;
    // One after the other, from the first package on.
    let ends = whole.match_indices('.').map(|(at, _)| at);
    for end in ends.chain([whole.len()]) {
        let (wanted, own) = (&whole[..end], whole[..end].rsplit('.').next().unwrap_or(""));
        let made = one(world, wanted, depth)?;
        if let (Value::Module(package), Value::Module(_)) = (parent, made) {
            set(world, package, own, made);
        }
        if top.is_unbound() {
            top = made;
        }
        parent = made;
    }
    Ok(if wants_top { top } else { parent })
}

/// The whole name of a module: dots in front stand for the package that the importing module is in,
/// and for those around it.
fn absolute(world: Gc<World>, from: Gc<Module>, name: &str) -> Result<String, Thrown> {
    let rest = name.trim_start_matches('.');
    let level = name.len() - rest.len();
    if level == 0 {
        return Ok(name.to_string());
    }
    // A program that is a part of a package says so, and has another name.
    let package = match (
        from.name.as_str(),
        from.globals.get(intern(world, "__package__")),
    ) {
        ("__main__", Some(global)) => match global.get() {
            Value::Str(package) => Some(package),
            _ => None,
        },
        _ => None,
    };
    let is_package = package.is_some() || from.file.as_str().ends_with("__init__.py");
    let own = match &package {
        Some(package) => package.as_str(),
        None => from.name.as_str(),
    };
    let mut parts: Vec<&str> = own.split('.').collect();
    let up = level - usize::from(is_package);
    if own == "__main__" || up >= parts.len() + usize::from(is_package) {
        let message = match parts.len() {
            0 | 1 => "attempted relative import with no known parent package",
            _ => "attempted relative import beyond top-level package",
        };
        return Err(fault::new(world, classes::IMPORT_ERROR, message));
    }
    parts.truncate(parts.len() - up);
    if !rest.is_empty() {
        parts.push(rest);
    }
    Ok(parts.join("."))
}

/// `from module import *`
///
/// # Errors
/// That a name of `__all__` is not there.
#[opaque]
pub fn all(world: Gc<World>, to: Gc<Module>, from: Value, depth: i64) -> Result<(), Thrown> {
    let Value::Module(module) = from else {
        return Err(fault::missing(world, "'import *' of what is no module"));
    };
    let listed = module.globals.get(intern(world, "__all__"));
    if let Some(listed) = listed
        && !listed.get().is_unbound()
    {
        let wanted = collect::list_of(world, listed.get(), depth + 1)?;
        for n in 0..wanted.len() {
            if let Value::Str(name) = wanted.at(n) {
                let name = interned(world, name.data);
                let value = attribute::get(world, from, name, depth + 1)?;
                set(world, to, name.as_str(), value);
            }
        }
        return Ok(());
    }
    let names = module.globals.keys();
    for n in 0..names.len() {
        let name = names.at(n);
        let global = module.globals.get(name);
        let value = global.map_or(Value::Unbound, |global| global.get());
        if !name.as_str().starts_with('_') && !value.is_unbound() {
            set(world, to, name.as_str(), value);
        }
    }
    Ok(())
}

/// A module whose packages have been imported.
fn one(world: Gc<World>, wanted: &str, depth: i64) -> Result<Value, Thrown> {
    let key = text(wanted);
    let known = keys::get(world, world.modules, key, depth)?;
    if !known.is_unbound() {
        return Ok(known);
    }
    let code = match library::text_of(wanted) {
        Some(text) => {
            let file = format!("{PREFIX}{wanted}.py>");
            prepare(world, wanted, &file, text)?
        }
        None => of_file(world, wanted)?,
    };
    let value = Value::Module(code.module);
    keys::put(world, world.modules, key, value, depth)?;
    match run(code, depth) {
        Ok(()) => Ok(value),
        Err(thrown) => {
            keys::remove(world, world.modules, key, depth)?;
            Err(thrown)
        }
    }
}

/// The code of a module or package in the folder of the program.
fn of_file(world: Gc<World>, wanted: &str) -> Result<Gc<Code>, Thrown> {
    let base = Path::new(world.folder.as_str()).join(wanted.replace('.', "/"));
    let package = base.join("__init__.py");
    let file = match package.is_file() {
        true => package,
        false => base.with_extension("py"),
    };
    let Ok(bytes) = std::fs::read(&file) else {
        let message = format!("No module named '{wanted}'");
        return Err(fault::new(world, classes::MODULE_NOT_FOUND_ERROR, &message));
    };
    let shown = file.display().to_string();
    let Ok(source) = std::str::from_utf8(&bytes) else {
        let message = format!("'{shown}' is not UTF-8");
        return Err(fault::new(world, classes::SYNTAX_ERROR, &message));
    };
    prepare(world, wanted, &shown, source)
}

/// A module of a text whose globals are those of a dict at first, for the library.
///
/// # Errors
/// A `SyntaxError`, and what it raises.
pub fn of_text(
    world: Gc<World>,
    name: &str,
    text: &str,
    globals: Gc<Dict>,
    depth: i64,
) -> Result<Value, Thrown> {
    let code = prepare(world, name, &format!("{PREFIX}{name}>"), text)?;
    for entry in plain::entries(globals) {
        if let Value::Str(name) = globals.keys.get()[entry].get() {
            set(
                world,
                code.module,
                name.as_str(),
                globals.values.get()[entry].get(),
            );
        }
    }
    run(code, depth)?;
    Ok(Value::Module(code.module))
}

/// Calls a function of a module of the library.
///
/// # Errors
/// What it raises.
pub fn call(
    world: Gc<World>,
    module: &str,
    function: &str,
    given: &[Value],
    depth: i64,
) -> Result<Value, Thrown> {
    let args = Registers::new(given.len(), Value::Unbound);
    for (n, &value) in given.iter().enumerate() {
        args[n].set(value);
    }
    let function = self::function(world, module, function, depth)?;
    call::value(world, function, call::plain(args), depth + 1)
}

/// A function of a module of the library.
///
/// # Errors
/// What importing it raises.
pub fn function(
    world: Gc<World>,
    module: &str,
    function: &str,
    depth: i64,
) -> Result<Value, Thrown> {
    let module = one(world, module, depth + 1)?;
    attribute::get(world, module, intern(world, function), depth + 1)
}

/// The code of a module, with the module.
///
/// # Errors
/// A `SyntaxError`.
pub fn prepare(world: Gc<World>, name: &str, file: &str, text: &str) -> Result<Gc<Code>, Thrown> {
    let source = Source::new(text);
    match entry::module(text) {
        Ok(compiled) => {
            let module = new_module(world, name, file, text);
            let code = load::code(world, module, &source, &compiled);
            set(world, module, "__doc__", code.doc);
            Ok(code)
        }
        Err(error) => {
            let line = source.line_of(error.start);
            let message = format!("{} ({file}, line {line})", error.message);
            let class = match error.kind {
                "NotImplementedError" => classes::NOT_IMPLEMENTED_ERROR,
                _ => classes::SYNTAX_ERROR,
            };
            Err(fault::new(world, class, &message))
        }
    }
}

/// A module without globals but its name and file.
pub fn new_module(world: Gc<World>, name: &str, file: &str, text: &str) -> Gc<Module> {
    let module = Gc::new(Module {
        name: intern(world, name),
        file: Str::new(file),
        source: Str::new(text),
        globals: Map::new(),
    });
    set(world, module, "__name__", self::text(name));
    set(world, module, "__file__", self::text(file));
    module
}

fn set(world: Gc<World>, module: Gc<Module>, name: &str, value: Value) {
    let global = variables::global_of(world, module, intern(world, name));
    set_global(global, value);
}

/// Runs the code of a module.
///
/// # Errors
/// What it raises.
pub fn run(code: Gc<Code>, depth: i64) -> Result<(), Thrown> {
    let function = Gc::new(Function {
        code,
        defaults: code.world.no_items,
        keyword_defaults: Value::None,
        closure: Closure::from_slice(&[]),
        annotations: Value::None,
        attributes: Cell::new(None),
    });
    let frame = Gc::new(Frame {
        function,
        registers: Registers::new(code.registers, Value::Unbound),
    });
    interp::run(code, 0, frame, depth + 1).map(|_| ())
}

/// A name of a module, for `from .. import`.
///
/// # Errors
/// An `ImportError` if there is none.
#[opaque]
pub fn member(world: Gc<World>, module: Value, name: Gc<Str>, depth: i64) -> Result<Value, Thrown> {
    let found = attribute::get(world, module, name, depth);
    if let (Err(_), Value::Module(package)) = (found, module)
        && package.file.as_str().ends_with("__init__.py")
    {
        let whole = format!("{}.{}", package.name.as_str(), name.as_str());
        match one(world, &whole, depth + 1) {
            Ok(made) => {
                set(world, package, name.as_str(), made);
                return Ok(made);
            }
            Err(thrown) => {
                let absent = world.classes[classes::MODULE_NOT_FOUND_ERROR];
                if !class::derives(thrown.map.get().class, absent) {
                    return Err(thrown);
                }
            }
        }
    }
    found.map_err(|_| {
        let (own, file) = match module {
            Value::Module(module) => (
                module.name.as_str().to_string(),
                module.file.as_str().to_string(),
            ),
            _ => ("?".to_string(), String::new()),
        };
        let place = if file.is_empty() {
            "unknown location"
        } else {
            &file
        };
        let message = format!(
            "cannot import name '{}' from '{own}' ({place})",
            name.as_str()
        );
        fault::new(world, classes::IMPORT_ERROR, &message)
    })
}
